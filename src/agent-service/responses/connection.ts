/** The connection to a server of the Responses shape: requests with its key, and streamed runs as events. */

import type { AgentEvent } from "../../core/model/agent-event.ts";
import { type DialectOptions, defaultLimits, type Limits } from "../dialect.ts";
import { streamEvents } from "../http/event-stream.ts";
import type { Http } from "../http/http.ts";
import type { HttpRequest } from "../http/http-request.ts";
import { createRunLog } from "../http/run-log.ts";
import { createKeyedHttp } from "../openai/keyed-http.ts";
import { createResponsesDecoder, type ResponsesDecoder } from "./stream/decoder.ts";
import type { TranslatorOptions } from "./stream/translator.ts";

export type Connection = {
  readonly http: Http;
  readonly limits: Limits;
  /** Must not appear in an error. */
  readonly secrets: readonly string[];
  /** One for each run, whichever requests read it. */
  readonly decoder: (onIdentified: NonNullable<TranslatorOptions["onIdentified"]>) => ResponsesDecoder;
  /** The events of one request. Ends where the stream closes, with or without a terminal event. */
  readonly stream: (request: HttpRequest, decoder: ResponsesDecoder) => AsyncGenerator<AgentEvent, void, undefined>;
};

export function createConnection(options: DialectOptions, isCowork: boolean): Connection {
  const limits: Limits = { ...defaultLimits, ...options.limits };
  const { http, secrets } = createKeyedHttp(options, limits);
  const runLog = createRunLog(options);

  return {
    http,
    limits,
    secrets,
    decoder: (onIdentified) => {
      const { maxChunkBytes } = limits;
      const skipped = runLog.skipped();
      return createResponsesDecoder({ maxChunkBytes, secrets, isCowork, onIdentified, skipped });
    },
    stream: (request, decoder) => {
      const events = streamEvents(http, options.clock, limits, { ...request, accept: "text/event-stream" }, decoder);
      return runLog.watch(events, decoder.skipped);
    },
  };
}
