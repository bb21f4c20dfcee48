/**
 * The measurement that the goals of judgement came from, with the worlds that repeat it: 120 questions, 40 lines in
 * threads, 20 in a channel.
 *
 *     node bench/judgement/goals.ts                                        # the built-in service without a model
 *     node bench/judgement/goals.ts http://127.0.0.1:8000/v1 NAME          # with an embedding model there
 *
 * With an embedding model, the language model is the double of knowing.ts.
 */

import { isStopWord } from "../../src/agent-service/built-in/answering/stop-words.ts";
import { readWords } from "../../src/agent-service/built-in/answering/words.ts";
import { connectModel } from "../../src/agent-service/built-in/model/local-model.ts";
import { systemClock as clock } from "../../src/core/tools/system-clock.ts";
import type { Measure } from "../measure.ts";
import { knowingModel, type Otherwise } from "./knowing.ts";
import { readQuestions, type Scored, scoreAll } from "./score.ts";
import { configOf } from "./service.ts";
import { type Line, type Played, playLines, playTalk } from "./talk.ts";
import { quotes } from "./written.ts";

const isRepeat = ({ half }: { readonly half: string }) => half === "sixth";
/** The rows of its table. */
const months = Array.from({ length: 12 }, (_, at) => new Date(2025, at, 1).toLocaleString("en", { month: "long" }));

async function goalsWithoutModel(): Promise<readonly Measure[]> {
  const scored = await scoreAll(isRepeat);
  const played = await playTalk(isRepeat);
  const unanswerable = scored.filter(({ answer }) => answer === null);
  const put = await playLines(unanswerable.map(putToParley));
  const side = played.filter(({ place, shouldAnswer, forParley }) => place === "thread" && !shouldAnswer && !forParley);
  const followUps = played.filter(({ place, shouldAnswer }) => place === "thread" && shouldAnswer);
  const inChannel = played.filter(({ place, shouldAnswer }) => place === "channel" && shouldAnswer);
  const chatter = played.filter(({ place, shouldAnswer }) => place === "channel" && !shouldAnswer);
  const rows = await rowsForModel();
  const isShown = ({ does }: Played) => does !== "silent";
  const isRight = ({ does }: Played) => does === "right";
  return [
    ...answersOf(scored),
    count("side talk answered", side, isShown, { atMost: 0 }),
    count("follow-ups without a mention answered right", followUps, isRight, { atLeast: 14 }),
    count("questions to nobody answered right", inChannel, isRight, { atLeast: 7 }),
    count("chatter answered", chatter, isShown, { atMost: 0 }),
    count("gaps that are side talk or chatter", [...side, ...chatter], ({ isGap }) => isGap, { atMost: 0 }),
    count("unanswerable questions listed as gaps", put, ({ isGap }) => isGap, { atLeast: 27 }),
    count("searches of follow-ups with other words", followUps, searchedElse, { atMost: 0 }),
    count("questions that bring a model all rows of the table", rows, (each) => each === months.length, {
      atLeast: rows.length,
    }),
  ];
}

/** Of each question, the answer that the built-in service gives. */
function answersOf(scored: readonly Scored[]): readonly Measure[] {
  const right = scored.filter(({ result }) => result === "right");
  const wrong = scored.filter(({ result }) => result === "wrong");
  const of = (kind: RegExp) => scored.filter((one) => kind.test(one.kind));
  const isRight = ({ result }: Scored) => result === "right";
  // Quoted sections begin with their headings.
  const isFirst = ({ base, answer, text }: Scored) =>
    answer !== null && quotes(base, answer, text.split("\n\n**", 1)[0] ?? "");
  const own = of(/^own-words$/);
  const given = right.length + wrong.length;
  return [
    { name: "answers given that are right", value: (100 * right.length) / given, unit: "%", target: { atLeast: 90 } },
    count(
      "without an answer, said so",
      scored.filter(({ answer }) => answer === null),
      ({ result }) => result === "unknown",
      { atLeast: 28 },
    ),
    count("own words, right section first", own, (one) => isRight(one) && isFirst(one), { atLeast: 48 }),
    count("other words, wrong", of(/^other-words$/), ({ result }) => result === "wrong", { atMost: 2 }),
    count("other words, right", of(/^other-words$/), isRight),
    count("tables, right", of(/^table-/), isRight, { atLeast: 8 }),
  ];
}

async function goalsWithModels(url: string, embeddingModel: string): Promise<readonly Measure[]> {
  const measures: Measure[] = [];
  for (const otherwise of ["says so", "quotes"] as const) {
    const scored = await scoreKnowing(otherwise, url, embeddingModel);
    const of = (kind: RegExp) => scored.filter((one) => kind.test(one.kind));
    const isRight = ({ result }: Scored) => result === "right";
    const isWrong = ({ result }: Scored) => result === "wrong";
    const other = of(/^other-words$/);
    const none = scored.filter(({ answer }) => answer === null);
    const measured = [
      count("other words, right", other, ({ isMet }) => isMet, { atLeast: 24 }),
      count("of these sure", other, isRight),
      count("other words, wrong", other, isWrong, { atMost: 2 }),
      count("own words, right", of(/^own-words$/), ({ isMet }) => isMet),
      count("tables, right", of(/^table-/), ({ isMet }) => isMet),
      count("without an answer, said so or not sure", none, ({ result }) => result === "unknown", { atLeast: 28 }),
    ];
    measures.push(...measured.map((one) => ({ ...one, name: `${one.name}, if it ${otherwise}` })));
  }
  return measures;
}

async function scoreKnowing(otherwise: Otherwise, url: string, embeddingModel: string): Promise<readonly Scored[]> {
  const connected = connectModel(configOf(url, { embeddingModel }), clock);
  const model = knowingModel(readQuestions().filter(isRepeat), otherwise);
  try {
    return await scoreAll(isRepeat, { model, embedder: connected?.embedder });
  } finally {
    await connected?.close();
  }
}

/** How many rows of the table each question about it brings to a model. */
async function rowsForModel(): Promise<readonly number[]> {
  const questions = readQuestions().filter((one) => isRepeat(one) && one.kind.startsWith("table-"));
  const rows = new Map(questions.map(({ id }) => [id, 0]));
  const model = knowingModel(questions, "says so", ({ id }, text) => {
    rows.set(id, months.filter((month) => text.includes(`| ${month} |`)).length);
  });
  await scoreAll((one) => rows.has(one.id), { model });
  return [...rows.values()];
}

function putToParley({ id, base, question }: Scored): Line {
  const people = [{ display: "Ida", real: "Ida Holm" }];
  const asked = { who: "Ida", text: `@Parley ${question}`, before: [], people };
  return { ...asked, id, base, half: "sixth", place: "channel", forParley: true, shouldAnswer: false, answer: null };
}

/** Whether a run searched for words of anything but the line and the questions that Parley answered before it. */
function searchedElse({ searched, text, before }: Played): boolean {
  const words = /content = '([^']*)'/u.exec(searched)?.[1]?.split(" ") ?? [];
  const answered = before.filter((_, at) => before[at + 1]?.byParley === true);
  const said = [text, ...answered.map((line) => line.text)].flatMap((line) => readWords(line));
  return words.some((word) => !isStopWord(word) && said.every((one) => one.word !== word));
}

function count<One>(
  name: string,
  of: readonly One[],
  isMeant: (one: One) => boolean,
  target?: Measure["target"],
): Measure {
  return { name, unit: `of ${of.length}`, value: of.filter(isMeant).length, target };
}

if (process.argv[1] === import.meta.filename) {
  const [url, name = ""] = process.argv.slice(2);
  const measures = url === undefined ? await goalsWithoutModel() : await goalsWithModels(url, name);
  for (const { name: what, value, unit } of measures)
    process.stdout.write(`${what}: ${Math.round(value * 10) / 10} ${unit}\n`);
}
