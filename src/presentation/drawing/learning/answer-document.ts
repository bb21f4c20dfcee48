/** Draws what became of an answer that a person added. */
import type { Action, Document } from "../../../ports/document.ts";
import type { AddedAnswer } from "../../../ports/model/insight.ts";
import { answerLabels, answerSentences as says } from "../../sentences/channels/answers.ts";
import { agoText } from "../../sentences/quantities.ts";
import { labels } from "../../sentences/questions.ts";
import { beginningOf, shorten } from "../../sentences/step-words.ts";
import type { ReaderOffer } from "../job-document.ts";
import { infoDocument, titledDocument } from "../notice.ts";
import { cleanText } from "../sanitise.ts";

const maxNameChars = 60;
const maxKeptChars = 3_000;

/** `replaced`: another person's answer, which can be put back. `isBack`: the person put another's answer back. */
export function answerAddedDocument(
  answer: AddedAnswer,
  about: {
    readonly replaced?: AddedAnswer["previous"];
    readonly offer?: ReaderOffer;
    readonly cutAt?: number;
    readonly isBack?: boolean;
    /** The person who added it said it themselves. */
    readonly isOwn?: boolean;
    readonly nowMs: number;
  },
): Document {
  const { replaced, offer, cutAt, isBack, isOwn = true, nowMs } = about;
  const name = shortName(answer.by.name);
  const base = cleanText(answer.knowledgeBase);
  const sentences = [
    isBack === true ? says.isBack(name, base) : isOwn ? says.added(base) : says.addedOf(name, base),
    ...(cutAt === undefined ? [] : [says.cut(cutAt)]),
    ...(replaced === undefined || isBack === true
      ? []
      : [says.replaced(shortName(replaced.by.name), agoText(replaced.atMs, nowMs))]),
    ...(offer?.sentences ?? []),
  ];
  return infoDocument(sentences, {
    tone: "done",
    actions: [
      ...(offer?.action === undefined ? [] : [offer.action]),
      ...(replaced === undefined ? [] : [putBack(answer.id, replaced)]),
      ...answerActions(answer.id),
    ],
  });
}

/** Edit and Remove. */
export function answerActions(answerId: string): readonly Action[] {
  return [
    { id: "edit-answer", label: answerLabels.edit, value: answerId, style: "plain" },
    { id: "remove-answer", label: answerLabels.remove, value: answerId, style: "plain" },
  ];
}

/** With what the person wrote, and Try again. */
export function answerFailedDocument(
  { knowledgeBase, answer }: Pick<AddedAnswer, "knowledgeBase" | "answer">,
  reason: string,
  jobId: string,
): Document {
  const said = says.notAdded(cleanText(knowledgeBase), cleanText(reason));
  return titledDocument(
    said,
    [
      { kind: "text", text: [{ text: says.kept }] },
      { kind: "markdown", text: beginningOf(answer, maxKeptChars) },
    ],
    { tone: "failed", actions: [{ id: "retry-job", label: labels.retry, value: jobId, style: "plain" }] },
  );
}

/** The time is part of the value: a press that comes late puts nothing else back. */
function putBack(answerId: string, { by, atMs }: NonNullable<AddedAnswer["previous"]>): Action {
  return {
    id: "restore-answer",
    label: says.putBack(shortName(by.name)),
    value: `${answerId} ${atMs}`,
    style: "plain",
  };
}

function shortName(name: string): string {
  return shorten(cleanText(name), maxNameChars);
}
