/**
 * Keeps a model's marks honest: `[n]` stays only if passage n exists, and is numbered as the client lists the sources.
 * The first source that is cited is number 1, so that a growing answer keeps its numbers.
 */
import { sourceKey } from "../answering/answer.ts";
import type { FoundPassage } from "../answering/passage-search.ts";

export type Cited = {
  readonly text: string;
  /** The cited passages, in the order of their sources' numbers. */
  readonly passages: readonly FoundPassage[];
};

/** Clients list at most this many sources. */
const maxSources = 8;
/** Most numbers of one mark. */
const maxRange = 20;

/** `[3]`, `[1, 4]`, `[2-4]`, `[^3]`, `[passage 3]`, `【3】`, `【3†title】`, also as the label of a link. */
const mark =
  /[ \t]?[[【]\^?(?:(?:passage|source)s? )?(\d{1,3}(?:[ \t]?[,;–-][ \t]?\d{1,3}){0,40})(?:†[^\]】\n]{0,80})?[\]】](?:\([^()\s]{0,2000}\))?/gi;
/** A mark that is still being written. */
const openMark = /[ \t]?[[【][\w ,;^†–-]{0,40}$/;
/** A list of sources that the model writes itself: clients show theirs. Each line has one way to match. */
const ownHeading =
  "(?<!\\n)\\n+[ \\t#*_]{0,6}(?:sources|references|citations|quellen|fuentes|fontes|fonti)[*_: \\t]{0,6}\\n";
const ownLine = "[ \\t]{0,6}(?:[-*] )?[[【]\\^?\\d{1,3}[\\]】][^\\n]*";
const ownList = new RegExp(`${ownHeading}(?:${ownLine}\\n)*${ownLine}\\n?$`, "i");
const definition = /^[ \t]*\[\^?\d{1,3}\]:[^\n]*$/gm;
/** Code keeps its brackets. */
const code = /(^ {0,3}```[\s\S]*?(?:^ {0,3}```[ \t]*$|$(?![\s\S]))|`[^`\n]+`)/m;

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

  function marksFor(written: string, given: string): string {
    const passages = numbersIn(given).flatMap((number) => numbered[number - 1] ?? []);
    const kept = [...new Set(passages.flatMap((passage) => numberOf(passage) ?? []))];
    const space = /^[ \t]/.test(written) && kept.length > 0 ? " " : "";
    return space + kept.map((number) => `[${number}]`).join(" ");
  }

  const text = isWhole ? answer.replace(ownList, "") : answer.replace(openMark, "");
  const parts = text.split(code).map((part, index) => {
    if (index % 2 === 1) return part;
    return part.replace(definition, "").replace(mark, marksFor);
  });
  const order = (passage: FoundPassage) => numbers.get(sourceKey(passage)) ?? 0;
  return { text: parts.join("").trim(), passages: [...cited].sort((a, b) => order(a) - order(b)) };
}

/** Earlier answers have the numbers of their own sources, which mean nothing to the next one. */
export function withoutMarks(text: string): string {
  return text.replace(mark, "");
}

function numbersIn(given: string): readonly number[] {
  return given.split(/[,;]/).flatMap((part) => {
    const [first = 0, last = first] = part.split(/[–-]/).map((number) => Number.parseInt(number, 10));
    const count = last - first + 1;
    return count < 1 || count > maxRange ? [first] : Array.from({ length: count }, (_, index) => first + index);
  });
}
