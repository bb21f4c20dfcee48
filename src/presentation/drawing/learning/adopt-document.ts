/** Draws what a message would become as an answer, before it is added, and the offer to its author. */
import type { Block, Document } from "../../../ports/document.ts";
import { firstLines } from "../../markdown/beginnings.ts";
import { adoptLabels, adoptSentences as says } from "../../sentences/channels/adopting.ts";
import { bold, inline } from "../inline.ts";
import { infoDocument, titledDocument } from "../notice.ts";
import { cleanText } from "../sanitise.ts";
import { questionText } from "./gaps-document.ts";

const maxShownChars = 900;

export type ShownAdoption = {
  /** Of what waits for the button. */
  readonly id: string;
  readonly base: string;
  readonly question: string;
  readonly answer: string;
  /** Who wrote it. */
  readonly author: string;
  /** How many people are told. */
  readonly people: number;
  /** Where it was written, if others than those there will read it. */
  readonly from?: "private" | "direct";
  /** Set if the message was longer: how much of it is used. */
  readonly cutAt?: number;
};

export function adoptionDocument(adoption: ShownAdoption): Document {
  const { id, base, question, answer, author, people, from, cutAt } = adoption;
  const text = cleanText(answer).trim();
  const hidden = text.length - maxShownChars;
  const warned: readonly Block[] =
    from === undefined
      ? []
      : [{ kind: "text", text: inline(bold(from === "direct" ? says.othersReadDirectly : says.othersRead)) }];
  return titledDocument(
    says.willBeAdded(base),
    [
      ...(question === "" ? [] : [{ kind: "text", text: inline(bold(questionText(question))) } as const]),
      {
        kind: "markdown",
        text: hidden > 0 ? `${firstLines(text, maxShownChars)}\n\n${says.more(hidden)}` : text,
      },
      ...warned,
    ],
    {
      quiet: [
        says.by(cleanText(author)),
        ...(people === 0 ? [] : [says.people(people)]),
        ...(cutAt === undefined ? [] : [says.cut(cutAt)]),
      ],
      actions: [
        {
          id: "adopt-answer",
          label: from === undefined ? adoptLabels.add : adoptLabels.addAnyway,
          value: id,
          style: from === undefined ? "primary" : "danger",
        },
      ],
    },
  );
}

/** For the person who replied, and nobody else. */
export function adoptOfferDocument(id: string, question: string): Document {
  return infoDocument(says.offer, {
    quiet: [says.offered(questionText(question))],
    actions: [{ id: "adopt-answer", label: adoptLabels.use, value: id, style: "primary" }],
  });
}
