/** Draws an answer while it is being written: its beginning, as much as one message shows, without unfinished marks. */

import type { Block } from "../../../core/document.ts";
import type { TurnView } from "../../../core/model/turn.ts";
import { halfWritten } from "../../markdown/half-written.ts";
import { readableMarkdown } from "../../markdown/readable-markdown.ts";
import { numberText } from "../../sentences/quantities.ts";
import { turnSentences } from "../../sentences/questions.ts";
import { code, dotted, say } from "../inline.ts";
import { cleanText } from "../sanitise.ts";
import { lineWithSources, stepCount } from "./answer-fold.ts";

const says = {
  /** More than a message holds. */
  writtenSoFar: (chars: number): string => `${numberText(chars)} characters so far; the rest is shown at the end`,
};

/** So that the count moves seldom: each move is an edit of the message. */
const countedBy = 1_000;
/** Steps above the text, while one of them runs. */
const maxShownSteps = 3;

/** `maxChars`: of the text. What is longer is cut at the end of a line or a word, and comes with the end. */
export function growingBlocks(view: TurnView, maxChars: number): readonly Block[] {
  const { answer = "", answerOmittedChars = 0, isWriting, steps, agent } = view;
  const readable = readableMarkdown(withoutHalfTag(answer));
  const isLonger = readable.length > maxChars;
  const text = cleanText(isLonger ? beginning(readable, maxChars) : withoutHalfCharacter(readable));
  const shown = isWriting === true || isLonger ? halfWritten(text) : text;
  const isWorking = steps.some(({ state }) => state === "running");
  const lines = steps.slice(-maxShownSteps);
  const said = steps.length === 0 ? undefined : turnSentences.stepCount(stepCount(view));
  const chars = Math.floor((answer.length + answerOmittedChars) / countedBy) * countedBy;
  const soFar = isLonger && chars > 0 ? says.writtenSoFar(chars) : undefined;
  const goesOn = isWriting === true ? say`still writing` : undefined;
  const quiet = dotted(agent === "" ? undefined : code(agent), said, goesOn, soFar);
  return [
    ...(isWorking
      ? [{ kind: "steps" as const, earlier: stepCount(view) - lines.length, steps: lines.map(lineWithSources) }]
      : []),
    ...(/\S/.test(shown) ? [{ kind: "markdown" as const, text: shown }] : []),
    ...(quiet.length === 0 ? [] : [{ kind: "quiet" as const, text: quiet }]),
  ];
}

/** Ends at a paragraph, a line or a word where one is near. */
function beginning(text: string, maxChars: number): string {
  const cut = text.slice(0, maxChars);
  const least = maxChars / 2;
  const ends = [cut.lastIndexOf("\n\n"), cut.lastIndexOf("\n"), cut.lastIndexOf(" ")];
  const end = ends.find((at) => at >= least);
  return end === undefined ? withoutHalfCharacter(cut) : cut.slice(0, end);
}

/** "<b" and "&nb" may become a line break and a space, and a comment is no text. */
function withoutHalfTag(text: string): string {
  const open = text.lastIndexOf("<!--");
  const shown = open >= 0 && text.indexOf("-->", open) < 0 ? text.slice(0, open) : text;
  return shown.replace(/(?:<\/?[a-z]{0,10}\s?\/?|&#?\w{0,8})$/i, "");
}

/** The other half of an emoji may come with the next piece. */
function withoutHalfCharacter(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, "");
}
