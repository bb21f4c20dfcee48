/** Decides whether an answer says of itself that it was not good enough. Pure, without a call to anything. */
import type { Signal } from "../../ports/model/insight.ts";
import { hasRows, restsOnSomething } from "../../ports/model/rests-on-something.ts";
import type { Turn, TurnView } from "../../ports/model/turn.ts";
import { questionForm } from "../grouping/grouping.ts";

export type AnswerFacts = {
  /** Whether the agent can look something up at all. Undefined: unknown. */
  readonly hasBases: boolean | undefined;
  /** A best passage below it was never the right one. Absent: relevance doesn't tell. */
  readonly floor?: number | undefined;
  readonly isSmallTalk: (question: string) => boolean;
};

/** Questions that people rely on an answer to, and whose answer others can read or share. */
export function isCounted({ isQuiet, isPrivate, scheduleId, actor, question, isForgotten }: Turn): boolean {
  const isAsked = isQuiet !== true && isPrivate !== true && scheduleId === undefined && !actor.isBot;
  return isAsked && isForgotten !== true && question.trim() !== "";
}

/** What the answer itself shows: nothing that it rests on, or only passages that are hardly about it. */
export function answerSignals(turn: Turn, view: TurnView, facts: AnswerFacts): readonly Signal[] {
  if (view.state !== "answered" || view.isPartial || !isCounted(turn)) return [];
  if (facts.isSmallTalk(turn.question) || !isGroupable(turn.question)) return [];
  if (!restsOnSomething(view)) return facts.hasBases === true ? ["no-source"] : [];
  const best = bestRelevance(view);
  const isWeak = !hasRows(view) && best !== undefined && facts.floor !== undefined && best < facts.floor;
  return isWeak ? ["weak-source"] : [];
}

/** "VPN?" alone would be one gap with everything about it. */
function isGroupable(question: string): boolean {
  const { terms, anchors } = questionForm(question);
  return terms.length >= 2 || (anchors !== "" && anchors !== "one");
}

/** Undefined if it is unknown of any source: that one may be the right one. */
function bestRelevance({ sources, steps }: TurnView): number | undefined {
  const known = sources.flatMap(({ relevance }) => relevance ?? []);
  if (sources.length === 0 || known.length < sources.length) return undefined;
  const found = steps.flatMap(({ outcome }) => (outcome?.kind === "passages" ? (outcome.bestRelevance ?? []) : []));
  return Math.max(...known, ...found);
}
