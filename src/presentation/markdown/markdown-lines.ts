/** Classifies Markdown line by line, for the splitter and the block reader: code fence, table, or neither. */

/** An open fence, and how to close and reopen it. */
export type Fence = {
  /** "```js": as written, without the line end; a list marker before it becomes spaces. */
  readonly opening: string;
  /** "```" with its prefix. */
  readonly closing: string;
  /** "```" alone. */
  readonly mark: string;
  /** "js", or empty. */
  readonly language: string;
};

/** A table, and how to repeat its head in another message. */
export type TableHead = {
  /** Header and delimiter row with their line ends. */
  readonly text: string;
};

export type LineRole =
  | { readonly kind: "fence-open"; readonly fence: Fence }
  | { readonly kind: "fence-content"; readonly fence: Fence }
  | { readonly kind: "fence-close" }
  | { readonly kind: "table-header" }
  | { readonly kind: "table-delimiter"; readonly head: TableHead }
  | { readonly kind: "table-row"; readonly head: TableHead }
  | { readonly kind: "blank" }
  | { readonly kind: "heading" }
  | { readonly kind: "list-item" }
  | { readonly kind: "text" };

/** Decides the next line's role and state. Depends only on earlier lines, so a text's beginning is enough. */
export type LineState = {
  readonly fence?: Fence;
  readonly table?: TableHead;
  /** The previous line, if it may be a table's header. */
  readonly previous?: string;
  /** How far a fence inside a list item may be indented. */
  readonly listIndent: number;
};

export const firstLine: LineState = { listIndent: 0 };

/** A longer line isn't treated as a fence or a table head, because it could not be repeated. */
const maxMarkChars = 500;
/** Deeper quotes are text: their prefix would be repeated in every message that the fence continues in. */
const maxQuotes = 8;

const fenceMark = /^((?:[ \t]|>)*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})([^\n]*)$/;
const listMark = /^([ \t>]*)([-*+]|\d{1,9}[.)])([ \t]+)/;

/**
 * The role of `line` and the state after it. `next` is the following line: a table's header is recognised by its second
 * line, but only the role depends on it, never the state. Line ends are optional.
 */
export function readLine(
  line: string,
  next: string | undefined,
  state: LineState,
): { readonly role: LineRole; readonly state: LineState } {
  const { listIndent } = state;
  if (state.fence !== undefined) {
    return line.includes(state.fence.mark) && isClosing(withoutEnd(line), state.fence)
      ? { role: { kind: "fence-close" }, state: { listIndent } }
      : { role: { kind: "fence-content", fence: state.fence }, state };
  }
  const bare = withoutEnd(line);
  if (state.table !== undefined && isTableRow(bare)) return { role: { kind: "table-row", head: state.table }, state };
  if (state.previous !== undefined && isDelimiterFor(state.previous, bare)) {
    const head = { text: `${state.previous}${line}${line.endsWith("\n") ? "" : "\n"}` };
    return { role: { kind: "table-delimiter", head }, state: { listIndent, table: head } };
  }
  if (bare.trim() === "") return { role: { kind: "blank" }, state: { listIndent } };
  const fence = readFence(bare, listIndent);
  if (fence !== undefined) {
    return { role: { kind: "fence-open", fence }, state: { listIndent: indentAfter(bare, listIndent), fence } };
  }
  const mayBeHeader = bare.length <= maxMarkChars && isTableRow(bare) && line.endsWith("\n");
  const after = { listIndent: indentAfter(bare, listIndent), ...(mayBeHeader ? { previous: line } : {}) };
  const isHeader = mayBeHeader && next !== undefined && isDelimiterFor(line, withoutEnd(next));
  if (isHeader) return { role: { kind: "table-header" }, state: after };
  const kind = listMark.test(bare) ? "list-item" : /^ {0,3}#{1,6}(\s|$)/.test(bare) ? "heading" : "text";
  return { role: { kind }, state: after };
}

/** Lines with their ends; the last may have none. Joined, they equal the text. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

export type ReadLine = {
  readonly text: string;
  readonly start: number;
  readonly role: LineRole;
  /** Before this line. */
  readonly state: LineState;
};

export function readLines(text: string): readonly ReadLine[] {
  const lines = linesOf(text);
  let after = firstLine;
  let end = 0;
  return lines.map((line, at) => {
    const [state, start] = [after, end];
    const read = readLine(line, lines[at + 1], state);
    after = read.state;
    end += line.length;
    return { text: line, start, role: read.role, state };
  });
}

const cellBreak = /[ \t]{0,9}<br\s{0,9}\/?>[ \t]{0,9}/gi;

/** Cells of a table row, unescaped and trimmed; a pipe inside inline code or after a backslash is content. */
export function tableCells(line: string): string[] {
  const row = line.trim().replace(/^\|/, "");
  const cells: string[] = [];
  let cell = "";
  for (let at = 0; at < row.length; at += 1) {
    const char = row.charAt(at);
    if (char === "\\" && row.charAt(at + 1) === "|") {
      cell += "|";
      at += 1;
    } else if (char === "|") {
      cells.push(cell.trim());
      cell = "";
    } else cell += char;
  }
  if (cell.trim() !== "" || !row.endsWith("|")) cells.push(cell.trim());
  return line.includes("<") ? cells.map((one) => one.replace(cellBreak, "\n")) : cells;
}

function withoutEnd(line: string): string {
  if (!line.endsWith("\n")) return line;
  return line.slice(0, line.endsWith("\r\n") ? -2 : -1);
}

function isClosing(line: string, { mark }: Fence): boolean {
  const found = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
  return found !== undefined && found.charAt(0) === mark.charAt(0) && found.length >= mark.length;
}

function readFence(line: string, listIndent: number): Fence | undefined {
  if (line.length > maxMarkChars) return undefined;
  const found = fenceMark.exec(line);
  if (found === null) return undefined;
  const [, before = "", marker = "", mark = "", info = ""] = found;
  const indent = before.replace(/\t/g, "    ").length;
  // Four spaces at the top level are indented code, not a fence.
  if (!before.includes(">") && indent > listIndent + 3) return undefined;
  if (mark.startsWith("`") && info.includes("`")) return undefined;
  if (before.replace(/[^>]/g, "").length > maxQuotes) return undefined;
  const prefix = before + " ".repeat(marker.length);
  return {
    opening: `${prefix}${mark}${info}`,
    closing: `${prefix}${mark}`,
    mark,
    language: info.trim().split(/\s/)[0] ?? "",
  };
}

function indentAfter(line: string, listIndent: number): number {
  const mark = listMark.exec(line);
  if (mark !== null) return mark[0].replace(/\t/g, "    ").length;
  return /^\S/.test(line) ? 0 : listIndent;
}

function isTableRow(line: string): boolean {
  return line.length <= maxRowChars && line.includes("|") && !fenceMark.test(line);
}

const maxRowChars = 20_000;

function isDelimiterFor(header: string, delimiter: string): boolean {
  if (delimiter.length > maxMarkChars) return false;
  if (!delimiter.includes("-") || !/^[\s|:>-]+$/.test(delimiter) || !delimiter.includes("|")) return false;
  const marks = tableCells(delimiter);
  return marks.every((mark) => /^:?-+:?$/.test(mark)) && marks.length === tableCells(header).length;
}
