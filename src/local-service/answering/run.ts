/**
 * Runs an agent and yields the chunks of the API document: start, two tool calls with results, output, end. Searches take
 * a millisecond. The pause before each chunk lets people follow the steps and press Stop.
 */
import type { Clock } from "../../ports/clock.ts";
import { bestMessages, quoteMessages, readMessages } from "./about.ts";
import {
  answerFrom,
  emptyKnowledgeBase,
  noKnowledgeBase,
  nothingAsked,
  nothingFound,
  sourceKey,
  sureRelevance,
} from "./answer.ts";
import { queryObservation } from "./observation.ts";
import type { FoundPassage, PassageSearch } from "./passage-search.ts";
import { type Exchange, readQuestion } from "./question.ts";

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

type Action = { readonly tool: string; readonly tool_input: string; readonly log: string };

/** Most passages of one search: nobody opens more sources. */
const maxPassages = 5;
/** Most words shown in the query; the search itself uses all it needs. */
const maxQueryWords = 30;
/** Parts of a page count, and are then listed once. */
const topicsRead = 40;

/** Throws the signal's reason on abort. */
export async function* runChunks(options: RunOptions): AsyncGenerator<unknown, void, undefined> {
  const { messages, bases, passages, clock, stepDelayMs, signal } = options;
  const pause = async () => {
    signal.throwIfAborted();
    if (stepDelayMs > 0) await clock.sleep(stepDelayMs, signal);
  };

  yield { type: "start", prompt: messages.at(-1)?.question ?? "", trace_id: "" };
  const search = readQuestion(messages);
  const list = action("kb_list_tool", "", "I'll check which knowledge bases I have.");
  await pause();
  yield actionChunk(list);
  await pause();
  yield stepChunk(list, JSON.stringify(bases.map((base) => base.name)));

  const quoted = bestMessages(readMessages(search.context), search);
  // Beside quoted messages, a passage that only mentions the words says nothing.
  const least = quoted.length > 0 ? sureRelevance : 0;
  let found: FoundPassage[] = [];
  const words = search.terms.map((term) => term.word).slice(0, maxQueryWords);
  for (const base of words.length === 0 ? [] : bases) {
    const query = `SELECT * FROM ${base.name} WHERE content = '${words.join(" ")}' LIMIT ${maxPassages};`;
    const look = action("kb_query_tool", query, `I'll search ${base.name} for ${words.slice(0, 5).join(", ")}.`);
    await pause();
    yield actionChunk(look);
    const all = passages.search([base.id], search, maxPassages * 2).filter(({ relevance = 0 }) => relevance >= least);
    const hits = unlessSeen(all, messages, search.asksForMore);
    await pause();
    yield stepChunk(look, queryObservation(hits.slice(0, maxPassages)));
    found.push(...hits.slice(0, maxPassages));
  }

  await pause();
  found = found.toSorted((a, b) => (b.relevance ?? 0) - (a.relevance ?? 0));
  const output = answerOf(found);
  yield { output, messages: [{ content: output }], trace_id: "" };
  yield { type: "end" };

  function answerOf(ranked: readonly FoundPassage[]): string {
    if (quoted.length > 0) {
      const fromDocuments = ranked.length > 0 ? [answerFrom({ ...passages, passages: ranked })] : [];
      return [quoteMessages(quoted), ...fromDocuments].join("\n\n---\n\n");
    }
    if (bases.length === 0) return noKnowledgeBase(options.missing);
    const topics = passages.topics(
      bases.map((base) => base.id),
      topicsRead,
    );
    if (words.length === 0) return nothingAsked(topics);
    if (ranked.length > 0) return answerFrom({ ...passages, passages: ranked });
    const names = bases.map((base) => base.name);
    const isEmpty = bases.every((base) => passages.list(base.id, 1).length === 0);
    return isEmpty ? emptyKnowledgeBase(names) : nothingFound(names, topics);
  }
}

/** For "tell me more", omits what the previous answer quoted, unless nothing else was found. */
function unlessSeen(hits: readonly FoundPassage[], messages: readonly Exchange[], asksForMore: boolean) {
  const before = messages.at(-2)?.answer ?? "";
  const fresh = asksForMore ? hits.filter((hit) => !before.includes(`(${sourceKey(hit)})** [`)) : hits;
  return fresh.length > 0 ? fresh : hits;
}

function action(tool: string, input: string, thought: string): Action {
  return { tool, tool_input: input, log: `Thought: ${thought}\nAction: ${tool}\nAction Input: ${input}` };
}

function actionChunk(call: Action): unknown {
  return { actions: [call], messages: [{ content: call.log }], trace_id: "" };
}

function stepChunk(call: Action, observation: string): unknown {
  return { steps: [{ action: call, observation }], messages: [{ content: observation }], trace_id: "" };
}
