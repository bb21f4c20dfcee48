/** Decides whether a question is one that the people who look after the knowledge should see. Pure. */
import type { Signal } from "../../core/model/insight.ts";
import type { Turn, TurnView } from "../../core/model/turn.ts";
import { questionForm } from "../grouping/form.ts";

/** Whether a text asks something that knowledge could answer. What follows a command does. */
export type IsQuestion = (text: string, via: Turn["via"]) => boolean;

/** Questions that were put to Parley, and whose answer others can read or share. */
export function isCounted({ isQuiet, isPrivate, scheduleId, actor, question, isForgotten }: Turn): boolean {
  const isAsked = isQuiet !== true && isPrivate !== true && scheduleId === undefined && !actor.isBot;
  return isAsked && isForgotten !== true && question.trim() !== "";
}

/** What the verdict on the answer says. Nothing, where an answer would not have helped. */
export function answerSignals(turn: Turn, view: TurnView, isQuestion: IsQuestion): readonly Signal[] {
  const { grade } = view;
  if (grade === undefined || grade === "sure" || view.isPartial || !isCounted(turn)) return [];
  return isQuestion(turn.question, turn.via) && isGroupable(turn.question) ? [grade] : [];
}

/** "VPN?" alone would be one gap with everything about it. */
function isGroupable(question: string): boolean {
  const { terms, anchors } = questionForm(question);
  return terms.length >= 2 || (anchors !== "" && anchors !== "one");
}
