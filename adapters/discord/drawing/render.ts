/**
 * Renders a neutral document as Discord messages: Components V2, each within 4,000 characters and 40 components.
 * Nothing is lost. Progress, failures and text with buttons in between have a coloured frame; an answer has none, like
 * a person's message.
 */
import { ButtonStyle, ComponentType } from "@discordjs/core";
import type {
  APIActionRowComponent,
  APIButtonComponentWithCustomId,
  APIComponentInMessageActionRow,
  APIContainerComponent,
  APIMediaGalleryComponent,
  APISeparatorComponent,
  APIStringSelectComponent,
  APITextDisplayComponent,
} from "discord.js";
import type { Action, Block, Document, ListItem, Tone } from "../../../src/core/document.ts";
import type { Chart } from "../../../src/core/model/chart.ts";
import { createPause } from "../../../src/core/tools/pause.ts";
import {
  asTable,
  cleanText,
  defaultRoom,
  drawWithin,
  type FlatBlock,
  flatBlocks,
} from "../../../src/presentation/drawing.ts";
import { labels } from "../../../src/presentation/sentences.ts";
import {
  maxButtonLabelChars,
  maxButtonsPerRow,
  maxComponents,
  maxCustomIdChars,
  maxMessageChars,
  maxOptionChars,
  maxOptions,
  maxPlaceholderChars,
  platformLimits,
} from "../limits.ts";
import { type Piece, pieces } from "./blocks.ts";
import { gallery } from "./chart.ts";
import { truncate } from "./markup.ts";

type Row = APIActionRowComponent<APIComponentInMessageActionRow>;
/** The table of a chart, or the chart as a picture. */
type ChartPiece = Piece & { readonly chart: Chart };
/** The parts of a message from top to bottom, without the buttons below them. */
type Item = Piece | ChartPiece | Row | APISeparatorComponent | APIMediaGalleryComponent;
export type DiscordComponent = APITextDisplayComponent | APIContainerComponent | APIMediaGalleryComponent | Row;

export type DiscordPayload = {
  readonly components: readonly DiscordComponent[];
  /** The same message with a chart as a picture, for where one can be attached. `components` has its table. */
  readonly pictured?: { readonly chart: Chart; readonly components: readonly DiscordComponent[] };
  /** Ids of the people whom this message notifies; their mentions are in its text. */
  readonly notifies?: readonly string[];
};

const colours: Readonly<Record<Tone, number>> = {
  running: 0x5865f2,
  waiting: 0x5865f2,
  done: 0x57f287,
  partial: 0xf0b232,
  failed: 0xed4245,
  stopped: 0x80848e,
  info: 0x5865f2,
};

/** Stops at `atMost` + 1 messages, for callers that only need to know whether more than `atMost` are needed. */
export function render(document: Document, atMost = Number.POSITIVE_INFINITY): readonly DiscordPayload[] {
  const taken = new Set<string>();
  // First, so that the ids of buttons don't depend on how many messages are drawn.
  const rows = actionRows(document.actions, taken);
  const isFramed = hasFrame(document);
  const notifies = notified(document);
  const messages = pack(documentItems(document, taken), rows, atMost);
  return messages.map((group, index): DiscordPayload => {
    const isPair = index === 0 && saysWhatToDo(document);
    const isLast = index === messages.length - 1;
    const drawn = (items: readonly Item[], buttons: readonly Row[]) => [
      ...(isFramed ? [frame(items, document.tone, isPair)] : unframed(items)),
      ...(isLast ? buttons : []),
    ];
    const chart = group.find(isChart)?.chart;
    const shown = { notifies: notifies.length === 0 ? undefined : notifies };
    if (chart === undefined) return { components: drawn(group, rows), ...shown };
    const withPicture = group.map((item) => (isChart(item) && item.chart === chart ? gallery(chart) : item));
    return {
      components: drawn(group, actionRows(document.actions.map(offersChart), new Set())),
      pictured: { chart, components: drawn(withPicture, rows) },
      ...shown,
    };
  });
}

/** Below a table that is shown instead of its chart. */
function offersChart(action: Action): Action {
  return action.id === "table" ? { ...action, id: "chart", label: labels.chart } : action;
}

/** Only Parley's own sentences can notify people. */
function notified({ blocks }: Document): readonly string[] {
  const spans = blocks.flatMap((block) => (block.kind === "text" || block.kind === "headline" ? block.text : []));
  const ids = spans.flatMap(({ actorId, notifies }) => (notifies === true && actorId !== undefined ? [actorId] : []));
  return [...new Set(ids.filter((id) => /^\d+$/.test(id)))];
}

/** At most as many messages as an answer can have, for documents that can't continue in a file. */
export async function renderWithin(
  document: Document,
  clock: Parameters<typeof createPause>[0],
): Promise<readonly DiscordPayload[]> {
  return (await drawWithin(document, platformLimits.answers ?? defaultRoom, render, createPause(clock))).payloads;
}

function hasFrame({ tone, blocks: all, whenCut }: Document): boolean {
  const blocks = flatBlocks(all);
  if (blocks.some(({ kind }) => kind === "actions" || kind === "divider")) return true;
  if (tone === "info") return false;
  // The last message of a long answer can consist of small print only.
  const isAnswer =
    whenCut !== undefined || blocks.some(({ kind }) => kind === "markdown" || kind === "table" || kind === "sources");
  return !(isAnswer && (tone === "done" || tone === "partial"));
}

function* documentItems({ blocks, summary }: Document, taken: Set<string>): Generator<Item, void> {
  let isEmpty = true;
  for (const block of withOneMenu(blocks)) {
    const drawn = (flat: FlatBlock) => itemsOf(flat, taken);
    const items = block.kind === "chart" ? chartItems(block) : flatBlocks([block]).flatMap(drawn);
    for (const item of items) {
      isEmpty = false;
      yield item;
    }
  }
  if (isEmpty) yield { markdown: truncate(summary, maxMessageChars), isQuiet: false };
}

/** Discord has no menu beside a line, so lines with menus become one list, with one menu below it. */
function withOneMenu(blocks: readonly Block[]): readonly Block[] {
  const merged: Block[] = [];
  let items: ListItem[] = [];
  let actions: Action[] = [];
  for (const block of blocks) {
    const isMenu = block.kind === "actions" && block.layout === "menu";
    if (isMenu && actions.length > 0) actions.push(...block.actions);
    else if (isMenu) {
      actions = [...block.actions];
      merged.push({ ...block, actions });
    } else if (block.kind === "list" && actions.length > 0) items.push(...block.items);
    else if (block.kind === "list") {
      items = [...block.items];
      merged.push({ ...block, items });
    } else {
      actions = [];
      merged.push(block);
    }
  }
  return merged;
}

function itemsOf(block: FlatBlock, taken: Set<string>): readonly Item[] {
  if (block.kind === "divider") return [{ type: ComponentType.Separator }];
  if (block.kind !== "actions") return pieces(block);
  if (block.layout === "menu") return menuRows(block.actions, taken);
  const groups = block.layout === "row" ? [block.actions] : block.actions.map((action) => [action]);
  return groups.flatMap((group) => actionRows(group, taken));
}

/** A table longer than a message stays a table: its picture could replace only a part of it. */
function chartItems(block: Extract<Block, { kind: "chart" }>): readonly Item[] {
  const all = pieces(asTable(block));
  const markdown = all.map((piece) => piece.markdown).join("\n");
  return markdown.length > maxMessageChars - 100 ? all : [{ markdown, isQuiet: false, chart: block.chart }];
}

function isChart(item: Item): item is ChartPiece {
  return "chart" in item;
}

function isPiece(item: Item): item is Piece {
  return "markdown" in item;
}

/** Fills messages in order. */
function pack(all: Iterable<Item>, rows: readonly Row[], atMost: number): readonly (readonly Item[])[] {
  const messages: Item[][] = [[]];
  // The frame is a component, too, or a picture and the text above it.
  const room = maxComponents - 2 - sum(rows.map(weightOf));
  for (const item of all) {
    const last = messages.at(-1) ?? [];
    const isTooLong = isPiece(item) && joined([...last.filter(isPiece), item]).length > maxMessageChars;
    if (last.length > 0 && (isTooLong || sum([...last, item].map(weightOf)) > room)) {
      messages.push([item]);
      if (messages.length > atMost) break;
    } else last.push(item);
  }
  return messages;
}

/** In components: a row counts with its buttons. */
function weightOf(item: Item): number {
  return "components" in item ? 1 + item.components.length : 1;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** Joins pieces as paragraphs, but small print, and code after code, without an empty line. */
function joined(group: readonly Piece[]): string {
  return group
    .map(({ markdown, isQuiet }, index) => {
      if (index === 0) return markdown;
      const isCodeOnCode = markdown.startsWith("```") && group[index - 1]?.markdown.endsWith("```") === true;
      const isClose = isQuiet || isCodeOnCode;
      return `${isClose ? "\n" : "\n\n"}${markdown}`;
    })
    .join("");
}

/** One text, or one above a picture and one below it. */
function unframed(group: readonly Item[]): readonly DiscordComponent[] {
  const parts: DiscordComponent[] = [];
  let pieces: Piece[] = [];
  const close = () => {
    if (pieces.length > 0) parts.push(text(joined(pieces)));
    pieces = [];
  };
  for (const item of group) {
    if (isPiece(item)) pieces.push(item);
    else if (item.type === ComponentType.MediaGallery) {
      close();
      parts.push(item);
    }
  }
  close();
  return parts;
}

function frame(group: readonly Item[], tone: Tone, isPair: boolean): APIContainerComponent {
  return {
    type: ComponentType.Container,
    accent_color: colours[tone],
    components: paragraphs(group, isPair).map((item) => (isPiece(item) ? text(item.markdown) : item)),
  };
}

function saysWhatToDo({ tone, blocks: [first, second] }: Document): boolean {
  return tone === "failed" && first?.kind === "headline" && second?.kind === "text";
}

/** What happened and what to do form one text; steps, lists and small print are separate. */
function paragraphs(group: readonly Item[], isPair: boolean): readonly Item[] {
  const [first, second, ...rest] = group;
  if (!isPair || first === undefined || second === undefined || !isPiece(first) || !isPiece(second)) return group;
  return [{ ...first, markdown: `${first.markdown}\n${second.markdown}` }, ...rest];
}

function text(content: string): APITextDisplayComponent {
  return { type: ComponentType.TextDisplay, content };
}

const styles = { primary: ButtonStyle.Primary, danger: ButtonStyle.Danger, plain: ButtonStyle.Secondary } as const;

function actionRows(actions: readonly Action[], taken: Set<string>): readonly Row[] {
  const buttons = actions.map((action) => button(action, taken));
  const rows: Row[] = [];
  for (let at = 0; at < buttons.length; at += maxButtonsPerRow) {
    rows.push({ type: ComponentType.ActionRow, components: buttons.slice(at, at + maxButtonsPerRow) });
  }
  return rows;
}

/** Menus whose options stand for buttons: the value of each is the custom_id that its button would have. */
function menuRows(actions: readonly Action[], taken: Set<string>): readonly Row[] {
  const rows: Row[] = [];
  for (let at = 0; at < actions.length; at += maxOptions) {
    const some = actions.slice(at, at + maxOptions);
    const options = some.map((action) => ({
      label: truncate(cleanText(action.accessibleLabel ?? action.label), maxOptionChars),
      value: customIdOf(action, taken),
    }));
    const labels = [...new Set(some.map(({ label }) => label))].join(", ");
    const menu: APIStringSelectComponent = {
      type: ComponentType.StringSelect,
      custom_id: customIdOf({ id: "menu", value: String(at) }, taken),
      placeholder: truncate(`${labels}…`, maxPlaceholderChars),
      options,
    };
    rows.push({ type: ComponentType.ActionRow, components: [menu] });
  }
  return rows;
}

/** Adds a button that the adapter itself handles, not the bridge. */
export function withButton(payload: DiscordPayload | undefined, label: string, customId: string): DiscordPayload {
  const { Button, ActionRow } = ComponentType;
  const button = { type: Button, style: ButtonStyle.Primary, custom_id: customId, label } as const;
  return { components: [...(payload?.components ?? []), { type: ActionRow, components: [button] }] };
}

/** Discord requires unique ids in a message. */
function customIdOf(of: { readonly id: string; readonly value: string }, taken: Set<string>): string {
  let customId = `${of.id}:${of.value}`.slice(0, maxCustomIdChars);
  while (taken.has(customId)) customId = `${customId.slice(0, maxCustomIdChars - 1)} `;
  taken.add(customId);
  return customId;
}

function button(action: Action, taken: Set<string>): APIButtonComponentWithCustomId {
  const isPicture = /^\p{Extended_Pictographic}\uFE0F?$/u.test(action.label);
  return {
    type: ComponentType.Button,
    style: styles[action.style],
    custom_id: customIdOf(action, taken),
    ...(isPicture ? { emoji: { name: action.label } } : { label: truncate(action.label, maxButtonLabelChars) }),
  };
}

/** Splits "stop:turn1" into the bridge's action and value. */
export function readCustomId(customId: string): { readonly action: string; readonly value: string } {
  const at = customId.indexOf(":");
  return at === -1
    ? { action: customId, value: "" }
    : { action: customId.slice(0, at), value: customId.slice(at + 1).trimEnd() };
}
