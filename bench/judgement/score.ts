/**
 * Asks the embedded service every labelled question and scores its answers, as README.md says. Prints totals for each
 * kind and language of the seen half; of the half held out, only its totals: nothing may be tuned by it.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { saysUnknown } from "../../src/core/text/says-unknown.ts";
import type { Measure } from "../measure.ts";
import { meets } from "./match.ts";
import { type Exchange, type Judged, type Models, startJudged } from "./service.ts";
import { benchTalk } from "./talk.ts";
import { answerOf, type Place, quotes, refusal } from "./written.ts";

/** Two halves, and two sets of worlds that were written later. */
type Half = "seen" | "held-out" | "second" | "third" | "fourth" | "fifth" | "sixth";

export type Question = {
  readonly id: string;
  readonly half: Half;
  readonly language: string;
  readonly base: string;
  readonly question: string;
  readonly kind: string;
  readonly before?: readonly { readonly question: string; readonly answeredFrom: Place }[];
  readonly answer: Place | null;
  readonly mustContain: readonly string[];
};

type Result = "right" | "unknown" | "wrong";
export type Scored = Question & {
  readonly result: Result;
  readonly text: string;
  readonly grade: string | undefined;
  /** It has the answer, however sure the service is of it. */
  readonly isMet: boolean;
};

export async function bench(): Promise<Measure[]> {
  // The lexicon of the scripted models has the words of the first worlds alone.
  const isHalf = ({ half }: Question) => half === "seen" || half === "held-out";
  const withEndpoints = measuresOf(await scoreAll(isHalf, true), "with endpoints, ");
  return [...measuresOf(await scoreAll()), ...withEndpoints, ...(await benchTalk())];
}

function measuresOf(scored: readonly Scored[], prefix = ""): readonly Measure[] {
  const kinds = [...new Set(scored.map(({ kind }) => kind))];
  const seen = scored.filter(({ half }) => half === "seen");
  const parts: [string, readonly Scored[]][] = [
    ...kinds.map((kind): [string, readonly Scored[]] => [kind, seen.filter((one) => one.kind === kind)]),
    ["language en", seen.filter(({ language }) => language === "en")],
    ["language de", seen.filter(({ language }) => language === "de")],
  ];
  const halves = [...new Set(scored.map(({ half }) => half))];
  const totals = halves.flatMap((half) => totalsOf(half, scored, prefix !== ""));
  const measures = [...parts.flatMap(([name, of]) => countsOf(`seen, ${name}`, of)), ...totals];
  return measures.map((measure) => ({ ...measure, name: `${prefix}${measure.name}` }));
}

function countsOf(name: string, scored: readonly Scored[]): Measure[] {
  return (["right", "unknown", "wrong"] as const).map((result) => ({
    ...{ name: `${name}: ${result}`, unit: `of ${scored.length}` },
    value: scored.filter((one) => one.result === result).length,
  }));
}

function totalsOf(half: Half, all: readonly Scored[], hasEndpoints: boolean): Measure[] {
  const scored = all.filter((one) => one.half === half);
  const share = (part: readonly Scored[], result: Result) =>
    (100 * part.filter((one) => one.result === result).length) / part.length;
  const answered = scored.filter(({ result }) => result !== "unknown");
  const kind = (name: RegExp) => scored.filter((one) => name.test(one.kind));
  const measure = (what: string, value: number, target: Measure["target"]): Measure => ({
    ...{ name: `${half}: ${what}`, value, unit: "%" },
    ...(target === undefined ? {} : { target }),
  });
  const sum =
    scored.filter(({ result }) => result === "right").length - scored.filter(({ result }) => result === "wrong").length;
  const measures = [
    measure("answers given that are right", share(answered, "right"), { atLeast: 90 }),
    measure(
      "without an answer, said so",
      share(
        scored.filter(({ answer }) => answer === null),
        "unknown",
      ),
      { atLeast: 93 },
    ),
    measure("own words, right", share(kind(/^own-words$/), "right"), { atLeast: 96 }),
    measure("other words, right", share(kind(/^other-words$/), "right"), hasEndpoints ? { atLeast: 80 } : undefined),
    measure("other words, wrong", share(kind(/^other-words$/), "wrong"), { atMost: 7 }),
    measure("tables, right", share(kind(/^table-(?!unanswerable)/), "right"), { atLeast: 80 }),
    measure("tables without an answer, wrong", share(kind(/^table-unanswerable$/), "wrong"), { atMost: 0 }),
    measure("follow-ups, right or said unknown as due", dueShare(kind(/^follow-up$/)), { atLeast: 90 }),
    measure("who, when, how much: as due", dueShare(kind(/^who-when-howmuch$/)), { atLeast: 90 }),
    { name: `${half}: score`, value: sum, unit: `of ${scored.filter(({ answer }) => answer !== null).length}` },
  ];
  // Not every set has questions of every kind.
  return measures.filter(({ value }) => !Number.isNaN(value));
}

/** Right where there is an answer, "I don't know" where there is none. NaN without a question. */
function dueShare(scored: readonly Scored[]): number {
  const due = scored.filter(({ answer, result }) => result === (answer === null ? "unknown" : "right"));
  return (100 * due.length) / scored.length;
}

export async function scoreAll(
  isWanted: (question: Question) => boolean = () => true,
  models: boolean | Models = false,
): Promise<readonly Scored[]> {
  const judged = await startJudged(models);
  const scored: Scored[] = [];
  try {
    for (const question of readQuestions().filter(isWanted)) scored.push(await score(judged, question));
  } finally {
    await judged.close();
  }
  return scored;
}

export function readQuestions(): readonly Question[] {
  const lines = readFileSync(join(import.meta.dirname, "questions.jsonl"), "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Question);
}

async function score(judged: Judged, question: Question): Promise<Scored> {
  const before = (question.before ?? []).map(
    (earlier): Exchange => ({ question: earlier.question, answer: answerOf(question.base, earlier.answeredFrom) }),
  );
  const { text, grade } = await judged.ask(question.base, [...before, { question: question.question, answer: "" }]);
  // An answer that isn't sure says so.
  const isSaid = grade === undefined || grade === "sure";
  const result = saysUnknown(text) ? "unknown" : resultOf(question, text);
  return { ...question, text, result: isSaid ? result : "unknown", grade, isMet: result === "right" };
}

function resultOf({ base, answer, mustContain }: Question, text: string): Result {
  if (refusal.test(text)) return "unknown";
  if (answer === null) return "wrong";
  return quotes(base, answer, text) || meets(text, mustContain) ? "right" : "wrong";
}

if (process.argv[1] === import.meta.filename) {
  // Details of what is tuned with: `node bench/judgement/score.ts [result] [kind] [endpoints]`.
  const [result = "", kind = "", models = ""] = process.argv.slice(2);
  for (const one of await scoreAll(({ half }) => half === "seen" || half === "second", models !== "")) {
    const isDue = one.result === (one.answer === null ? "unknown" : "right");
    if ((result === "" ? isDue : one.result !== result) || !one.kind.startsWith(kind)) continue;
    process.stdout.write(
      `${one.result} ${one.grade} ${one.id} (${one.base}): ${one.question}\n    ${one.text.slice(0, 160).replace(/\s+/g, " ")}\n`,
    );
  }
}
