/**
 * Runs an agent and yields the chunks of the API document: start, two tool calls with results, output, end. Searches take
 * a millisecond. The pause before each chunk lets people follow the steps and press Stop.
 */
import type { Clock } from "../../ports/clock.ts";
import { action, actionChunk, endChunk, outputChunk, startChunk, stepChunk } from "./chunks.ts";
import { queryObservation } from "./observation.ts";
import type { PassageSearch } from "./passage-search.ts";
import { type Exchange, readQuestion } from "./question.ts";
import { quotationOf } from "./quotation.ts";

export type RunOptions = {
  readonly messages: readonly Exchange[];
  /** The agent's existing knowledge bases. */
  readonly bases: readonly { readonly id: number; readonly name: string }[];
  /** Names of its knowledge bases that don't exist. */
  readonly missing: readonly string[];
  readonly passages: PassageSearch;
  readonly clock: Clock;
  readonly stepDelayMs: number;
  readonly signal: AbortSignal;
};

/** As the query says; quotation.ts takes as many. */
const maxPassages = 5;
/** Most words shown in the query; the search itself uses all it needs. */
const maxQueryWords = 30;

/** Throws the signal's reason on abort. */
export async function* runChunks(options: RunOptions): AsyncGenerator<unknown, void, undefined> {
  const { messages, bases, clock, stepDelayMs, signal } = options;
  const pause = async () => {
    signal.throwIfAborted();
    if (stepDelayMs > 0) await clock.sleep(stepDelayMs, signal);
  };

  yield startChunk(messages.at(-1)?.question ?? "");
  const search = readQuestion(messages);
  const list = action("kb_list_tool", "", "I'll check which knowledge bases I have.");
  await pause();
  yield actionChunk(list);
  await pause();
  yield stepChunk(list, JSON.stringify(bases.map((base) => base.name)));

  const quoted = await quotationOf({ ...options, search });
  const words = search.terms.map((term) => term.word).slice(0, maxQueryWords);
  for (const base of words.length === 0 ? [] : bases) {
    const query = `SELECT * FROM ${base.name} WHERE content = '${words.join(" ")}' LIMIT ${maxPassages};`;
    const look = action("kb_query_tool", query, `I'll search ${base.name} for ${words.slice(0, 5).join(", ")}.`);
    await pause();
    yield actionChunk(look);
    await pause();
    yield stepChunk(
      look,
      queryObservation(quoted.passages.filter(({ knowledgeBaseId }) => knowledgeBaseId === base.id)),
    );
  }

  await pause();
  yield outputChunk(quoted.text);
  yield endChunk;
}
