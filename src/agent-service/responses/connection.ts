/** The connection to a server of the Responses shape: requests with its key, and streamed runs as events. */
import { type AgentEvent, runLimits } from "../../ports/agent-service.ts";
import { ParleyError } from "../../ports/errors.ts";
import { present } from "../../ports/tools/present.ts";
import { type DialectOptions, defaultLimits, type Limits } from "../dialect.ts";
import { streamEvents } from "../http/event-stream.ts";
import { createHttp, type Http } from "../http/http.ts";
import type { HttpRequest, Login } from "../http/http-request.ts";
import { openAiErrorOf } from "../http/openai-problem.ts";
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

/** Each unknown kind of event is logged once, up to this many kinds, in case a service keeps inventing them. */
const maxKindsLogged = 100;

export function createConnection(options: DialectOptions, isCowork: boolean): Connection {
  const limits: Limits = { ...defaultLimits, ...options.limits };
  const { baseUrl, token, proxy, clock, log } = options;
  const { connectMs, requestMs } = limits;
  const secrets = token === undefined ? [] : [token];
  const login = () => keyAlone(token, secrets);
  const http = createHttp(present({ baseUrl, proxy, connectMs, requestMs, clock, errorOf: openAiErrorOf, login }));
  const kindsLogged = new Set<string>();
  let skipped = 0;

  function onMalformed(): void {
    skipped += 1;
    options.onMalformed?.();
  }

  function logUnknown(kind: string): void {
    if (kindsLogged.has(kind) || kindsLogged.size >= maxKindsLogged) return;
    kindsLogged.add(kind);
    log.info({ kind }, "The agent service sent an event of an unknown kind");
  }

  return {
    http,
    limits,
    secrets,
    decoder: (onIdentified) => {
      const { maxChunkBytes } = limits;
      const maxRunBytes = runLimits.bytes;
      return createResponsesDecoder({ maxChunkBytes, maxRunBytes, secrets, isCowork, onIdentified, onMalformed });
    },
    stream: async function* (request, decoder) {
      const skippedBefore = skipped;
      try {
        for await (const event of streamEvents(
          http,
          clock,
          limits,
          { ...request, accept: "text/event-stream" },
          decoder,
        )) {
          if (event.type === "unknown") logUnknown(event.kind);
          yield event;
        }
      } finally {
        if (skipped > skippedBefore) log.warn({}, "Skipped events of the agent service that aren't JSON");
      }
    },
  };
}

/** A bearer key doesn't expire, so a refused one stays refused. */
function keyAlone(token: string | undefined, secrets: readonly string[]): Login {
  return {
    token: () => token,
    canRenew: () => false,
    renew: () => Promise.reject(new ParleyError("not_authorised")),
    secrets: () => secrets,
  };
}
