/** Reads questions.txt and counts what grouping makes of it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { questionForm } from "../../../src/insight/grouping/form.ts";
import { mostAlike } from "../../../src/insight/grouping/likeness.ts";
import type { IndexedQuestion } from "../../../src/insight/grouping/terms.ts";

export type LabelledQuestion = {
  readonly family: string;
  readonly isHeldOut: boolean;
  /** The line that names its meaning: questions of one line belong together. */
  readonly line: string;
  /** Lines in several languages can have the same meaning: to group those is right as well. */
  readonly meaning: string;
  readonly text: string;
};

export function readQuestions(): readonly LabelledQuestion[] {
  const questions: LabelledQuestion[] = [];
  let family = "";
  let line = "";
  let meaning = "";
  for (const read of readFileSync(join(import.meta.dirname, "questions.txt"), "utf8").split("\n")) {
    if (read.startsWith("## ")) family = read.slice(3).trim();
    else if (read.startsWith("- ")) {
      questions.push({
        family: family.replace(/\*$/, ""),
        isHeldOut: family.endsWith("*"),
        line: `${family}/${line}`,
        meaning,
        text: read.slice(2).trim(),
      });
    } else if (read !== "" && !read.startsWith("#")) {
      const [name = "", other = name] = read.split(" = ");
      line = name.trim();
      meaning = other.trim();
    }
  }
  return questions;
}

export type Pair = readonly [LabelledQuestion, LabelledQuestion];

export type Figures = {
  readonly questions: number;
  readonly meanings: number;
  readonly groups: number;
  /** Pairs of questions of one meaning. */
  readonly pairs: number;
  /** Pairs of different meanings in one group. */
  readonly falseMerges: readonly Pair[];
  /** Pairs of one meaning in different groups. */
  readonly misses: readonly Pair[];
};

/** Groups them one after the other, as they would come in. */
export function grouped(questions: readonly LabelledQuestion[]): ReadonlyMap<LabelledQuestion, string> {
  const stored: IndexedQuestion[] = [];
  const groupOf = new Map<LabelledQuestion, string>();
  for (const [index, question] of questions.entries()) {
    const form = questionForm(question.text);
    const found = mostAlike(form, stored);
    const group = found?.id.split("/")[0] ?? String(index).padStart(6, "0");
    stored.push({ ...form, id: `${group}/${index}` });
    groupOf.set(question, group);
  }
  return groupOf;
}

export function measure(
  questions: readonly LabelledQuestion[],
  groupOf: ReadonlyMap<LabelledQuestion, string> = grouped(questions),
): Figures {
  const falseMerges: Pair[] = [];
  const misses: Pair[] = [];
  let pairs = 0;
  for (const [index, one] of questions.entries()) {
    for (const other of questions.slice(index + 1)) {
      const isOneLine = one.line === other.line;
      const isMerged = groupOf.get(one) === groupOf.get(other);
      if (isOneLine) pairs += 1;
      if (isMerged && one.meaning !== other.meaning) falseMerges.push([one, other]);
      if (!isMerged && isOneLine) misses.push([one, other]);
    }
  }
  return {
    questions: questions.length,
    meanings: new Set(questions.map(({ line }) => line)).size,
    groups: new Set(groupOf.values()).size,
    pairs,
    falseMerges,
    misses,
  };
}
