/**
 * Splits typed text into tokens, with quotes. Phones produce curly quotes, so those count too; an unclosed quote is
 * just an apostrophe.
 */
export type Token = {
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
const whitespace = /\s/;
const named = /^([A-Za-z][A-Za-z-]{0,31}):/;

/** Linear in the length of the text, except for unclosed quotes. */
export function tokenize(text: string): readonly Token[] {
  const words: Token[] = [];
  let at = 0;
  while (at < text.length) {
    if (whitespace.test(text[at] ?? "")) {
      at += 1;
      continue;
    }
    const word = readToken(text, at);
    words.push(word);
    at = word.to;
  }
  return words;
}

function readToken(text: string, from: number): Token {
  const quoted = readQuoted(text, from);
  if (quoted !== undefined) return { value: quoted.value, isQuoted: true, from, to: quoted.to };
  const name = named.exec(text.slice(from, from + 40))?.[1]?.toLowerCase();
  if (name !== undefined) {
    const valueFrom = from + name.length + 1;
    const value = readQuoted(text, valueFrom);
    if (value !== undefined) return { value: value.value, name, isQuoted: false, from, to: value.to };
    const to = endOfToken(text, valueFrom);
    return { value: text.slice(valueFrom, to), name, isQuoted: false, from, to };
  }
  const to = endOfToken(text, from);
  return { value: text.slice(from, to), isQuoted: false, from, to };
}

function endOfToken(text: string, from: number): number {
  let to = from;
  while (to < text.length && !whitespace.test(text[to] ?? "")) to += 1;
  return to;
}

/**
 * Reads the quoted value at `from`; a doubled quote inside stands for one. Undefined when none starts there or it isn't
 * closed.
 */
function readQuoted(text: string, from: number): { readonly value: string; readonly to: number } | undefined {
  const close = closers[text[from] ?? ""];
  if (close === undefined) return undefined;
  let value = "";
  for (let at = from + 1; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (char !== close) value += char;
    else if (text[at + 1] === close) {
      value += char;
      at += 1;
    } else if (at + 1 === text.length || whitespace.test(text[at + 1] ?? "")) return { value, to: at + 1 };
    else value += char;
  }
  return undefined;
}
