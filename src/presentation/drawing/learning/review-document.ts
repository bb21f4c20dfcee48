/** Draws the question to an author whether an added answer still holds. */

import type { Action, Block, Document } from "../../../core/document.ts";
import type { AddedAnswer } from "../../../core/model/insight.ts";
import type { Actor } from "../../../core/model/place.ts";
import { firstLines } from "../../markdown/beginnings.ts";
import { answerLabels } from "../../sentences/insight.ts";
import { shorten } from "../../sentences/steps.ts";
import { bold, day, inlineText, person, say } from "../inline.ts";
import { cleanText } from "../sanitise.ts";
import { questionText } from "./question-text.ts";

const says = {
  edit: answerLabels.edit,
  remove: answerLabels.remove,
};

const maxAnswerChars = 600;
const maxSummaryChars = 150;

export function reviewDocument(
  { id, knowledgeBase, question, answer, atMs }: AddedAnswer,
  {
    author,
    isAlone,
    nowMs,
  }: {
    readonly author: Pick<Actor, "id" | "name">;
    /** Only the author reads it. Others needn't see what was asked. */
    readonly isAlone: boolean;
    readonly nowMs: number;
  },
): Document {
  const asked = say`You added an answer to ${bold(cleanText(knowledgeBase))} on ${day(atMs, nowMs)}. Does it still hold?`;
  const named = say`${{ ...person(author.name, author.id), notifies: true }} ${asked}`;
  const quoted: readonly Block[] = [
    { kind: "text", text: say`${bold(questionText(question))}` },
    { kind: "markdown", text: firstLines(cleanText(answer), maxAnswerChars) },
  ];
  const actions: readonly Action[] = [
    { id: "answer-holds", label: "Yes, it holds", value: id, style: "primary" },
    { id: "edit-answer", label: says.edit, value: id, style: "plain" },
    { id: "remove-answer", label: says.remove, value: id, style: "plain" },
  ];
  return {
    tone: "info",
    blocks: [{ kind: "text", text: isAlone ? asked : named }, ...(isAlone ? quoted : [])],
    actions,
    summary: shorten(inlineText(asked), maxSummaryChars),
  };
}
