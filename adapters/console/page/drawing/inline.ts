/** Draws literal text with its bold words and links. */
import type { Inline } from "../../../../src/core/document.ts";
import { element } from "./element.ts";
import { outLink } from "./markdown.ts";
import { timeNode, withTimes } from "./times.ts";
import { withThumbs } from "./vote.ts";

const tags = { bold: "strong", italic: "em", code: "code" } as const;

export function drawInline(spans: Inline): (Node | string)[] {
  return spans.flatMap(({ text, style, url, moment }) => {
    if (moment !== undefined) return [timeNode(moment.atMs, moment.unit)];
    const tag = style === undefined ? undefined : tags[style];
    const words = style === "code" ? [document.createTextNode(text)] : withThumbs(text, withTimes);
    const styled = tag === undefined ? words : [element(tag, {}, words)];
    return url === undefined ? styled : [outLink(url, styled)];
  });
}
