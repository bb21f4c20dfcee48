/** Draws literal text with its bold words and links. */
import { element } from "./element.js";
import { outLink } from "./markdown.js";
import { timeNode, withTimes } from "./times.js";
import { withThumbs } from "./vote.js";

export function drawInline(spans) {
  return spans.flatMap(({ text, style, url, moment }) => {
    if (moment !== undefined) return [timeNode(moment.atMs, moment.unit)];
    const tag = { bold: "strong", italic: "em", code: "code" }[style];
    const words = style === "code" ? [document.createTextNode(text)] : withThumbs(text, withTimes);
    const styled = tag === undefined ? words : [element(tag, {}, words)];
    return url === undefined ? styled : [outLink(url, styled)];
  });
}
