/** Validates the judgement data. Run: node bench/judgement/check.ts (exit code 1 when something is wrong). */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { even, has } from "./match.ts";
import { likeness, tellingWords } from "./words.ts";

interface Place {
  file: string;
  section: string | null;
}

interface Compute {
  op: "cell" | "max" | "min" | "sum" | "mean" | "count";
  column?: string;
  label?: string;
  where?: { column: string; is?: string; startsWith?: string };
}

interface Question {
  id: string;
  half: string;
  language: string;
  base: string;
  question: string;
  kind: string;
  before?: { question: string; answeredFrom: Place }[];
  answer: Place | null;
  mustContain: string[];
  compute?: Compute;
  note?: string;
}

interface Talk {
  id: string;
  half: string;
  place: string;
  people: { display: string; real: string }[];
  before: { who: string; text: string; byParley?: boolean; answeredFrom?: Place }[];
  who: string;
  text: string;
  forParley: boolean;
  shouldAnswer: boolean;
  answer: Place | null;
  base: string;
  note: string;
}

interface Gap {
  id: string;
  how: string;
  text: string;
  verdict: string;
  shouldBeGap: boolean;
}

interface Table {
  columns: string[];
  rows: string[][];
  decimalComma: boolean;
}

const HERE = fileURLToPath(new URL(".", import.meta.url));
const KINDS = [
  "own-words",
  "other-words",
  "near-miss",
  "unrelated",
  "who-when-howmuch",
  "table-cell",
  "table-max",
  "table-min",
  "table-sum",
  "table-mean",
  "table-count",
  "table-compare",
  "table-trend",
  "table-unanswerable",
  "follow-up",
  "two-languages",
  "adversarial",
];
const ALWAYS = new Set(KINDS.filter((kind) => /^(own|other)-words$|^table-(?!unanswerable)/u.test(kind)));
const NEVER = new Set(["near-miss", "unrelated", "table-unanswerable"]);
/** Two worlds that were written later, and a third one. They aren't halves of anything. */
const LATER = new Set(["second", "third", "fourth", "fifth", "sixth"]);
const problems: string[] = [];

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function complain(id: string, what: string): void {
  problems.push(`${id}: ${what}`);
}

function readLines<Line>(name: string): Line[] {
  const text = readFileSync(join(HERE, name), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
}

function readTable(text: string): Table {
  const [head = "", ...rest] = text.trim().split("\n");
  const separator = head.includes(";") ? ";" : ",";
  return {
    columns: head.split(separator),
    rows: rest.map((line) => line.split(separator)),
    decimalComma: separator === ";",
  };
}

const sections = new Map<string, string>();
const tables = new Map<string, Table>();
const tableTexts = new Map<string, string>();
const bases = readdirSync(join(HERE, "knowledge")).sort();
let documents = 0;

for (const base of bases) {
  for (const file of readdirSync(join(HERE, "knowledge", base)).sort()) {
    const text = readFileSync(join(HERE, "knowledge", base, file), "utf8");
    if (file.endsWith(".csv")) {
      const table = readTable(text);
      tables.set(`${base}/${file}`, table);
      tableTexts.set(`${base}/${file}`, table.rows.map((row) => row.join(" | ")).join("\n"));
      if (table.rows.length < 8 || table.rows.length > 40) {
        complain(file, `${table.rows.length} rows`);
      }
      if (table.rows.some((row) => row.length !== table.columns.length)) {
        complain(file, "a row has another number of cells than the head");
      }
      continue;
    }
    documents += 1;
    for (const part of text.split(/^## /mu).slice(1)) {
      const heading = part.split("\n", 1)[0]?.trim() ?? "";
      const key = `${base}/${file}#${heading}`;
      if (sections.has(key)) {
        complain(key, "heading twice");
      }
      sections.set(key, part);
    }
  }
}

/** The text of a section, or the whole table; undefined when there is none. */
function textAt(base: string, place: Place): string | undefined {
  return place.section === null
    ? tableTexts.get(`${base}/${place.file}`)
    : sections.get(`${base}/${place.file}#${place.section}`);
}

function shared(question: string, text: string): string[] {
  const there = tellingWords(text);
  return tellingWords(question).filter((word) => there.some((other) => likeness(word, other) > 0));
}

/** Works out the answer of a table question, as the table would write it. */
function computed(table: Table, compute: Compute): string | number | undefined {
  const at = (row: string[], column: string | undefined): string => row[table.columns.indexOf(column ?? "")] ?? "";
  const value = (row: string[]): number => {
    const cell = at(row, compute.column);
    return Number(table.decimalComma ? cell.replace(",", ".") : cell);
  };
  const { where } = compute;
  const rows = table.rows.filter((row) => {
    const cell = where ? at(row, where.column) : "";
    return !where || (where.is === undefined ? cell.startsWith(where.startsWith ?? "?") : cell === where.is);
  });
  const sum = rows.reduce((total, row) => total + value(row), 0);
  const ordered = [...rows].sort((one, other) => value(one) - value(other));
  switch (compute.op) {
    case "cell":
      return rows.length === 1 && rows[0] ? at(rows[0], compute.column) : undefined;
    case "count":
      return rows.length;
    case "sum":
      return Math.round(sum * 100) / 100;
    case "mean":
      return Math.round((sum / rows.length) * 10_000) / 10_000;
    default: {
      const [first, second] = compute.op === "min" ? ordered : ordered.reverse();
      if (!first || (second && value(first) === value(second))) {
        return undefined;
      }
      return at(first, compute.label);
    }
  }
}

function checkPlace(id: string, base: string, place: Place): void {
  if (textAt(base, place) === undefined) {
    complain(id, `no such place: ${base}/${place.file}#${place.section ?? ""}`);
  }
}

function checkQuestion(line: Question): void {
  const { id, base, answer, kind, question } = line;
  if (!KINDS.includes(kind) || !bases.includes(base) || !/^(en|de)$/u.test(line.language)) {
    complain(id, "kind, base or language unknown");
  }
  if ((ALWAYS.has(kind) && !answer) || (NEVER.has(kind) && answer)) {
    complain(id, "answer does not fit the kind");
  }
  if ((kind === "follow-up") !== (line.before !== undefined)) {
    complain(id, "before belongs to follow-ups alone");
  }
  for (const earlier of line.before ?? []) {
    checkPlace(id, base, earlier.answeredFrom);
  }
  if (kind === "two-languages" && (line.language === "de") === (base === "baeckerei")) {
    complain(id, "question and documents in the same language");
  }
  if (kind === "near-miss") {
    const most = Math.max(
      ...[...sections].filter(([key]) => key.startsWith(`${base}/`)).map(([, text]) => shared(question, text).length),
    );
    // The later worlds have more German, whose compounds hide a second word from this count.
    if (most < (LATER.has(line.half) ? 1 : 2)) {
      complain(id, `near-miss shares ${most} telling words with its nearest section`);
    }
  }
  if (!answer) {
    if (line.mustContain.length > 0) {
      complain(id, "mustContain without an answer");
    }
    return;
  }
  checkPlace(id, base, answer);
  const text = textAt(base, answer) ?? "";
  if (line.mustContain.length === 0) {
    complain(id, "mustContain is empty");
  }
  const table = tables.get(`${base}/${answer.file}`);
  if (line.compute && table) {
    const right = computed(table, line.compute);
    if (right === undefined || !line.mustContain.every((demanded) => has(String(right), demanded))) {
      complain(id, `computed ${right}, but mustContain is ${line.mustContain.join(", ")}`);
    }
  } else {
    for (const demanded of line.mustContain) {
      if (!has(text, demanded) || (!table && !even(text).includes(even(demanded)))) {
        complain(id, `"${demanded}" does not stand in the section`);
      }
    }
  }
  const common = shared(question, text);
  if (kind === "other-words" && common.length > 0) {
    complain(id, `other-words shares: ${common.join(", ")}`);
  }
  if (kind === "own-words" && common.length < (LATER.has(line.half) ? 1 : 2)) {
    complain(id, `own-words shares only: ${common.join(", ")}`);
  }
}

function checkTalk(line: Talk): void {
  const names = new Set(line.people.map((person) => person.display));
  if (!names.has(line.who) || line.before.some((earlier) => !earlier.byParley && !names.has(earlier.who))) {
    complain(line.id, "somebody speaks who is not among the people");
  }
  if (line.shouldAnswer !== (line.answer !== null)) {
    complain(line.id, "shouldAnswer and answer disagree");
  }
  if (!/^(thread|channel)$/u.test(line.place) || !bases.includes(line.base)) {
    complain(line.id, "place or base unknown");
  }
  for (const place of [line.answer, ...line.before.map((earlier) => earlier.answeredFrom)]) {
    if (place) {
      checkPlace(line.id, line.base, place);
    }
  }
}

function checkGap(line: Gap): void {
  if (!/^(mention|direct|command|overheard)$/u.test(line.how) || !/^(nothing|unsure|sure)$/u.test(line.verdict)) {
    complain(line.id, "how or verdict unknown");
  }
  if (line.verdict === "sure" && line.shouldBeGap) {
    complain(line.id, "a sure answer is no gap");
  }
}

/** Counts seen and held-out lines for each group and complains when they differ by more than one. */
function balance(lines: { half: string; group: string }[]): Map<string, [number, number]> {
  const groups = new Map<string, [number, number]>();
  for (const { half, group } of lines) {
    const pair = groups.get(group) ?? [0, 0];
    pair[half === "seen" ? 0 : 1] += 1;
    groups.set(group, pair);
  }
  for (const [group, [seen, heldOut]] of groups) {
    if (Math.abs(seen - heldOut) > 1) {
      complain(group, `halves unbalanced: ${seen} seen, ${heldOut} held out`);
    }
  }
  return groups;
}

function atLeast(what: string, count: number, least: number): void {
  print(`${what}: ${count}`);
  if (count < least) {
    complain(what, `${count}, but at least ${least} are wanted`);
  }
}

const questions = readLines<Question>("questions.jsonl");
const talk = readLines<Talk>("talk.jsonl");
const gaps = readLines<Gap>("gaps.jsonl");
const ids = new Set<string>();
for (const { id } of [...questions, ...talk, ...gaps]) {
  if (ids.has(id)) {
    complain(id, "id twice");
  }
  ids.add(id);
}
const asked = new Set<string>();
for (const line of questions) {
  const key = `${line.base} ${line.question} ${JSON.stringify(line.before ?? "")}`.toLowerCase();
  if (asked.has(key)) {
    complain(line.id, "question twice");
  }
  asked.add(key);
  checkQuestion(line);
}
talk.forEach(checkTalk);
gaps.forEach(checkGap);

atLeast("bases", bases.length, 4);
atLeast("documents", documents, 18);
atLeast("sections", sections.size, 90);
atLeast("tables", tables.size, 4);
atLeast("questions", questions.length, 240);
atLeast("talk", talk.length, 120);
atLeast("gaps", gaps.length, 60);
for (const { id, half } of [...questions, ...talk]) {
  if (!/^(seen|held-out|second|third|fourth|fifth|sixth)$/u.test(half)) {
    complain(id, `half "${half}"`);
  }
}
const halves = questions.filter(({ half }) => !LATER.has(half));
for (const [kind, [seen, heldOut]] of balance(halves.map((line) => ({ half: line.half, group: line.kind })))) {
  print(`  ${kind}: ${seen} seen, ${heldOut} held out`);
}
const talkGroups = balance(
  talk
    .filter(({ half }) => !LATER.has(half))
    .map((line) => ({
      half: line.half,
      group: `talk forParley=${line.forParley} shouldAnswer=${line.shouldAnswer}`,
    })),
);
for (const [group, [seen, heldOut]] of talkGroups) {
  print(`  ${group}: ${seen} seen, ${heldOut} held out`);
}
const without = halves.filter((line) => line.answer === null).length / halves.length;
const german = halves.filter((line) => line.language === "de").length / halves.length;
print(`without an answer: ${(without * 100).toFixed(0)} %, German: ${(german * 100).toFixed(0)} %`);
if (without < 0.45 || without > 0.55 || german < 0.3 || german > 0.4) {
  complain("questions", "the shares without an answer or in German are off");
}
for (const problem of problems) {
  print(problem);
}
print(problems.length === 0 ? "all is well" : `${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
