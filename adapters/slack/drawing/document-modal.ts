/**
 * A document to look at, such as the steps, as one modal. A run may have 200 steps, and a modal has room for about 20 of
 * them: what is beyond is counted, not drawn.
 */
import type { types } from "@slack/bolt";
import type { Document } from "../../../src/ports/document.ts";
import { drawWithin, type Room } from "../../../src/presentation/drawing.ts";
import * as limits from "../limits.ts";
import { plain } from "./forms.ts";
import { inlinePlain } from "./markup.ts";
import { viewBlocks } from "./render.ts";

/** What 100 blocks hold of steps with long queries and observations, measured. */
const room: Room = { maxMessages: 1, charsPerMessage: 40_000 };

/** As much of it as one modal takes, and how much is left out. Undefined when there is nothing to show in a modal. */
export async function drawView(document: Document, pause: () => Promise<void>): Promise<types.ModalView | undefined> {
  const { payloads } = await drawWithin(document, room, (tried) => views(tried), pause);
  return payloads[0];
}

/** One view, or two where one has no room for it. */
function views(document: Document): readonly (types.ModalView | undefined)[] {
  const view = documentView(document);
  return view === undefined ? [undefined, undefined] : [view];
}

/** Its headline is the modal's title. Undefined when there is no room for it, or nothing in it. */
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
