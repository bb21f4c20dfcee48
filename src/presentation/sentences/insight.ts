import type { Inline } from "../../core/document.ts";
import type { Signal } from "../../core/model/insight.ts";
import type { Place } from "../../core/model/place.ts";
import { day, say } from "../drawing/inline.ts";
import { countText, numberText } from "./quantities.ts";

export const answerSentences = {
  gone: "This answer is no longer there.",
  seeBase: "/kb show lists what is in a knowledge base.",
  late: "That took too long to open.",
  lateHint: "Press the button again.",
  /** Beside a source, when it is shown. */
  from: (name: string, ms: number, nowMs: number): Inline => say`from ${name}, ${day(ms, nowMs)}`,
} as const;

export const answerLabels = { add: "Add the answer", edit: "Edit", remove: "Remove" } as const;

export const gapSentences = {
  people: (count: number): string => countText(count, "person", "people"),
  thumbsDown: (count: number): string => `👎 ${numberText(count)}`,
  signal: {
    "thumbs-down": "👎",
    nothing: "no answer",
    unsure: "not sure",
    "asked-again": "asked again",
  } satisfies Readonly<Record<Signal, string>>,
  gone: "This question is no longer in the list, or it isn't yours to read.",
  seeList: "/kb gaps lists what is open.",
} as const;

export const gapLabels = {
  show: "Show",
  merge: "Merge",
  undo: "Undo",
} as const;

export const proofSentences = {
  asking: "Asking again…",
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
} as const;

export function those(people: number): string {
  return people === 1 ? "the person who asked" : `the ${countText(people, "person", "people")} who asked`;
}

export const channelSpan = ({ channel }: Pick<Place, "channel">) => ({ text: "this channel", channelId: channel });

type Day = { readonly day: string; readonly month: string; readonly year: string };

export function dayIn(ms: number, timeZone: string): Day {
  const parts = new Intl.DateTimeFormat("en-GB", { timeZone, day: "numeric", month: "short", year: "numeric" });
  const found = parts.formatToParts(new Date(ms));
  const part = (type: Intl.DateTimeFormatPartTypes) => found.find((one) => one.type === type)?.value ?? "";
  return { day: part("day"), month: part("month"), year: part("year") };
}
