/**
 * Document -> payload. The page draws the document's own blocks, so what is left to do here is to make every text safe
 * whatever wrote it: no control that turns the direction of text, no address that is not http or https.
 */
import type { Action, Block, Document, Inline } from "../../src/presentation/document.ts";
import type { ConsolePayload } from "./messages.ts";

// Bidi embeddings, overrides, isolates and marks, and the C0/C1 controls apart from tab and line feed.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to be removed.
const unsafeControls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text without controls that hide or turn what stands around them. */
export function safeText(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(unsafeControls, "");
}

/** The address when it is http or https, else undefined. */
export function safeUrl(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  return protocol === "http:" || protocol === "https:" ? href : undefined;
}

function safeInline(text: Inline): Inline {
  return text.map(({ url, ...span }) => {
    const safe = safeUrl(url);
    return { ...span, text: safeText(span.text), ...(safe === undefined ? {} : { url: safe }) };
  });
}

function safeBlock(block: Block): Block {
  switch (block.kind) {
    case "headline":
    case "text":
    case "quiet":
      return { kind: block.kind, text: safeInline(block.text) };
    case "markdown":
      return { kind: "markdown", text: safeText(block.text) };
    case "code":
      return { ...block, text: safeText(block.text) };
    case "steps":
      return {
        ...block,
        steps: block.steps.map((step) => ({
          ...step,
          title: safeInline(step.title),
          ...(step.detail === undefined ? {} : { detail: safeInline(step.detail) }),
        })),
      };
    case "table":
      return {
        ...block,
        table: {
          ...block.table,
          columns: block.table.columns.map(safeText),
          rows: block.table.rows.map((row) => row.map(safeText)),
        },
        ...(block.caption === undefined ? {} : { caption: safeInline(block.caption) }),
      };
    case "list":
      return { kind: "list", items: block.items.map((item) => ({ ...item, text: safeInline(item.text) })) };
    case "sources":
      return {
        kind: "sources",
        sources: block.sources.map(({ number, title, url }) => {
          const safe = safeUrl(url);
          return { number, title: safeText(title), ...(safe === undefined ? {} : { url: safe }) };
        }),
      };
    default:
      return block satisfies never;
  }
}

function safeAction(action: Action): Action {
  return { ...action, label: safeText(action.label) };
}

/** One payload always: the page has no limit on a message's length, so nothing is split. */
export function render(document: Document): readonly [ConsolePayload] {
  return [
    {
      version: 1,
      tone: document.tone,
      blocks: document.blocks.map(safeBlock),
      actions: document.actions.map(safeAction),
      summary: safeText(document.summary),
    },
  ];
}

function inlineText(text: Inline): string {
  return text.map((span) => span.text).join("");
}

function blockText(block: Block): string {
  switch (block.kind) {
    case "headline":
    case "text":
      return inlineText(block.text);
    case "markdown":
    case "code":
      return block.text;
    case "table":
      return [block.table.columns, ...block.table.rows].map((row) => row.join(" | ")).join("\n");
    case "list":
      return block.items.map((item) => `- ${inlineText(item.text)}`).join("\n");
    case "sources":
      return block.sources.map((source) => `[${source.number}] ${source.title}`).join("\n");
    case "steps":
    case "quiet":
      return "";
    default:
      return block satisfies never;
  }
}

/** A message of Parley's as plain text, for whoever reads the thread. Steps and small print are left out. */
export function plainText(payload: ConsolePayload): string {
  return payload.blocks
    .map(blockText)
    .filter((text) => text !== "")
    .join("\n\n");
}
