/**
 * Parses the few SQL statements that clients need: search or list a knowledge base, read a file, delete rows. A tokenizer
 * and one rule per statement ensure that a text with quotes in it stays a text.
 */
import { present } from "../../ports/tools/present.ts";

export type Statement =
  | {
      readonly kind: "select";
      /** Empty: all. Without an alias, `as` is the name. */
      readonly columns: readonly Column[];
      readonly project?: string;
      readonly table: string;
      readonly content?: string;
      readonly ids?: readonly string[];
      readonly limit?: number;
    }
  | { readonly kind: "delete"; readonly project?: string; readonly table: string; readonly ids: readonly string[] };

export type Column = { readonly name: string; readonly as: string };

export class SqlError extends Error {
  override readonly name = "SqlError";
}

type Token =
  | { readonly kind: "word"; readonly text: string; readonly isQuoted: boolean }
  | { readonly kind: "text" | "number" | "mark"; readonly text: string };

const maxLimit = 1_000;

const tokenPattern = /\s+|(?:'(?:''|\\'|[^'])*')|`[^`]+`|"[^"]+"|[A-Za-z_][\w$-]*|\d+(?:\.\d+)?|[.,;()=*]/y;

export function parseStatement(sql: string): Statement {
  const tokens = tokensOf(sql);
  let at = 0;
  const statement = isNext("select") ? select() : isNext("delete") ? remove() : refuse();
  accept(";");
  if (at < tokens.length) refuse();
  return statement;

  function select(): Statement {
    expect("select");
    const columns = accept("*") ? [] : listOf(column);
    expect("from");
    const from = tableName();
    const { content, ids } = accept("where") ? conditions() : {};
    const limit = accept("limit") ? Math.min(maxLimit, Number(take("number"))) : undefined;
    return present({ kind: "select" as const, columns, ...from, content, ids, limit });
  }

  function remove(): Statement {
    expect("delete");
    expect("from");
    const from = tableName();
    expect("where");
    const { content, ids } = conditions();
    if (ids === undefined || content !== undefined) throw new SqlError("Only rows with a given id can be deleted.");
    return { kind: "delete", ...from, ids };
  }

  function conditions(): { content?: string; ids?: readonly string[] } {
    const found: { content?: string; ids?: readonly string[] } = {};
    do {
      const column = name().toLowerCase();
      if (column === "content" || column === "chunk_content") {
        found.content = equalTo();
      } else if (column === "id") {
        found.ids = accept("in") ? bracketed() : [equalTo()];
      } else throw new SqlError(`Column '${column}' cannot be searched.`);
    } while (accept("and"));
    return found;
  }

  function equalTo(): string {
    expect("=");
    return value();
  }

  function bracketed(): readonly string[] {
    expect("(");
    const values = listOf(value);
    expect(")");
    return values;
  }

  function tableName(): { project?: string; table: string } {
    const first = name();
    return accept(".") ? { project: first, table: name() } : { table: first };
  }

  function column(): Column {
    const own = name();
    return { name: own, as: accept("as") ? name() : own };
  }

  function listOf<T>(read: () => T): readonly T[] {
    const items = [read()];
    while (accept(",")) items.push(read());
    return items;
  }

  function name(): string {
    return take("word");
  }

  function value(): string {
    const token = tokens[at];
    if (token?.kind !== "text" && token?.kind !== "number") return refuse();
    at += 1;
    return token.text;
  }

  function take(kind: Token["kind"]): string {
    const token = tokens[at];
    if (token?.kind !== kind) return refuse();
    at += 1;
    return token.text;
  }

  function isNext(text: string): boolean {
    const token = tokens[at];
    if (token === undefined || token.kind === "text" || (token.kind === "word" && token.isQuoted)) return false;
    return token.text.toLowerCase() === text;
  }

  function accept(text: string): boolean {
    if (!isNext(text)) return false;
    at += 1;
    return true;
  }

  function expect(text: string): void {
    if (!accept(text)) refuse();
  }

  function refuse(): never {
    throw new SqlError(`The SQL statement cannot be parsed near '${tokens[at]?.text.slice(0, 40) ?? "the end"}'.`);
  }
}

function tokensOf(sql: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < sql.length; at = tokenPattern.lastIndex) {
    tokenPattern.lastIndex = at;
    const text = tokenPattern.exec(sql)?.[0];
    if (text === undefined) throw new SqlError("The SQL statement cannot be parsed: a quote is not closed.");
    if (text.trim() === "") continue;
    const first = text[0] ?? "";
    if (first === "'") tokens.push({ kind: "text", text: text.slice(1, -1).replace(/''|\\'/g, "'") });
    else if (first === "`" || first === '"') tokens.push({ kind: "word", text: text.slice(1, -1), isQuoted: true });
    else if (/[A-Za-z_]/.test(first)) tokens.push({ kind: "word", text, isQuoted: false });
    else tokens.push({ kind: /\d/.test(first) ? "number" : "mark", text });
  }
  return tokens;
}
