/**
 * Parses the repr of a Python value. The service prints a passage's metadata as a Python dict in single quotes, which
 * JSON.parse refuses. Replacing the quotes would break titles with apostrophes. Strict: anything but one plain literal
 * (a call, an f-string, bytes, trailing text) is refused.
 */
export type PythonValue = string | number | boolean | null | readonly PythonValue[] | PythonDict;
type PythonDict = { readonly [key: string]: PythonValue };

/** Deeper nesting is refused, so that a hostile cell cannot exhaust the stack. */
const maxDepth = 32;

const simpleEscapes: Readonly<Record<string, string>> = {
  "\\": "\\",
  "'": "'",
  '"': '"',
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

const names: Readonly<Record<string, PythonValue>> = {
  None: null,
  True: true,
  False: false,
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
};

const escapedDigits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const numberPattern = /[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const namePattern = /-?[A-Za-z]+/y;

/** The value, or undefined if the text isn't exactly one literal. Tuples become arrays. O(n). */
export function parsePythonLiteral(text: string): PythonValue | undefined {
  let at = 0;
  try {
    const value = readValue(0);
    skipSpace();
    return at === text.length ? value : undefined;
  } catch (refused) {
    if (refused instanceof NotALiteral) return undefined;
    throw refused;
  }

  function readValue(depth: number): PythonValue {
    if (depth > maxDepth) throw new NotALiteral();
    skipSpace();
    switch (text[at]) {
      case "'":
      case '"':
        return readString();
      case "{":
        return readDict(depth);
      case "[":
        return readSequence("]", depth);
      case "(":
        return readSequence(")", depth);
      default: {
        const named = readName();
        return named === undefined ? readNumber() : named;
      }
    }
  }

  function readDict(depth: number): PythonDict {
    // Without a prototype, "__proto__" is a key like any other.
    const dict: Record<string, PythonValue> = Object.create(null);
    at += 1;
    for (;;) {
      skipSpace();
      if (text[at] === "}") break;
      const key = readValue(depth + 1);
      if (typeof key === "object" && key !== null) throw new NotALiteral();
      skipSpace();
      expect(":");
      dict[String(key)] = readValue(depth + 1);
      skipSpace();
      if (text[at] !== "}") expect(",");
    }
    at += 1;
    return dict;
  }

  function readSequence(close: string, depth: number): readonly PythonValue[] {
    const items: PythonValue[] = [];
    let hasComma = close === "]";
    at += 1;
    for (;;) {
      skipSpace();
      if (text[at] === close) break;
      items.push(readValue(depth + 1));
      skipSpace();
      if (text[at] !== close) {
        expect(",");
        hasComma = true;
      }
    }
    at += 1;
    // "(1)" is a number in parentheses, not a tuple, and repr never writes it.
    if (!hasComma && items.length === 1) throw new NotALiteral();
    return items;
  }

  function readString(): string {
    const quote = text[at] as string;
    at += 1;
    let value = "";
    for (;;) {
      const start = at;
      while (at < text.length && text[at] !== quote && text[at] !== "\\") at += 1;
      value += text.slice(start, at);
      if (at >= text.length) throw new NotALiteral();
      at += 1;
      if (text[at - 1] === quote) return value;
      value += readEscape();
    }
  }

  function readEscape(): string {
    const letter = text[at] ?? "";
    at += 1;
    const simple = simpleEscapes[letter];
    if (simple !== undefined) return simple;
    const digits = escapedDigits[letter];
    if (digits === undefined) throw new NotALiteral();
    const hex = text.slice(at, at + digits);
    const codePoint = /^[0-9a-fA-F]+$/.test(hex) && hex.length === digits ? Number.parseInt(hex, 16) : -1;
    if (codePoint < 0 || codePoint > 0x10ffff) throw new NotALiteral();
    at += digits;
    return String.fromCodePoint(codePoint);
  }

  function readName(): PythonValue | undefined {
    namePattern.lastIndex = at;
    const word = namePattern.exec(text)?.[0];
    if (word === undefined) return undefined;
    const name = word.startsWith("-") ? word.slice(1) : word;
    const value = Object.hasOwn(names, name) ? names[name] : undefined;
    if (value === undefined || (name !== word && typeof value !== "number")) throw new NotALiteral();
    at += word.length;
    return name === word ? value : -(value as number);
  }

  function readNumber(): number {
    numberPattern.lastIndex = at;
    const digits = numberPattern.exec(text)?.[0];
    if (digits === undefined) throw new NotALiteral();
    at += digits.length;
    return Number(digits.replaceAll("_", ""));
  }

  function skipSpace(): void {
    while (text[at] === " " || text[at] === "\n" || text[at] === "\t" || text[at] === "\r") at += 1;
  }

  function expect(mark: string): void {
    if (text[at] !== mark) throw new NotALiteral();
    at += 1;
  }
}

class NotALiteral extends Error {}
