import { describe, expect, it } from "vitest";
import type { Signal } from "../../../src/core/model/insight.ts";
import type { Turn, TurnView } from "../../../src/core/model/turn.ts";
import { answerSignals } from "../../../src/insight/gaps/signals.ts";
import { sampleTurn } from "../../contracts/storage/sample-records.ts";

const asked = sampleTurn("t1", { question: "How do I reset the wifi password?" });
const unsourced: TurnView = {
  turnId: "t1",
  ref: "t1",
  state: "answered",
  agent: "support",
  question: asked.question,
  steps: [],
  answer: "I don't know.",
  grade: "nothing",
  tables: [],
  sources: [],
  isPartial: false,
  isResumed: false,
};
const isQuestion = (text: string) => !text.startsWith("thanks");

type Case = readonly [
  what: string,
  signals: readonly Signal[],
  when: { readonly turn?: Partial<Turn>; readonly view?: Partial<TurnView> },
];

const cases: readonly Case[] = [
  ["an answer that says that it doesn't know", ["nothing"], {}],
  ["an answer that may be wrong", ["unsure"], { view: { grade: "unsure" } }],
  ["an answer that is sure", [], { view: { grade: "sure" } }],
  ["an answer that may be incomplete", [], { view: { isPartial: true } }],
  ["a question to nobody in particular", [], { turn: { isQuiet: true } }],
  ["a private answer", [], { turn: { isPrivate: true } }],
  ["a schedule", [], { turn: { scheduleId: "s1" } }],
  ["a bot", [], { turn: { actor: { ...asked.actor, isBot: true } } }],
  ["a question that was forgotten", [], { turn: { isForgotten: true } }],
  ["thanks", [], { turn: { question: "thanks for the help with the password" } }],
  ["a question that only names a topic", [], { turn: { question: "VPN?" } }],
  ["a topic with a number", ["nothing"], { turn: { question: "Python 3.11?" } }],
  ["a file without words", [], { turn: { question: "  " } }],
];

describe("An answer is a signal, or none", () => {
  it.each(cases)("for %s: %j", (_, signals, { turn = {}, view = {} }) => {
    const about = { ...asked, ...turn };
    expect(answerSignals(about, { ...unsourced, ...view } as TurnView, isQuestion)).toEqual(signals);
  });
});
