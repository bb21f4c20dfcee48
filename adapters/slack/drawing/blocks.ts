/** Draws one neutral block as pieces of a Slack message, each with alternatives for older workspaces. */
import type { types } from "@slack/bolt";
import type { Action, Block, Inline, ListItem, StepLine } from "../../../src/ports/document.ts";
import type { Table } from "../../../src/ports/model/turn.ts";
import { cleanText, type FlatBlock, tableText } from "../../../src/presentation/drawing.ts";
import { markdownParts, splitMarkdown } from "../../../src/presentation/markdown.ts";
import { shorten, stepSentences, tableSentences, turnSentences } from "../../../src/presentation/sentences.ts";
import * as limits from "../limits.ts";
import { harmlessMarkdown, markdownMrkdwn, withoutMarks } from "./markdown.ts";
import { escapeEntities, inlineMrkdwn, inlinePlain, inlineRichText, literal, mrkdwnLink } from "./markup.ts";
import { always, type SlackBlock, type Slot } from "./slots.ts";
import { isWithinLimits, tableParts } from "./tables.ts";

export type Piece = Slot & {
  /** The same content without a table, for a message that already has one. */
  readonly withoutTable?: readonly Piece[];
};

/** Weight of a markdown piece: leaves room in its message for a headline, sources and buttons. */
const maxPieceWeight = 10_500;
/** Weight of a heading, rule, fence or table: Slack turns each into a block, and a message may have at most 50. */
const expandsWeight = maxPieceWeight / 40;
/** Markdown characters per section of the plain variant; the translation to mrkdwn can add some. */
const maxSectionSource = 2_600;
const expanding = /^(#{1,6} |-{3,}\s*$|\*{3,}\s*$|```|~~~|(?=[ :|-]*-{3})[ :|-]*\|)/gm;

/** Lazy where there can be many pieces, so that a caller who needs the first messages draws only those. */
export function pieces(block: FlatBlock): Iterable<Piece> {
  switch (block.kind) {
    case "headline":
      return inlinePieces(headlineText(block.text));
    case "text":
      return inlinePieces(block.text);
    case "markdown":
      return markdownPieces(block.text);
    case "steps":
      return [stepsPiece(block.earlier, block.steps)];
    case "table":
      return [...(block.caption === undefined ? [] : inlinePieces(block.caption)), ...tablePieces(block.table)];
    case "code":
      return markdownPieces(fence(block.text, block.language));
    case "list":
      return listPieces(block.items);
    case "sources":
      return sourcePieces(block.sources);
    case "quiet":
      return quietPieces(block.text);
    case "actions": {
      const groups = block.layout === "row" ? [block.actions] : block.actions.map((action) => [action]);
      return groups.flatMap(actionBlocks).map((block) => always(block));
    }
    case "divider":
      return [always({ type: "divider" })];
    default:
      return block satisfies never;
  }
}

export const actionSeparator = ":";

export function actionBlocks(actions: readonly Action[]): readonly SlackBlock[] {
  const buttons = actions.map((action, index) => ({
    type: "button" as const,
    // An action_id must be unique in its block.
    action_id: `${action.id}${actionSeparator}${index}`,
    text: {
      type: "plain_text" as const,
      text: shorten(action.label, limits.maxButtonChars),
      emoji: true,
    },
    value: action.value.slice(0, limits.maxButtonValueChars),
    ...(action.style === "plain" ? {} : { style: action.style }),
    ...(action.accessibleLabel === undefined
      ? {}
      : { accessibility_label: shorten(action.accessibleLabel, limits.maxButtonChars) }),
  }));
  const blocks: SlackBlock[] = [];
  for (let at = 0; at < buttons.length; at += limits.maxButtonsPerBlock) {
    blocks.push({ type: "actions", elements: buttons.slice(at, at + limits.maxButtonsPerBlock) });
  }
  return blocks;
}

/** Slack refuses an empty title. */
const unnamedStep = "…";

/** The headline stays above the steps, as in a message without them, because a plan's title isn't rich text. */
function stepsPiece(earlier: number, steps: readonly StepLine[]): Piece {
  const folded = stepSentences.earlier(earlier);
  const tasks: types.TaskCardBlock[] = steps.map((step, index) => ({
    type: "task_card",
    task_id: `step-${earlier + index}`,
    title: inlinePlain(step.title).trim() || unnamedStep,
    status: ({ done: "complete", running: "in_progress", failed: "error" } as const)[step.state],
    ...(step.detail === undefined || inlinePlain(step.detail) === "" ? {} : { output: richText([step.detail]) }),
  }));
  if (earlier > 0) tasks.unshift({ type: "task_card", task_id: "earlier", title: folded, status: "complete" });
  const lines = steps.map((step) => {
    const mark = { done: "✓", running: "⏳", failed: "✗" }[step.state];
    return `${mark} ${inlineMrkdwn(step.title)}${step.detail === undefined ? "" : `\n      _${literal(inlinePlain(step.detail))}_`}`;
  });
  if (earlier > 0) lines.unshift(`✓ ${literal(folded)}`);
  const plan: SlackBlock = { type: "plan", title: turnSentences.stepCount(earlier + steps.length), tasks };
  return {
    alternatives: [
      { needs: ["plan"], blocks: [plan] },
      { needs: [], blocks: split(lines.join("\n"), limits.maxSectionChars).map(section) },
    ],
  };
}

function quietPieces(text: Inline): readonly Piece[] {
  const parts = split(inlineMrkdwn(text), limits.maxContextChars);
  const isWhole = parts.length === 1;
  return parts.map((part) => ({ ...always(context(part)), ...(isWhole ? { asRichText: richText([text]) } : {}) }));
}

export function inlinePieces(text: Inline): readonly Piece[] {
  const mrkdwn = inlineMrkdwn(text);
  if (mrkdwn.length <= limits.maxSectionChars) {
    return mrkdwn.trim() === "" ? [] : [always(richText([text]))];
  }
  return split(mrkdwn, limits.maxSectionChars).map((part) => always(section(part)));
}

function* markdownPieces(markdown: string): Generator<Piece, void> {
  for (const part of tableParts(harmlessMarkdown(markdown))) {
    if (part.kind === "prose") yield* prosePieces(part.text);
    else {
      const asCode = codePieces(withoutMarks(part.table));
      yield* isWithinLimits(part.table) ? asOne([...prosePieces(part.text)], asCode) : asCode;
    }
  }
}

function* prosePieces(harmless: string): Generator<Piece, void> {
  for (const part of markdownParts(harmless, { max: maxPieceWeight, measure: markdownWeight })) {
    const text = part.replace(/^\n+/, "");
    if (text.trim() === "") continue;
    yield {
      alternatives: [
        { needs: ["markdown"], blocks: [{ type: "markdown", text }] },
        { needs: [], blocks: mrkdwnSections(text) },
      ],
    };
  }
}

/** Weight of the heavier variant. A sum over characters, so that a part never weighs more than the whole. */
function markdownWeight(markdown: string): number {
  return Math.max(escapedLength(markdown), expandedBlocks(markdown) * expandsWeight);
}

/** How many further blocks Slack creates from a markdown block. */
export function expandedBlocks(markdown: string): number {
  return (markdown.match(expanding) ?? []).length;
}

function escapedLength(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === ampersand) length += 4;
    else if (code === lessThan || code === greaterThan) length += 3;
  }
  return length;
}

const [ampersand, lessThan, greaterThan] = [38, 60, 62];

/** If the translation is too long for a section (a wide table), the Markdown source is shown instead. */
function mrkdwnSections(markdown: string): readonly SlackBlock[] {
  return splitMarkdown(markdown, { max: maxSectionSource, measure: escapedLength })
    .map((part) => {
      const translated = markdownMrkdwn(part);
      return translated.length <= limits.maxSectionChars ? translated : escapeEntities(part);
    })
    .map((text) => text.replace(/^\n+|(?<!\n)\n+$/g, ""))
    .filter((text) => text.trim() !== "")
    .map(section);
}

function tablePieces(table: Table): readonly Piece[] {
  const asCode = codePieces(table);
  if (!isWithinLimits(table)) return asCode;
  const cells = (row: readonly string[]): types.RawTextElement[] =>
    row.map((cell) => ({ type: "raw_text", text: cleanText(cell) === "" ? " " : cleanText(cell) }));
  const header = table.columns.map((name) => richText([[{ text: name === "" ? " " : name, style: "bold" }]]));
  const native: SlackBlock = { type: "table", rows: [header, ...table.rows.map(cells)] };
  const omitted = table.omittedRows ?? 0;
  const note = omitted === 0 ? [] : [context(literal(tableSentences.omittedRows(omitted)))];
  const [code] = asCode;
  if (code === undefined) return [];
  return asOne([{ alternatives: [{ needs: ["table"], blocks: [native, ...note] }, ...code.alternatives] }], asCode);
}

/** A table as one piece; as code if one of its alternatives takes more than one piece. */
function asOne(pieces: readonly Piece[], asCode: readonly Piece[]): readonly Piece[] {
  const [only] = pieces;
  return only === undefined || pieces.length > 1 || asCode.length > 1 ? asCode : [{ ...only, withoutTable: asCode }];
}

function codePieces(table: Table): readonly Piece[] {
  return [...prosePieces(harmlessMarkdown(fence(tableText(table), undefined)))];
}

function listPieces(items: readonly ListItem[]): readonly Piece[] {
  const marks = { done: "✅ ", running: "⏳ ", waiting: "▫️ ", failed: "❌ ", bullet: "• " } as const;
  const lines = items.map(
    (item): Inline => [...(item.mark === undefined ? [] : [{ text: marks[item.mark] }]), ...item.text],
  );
  const groups: Inline[][] = [];
  let chars = 0;
  for (const line of lines) {
    const lineChars = inlineMrkdwn(line).length + 1;
    const group = groups.at(-1);
    if (group === undefined || chars + lineChars > limits.maxSectionChars) {
      groups.push([line]);
      chars = lineChars;
    } else {
      group.push(line);
      chars += lineChars;
    }
  }
  return groups.map((group) => always(richText(group)));
}

function sourcePieces(sources: Extract<Block, { kind: "sources" }>["sources"]): readonly Piece[] {
  const links = sources.map(({ number, title, url, from }) => {
    const said = from === undefined ? "" : ` · *${literal(cleanText(from).replaceAll("*", ""))}*`;
    return `[${number}] ${url === undefined ? literal(cleanText(title)) : mrkdwnLink(title, url)}${said}`;
  });
  const lines: string[] = [];
  for (const link of links) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + link.length + 3 <= limits.maxContextChars)
      lines[lines.length - 1] = `${last} · ${link}`;
    else lines.push(lines.length === 0 ? `*Sources* ${link}` : link);
  }
  return lines.map((line) => always(context(line)));
}

function section(text: string): SlackBlock {
  return { type: "section", text: { type: "mrkdwn", text, verbatim: true } };
}

function context(text: string): SlackBlock {
  return { type: "context", elements: [{ type: "mrkdwn", text, verbatim: true }] };
}

function richText(lines: readonly Inline[]): types.RichTextBlock {
  const elements = lines.flatMap((line, index) => [
    ...inlineRichText(line),
    ...(index === lines.length - 1 ? [] : [{ type: "text" as const, text: "\n" }]),
  ]);
  // Slack refuses an empty section.
  const shown = elements.length === 0 ? [{ type: "text" as const, text: " " }] : elements;
  return { type: "rich_text", elements: [{ type: "rich_text_section", elements: shown }] };
}

/** Makes a headline bold, unless it already has bold parts. */
export function headlineText(text: Inline): Inline {
  if (text.some((span) => span.style === "bold")) return text;
  return text.map((span) => (span.style === undefined && span.url === undefined ? { ...span, style: "bold" } : span));
}

function fence(text: string, language: string | undefined): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const marks = "`".repeat(longest + 1);
  return `${marks}${language ?? ""}\n${text.replace(/\n$/, "")}\n${marks}\n`;
}

/** Splits at line ends, else at spaces, else anywhere; never inside an entity or a surrogate pair. */
function split(text: string, maxChars: number): readonly string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > maxChars) {
    const head = rest.slice(0, maxChars);
    const line = head.lastIndexOf("\n");
    const space = head.lastIndexOf(" ");
    let at = line > maxChars / 2 ? line + 1 : space > maxChars / 2 ? space + 1 : maxChars;
    const entity = /&[a-z]{0,4}$/.exec(rest.slice(0, at));
    if (entity !== null) at = entity.index;
    if (/[\uD800-\uDBFF]$/.test(rest.slice(0, at))) at -= 1;
    parts.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  return [...parts, rest].filter((part) => part.trim() !== "");
}
