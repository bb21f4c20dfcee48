/**
 * Draws a document for reading, such as a run's steps, as one modal.
 * A run can have 200 steps and a modal has room for about 20; the rest is counted, not drawn.
 */
import type { types } from "@slack/bolt";
import type { Document } from "../../../src/core/document.ts";
import { drawWithin, type Room } from "../../../src/presentation/drawing.ts";
import * as limits from "../limits.ts";
import { plain } from "./forms.ts";
import { inlinePlain } from "./markup.ts";
import { viewBlocks } from "./render.ts";

/** What 100 blocks hold of steps with long queries and results, measured. */
const room: Room = { maxMessages: 1, charsPerMessage: 40_000 };

/** As much as fits in one modal, with a note of how much is left out. Undefined if nothing can be shown. */
export async function drawView(document: Document, pause: () => Promise<void>): Promise<types.ModalView | undefined> {
  const { payloads } = await drawWithin(document, room, (tried) => views(tried), pause);
  return payloads[0];
}

/** One view; two entries mean that the document does not fit in one. */
function views(document: Document): readonly (types.ModalView | undefined)[] {
  const view = documentView(document);
  return view === undefined ? [undefined, undefined] : [view];
}

/** The headline becomes the modal's title. Undefined if the document is empty or does not fit. */
export function documentView(document: Document): types.ModalView | undefined {
  const [first, ...rest] = document.blocks;
  const isTitle = first?.kind === "headline" && inlinePlain(first.text) === document.summary;
  const fitsTitle = document.summary.length <= limits.maxViewTitleChars;
  const shown = isTitle && fitsTitle ? { ...document, blocks: rest } : document;
  const blocks = [...viewBlocks(shown, limits.maxViewBlocks)];
  if (blocks.length === 0 || blocks.length > limits.maxViewBlocks) return undefined;
  const view: types.ModalView = {
    type: "modal",
    title: plain(document.summary, limits.maxViewTitleChars),
    close: plain("Close", limits.maxViewTitleChars),
    blocks,
  };
  return Buffer.byteLength(JSON.stringify(view)) <= limits.maxViewBytes ? view : undefined;
}
