/**
 * Keeps a model's marks honest: `[n]` stays only if passage n exists, and is numbered as the client lists the sources.
 * The first source that is cited is number 1, so that a growing answer keeps its numbers.
 */

import { wordsOf } from "../../../core/languages/languages.ts";
import { createCodeReader } from "../../../core/text/code-reader.ts";
import { createMarkReader, honestMark, type Mark, replaceMarks } from "../../citation-marks.ts";
import { sourceKey } from "../answering/answer.ts";
import type { FoundPassage } from "../answering/passage-search.ts";

export type Cited = {
  readonly text: string;
  /** The cited passages, in the order of their sources' numbers. */
  readonly passages: readonly FoundPassage[];
};

/** Clients list at most this many sources. */
const maxSources = 8;

/** A list of sources that the model writes itself: clients show theirs. Each line has one way to match. */
const ownHeading = `(?<!\\n)\\n+[ \\t#*_]{0,6}(?:${wordsOf("headings", "sources").join("|")})[*_: \\t]{0,6}\\n`;
const ownLine = "[ \\t]{0,6}(?:[-*] )?[[【]\\^?\\d{1,3}[\\]】][^\\n]*";
const ownList = new RegExp(`${ownHeading}(?:${ownLine}\\n)*${ownLine}\\n?$`, "i");
const definition = /^[ \t]*\[\^?\d{1,3}\]:/;

/** `numbered`: the passages as the model knows them; the first one is number 1. */
export function cite(answer: string, numbered: readonly FoundPassage[], isWhole: boolean): Cited {
  const numbers = new Map<string, number>();
  const cited = new Set<FoundPassage>();

  function numberOf(passage: FoundPassage): number | undefined {
    const key = sourceKey(passage);
    const known = numbers.get(key);
    if (known === undefined && numbers.size >= maxSources) return undefined;
    const number = known ?? numbers.size + 1;
    numbers.set(key, number);
    cited.add(passage);
    return number;
  }

  function marksFor(mark: Mark): string | undefined {
    const passages = mark.numbers.flatMap((number) => numbered[number - 1] ?? []);
    // The model knows no pages but those of its passages, so a link that it numbers itself leads nowhere.
    if (passages.length === 0) return mark.isLink ? "" : honestMark(mark, () => false);
    const kept = [...new Set(passages.flatMap((passage) => numberOf(passage) ?? []))];
    const space = /^[ \t]/.test(mark.written) && kept.length > 0 ? " " : "";
    return space + kept.map((number) => `[${number}]`).join(" ");
  }

  const reader = createMarkReader(marksFor);
  const text = reader.push(withoutDefinitions(isWhole ? answer.replace(ownList, "") : answer));
  const order = (passage: FoundPassage) => numbers.get(sourceKey(passage)) ?? 0;
  return {
    // A mark that is still being written is left out.
    text: (isWhole ? text + reader.end() : text).trim(),
    passages: [...cited].sort((a, b) => order(a) - order(b)),
  };
}

/** What says where the model's own marks lead, outside of code. */
function withoutDefinitions(text: string): string {
  const code = createCodeReader();
  const isKept = (line: string) => {
    const isInCode = code.isCode("\n");
    for (const part of line.split(/([`~])/)) {
      if (part.length === 1) code.isCode(part);
      else if (part !== "") code.isTextCode(part);
    }
    return isInCode || !definition.test(line);
  };
  return text.split("\n").filter(isKept).join("\n");
}

/** Earlier answers have the numbers of their own sources, which mean nothing to the next one. */
export function withoutMarks(text: string): string {
  return replaceMarks(text, () => "");
}
