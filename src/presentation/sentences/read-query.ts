/**
 * Reads what a query looks for and where, to put it into words. A small tokeniser rather than regular expressions, because
 * search phrases contain quotes, keywords and semicolons ("What's in DELETE FROM docs -- ?").
 */

export type QueryGist =
  | { readonly kind: "search"; readonly from: string; readonly phrase: string }
  | { readonly kind: "read"; readonly from: string }
  /** Grouped, counted or joined: calculated rather than looked up. */
  | { readonly kind: "count"; readonly from: string }
  | { readonly kind: "describe"; readonly from: string }
  | { readonly kind: "change"; readonly from: string };

type Token = { readonly kind: "word" | "quoted" | "string" | "sign"; readonly text: string };

/** Longer input is not read to its end. */
const maxQueryChars = 10_000;

/** Undefined unless it is certainly a query. */
export function readQuery(input: string): QueryGist | undefined {
  const tokens = tokenise(stripFence(input).slice(0, maxQueryChars));
  const first = tokens.find((token) => token.kind !== "sign");
  if (first?.kind !== "word") return undefined;
  switch (first.text.toLowerCase()) {
    case "select":
    case "with":
      return readSelect(tokens);
    case "describe":
    case "desc":
      return nameAfter(tokens, /^desc(ribe)?$/, "describe");
    case "insert":
      return nameAfter(tokens, /^into$/, "change");
    case "delete":
      return nameAfter(tokens, /^from$/, "change");
    case "update":
      return nameAfter(tokens, /^update$/, "change");
    default:
      return undefined;
  }
}

/** The names that a query reads or writes, split into their parts. Undefined when it names none. */
export function queriedNames(input: string): readonly (readonly string[])[] | undefined {
  const tokens = tokenise(stripFence(input).slice(0, maxQueryChars));
  const found: (readonly string[])[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token?.kind !== "word" || !/^(from|join|into|update|desc|describe)$/i.test(token.text)) continue;
    let next = at + 1;
    for (;;) {
      const parts = readParts(tokens, next);
      if (parts.length === 0) break;
      found.push(parts);
      next += parts.length * 2 - 1;
      // Reads the names of a list only once.
      if (next - at > parts.length * 2) at = next - 1;
      // An alias may precede the comma: "shop.faq AS f".
      for (let words = 0; words < 2 && isAliasWord(tokens[next]); words += 1) next += 1;
      if (!isSign(tokens[next], ",")) break;
      next += 1;
    }
  }
  return found.length === 0 ? undefined : found;
}

function isAliasWord(token: Token | undefined): boolean {
  return (
    token?.kind === "word" &&
    !/^(where|join|left|right|inner|outer|cross|on|group|order|limit|union|set|using)$/i.test(token.text)
  );
}

function readParts(tokens: readonly Token[], start: number): readonly string[] {
  const parts: string[] = [];
  for (let at = start; ; at += 2) {
    const token = tokens[at];
    if (token?.kind !== "word" && token?.kind !== "quoted") return parts;
    parts.push(token.text);
    if (!isSign(tokens[at + 1], ".")) return parts;
  }
}

function readSelect(tokens: readonly Token[]): QueryGist | undefined {
  const at = tokens.findIndex((token) => token.kind === "word" && token.text.toLowerCase() === "from");
  const from = readName(tokens, at + 1);
  if (at < 0 || from === undefined) return undefined;
  const phrase = readPhrase(tokens);
  if (phrase !== undefined) return { kind: "search", from, phrase };
  const works = tokens.some(
    (token, at) =>
      token.kind === "word" &&
      (/^(group|join|union|having)$/i.test(token.text) ||
        (/^(count|sum|avg|min|max)$/i.test(token.text) && isSign(tokens[at + 1], "("))),
  );
  return { kind: works ? "count" : "read", from };
}

/** The value that `content` is compared with: `content = '…'` or LIKE, bare, quoted or qualified with the table's name. */
function readPhrase(tokens: readonly Token[]): string | undefined {
  for (const [at, token] of tokens.entries()) {
    if ((token.kind !== "word" && token.kind !== "quoted") || !/^(chunk_)?content$/i.test(token.text)) continue;
    const operator = tokens[at + 1];
    const isComparison = isSign(operator, "=") || (operator?.kind === "word" && /^like$/i.test(operator.text));
    const value = tokens[at + 2];
    if (!isComparison || value === undefined) continue;
    // Some dialects use "…" for text: after a comparison it is text, not a name.
    if (value.kind === "string" || value.kind === "quoted") return value.text.replace(/^%+|(?<!%)%+$/g, "");
  }
  return undefined;
}

function nameAfter(tokens: readonly Token[], word: RegExp, kind: "describe" | "change"): QueryGist | undefined {
  const at = tokens.findIndex((token) => token.kind === "word" && word.test(token.text.toLowerCase()));
  const from = readName(tokens, at + 1);
  return at < 0 || from === undefined ? undefined : { kind, from };
}

/** The last part of `project.name`, quoted or not. */
function readName(tokens: readonly Token[], start: number): string | undefined {
  let name: string | undefined;
  for (let at = start; at < tokens.length; at += 2) {
    const token = tokens[at];
    if (token?.kind !== "word" && token?.kind !== "quoted") return undefined;
    name = token.text;
    if (!isSign(tokens[at + 1], ".")) break;
  }
  return name === undefined || name.trim() === "" ? undefined : name;
}

function isSign(token: Token | undefined, sign: string): boolean {
  return token?.kind === "sign" && token.text === sign;
}

/** Models often put their query into a fence. */
function stripFence(input: string): string {
  return input
    .trim()
    .replace(/^`{3,}[a-z]*\s*/i, "")
    .replace(/(?<!`)`{3,}$/, "");
}

function tokenise(input: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < input.length) {
    const char = input.charAt(at);
    if (/\s/.test(char)) at += 1;
    else if (input.startsWith("--", at)) at = endOf(input, "\n", at);
    else if (input.startsWith("/*", at)) at = endOf(input, "*/", at);
    else if (char === "'" || char === '"' || char === "`") {
      const quoted = readQuoted(input, at, char);
      tokens.push({ kind: char === "'" ? "string" : "quoted", text: quoted.text });
      at = quoted.end;
    } else {
      const word = /^[\p{L}\p{N}_$@]+/u.exec(input.slice(at, at + 200))?.[0];
      tokens.push(word === undefined ? { kind: "sign", text: char } : { kind: "word", text: word });
      at += word?.length ?? 1;
    }
  }
  return tokens;
}

/** Knows both ways to escape a quote: doubled, or with a backslash. An unclosed quote runs to the end. */
function readQuoted(input: string, start: number, quote: string): { readonly text: string; readonly end: number } {
  let text = "";
  let at = start + 1;
  while (at < input.length) {
    const char = input.charAt(at);
    const next = input.charAt(at + 1);
    if (char === quote && next === quote) {
      text += quote;
      at += 2;
    } else if (char === "\\" && (next === quote || next === "\\")) {
      text += next;
      at += 2;
    } else if (char === quote) return { text, end: at + 1 };
    else {
      text += char;
      at += 1;
    }
  }
  return { text, end: at };
}

function endOf(input: string, mark: string, from: number): number {
  const found = input.indexOf(mark, from);
  return found < 0 ? input.length : found + mark.length;
}
