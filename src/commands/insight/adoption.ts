/** Turns a message into what it would be as an answer: to which question, from whom, told to how many. */

import type { Named } from "../../core/access.ts";
import type { CommandContext, CommandResult } from "../../core/commands.ts";
import { type AnswerDraft, maxAnsweredQuestionChars } from "../../core/content/answering.ts";
import type { Document, Form } from "../../core/document.ts";
import type { Gap } from "../../core/model/insight.ts";
import { type Place, personKey } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { MessageRef, ThreadMessage } from "../../core/ports/chat-platform.ts";
import { turnBefore } from "../../insight/turn-before.ts";
import { cleanText } from "../../presentation/drawing.ts";
import { shorten } from "../../presentation/sentences.ts";
import type { CommandApp } from "../app.ts";

/** A message, with its thread in `place` if it is in one. */
export type AdoptedMessage = MessageRef &
  Pick<ThreadMessage, "authorName" | "authorId" | "isBot" | "order" | "atMs" | "text">;

export type Adopting = {
  /** Whether that reaction uses a message as an answer; `emoji` as adapters pass it. */
  readonly isAnswerMark: (emoji: string) => boolean;
  /** Whether Parley has answered there, so that a message may answer it better. From the store alone. */
  readonly hasAnswered: (place: Place) => Promise<boolean>;
  /** The form that the shortcut opens, prefilled; else a document that says why not. Within 2 s. */
  readonly openForm: (
    message: AdoptedMessage,
    context: CommandContext,
  ) => Promise<
    { readonly kind: "form"; readonly form: Form } | { readonly kind: "document"; readonly document: Document }
  >;
  /** What the reaction would add, with a button that adds it; nothing if the message can't answer anything. */
  readonly show: (message: MessageRef, context: CommandContext) => Promise<CommandResult>;
  /**
   * What its author reads below a bad answer, once for each question and person. Stored before it is returned.
   * Undefined: nothing is offered. From the store alone.
   */
  readonly offer: (message: AdoptedMessage, turnId: string, context: CommandContext) => Promise<Document | undefined>;
};

/** What is known before someone chooses where it goes. */
export type Adoption = Pick<AnswerDraft, "question" | "answer" | "origin" | "by" | "atMs"> & {
  /** Who was asked; its knowledge bases are offered first. Absent: nobody was. */
  readonly agent?: Named;
  /** How many can be told that there is a better answer. */
  readonly people: number;
  /** Where the message was written. */
  readonly writtenIn: Place;
};

/** What a person left unanswered, or answered badly. */
export type Answered = { readonly turn: Turn; readonly gap: Gap | undefined };

/** Of what Parley answered before the message in its thread. */
export async function answeredBefore(
  { gaps, state: { turns } }: CommandApp,
  { place, order }: Pick<AdoptedMessage, "place" | "order">,
): Promise<Answered | undefined> {
  const turn = await turnBefore(turns.ofConversation(place), order);
  return turn === undefined ? undefined : { turn, gap: await gaps.ofTurn(turn) };
}

/** An answer to the same question replaces the one before, so its origin is the gap if there is one. */
export function adoptionOf(message: AdoptedMessage, answered: Answered | undefined): Adoption {
  const { place, messageId, authorId, authorName, atMs, text } = message;
  const author = authorId === undefined ? undefined : { key: personKey(place, { id: authorId }), name: authorName };
  const { turn, gap } = answered ?? {};
  return {
    question: turn === undefined ? "" : shorten(oneLine(turn.question), maxAnsweredQuestionChars),
    answer: text,
    origin: originOf(turn, gap) ?? { kind: "message", place, messageId },
    people: gap === undefined ? 0 : othersWhoAsked(gap, authorId),
    writtenIn: place,
    by: author === undefined ? undefined : { ...author, name: cleanText(author.name) },
    atMs: author === undefined ? undefined : atMs,
    agent: turn?.agent,
  };
}

function originOf(turn: Turn | undefined, gap: Gap | undefined): AnswerDraft["origin"] | undefined {
  if (gap !== undefined) return { kind: "gap", gapId: gap.id };
  return turn === undefined ? undefined : { kind: "turn", turnId: turn.id };
}

function othersWhoAsked({ askers, askerCount }: Gap, authorId: string | undefined): number {
  return Math.max(0, askerCount - (askers.some(({ actor }) => actor.id === authorId) ? 1 : 0));
}

function oneLine(text: string): string {
  return cleanText(text).replace(/\s+/g, " ").trim();
}
