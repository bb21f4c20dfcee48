/**
 * Runs an agent that quotes: it lists its knowledge bases, searches each, and answers. Searches take a millisecond. The
 * pause before each event lets people follow the steps and press Stop.
 */

import type { AgentEvent } from "../../../core/model/agent-event.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { PassageSearch } from "./passage-search.ts";
import { type Exchange, readQuestion } from "./question.ts";
import { quotationOf } from "./quotation.ts";
import { respelled } from "./respelling.ts";
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

/** As the query says; quotation.ts takes as many. */
const maxPassages = 5;
/** Most words shown in the query; the search itself uses all it needs. */
const maxQueryWords = 30;

/** Throws the signal's reason on abort. */
export async function* quote(options: RunOptions): AsyncGenerator<AgentEvent, void, undefined> {
  const { messages, bases, clock, stepDelayMs, signal } = options;
  const pause = async () => {
    signal.throwIfAborted();
    if (stepDelayMs > 0) await clock.sleep(stepDelayMs, signal);
  };

  let search = readQuestion(messages);
  const list = createStep("kb_list_tool", "", "I'll check which knowledge bases I have.");
  await pause();
  yield* list.begun;
  await pause();
  yield list.names(bases.map((base) => base.name));

  let quoted = await quotationOf({ ...options, search });
  const rightly =
    quoted.grade === "sure"
      ? undefined
      : respelled(
          options.passages,
          bases.map(({ id }) => id),
          messages,
        );
  if (rightly !== undefined) {
    const again = readQuestion(rightly);
    const found = await quotationOf({ ...options, messages: rightly, search: again });
    if (found.grade === "sure") [quoted, search] = [found, again];
  }
  const words = search.terms.map((term) => term.word).slice(0, maxQueryWords);
  for (const base of words.length === 0 ? [] : bases) {
    const query = `SELECT * FROM ${base.name} WHERE content = '${words.join(" ")}' LIMIT ${maxPassages};`;
    const look = createStep("kb_query_tool", query, `I'll search ${base.name} for ${words.slice(0, 5).join(", ")}.`);
    await pause();
    yield* look.begun;
    await pause();
    yield look.passages(quoted.passages.filter(({ knowledgeBaseId }) => knowledgeBaseId === base.id));
  }

  await pause();
  // What was found and doesn't answer it is in the steps.
  yield { type: "answer", text: quoted.text, grade: quoted.grade === "sure" ? "sure" : "nothing" };
}
