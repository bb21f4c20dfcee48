/** Sentences about checks of answered questions, and about whether an added answer still holds. */
import type { Inline } from "../../../ports/document.ts";
import type { CheckResult } from "../../../ports/model/insight.ts";
import { bold, say } from "../../drawing/inline.ts";
import { countText, dayText, numberText } from "../quantities.ts";

export const checkSentences = {
  checking: "Checking ",
  progress: (asked: number, all: number): string => `${numberText(asked)} of ${numberText(all)} asked`,
  title: (held: number, asked: number, agent: string): Inline =>
    say`${bold(`${numberText(held)} of ${numberText(asked)}`)} still answered from the right source · ${agent}`,
  cancelled: (held: number, asked: number, agent: string): Inline =>
    say`${bold("Cancelled")}${
      asked === 0
        ? ` before the first question was asked · ${agent}`
        : `: ${numberText(held)} of ${numberText(asked)} still answered from the right source · ${agent}`
    }`,
  nothingAsked: (agent: string): Inline => say`${bold("Nothing could be checked")} · ${agent}`,
  result: {
    held: "right source",
    "other-source": "another source",
    "no-source": "no source",
  } satisfies Readonly<Record<CheckResult, string>>,
  /** Behind a question that doesn't hold. */
  heldBefore: (ms: number, nowMs: number): string => `held when checked ${dayText(ms, nowMs)}`,
  sameBefore: (ms: number, nowMs: number): string => `same when checked ${dayText(ms, nowMs)}`,
  otherBefore: (before: string, ms: number, nowMs: number): string => `${before} when checked ${dayText(ms, nowMs)}`,
  healed: "holds again",
  unnamed: (count: number): string => `+${numberText(count)} more that can't be shown here`,
  more: (count: number): string => `and ${numberText(count)} more`,
  gone: (count: number): string =>
    `${countText(count, "question")} left out: ${count === 1 ? "its answer was" : "their answers were"} removed`,
  failed: (count: number, reason: string): string =>
    `${numberText(count)} couldn't be asked${reason === "" ? "" : `: ${reason}`}`,
  checkedBy: "checked by ",
  lastTime: (held: number, asked: number, ms: number, nowMs: number): string =>
    `last checked ${dayText(ms, nowMs)}: ${numberText(held)} of ${numberText(asked)}`,

  begun: (count: number, agent: string): Inline => say`Asking ${countText(count, "question")} of ${bold(agent)} again.`,
  limited: (asked: number, total: number): string =>
    `That's the most one check can ask. There are ${numberText(total)}; I'm asking the ${numberText(asked)} that matter to most people.`,
  alreadyRunning: (agent: string): Inline => say`A check of ${bold(agent)} is already running.`,
  none: (agent: string): Inline =>
    say`There is nothing to check yet: no question to ${bold(agent)} has an added answer.`,
  notYours: "Only managers can run checks.",
  shownDirectly: "The result follows in a direct message, because not everyone here can use this agent.",

  offer: (count: number): string => `${countText(count, "check")}: run ${count === 1 ? "it" : "them"}?`,
  offerOf: (count: number, agent: string): string => `${countText(count, "check")} of ${agent}`,
} as const;
