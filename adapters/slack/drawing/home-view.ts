/** Draws a document as the view of Slack's Home tab. */
import type { types } from "@slack/bolt";
import type { Document } from "../../../src/core/document.ts";
import * as limits from "../limits.ts";
import { actionBlocks } from "./buttons.ts";
import { viewBlocks } from "./render.ts";

/** The buttons stay, whatever has to be left out before them. */
export function homeView(document: Document): types.HomeView {
  const buttons = actionBlocks(document.actions);
  const room = limits.maxViewBlocks - buttons.length;
  return { type: "home", blocks: [...viewBlocks(document, room).slice(0, room), ...buttons] };
}
