/** Splits typed text into words, with quotes, in one pass. Phones produce curly quotes, so those count too. */
export type Word = {
  /** Without quotes. */
  readonly value: string;
  /** Set for `name:value`: the part before the colon, in lower case, never quoted. */
  readonly name?: string;
  /** Began with a quote, so it is always a value. */
  readonly isQuoted: boolean;
  /** Its position in the text, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
};

const closers: Readonly<Record<string, string>> = { '"': '"', "'": "'", "“": "”", "„": "“", "‘": "’", "«": "»" };
const longestName = 32;
/** Also the end of the text. */
const isSpace = (char: string | undefined) =>
  char === undefined || char === " " || ((char < "!" || char > "~") && /\s/.test(char));

/** The words of the text, one at a time: a caller that needs only the first ones reads no further. */
export function* wordsOf(text: string): Generator<Word> {
  const closes = closingQuotes(text);
  for (let from = wordFrom(text, 0); from < text.length; ) {
    const word = readWord(text, from, closes);
    yield word;
    from = wordFrom(text, word.to);
  }
}

/**
 * The last word of `text` between `from` and `to`, read from its end, so that nothing before it is split. Undefined where it is
 * longer than `most` characters, or the end of something quoted: then it is no option.
 */
export function lastWord(text: string, from: number, to: number, most: number): Word | undefined {
  const earliest = Math.max(from, to - most);
  const closer = text[to - 1] ?? "";
  if (Object.values(closers).includes(closer)) {
    for (let at = to - 2; at >= earliest; at -= 1) {
      if (closers[text[at] ?? ""] !== closer) continue;
      const begin = isSpace(text[at - 1]) || at === from ? at : plainFrom(text, from, at, longestName + 1);
      const isNamed = begin !== undefined && begin < at && nameAt(text, begin)?.length === at - begin - 1;
      if (begin !== at && !isNamed) continue;
      const whole = text.slice(0, to);
      const word = readWord(whole, begin, closingQuotes(whole));
      return word.to === to ? word : undefined;
    }
    // Nothing opened it, so it's an apostrophe.
  }
  const begin = plainFrom(text, from, to, most);
  return begin === undefined ? undefined : readWord(text.slice(0, to), begin, () => undefined);
}

/** Where the text's last character that isn't a space ends. */
export function trimmedEnd(text: string, from: number, to: number): number {
  let end = to;
  while (end > from && isSpace(text[end - 1])) end -= 1;
  return end;
}

/** Where the characters without a space begin that end at `to`. */
function plainFrom(text: string, from: number, to: number, most: number): number | undefined {
  let begin = to;
  while (begin > from && !isSpace(text[begin - 1])) {
    if (to - begin >= most) return undefined;
    begin -= 1;
  }
  return begin;
}

function readWord(text: string, from: number, closes: Closes): Word {
  const quoted = readQuoted(text, from, closes);
  if (quoted !== undefined) return { ...quoted, isQuoted: true, from };
  const name = nameAt(text, from)?.toLowerCase();
  const valueFrom = name === undefined ? from : from + name.length + 1;
  const named = name === undefined ? undefined : readQuoted(text, valueFrom, closes);
  const to = named?.to ?? wordTo(text, valueFrom);
  const value = named?.value ?? text.slice(valueFrom, to);
  return { value, name, isQuoted: false, from, to };
}

function readQuoted(text: string, from: number, closes: Closes): Pick<Word, "value" | "to"> | undefined {
  const closer = closers[text[from] ?? ""];
  const to = closer === undefined ? undefined : closes(closer, from + 1);
  if (closer === undefined || to === undefined) return undefined;
  return { value: text.slice(from + 1, to - 1).replaceAll(closer + closer, closer), to };
}

function nameAt(text: string, from: number): string | undefined {
  return /^([A-Za-z][A-Za-z-]*):/.exec(text.slice(from, from + longestName + 1))?.[1];
}

/** The end of the quoted value that begins at `from`, behind its closing quote; undefined when none closes it. */
type Closes = (closer: string, from: number) => number | undefined;

/**
 * A doubled quote stands for one, so a value is closed by an odd number of quotes before a space. Remembers the next place
 * for each kind: a thousand quotes that are never closed take one search, not a thousand.
 */
function closingQuotes(text: string): Closes {
  const next = new Map<string, { readonly from: number; readonly to: number }>();
  const runTo = (closer: string, from: number) => {
    let to = from;
    while (text[to] === closer) to += 1;
    return to;
  };
  const isClosing = (from: number, to: number) => (to - from) % 2 === 1 && isSpace(text[to]);
  const search = (closer: string, from: number): number => {
    for (let at = text.indexOf(closer, from); at >= 0; ) {
      const to = runTo(closer, at);
      if (isClosing(at, to)) return to;
      at = text.indexOf(closer, to);
    }
    return Number.POSITIVE_INFINITY;
  };
  return (closer, from) => {
    const first = runTo(closer, from);
    if (isClosing(from, first)) return first;
    const known = next.get(closer);
    const to = known !== undefined && known.from <= first && first < known.to ? known.to : search(closer, first);
    next.set(closer, { from: first, to });
    return Number.isFinite(to) ? to : undefined;
  };
}

function wordFrom(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text[at])) at += 1;
  return at;
}

function wordTo(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isSpace(text[at])) at += 1;
  return at;
}
