/**
 * Finds the marks with which an answer cites its passages, in a stream of pieces. They are `[3]`, `[1, 4]`, `[2-4]`,
 * `[^3]`, `[passage 3]`, `【3】` and `【3†title】`, also as the label of a link. Code, escaped brackets and URLs have none.
 */
import { createCodeReader } from "../core/text/code-reader.ts";

export type Mark = {
  /** With a space before it, if there is one. */
  readonly written: string;
  readonly numbers: readonly number[];
  /** It may be anything else in brackets: `array[3]`, `list = [3]`, `[label][3]`, `[0, 1]`. */
  readonly isDoubtful: boolean;
  /** `[3](https://…)`. */
  readonly isLink: boolean;
};

/** Most numbers of one range. */
const maxRange = 20;
const maxMarkChars = 160;
const maxUrlChars = 2_000;

const whole =
  /^[[【]\^?(?:(?:passage|source)s? )?(\d{1,3}(?:[ \t]?[,;–-][ \t]?\d{1,3}){0,40})(?:†[^\]】\n]{0,80})?[\]】]$/i;
/** What a mark can begin with, and what can follow before its title. */
const firstInside = /[\^\dps]/i;
const inside = /[a-z\d \t,;–†-]/i;
/** Characters that are looked at alone; between them is text. */
const specialChars: ReadonlySet<number> = new Set(Array.from("`~\n[【(\\", (char) => char.charCodeAt(0)));
/** Before a bracket: it is an index, or in a URL. */
const attaching = /[\w$/=&#]/;

/** Returns what replaces it; undefined: it is no mark, and stays. */
export type Replace = (mark: Mark) => string | undefined;

/** One for each stream. */
export function createMarkReader(replace: Replace) {
  const code = createCodeReader();
  /** A space, and what may be a mark after it. */
  let space = "";
  let held = "";
  /** After a whole mark: the URL of a link, from its "(" on. */
  let url: string | undefined;
  /** The character before what is held; a space after a mark, which ends like other brackets. */
  let before = "\n";
  let isWhole = false;
  let isInLink = false;

  function decide(): string {
    const written = space + held;
    const given = whole.exec(held)?.[1] ?? "";
    const numbers = numbersIn(given);
    const isAttached = before === "=" || (space === "" && (before === "]" || attaching.test(before)));
    const isDoubtful = isAttached || (numbers.length > 1 && numbers.includes(0));
    const mark = { written: written + (url ?? ""), numbers, isDoubtful, isLink: url !== undefined };
    const shown = replace(mark);
    before = shown === undefined ? "]" : " ";
    space = "";
    held = "";
    isWhole = false;
    url = undefined;
    return shown ?? mark.written;
  }

  /** What is held is no mark. */
  function release(): string {
    const text = space + held;
    if (text !== "") before = text.slice(-1);
    space = "";
    held = "";
    isWhole = false;
    return text;
  }

  function mayHold(char: string): boolean {
    if (held.length >= maxMarkChars) return false;
    if (held.length === 1) return firstInside.test(char);
    return inside.test(char) || (char !== "\n" && held.includes("†"));
  }

  function next(char: string): string {
    if (url !== undefined) {
      if (char === ")") {
        url += char;
        return decide();
      }
      if (!/[\s(]/.test(char) && url.length < maxUrlChars) {
        url += char;
        return "";
      }
      const rest = url;
      url = undefined;
      return decide() + rest + plain(char);
    }
    if (isWhole) {
      if (char === "(") {
        url = char;
        return "";
      }
      // `[3]: https://…` says where a link leads.
      if (char === ":" && before === "\n") return release() + plain(char);
      return decide() + plain(char);
    }
    if (held === "") return plain(char);
    if (char === "]" || char === "】") {
      isWhole = whole.test(held + char);
      if (!isWhole) return release() + plain(char);
    } else if (!mayHold(char)) return release() + plain(char);
    held += char;
    return "";
  }

  function inChars(part: string): string {
    let shown = "";
    for (const char of part) shown += next(char);
    return shown;
  }

  /** As `plain` for each of its characters. */
  function plainText(part: string): string {
    if (part.length === 1) return plain(part);
    const words = /[ \t]$/.test(part) ? part.slice(0, -1) : part;
    const text = release() + words;
    before = words.slice(-1);
    space = part.slice(words.length);
    return text;
  }

  function plain(char: string): string {
    if (isInLink) isInLink = !/[\s)]/.test(char);
    else if (char === "(" && before === "]" && space === "") isInLink = true;
    if ((char === "[" || char === "【") && !isInLink && !(space === "" && before === "\\")) {
      held = char;
      return "";
    }
    const text = release();
    if (char === " " || char === "\t") {
      space = char;
      return text;
    }
    before = char;
    return text + char;
  }

  return {
    push: (text: string): string => {
      let shown = "";
      for (let at = 0, end = 0; at < text.length; at = end) {
        end = endOfPart(text, at);
        const part = text.slice(at, end);
        const isPlain = part.length > 1 || !/^[`~\n]$/.test(part);
        if (isPlain ? code.isTextCode(part) : code.isCode(part)) {
          shown += flush() + part;
          before = part.slice(-1);
        } else shown += held === "" && url === undefined && !isInLink ? plainText(part) : inChars(part);
      }
      return shown;
    },
    end: flush,
  };

  function flush(): string {
    if (url !== undefined) {
      const rest = url;
      url = undefined;
      return decide() + rest;
    }
    return isWhole ? decide() : release();
  }
}

/** A whole text. */
export function replaceMarks(text: string, replace: Replace): string {
  const reader = createMarkReader(replace);
  return reader.push(text) + reader.end();
}

/** The rule for every service: a number without a passage goes, unless it may be anything else than a mark. */
export function honestMark(
  { written, numbers, isDoubtful, isLink }: Mark,
  isKnown: (number: number) => boolean,
): string | undefined {
  const kept = numbers.filter(isKnown);
  if (kept.length === numbers.length) return written;
  if (isDoubtful || isLink) return undefined;
  const space = /^[ \t]/.test(written) && kept.length > 0 ? " " : "";
  return space + kept.map((number) => `[${number}]`).join(" ");
}

function endOfPart(text: string, from: number): number {
  let end = from + 1;
  if (specialChars.has(text.charCodeAt(from))) return end;
  while (end < text.length && !specialChars.has(text.charCodeAt(end))) end += 1;
  return end;
}

function numbersIn(given: string): readonly number[] {
  if (/^\d+$/.test(given)) return [Number(given)];
  return given.split(/[,;]/).flatMap((part) => {
    const [first = 0, last = first] = part.split(/[–-]/).map((number) => Number.parseInt(number, 10));
    const count = last - first + 1;
    return count < 1 || count > maxRange ? [first] : Array.from({ length: count }, (_, index) => first + index);
  });
}
