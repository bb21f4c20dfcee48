/**
 * Reads the marks within a paragraph: code, links, emphasis and escapes. Their sources, joined, are the text. Linear for any
 * input, which the lexer of marked is not: it takes 40 seconds for 100,000 characters of "_a".
 */

export type Style = "bold" | "italic" | "struck";

export type InlineToken =
  /** Bare URLs and those in angle brackets are `url`; its source is shown. A break holds the next line's indentation. */
  | { readonly kind: "text" | "break"; readonly source: string }
  | { readonly kind: "escape" | "code"; readonly source: string; readonly text: string }
  | { readonly kind: "url"; readonly source: string; readonly address: string }
  | {
      readonly kind: "link" | "image";
      readonly source: string;
      readonly label: readonly InlineToken[];
      /** As written, without angle brackets; or that of the definition. */
      readonly address: string;
    }
  /** In pairs, properly nested. */
  | { readonly kind: "open" | "close"; readonly source: string; readonly style: Style };

/** Addresses of links that are defined elsewhere, by `referenceName`. */
export type Definitions = ReadonlyMap<string, string>;

/** What a text that is still being written has begun. Positions are in the text. */
export type Unclosed = {
  /** Of emphasis, the innermost last. */
  readonly marks: readonly string[];
  readonly code: { readonly at: number; readonly mark: string } | undefined;
  /** Of labels that have not ended, or whose address has not, the outermost first. */
  readonly brackets: readonly number[];
};

/** A run of the same mark; each end of an emphasis takes one or two of its characters. */
type Run = {
  readonly kind: "run";
  readonly char: string;
  readonly length: number;
  readonly mayOpen: boolean;
  readonly mayClose: boolean;
  left: number;
  readonly closes: InlineToken[];
  /** The innermost first. */
  readonly opens: InlineToken[];
};

type Entry = InlineToken | Run;

/** `index`: of its entry. */
type Bracket = { readonly at: number; readonly index: number; readonly isImage: boolean };

/** Anything longer isn't a link; platforms break what isn't one. */
const maxLabelChars = 300;
const title = String.raw`(?:\s{1,9}(?:"[^"]{0,200}"|'[^']{0,200}'|\([^()]{0,200}\)))?`;
const address = String.raw`(?:<([^<>\n]{0,4000})>|((?:\\.|[^\s()\\<]|\((?:\\.|[^\s()\\]){0,500}\)){0,4000}))`;
const target = new RegExp(String.raw`\(\s{0,9}${address}${title}\s{0,9}\)`, "y");
const reference = /\[([^[\]]{0,300})\]/y;
const special = /[`*_~[\]\\<\n]|https?:\/\//g;
const autolink = /<([a-z][a-z\d+.-]{1,31}:[^\s<>]{0,4000})>/iy;
const bareUrl = /https?:\/\/[^\s<>()[\]*`"'|\\]{1,4000}/y;
const lineBreak = /\n[ \t>]*/y;
const runOf = /([`*_~])\1*/y;
const escaped = /\\[!-/:-@[-`{-~]/y;

const letter = /[\p{L}\p{N}]/u;
const punctuation = /[\p{P}\p{S}]/u;
/** Scripts without spaces between words: an emphasis may begin and end within them. */
const writesOn =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

const nothing: Definitions = new Map();

export function inlineTokens(text: string, definitions: Definitions = nothing): readonly InlineToken[] {
  return readInline(text, definitions).tokens;
}

/** The same, with what is still open at the end of the text. */
export function readInline(
  text: string,
  definitions: Definitions = nothing,
): { readonly tokens: readonly InlineToken[]; readonly unclosed: Unclosed } {
  const entries: Entry[] = [];
  let brackets: Bracket[] = [];
  let code: Unclosed["code"];
  let half: readonly number[] | undefined;
  const lastTargetEnd = text.lastIndexOf(")");
  const closing = closingRuns(text);
  /** Before it, everything is read; what follows up to the next mark is text. */
  let from = 0;
  let at = 0;
  const put = (entry: Entry, end: number) => {
    if (at > from) entries.push({ kind: "text", source: text.slice(from, at) });
    entries.push(entry);
    from = end;
    at = end;
  };
  const matched = (pattern: RegExp) => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  const endBracket = () => {
    const bracket = brackets.pop();
    const link = bracket && linkFrom(bracket, at);
    if (bracket === undefined || link === undefined) {
      const isHalf = at + 1 === text.length || (text.charAt(at + 1) === "(" && at > lastTargetEnd);
      if (bracket !== undefined && isHalf) half ??= [...brackets, bracket].map((one) => one.at);
      at += 1;
      return;
    }
    if (at > from) entries.push({ kind: "text", source: text.slice(from, at) });
    const label = paired(entries.splice(bracket.index).slice(1)).tokens;
    from = at;
    const source = text.slice(bracket.at, link.end);
    put({ kind: bracket.isImage ? "image" : "link", source, label, address: link.address }, link.end);
    // No link is within another one.
    if (!bracket.isImage) brackets = [];
  };
  /** The link that ends with the bracket at `end`. */
  const linkFrom = (bracket: Bracket, end: number) => {
    const start = bracket.at + (bracket.isImage ? 2 : 1);
    if (end - start > maxLabelChars) return undefined;
    target.lastIndex = end + 1;
    const [inline, angled, bare] = target.exec(text) ?? [];
    if (inline !== undefined) return { address: angled ?? bare ?? "", end: end + 1 + inline.length };
    if (definitions.size === 0) return undefined;
    reference.lastIndex = end + 1;
    const [named = "", name = ""] = reference.exec(text) ?? [];
    const found = definitions.get(referenceName(name === "" ? text.slice(start, end) : name));
    // "[1]:" is the definition itself.
    if (found === undefined || (named === "" && text.charAt(end + 1) === ":")) return undefined;
    return { address: found, end: end + 1 + named.length };
  };
  for (;;) {
    special.lastIndex = at;
    const next = special.exec(text);
    if (next === null) break;
    at = next.index;
    const [mark] = next;
    switch (mark) {
      case "\\": {
        const found = matched(escaped)?.[0];
        if (found === undefined) at += 1;
        else put({ kind: "escape", source: found, text: found.slice(1) }, at + 2);
        break;
      }
      case "`": {
        const run = matched(runOf)?.[0] ?? mark;
        const end = closing(at + run.length, run.length);
        if (end !== undefined) {
          const inside = text.slice(at + run.length, end);
          put({ kind: "code", source: run + inside + run, text: codeText(inside) }, end + run.length);
        } else {
          code ??= { at, mark: run };
          at += run.length;
        }
        break;
      }
      case "[": {
        const isImage = text.charAt(at - 1) === "!" && at > from;
        if (isImage) at -= 1;
        brackets.push({ at, index: entries.length + (at > from ? 1 : 0), isImage });
        put({ kind: "text", source: isImage ? "![" : mark }, at + (isImage ? 2 : 1));
        break;
      }
      case "]":
        endBracket();
        break;
      case "\n": {
        const source = matched(lineBreak)?.[0] ?? mark;
        put({ kind: "break", source }, at + source.length);
        break;
      }
      case "<": {
        const [source, url = ""] = matched(autolink) ?? [];
        if (source === undefined) at += 1;
        else if (!/^(?:https?|mailto):/i.test(url)) put({ kind: "text", source }, at + source.length);
        else put({ kind: "url", source, address: url }, at + source.length);
        break;
      }
      case "*":
      case "_":
      case "~": {
        const run = matched(runOf)?.[0] ?? mark;
        put(runAt(text, at, run.length), at + run.length);
        break;
      }
      default: {
        if (letter.test(text.charAt(at - 1))) {
          at += mark.length;
          break;
        }
        // The end of a sentence and an emphasis around it are no part of it.
        const source = (matched(bareUrl)?.[0] ?? mark).replace(/[.,;:!?_~]{1,9}$/, "");
        if (source.length <= mark.length) at += mark.length;
        else put({ kind: "url", source, address: source }, at + source.length);
      }
    }
  }
  if (text.length > from) entries.push({ kind: "text", source: text.slice(from) });
  const { tokens, marks } = paired(entries);
  return { tokens, unclosed: { marks, code, brackets: half ?? brackets.map((one) => one.at) } };
}

/** Names are compared without case, and with single spaces. */
export function referenceName(name: string): string {
  return name.trim().replace(/\s+/g, " ").toLowerCase();
}

/** Where the next run of that many backticks is, searched from a position that only grows. */
function closingRuns(text: string): (from: number, length: number) => number | undefined {
  if (!text.includes("`")) return () => undefined;
  const byLength = new Map<number, { readonly starts: number[]; next: number }>();
  for (const { index, 0: run } of text.matchAll(/`+/g)) {
    const same = byLength.get(run.length);
    if (same === undefined) byLength.set(run.length, { starts: [index], next: 0 });
    else same.starts.push(index);
  }
  return (from, length) => {
    const same = byLength.get(length);
    if (same === undefined) return undefined;
    while ((same.starts[same.next] ?? from) < from) same.next += 1;
    return same.starts[same.next];
  };
}

/** One space at each end belongs to the marks. */
function codeText(inside: string): string {
  const line = inside.replace(/\n/g, " ");
  return line.startsWith(" ") && line.endsWith(" ") && line.trim() !== "" ? line.slice(1, -1) : line;
}

function runAt(text: string, at: number, length: number): Run {
  const char = text.charAt(at);
  const before = text.charAt(at - 1);
  const after = text.charAt(at + length);
  const opens = isFlanking(after, before);
  const closes = isFlanking(before, after);
  // "max_run_time", "2**3", "src/**/x": no emphasis within a word, a number or a path.
  const isWithin =
    (isWordy(before) && isWordy(after) && (char === "_" || length === 1)) ||
    (/\d/.test(before) && /\d/.test(after)) ||
    (/[/\\]/.test(before) && /[/\\]/.test(after));
  const isMark = (char !== "~" || length === 2) && !isWithin;
  // "/api/*/users", "C:\\*.log", "kb.*list": one star begins a word, and ends one.
  const isStar = char === "*" && length === 1;
  return {
    kind: "run",
    char,
    length,
    mayOpen:
      isMark && opens && !(char === "_" && closes && !punctuation.test(before)) && !(isStar && !mayPrecede(before)),
    mayClose:
      isMark && closes && !(char === "_" && opens && !punctuation.test(after)) && !(isStar && !mayFollow(after)),
    left: length,
    closes: [],
    opens: [],
  };
}

/** Whether a run may begin an emphasis, or end one with the two swapped. Half of a pair counts as a letter. */
function isFlanking(inside: string, outside: string): boolean {
  if (inside === "" || /\s/.test(inside)) return false;
  const isEdge = outside === "" || /\s/.test(outside) || punctuation.test(outside) || writesOn.test(outside);
  return isEdge || !punctuation.test(inside);
}

function mayPrecede(char: string): boolean {
  return char === "" || /[\s([{"'“‘«*_~—–-]/.test(char) || writesOn.test(char);
}

function mayFollow(char: string): boolean {
  return char === "" || /[\s)\]}"'”’»*_~.,;:!?…—–-]/.test(char) || writesOn.test(char);
}

function isWordy(char: string): boolean {
  return letter.test(char) && !writesOn.test(char);
}

/** Finds the pairs of marks; what opens or closes nothing is text. */
function paired(entries: readonly Entry[]): {
  readonly tokens: readonly InlineToken[];
  readonly marks: readonly string[];
} {
  /** Open ones, of all marks and of each. */
  const open: Run[] = [];
  const same: Readonly<Record<string, Run[]>> = { "*": [], _: [], "~": [] };
  const ofChar = (char: string) => same[char] ?? [];
  const leave = () => {
    const last = open.pop();
    if (last !== undefined) ofChar(last.char).pop();
  };
  for (const run of entries) {
    if (run.kind !== "run") continue;
    while (run.mayClose && run.left > 0) {
      const opener = ofChar(run.char).at(-1);
      if (opener === undefined || !belongTogether(opener, run)) break;
      while (open.at(-1) !== opener) leave();
      const size = run.char === "~" || (opener.left >= 2 && run.left >= 2) ? 2 : 1;
      const source = run.char.repeat(size);
      const style = run.char === "~" ? "struck" : size === 2 ? "bold" : "italic";
      opener.opens.push({ kind: "open", source, style });
      run.closes.push({ kind: "close", source, style });
      opener.left -= size;
      run.left -= size;
      if (opener.left === 0) leave();
    }
    if (run.mayOpen && run.left > 0) {
      open.push(run);
      ofChar(run.char).push(run);
    }
  }
  return { tokens: flat(entries), marks: open.map(({ char, left }) => char.repeat(left)) };
}

/** As in CommonMark: of two runs that could be either end, "**" is not half of "***". */
function belongTogether(opener: Run, closer: Run): boolean {
  if (opener.char === "~") return opener.left === 2 && closer.left === 2;
  const isEither = (opener.mayClose && opener.mayOpen) || (closer.mayClose && closer.mayOpen);
  if (!isEither || (opener.length + closer.length) % 3 !== 0) return true;
  return opener.length % 3 === 0 && closer.length % 3 === 0;
}

/** Neighbouring texts are one. */
function flat(entries: readonly Entry[]): readonly InlineToken[] {
  const tokens: InlineToken[] = [];
  let text = "";
  const put = (token: InlineToken) => {
    if (text !== "") tokens.push({ kind: "text", source: text });
    text = "";
    tokens.push(token);
  };
  for (const entry of entries) {
    if (entry.kind === "text") text += entry.source;
    else if (entry.kind !== "run") put(entry);
    else {
      for (const close of entry.closes) put(close);
      text += entry.char.repeat(entry.left);
      for (const opened of entry.opens.toReversed()) put(opened);
    }
  }
  if (text !== "") tokens.push({ kind: "text", source: text });
  return tokens;
}
