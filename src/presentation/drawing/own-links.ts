/**
 * Makes links to Parley's own pages work where a document is shown. They are written with the address of this machine,
 * which is reachable from nowhere else.
 */
import type { Block, Document, Inline, Span } from "../../core/document.ts";
import type { Table } from "../../core/model/turn.ts";
import { type MarkdownPiece, piecesOf } from "../markdown/markdown-blocks.ts";

export type OwnLinks = {
  /** As such links are written: "http://127.0.0.1:3000". */
  readonly baseUrl: string;
  /** What they begin with where the document is shown: PUBLIC_URL, or "" on the page. Absent: nowhere to link to. */
  readonly shownAs?: string;
};

/** Parley's documents, and conversations of its page. Other addresses of the same server are left as they are. */
const ownPath = /^\/(?:docs\/|#\/)/;
/** Characters that end a URL in text. */
const urlEnd = /[\s<>"'`|)\]]/;

/** The document itself if it has no such link, so that an unchanged picture stays recognisable. */
export function withOwnLinks(document: Document, links: OwnLinks): Document {
  const { baseUrl } = links;
  const { summary, now, topic } = document;
  const isInWords = [summary, now, topic].some((words) => words?.includes(baseUrl) === true);
  if (!document.blocks.some((block) => mentions(block, baseUrl)) && !isInWords) return document;
  const linkedWords = (words: string | undefined) => words && linkedText(words, links);
  const blocks = document.blocks.map((block) => (mentions(block, baseUrl) ? linked(block, links) : block));
  const words = { now: linkedWords(now), topic: linkedWords(topic) };
  return { ...document, blocks, summary: linkedText(summary, links), ...words };
}

/** Links in Markdown: without somewhere to link to, a link becomes its words, and a bare URL its path. */
export function withOwnMarkdownLinks(markdown: string, links: OwnLinks): string {
  if (!markdown.includes(links.baseUrl)) return markdown;
  const written = (pieces: Iterable<MarkdownPiece>): string =>
    Array.from(pieces, (piece) => ("label" in piece ? link(piece) : linkedText(piece.source, links))).join("");
  const link = ({ source, label, address }: Extract<MarkdownPiece, { readonly kind: "link" | "image" }>): string => {
    const url = linkedUrl(address, links);
    const words = written(label);
    if (url === undefined) return words;
    const start = source.indexOf("[") + 1;
    const end = start + label.reduce((chars, piece) => chars + piece.source.length, 0);
    return source.slice(0, start) + words + source.slice(end).replace(address, () => url);
  };
  return written(piecesOf(markdown));
}

function mentions(block: Block, baseUrl: string): boolean {
  const inText = (spans: Inline = []) =>
    spans.some(({ text, url }) => url?.startsWith(baseUrl) === true || text.includes(baseUrl));
  const inSources = (sources: readonly LinkedSource[] = []) =>
    sources.some(({ title, url }) => url?.startsWith(baseUrl) === true || title.includes(baseUrl));
  switch (block.kind) {
    case "headline":
    case "text":
    case "quiet":
      return inText(block.text);
    case "markdown":
      return block.text.includes(baseUrl);
    case "list":
      return block.items.some((item) => inText(item.text));
    case "steps":
      return block.steps.some((step) => inText(step.title) || inText(step.detail) || inSources(step.sources));
    case "sources":
      return inSources(block.sources);
    case "fold":
      return [...block.blocks, ...block.flat].some((one) => mentions(one, baseUrl));
    case "chart":
    case "table":
      return block.table.rows.some((row) => row.some((cell) => cell.includes(baseUrl)));
    case "code":
    case "actions":
    case "divider":
      return false;
    default:
      return block satisfies never;
  }
}

function linked(block: Block, links: OwnLinks): Block {
  switch (block.kind) {
    case "headline":
    case "text":
    case "quiet":
      return { ...block, text: linkedInline(block.text, links) };
    case "markdown":
      return { ...block, text: withOwnMarkdownLinks(block.text, links) };
    case "list":
      return { ...block, items: block.items.map((item) => ({ ...item, text: linkedInline(item.text, links) })) };
    case "steps":
      return {
        ...block,
        steps: block.steps.map((step) => ({
          ...step,
          title: linkedInline(step.title, links),
          detail: step.detail && linkedInline(step.detail, links),
          sources: step.sources?.map((source) => linkedSource(source, links)),
        })),
      };
    case "sources":
      return {
        ...block,
        sources: block.sources.map((source) => linkedSource(source, links)),
      };
    case "fold":
      return {
        ...block,
        blocks: block.blocks.map((one) => linked(one, links)),
        flat: block.flat.map((one) => linked(one, links)),
      };
    case "chart":
    case "table":
      return { ...block, table: linkedTable(block.table, links) };
    case "code":
    case "actions":
    case "divider":
      return block;
    default:
      return block satisfies never;
  }
}

type LinkedSource = { readonly title: string; readonly url?: string };

function linkedSource<Kind extends LinkedSource>({ url, title, ...source }: Kind, links: OwnLinks) {
  return { ...source, title: linkedText(title, links), url: linkedUrl(url, links) };
}

function linkedInline(spans: Inline, links: OwnLinks): Inline {
  return spans.map(({ url, text, ...span }): Span => {
    if (span.style === "code") return { ...span, text, url: linkedUrl(url, links) };
    return { ...span, text: linkedText(text, links), url: linkedUrl(url, links) };
  });
}

function linkedTable(table: Table, links: OwnLinks): Table {
  return { ...table, rows: table.rows.map((row) => row.map((cell) => linkedText(cell, links))) };
}

/** Undefined: there is nowhere to link to. */
function linkedUrl(url: string | undefined, { baseUrl, shownAs }: OwnLinks): string | undefined {
  const path = url?.startsWith(baseUrl) === true ? url.slice(baseUrl.length) : undefined;
  if (path === undefined || !ownPath.test(path)) return url;
  return shownAs === undefined ? undefined : shownAs + path;
}

/** URLs in plain text. */
function linkedText(text: string, links: OwnLinks): string {
  let written = "";
  let from = 0;
  for (const { start, end } of ownUrls(text, links.baseUrl)) {
    written += text.slice(from, start) + bareUrl(text.slice(start + links.baseUrl.length, end), links);
    from = end;
  }
  return written + text.slice(from);
}

/** A relative URL is no link without its brackets, so there it is only named, as where nothing can be linked to. */
function bareUrl(path: string, { shownAs }: OwnLinks): string {
  return shownAs === undefined || shownAs === "" ? path.slice(1) : shownAs + path;
}

function* ownUrls(text: string, baseUrl: string): Generator<{ readonly start: number; readonly end: number }> {
  for (let start = text.indexOf(baseUrl); start >= 0; start = text.indexOf(baseUrl, start + baseUrl.length)) {
    if (!ownPath.test(text.slice(start + baseUrl.length, start + baseUrl.length + 8))) continue;
    let end = start + baseUrl.length;
    while (end < text.length && !urlEnd.test(text.charAt(end))) end += 1;
    // The end of a sentence is not part of it.
    while (/[.,;:!?*_]/.test(text.charAt(end - 1))) end -= 1;
    yield { start, end };
  }
}
