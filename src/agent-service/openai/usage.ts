/**
 * The tokens that a server of the OpenAI shape says a model read and wrote. A stream of Chat Completions tells them if it
 * is asked to, and some servers refuse that.
 */
import type { ParleyError } from "../../core/errors.ts";
import type { AgentEvent } from "../../core/model/agent-event.ts";
import { isObject } from "../../core/tools/parse-json.ts";
import type { DialectOptions } from "../dialect.ts";
import { saysPictures } from "./pictures.ts";
import { orWithout, type Refusable, wordsOf } from "./refusable.ts";

/** More in one call is a fault of the server. */
const maxTokens = 1_000_000_000;

const refusedPattern = /stream_options|include_usage/i;
/** A server that doesn't say what it refuses. */
const likelyCodes = new Set(["service_request_refused", "service_not_understood"]);

/** Of a `usage` in the words of Chat Completions or of Responses. None where it doesn't tell. */
export function usageEvents(usage: unknown): readonly Extract<AgentEvent, { type: "usage" }>[] {
  if (!isObject(usage)) return [];
  const input = countIn(usage["prompt_tokens"] ?? usage["input_tokens"]);
  const output = countIn(usage["completion_tokens"] ?? usage["output_tokens"]);
  if (input === undefined && output === undefined) return [];
  return [{ type: "usage", tokens: { input: input ?? 0, output: output ?? 0 } }];
}

function countIn(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= maxTokens ? Number(value) : undefined;
}

/** Fields of a streamed request that ask for its tokens. */
export const asksUsage = { stream_options: { include_usage: true } } as const;

/** Asks for the tokens of streams, unless that server refuses the question. One for each client of a server. */
export function createUsageAsking({
  refusals,
  log,
}: Pick<DialectOptions, "refusals"> & Partial<Pick<DialectOptions, "log">>) {
  /** Servers that have told it: what they refuse now is something else. */
  const telling = new Set<string>();

  return (
    server: string,
    run: (isAsked: boolean) => AsyncIterable<AgentEvent>,
  ): AsyncGenerator<AgentEvent, void, undefined> => {
    const mayRefuse = (error: ParleyError) =>
      !telling.has(server) &&
      (refusedPattern.test(wordsOf(error)) || (likelyCodes.has(error.code) && !saysPictures(error)));
    const refusable: Refusable = {
      key: `usage\n${server}`,
      mayRefuse,
      meansAlways: () => true,
      onRefused: (err) => log?.info({ err }, "This server doesn't tell the tokens of a stream; not asked for a day"),
    };
    return orWithout(refusable, refusals, async function* (refused) {
      const isAsked = refused === undefined;
      for await (const event of run(isAsked)) {
        if (isAsked && event.type === "usage") telling.add(server);
        yield event;
      }
    });
  };
}
