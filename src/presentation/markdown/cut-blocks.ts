/** Cuts blocks after a number of characters, without loss, and without reading a long text to its end. */
import type { Block } from "../../core/document.ts";
import type { Table } from "../../core/model/turn.ts";
import { asTable } from "../drawing/flat-blocks.ts";
import { inlineText } from "../drawing/inline.ts";
import { blockText } from "./plain-text.ts";
import { cutMarkdown } from "./split-markdown.ts";

/** What doesn't fit. */
export type Rest = {
  readonly blocks: readonly Block[];
  readonly chars: number;
};

/** What a line costs in characters: empty lines fill a message too. */
const lineCost = 24;
/** In characters; longer ones may be divided. */
const longestWord = 100;
/** Most sources that are always shown. */
const maxSources = 25;

/** Reads no further than the limit. */
export function exceeds(blocks: readonly Block[], limit: number): boolean {
  let left = limit;
  return blocks.some((block) => {
    left -=
      (block.kind === "markdown" || block.kind === "code") && block.text.length > left ? left + 1 : blockSize(block);
    return left < 0;
  });
}

export function cutBlocks(
  body: readonly Block[],
  tail: readonly Block[],
  budget: number,
  /** Room for the sources that are always shown. */
  sourceChars = 0,
): { readonly kept: readonly Block[]; readonly rest?: Rest } {
  const kept: Block[] = [];
  const over: Block[] = [];
  let left = budget;
  for (const block of body) {
    const size = exceeds([block], left) ? Number.POSITIVE_INFINITY : blockSize(block);
    if (over.length === 0 && size <= left) {
      kept.push(block);
      left -= size;
      continue;
    }
    const parts = over.length === 0 ? cutBlock(block, left) : { over: block };
    if (parts.kept !== undefined) kept.push(parts.kept);
    if (parts.over !== undefined) over.push(parts.over);
    else left = 0;
  }
  const withFewer = (block: Block): Block =>
    block.kind === "sources" ? { ...block, sources: firstSources(block.sources, sourceChars) } : block;
  for (const block of tail) {
    const sources = (block.kind === "fold" ? block.flat : [block]).flatMap((one) =>
      one.kind === "sources" ? one.sources : [],
    );
    const left = sources.slice(firstSources(sources, sourceChars).length);
    kept.push(
      block.kind === "fold"
        ? { ...block, blocks: block.blocks.map(withFewer), flat: block.flat.map(withFewer) }
        : withFewer(block),
    );
    if (left.length > 0) over.push({ kind: "sources", sources: left });
  }
  return over.length === 0 ? { kept } : { kept, rest: { blocks: over, chars: charsOf(over) } };
}

/** The rest as Markdown for a file, piece by piece. */
export function* restMarkdown({ blocks }: Rest): Generator<string, void> {
  for (const [index, block] of blocks.entries()) {
    if (index > 0) yield "\n\n";
    if (block.kind === "table" || block.kind === "chart") yield* tableMarkdown(block.table);
    else if (block.kind === "code") yield fence(block.text, block.language);
    else yield blockText(block);
  }
}

function blockSize(block: Block): number {
  switch (block.kind) {
    case "markdown":
    case "code":
      return block.text.length + countLines(block.text) * lineCost;
    case "headline":
    case "text":
    case "quiet":
      return inlineText(block.text).length + lineCost;
    case "actions":
    case "divider":
      return lineCost;
    case "list":
      return block.items.reduce((sum, item) => sum + inlineText(item.text).length + lineCost, 0);
    case "steps":
      return block.steps.reduce((sum, { title, detail = [], sources = [] }) => {
        const found = sources.reduce((chars, source) => chars + sourceSize(source), 0);
        return sum + inlineText([...title, ...detail]).length + found + lineCost;
      }, 0);
    case "fold":
      return Math.max(sizesOf(block.flat), sizesOf(block.blocks) + inlineText([...block.title, ...block.quiet]).length);
    case "chart":
    case "table":
      return rowSize(block.table.columns) + block.table.rows.reduce((sum, row) => sum + rowSize(row), 0);
    case "sources":
      return block.sources.reduce((sum, source) => sum + sourceSize(source), 0);
    default:
      return block satisfies never;
  }
}

function sizesOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + blockSize(block), 0);
}

function charsOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => {
    if (block.kind === "markdown" || block.kind === "code") return sum + block.text.length;
    return sum + blockSize(block);
  }, 0);
}

/** A block that can't be divided goes into the rest. Blank lines at the cut are dropped. */
function cutBlock(block: Block, budget: number): { readonly kept?: Block; readonly over?: Block } {
  switch (block.kind) {
    case "markdown": {
      const { head, rest, at } = cutMarkdown(block.text, charsWithin(block.text, budget));
      const isInWord = at <= longestWord && /^\S\S/.test(block.text.slice(at - 1, at + 1));
      if (at === 0 || isInWord) return { over: block };
      const kept = { ...block, text: head };
      const over = rest.replace(/^\n+/, "");
      return /\S/.test(over) ? { kept, over: { ...block, text: over } } : { kept };
    }
    case "code": {
      const at = charsWithin(block.text, budget);
      const end = block.text.lastIndexOf("\n", at);
      const cutAt = end > 0 ? end : 0;
      if (cutAt === 0) return { over: block };
      return {
        kept: { ...block, text: block.text.slice(0, cutAt) },
        over: { ...block, text: block.text.slice(cutAt + 1) },
      };
    }
    case "chart":
      return cutBlock(asTable(block), budget);
    case "table": {
      const { columns, rows, omittedRows } = block.table;
      const shown = countWithin(rows, budget - rowSize(columns), rowSize);
      if (shown === 0) return { over: block };
      const over: Table = { columns, rows: rows.slice(shown), omittedRows };
      return {
        kept: { ...block, table: { columns, rows: rows.slice(0, shown), omittedRows: rows.length - shown } },
        over: { kind: "table", table: over },
      };
    }
    case "list": {
      const shown = countWithin(block.items, budget, (item) => inlineText(item.text).length + lineCost);
      if (shown === 0) return { over: block };
      return {
        kept: { ...block, items: block.items.slice(0, shown) },
        over: { ...block, items: block.items.slice(shown) },
      };
    }
    case "text": {
      const [only, ...others] = block.text;
      if (only === undefined || others.length > 0 || only.url !== undefined) return { over: block };
      const head = only.text.slice(0, charsWithin(only.text, budget));
      const gap = Math.max(head.lastIndexOf("\n"), head.lastIndexOf(" "));
      const isWord = head.length - gap <= longestWord;
      const at = isWord ? gap + 1 : /[\uD800-\uDBFF]$/.test(head) ? head.length - 1 : head.length;
      if (at <= 0) return { over: block };
      return {
        kept: { ...block, text: [{ ...only, text: only.text.slice(0, at) }] },
        over: { ...block, text: [{ ...only, text: only.text.slice(at) }] },
      };
    }
    default:
      return { over: block };
  }
}

/** How many characters of the text fit the budget; reads no further. */
function charsWithin(text: string, budget: number): number {
  let left = budget;
  let at = 0;
  while (at < text.length && left > 0) {
    const end = text.indexOf("\n", at);
    const length = (end < 0 || end - at > left ? Math.min(text.length - at, Math.floor(left)) : end - at) + 1;
    left -= length + lineCost;
    at += length;
  }
  return Math.min(at, text.length);
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

function countWithin<T>(items: readonly T[], budget: number, size: (item: T) => number): number {
  let left = budget;
  const over = items.findIndex((item) => {
    left -= size(item);
    return left < 0;
  });
  return over < 0 ? items.length : over;
}

function rowSize(row: readonly string[]): number {
  return row.reduce((sum, cell) => sum + cell.length + 3, lineCost);
}

type Source = Extract<Block, { kind: "sources" }>["sources"][number];

function sourceSize({ title, url, from }: Pick<Source, "title" | "url" | "from">): number {
  return title.length + (url?.length ?? 0) + (from?.length ?? 0) + 11;
}

function firstSources(sources: readonly Source[], maxChars: number): readonly Source[] {
  return sources.slice(0, Math.min(maxSources, countWithin(sources, maxChars, sourceSize)));
}

function* tableMarkdown({ columns, rows }: Table): Generator<string, void> {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replace(/(?<!\s)\s*\n\s*/g, " ").replace(/[\\|]/g, "\\$&")).join(" | ")} |\n`;
  yield line(columns);
  yield line(columns.map(() => "---"));
  for (const row of rows) yield line(row);
}

function fence(text: string, language = ""): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const mark = "`".repeat(longest + 1);
  return `${mark}${language}\n${text}\n${mark}\n`;
}
