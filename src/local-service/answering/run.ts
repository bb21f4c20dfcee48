/**
 * Runs an agent that quotes: it lists its knowledge bases, searches each, and answers. Searches take a millisecond. The
 * pause before each event lets people follow the steps and press Stop.
 */
import type { Clock } from "../../ports/clock.ts";
import type { AgentEvent } from "../../ports/model/agent-event.ts";
import { sourceKey } from "./answer.ts";
import type { FoundPassage, PassageSearch } from "./passage-search.ts";
import { type Exchange, readQuestion } from "./question.ts";
import { createQuotation } from "./quotation.ts";
import { createStep } from "./steps.ts";

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

/** Most passages of one search: nobody opens more sources. */
const maxPassages = 5;
/** Most words shown in the query; the search itself uses all it needs. */
const maxQueryWords = 30;

/** Throws the signal's reason on abort. */
export async function* quote(options: RunOptions): AsyncGenerator<AgentEvent, void, undefined> {
  const { messages, bases, passages, clock, stepDelayMs, signal } = options;
  const pause = async () => {
    signal.throwIfAborted();
    if (stepDelayMs > 0) await clock.sleep(stepDelayMs, signal);
  };

  const search = readQuestion(messages);
  const list = createStep("kb_list_tool", "", "I'll check which knowledge bases I have.");
  await pause();
  yield* list.begun;
  await pause();
  yield list.names(bases.map((base) => base.name));

  const quotation = createQuotation({ ...options, search });
  const found: FoundPassage[] = [];
  const words = search.terms.map((term) => term.word).slice(0, maxQueryWords);
  for (const base of words.length === 0 ? [] : bases) {
    const query = `SELECT * FROM ${base.name} WHERE content = '${words.join(" ")}' LIMIT ${maxPassages};`;
    const look = createStep("kb_query_tool", query, `I'll search ${base.name} for ${words.slice(0, 5).join(", ")}.`);
    await pause();
    yield* look.begun;
    const all = await passages.search([base.id], search, maxPassages * 2);
    const sure = all.filter(({ relevance = 0 }) => relevance >= quotation.leastRelevance);
    const hits = unlessSeen(sure, messages, search.asksForMore).slice(0, maxPassages);
    await pause();
    yield look.passages(hits);
    found.push(...hits);
  }

  await pause();
  yield { type: "answer", text: quotation.answer(found) };
}

/** For "tell me more", omits what the previous answer quoted, unless nothing else was found. */
function unlessSeen(hits: readonly FoundPassage[], messages: readonly Exchange[], asksForMore: boolean) {
  const before = messages.at(-2)?.answer ?? "";
  const fresh = asksForMore ? hits.filter((hit) => !before.includes(`(${sourceKey(hit)})** [`)) : hits;
  return fresh.length > 0 ? fresh : hits;
}
