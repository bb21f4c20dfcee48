import { describe, expect, it } from "vitest";
import { type AnswerFacts, answerSignals } from "../../../src/insight/gaps/signals.ts";
import type { Signal } from "../../../src/ports/model/insight.ts";
import type { Source, Step, Table, Turn, TurnView } from "../../../src/ports/model/turn.ts";
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
  tables: [],
  sources: [],
  isPartial: false,
  isResumed: false,
};
const known: AnswerFacts = { hasBases: true, floor: 0.4, isSmallTalk: (text) => text.startsWith("thanks") };
const table = (rows: Table["rows"]): Table => ({ columns: ["orders"], rows });
const source = (relevance?: number): Source => ({
  title: "Handbook",
  ...(relevance === undefined ? {} : { relevance }),
});
const step = (bestRelevance: number): Step => ({
  tool: "search",
  input: "",
  state: "done",
  outcome: { kind: "passages", count: 3, bestRelevance },
  startedAtMs: 0,
});

type Case = readonly [
  what: string,
  signals: readonly Signal[],
  when: { readonly turn?: Partial<Turn>; readonly view?: Partial<TurnView>; readonly facts?: Partial<AnswerFacts> },
];

const cases: readonly Case[] = [
  ["an answer without a source from an agent that has knowledge bases", ["no-source"], {}],
  ["the same from an agent without knowledge bases", [], { facts: { hasBases: false } }],
  ["the same while nobody knows whether it has any", [], { facts: { hasBases: undefined } }],
  ["an answer with a source", [], { view: { sources: [source(0.9)] } }],
  ["an answer with rows", [], { view: { tables: [table([["7"]])] } }],
  ["an answer that is a table", [], { view: { answerTable: table([["7"]]) } }],
  ["an answer with an empty table", ["no-source"], { view: { tables: [table([])] } }],
  ["passages below the floor", ["weak-source"], { view: { sources: [source(0.2), source(0.3)] } }],
  ["passages at the floor", [], { view: { sources: [source(0.2), source(0.4)] } }],
  ["passages below the floor beside rows", [], { view: { sources: [source(0.2)], tables: [table([["7"]])] } }],
  ["a passage of unknown relevance", [], { view: { sources: [source(0.2), source()] } }],
  ["a better passage that a step found", [], { view: { sources: [source(0.2)], steps: [step(0.8)] } }],
  ["passages of a service without a floor", [], { view: { sources: [source(0.2)] }, facts: { floor: undefined } }],
  ["a question that failed", [], { view: { state: "failed" } }],
  ["a question that was stopped", [], { view: { state: "stopped" } }],
  ["an answer that may be incomplete", [], { view: { isPartial: true } }],
  ["a question to nobody in particular", [], { turn: { isQuiet: true } }],
  ["a private answer", [], { turn: { isPrivate: true } }],
  ["a schedule", [], { turn: { scheduleId: "s1" } }],
  ["a bot", [], { turn: { actor: { ...asked.actor, isBot: true } } }],
  ["a question that was forgotten", [], { turn: { isForgotten: true } }],
  ["thanks", [], { turn: { question: "thanks for the help with the password" } }],
  ["a question that only names a topic", [], { turn: { question: "VPN?" } }],
  ["a topic with a number", ["no-source"], { turn: { question: "Python 3.11?" } }],
  ["a file without words", [], { turn: { question: "  " } }],
];

describe("An answer is a signal, or none", () => {
  it.each(cases)("for %s: %j", (_, signals, { turn = {}, view = {}, facts = {} }) => {
    const about = { ...asked, ...turn };
    expect(answerSignals(about, { ...unsourced, ...view }, { ...known, ...facts })).toEqual(signals);
  });
});
