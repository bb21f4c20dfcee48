/** Draws literal text with its bold words and links. */
import { element } from "./element.js";
import { outLink } from "./markdown.js";

export function drawInline(spans) {
  return spans.map(({ text, style, url }) => {
    const tag = { bold: "strong", italic: "em", code: "code" }[style];
    const words = tag === undefined ? document.createTextNode(text) : element(tag, {}, text);
    return url === undefined ? words : outLink(url, words);
  });
}
