/**
 * Shows as much of a document as so many messages have room for; what is over is Markdown, for a file. What a message has
 * room for, only the platform's own drawing can say, so it is tried, message by message: whatever the text and however
 * long it is, no more than about one message of it is drawn in one go. Steps, so that other work goes on in between.
 */

import type { Action, Block, Document, Inline } from "../../ports/document.ts";
import { cutBlocks, exceeds, type Rest } from "../markdown/cut-blocks.ts";
import { restSentences } from "../sentences/sentences.ts";
import { inline } from "./inline.ts";

/** Draws at most one message more than that. */
export type Draw = (document: Document, atMost: number) => { readonly length: number };

export type Room = { readonly maxMessages: number; readonly charsPerMessage: number };

/** Of a platform that does not say. */
export const defaultRoom: Room = { maxMessages: 10, charsPerMessage: 4_000 };

export type Fitted = {
  /** Each is drawn for itself; mostly one message. The last has no word about what is over. */
  readonly pages: readonly Document[];
  readonly rest?: Rest;
};

/** Where a message is nearly full, it is full. */
const closeEnough = 1 / 10;
/** Long lines fill messages better than they are counted. */
const generous = 1.3;

function* fitting(document: Document, room: Room, draw: Draw): Generator<void, Fitted> {
  if (isSmall(document, room) && draw(document, room.maxMessages).length <= room.maxMessages) {
    return { pages: [document] };
  }
  const at = tailOf(document.blocks);
  const tail = document.blocks.slice(at);
  let body = document.blocks.slice(0, at);
  const pages: Document[] = [];
  let left = room.maxMessages;
  /** What follows is blank. */
  let isTrimmed = false;
  const page = (blocks: readonly Block[], isLast: boolean): Document => ({
    ...document,
    blocks,
    actions: isLast ? document.actions : [],
    summary: pages.length === 0 ? document.summary : `${document.summary} (${pages.length + 1})`,
  });
  for (;;) {
    const most = room.charsPerMessage * generous;
    const whole = page([...body, ...tail], true);
    yield;
    // With what is left all is said.
    if ((isTrimmed || !exceeds(body, most)) && draw(whole, left).length <= left) return { pages: [...pages, whole] };
    const isLast = left === 1;
    const ending = isLast ? cutBlocks([], tail, 0, room.charsPerMessage / 2) : undefined;
    const end = ending?.kept ?? [];
    const tried = (kept: readonly Block[]) =>
      isLast
        ? withNote({ pages: [page([...kept, ...end], true)] }, restSentences.longest, document.whenCut)[0]
        : page(kept, false);
    let low = 0;
    let high = most;
    let found = cutBlocks(body, [], 0);
    for (let budget = high; high - low > high * closeEnough && high - low > 1; budget = (low + high) / 2) {
      yield;
      const candidate = cutBlocks(body, [], budget);
      const shown = candidate.kept.length === 0 ? undefined : tried(candidate.kept);
      if (shown === undefined || draw(shown, 1).length <= 1) {
        low = budget;
        found = candidate;
      } else high = budget;
    }
    // All the rest of it is blank lines.
    if (found.rest === undefined && found.kept.length > 0 && !isTrimmed) {
      body = [...found.kept];
      isTrimmed = true;
      continue;
    }
    if (isLast) {
      const over = [...(found.rest?.blocks ?? []), ...(ending?.rest?.blocks ?? [])];
      const chars = (found.rest?.chars ?? 0) + (ending?.rest?.chars ?? 0);
      const all = [...pages, page([...found.kept, ...end], true)];
      return over.length === 0 ? { pages: all } : { pages: all, rest: { blocks: over, chars } };
    }
    // What cannot be divided takes what it needs, or goes into the file with what follows it.
    if (found.kept.length === 0) {
      const [first, ...others] = body;
      const needs = first === undefined ? left : draw(page([first], false), left).length;
      if (first !== undefined && needs < left) {
        pages.push(page([first], false));
        left -= needs;
        body = others;
      } else left = 1;
      continue;
    }
    pages.push(page(found.kept, false));
    left -= 1;
    body = [...(found.rest?.blocks ?? [])];
  }
}

/** At once, for what is small or cannot wait. */
export function fitNow(document: Document, room: Room, draw: Draw): Fitted {
  const steps = fitting(document, room, draw);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** With everything else going on between two tries. */
export async function fitSlowly(
  document: Document,
  room: Room,
  draw: Draw,
  pause: () => Promise<void>,
): Promise<Fitted> {
  const steps = fitting(document, room, draw);
  for (;;) {
    await pause();
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Small enough to be drawn at once, whatever is in it. */
export function isSmall(document: Document, room: Room): boolean {
  return !exceeds(document.blocks, room.charsPerMessage);
}

/** The note stands in the last message, above the sources and the small print. */
export function withNote(
  { pages }: Fitted,
  note: string | Inline,
  action?: Action,
): readonly [...Document[], Document] {
  const last = pages.at(-1);
  if (last === undefined) throw new RangeError("No page");
  const at = tailOf(last.blocks);
  const said: Block = { kind: "text", text: inline(note) };
  const noted = {
    ...last,
    blocks: [...last.blocks.slice(0, at), said, ...last.blocks.slice(at)],
    actions: action === undefined ? last.actions : [...last.actions, action],
  };
  return [...pages.slice(0, -1), noted];
}

/**
 * For what has no place for a file: as many messages as there is room for, which say that this is not all. Everything else
 * goes on between two tries, and between two messages.
 */
export async function drawWithin<Payload>(
  document: Document,
  room: Room,
  render: (document: Document, atMost?: number) => readonly Payload[],
  pause: () => Promise<void>,
): Promise<{ readonly pages: readonly Document[]; readonly payloads: readonly Payload[] }> {
  const fitted = await fitSlowly(document, room, (tried, atMost) => render(tried, atMost), pause);
  const pages = fitted.rest === undefined ? fitted.pages : withNote(fitted, restSentences.hidden(fitted.rest.chars));
  const payloads: Payload[] = [];
  for (const page of pages) {
    await pause();
    payloads.push(...render(page));
  }
  return { pages, payloads };
}

/** Where the sources and the small print begin that end a document. */
function tailOf(blocks: readonly Block[]): number {
  return blocks.findLastIndex(({ kind }) => kind !== "quiet" && kind !== "sources") + 1;
}
