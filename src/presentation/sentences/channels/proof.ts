/** Sentences about proofs: a question that was asked again with an added answer, and the note to those who asked. */
import type { Inline } from "../../../ports/document.ts";
import { bold, say } from "../../drawing/inline.ts";
import { countText, durationText, numberText } from "../quantities.ts";

export const proofSentences = {
  asking: "Asking again…",
  /** In place of "Asking again…" when it takes longer than a private reply can be changed. */
  later: "It takes longer than usual. I'll keep trying for half an hour and send you what comes of it.",
  /** `author`: of someone else's answer, here and below. */
  works: (author: string | undefined): Inline =>
    say`✅ ${bold("It works.")} I asked again and the answer now uses ${author === undefined ? "yours" : `${author}'s`}.`,
  before: "Before",
  after: "After",
  noAnswer: "There was no answer.",
  /** "[1] ". */
  number: (at: number): string => `[${numberText(at)}] `,
  addedTo: (base: string): Inline => say`Added to ${bold(base)}`,
  tested: (tookMs: number): string => `tested in ${durationText(tookMs)}`,
  telling: (people: number): string => `telling ${those(people)}`,
  nobodyElse: "nobody else asked",
  notTold: "Nobody has been told.",
  notToldYet: "nobody told yet",

  notYet: (question: string, author: string | undefined): Inline =>
    say`⚠️ ${bold("Not yet.")} I asked “${question}” again, but ${answerOf(author)} wasn't used.`,
  rankedHigher: "These passages ranked higher:",
  ranksFirst: "It ranks first for this question, but the agent didn't rely on it.",
  notFound: (author: string | undefined): string =>
    `A search for this question finds these first, and ${answerOf(author)} isn't among the first 10.`,
  findsNothing: (base: string): Inline => say`A search for this question finds nothing in ${bold(base)}.`,
  notLookedIn: (agent: string, base: string): Inline =>
    say`${bold(agent)} doesn't look in ${bold(base)}, so it can't find the answer.`,
  letItLook: "Choose a knowledge base that it looks in, or add this one to it with /agent edit.",
  sameWords: "Try using the same words as the question.",
  /** "1. ". */
  rank: (at: number): string => `${numberText(at)}. `,
  yours: (author: string | undefined): string => (author === undefined ? "Your answer" : answerOf(author)),
  percent: (relevance: number): string => `${Math.round(Math.min(1, Math.max(0, relevance)) * 100)}%`,

  failed: (what: string): Inline => say`⚠️ ${bold("I couldn't ask again.")} ${what}`,
  isIn: (base: string, author: string | undefined): Inline =>
    say`${author === undefined ? "Your answer" : answerOf(author)} is in ${bold(base)}.`,
  removedMeanwhile: {
    what: "The answer was removed meanwhile.",
    hint: "Nobody gets a note about it. Add it again, and Parley asks again.",
  },
  replacedMeanwhile: {
    what: "The answer was changed meanwhile.",
    hint: "Nobody gets a note about the earlier one. Parley asks again for the new one.",
  },
  interrupted: {
    what: "Parley stopped three times while it was asking.",
    hint: "Press Ask again to try once more.",
  },
  notForYou: {
    what: "You can't ask that agent there any longer.",
    hint: "Someone who can may press Add the answer in /kb gaps.",
  },
  gone: { what: "This test is no longer there, or it isn't yours to see.", hint: "/kb gaps lists what is open." },

  told: "there's a better answer to your question now:",
  toldNobodyByName: "There's a better answer to your question now:",
  toldSummary: "There's a better answer to your question now.",
  tellingThem: (people: number): string => (people === 0 ? "Nobody is left to tell." : `I'm telling ${those(people)}.`),
} as const;

export const proofLabels = {
  edit: "Edit",
  dismiss: "Dismiss",
  again: "Ask again",
  tell: (people: number): string => (people === 1 ? "Tell who asked" : `Tell the ${numberText(people)} who asked`),
} as const;

function those(people: number): string {
  return people === 1 ? "the person who asked" : `the ${countText(people, "person", "people")} who asked`;
}

function answerOf(author: string | undefined): string {
  return author === undefined ? "your answer" : `${author}'s answer`;
}
