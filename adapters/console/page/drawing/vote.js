/** Draws thumbs, and which of them this browser has pressed below an answer. */
import { element, icon } from "./element.js";

/** Which vote the button stands for. */
export function thumbOf({ id }) {
  return { "thumb-up": "up", "thumb-down": "down" }[id];
}

/** Shows this browser's vote: "up", "down", or none. */
export function markVote(article, vote) {
  for (const thumb of article.querySelectorAll(":scope > .actions .is-thumb"))
    thumb.setAttribute("aria-pressed", String(vote !== undefined && thumbOf({ id: thumb.dataset.action }) === vote));
}

const thumbs = { "👍": ["up", "thumbs up"], "👎": ["bad", "thumbs down"] };

/** Text with its thumbs drawn, because not every system has a font with them. `draw` makes nodes of the rest. */
export function withThumbs(text, draw) {
  return text.split(/(👍|👎)/u).flatMap((piece) => {
    if (!Object.hasOwn(thumbs, piece)) return piece === "" ? [] : draw(piece);
    const [shape, says] = thumbs[piece];
    return [element("span.thumb", {}, icon(shape), element("span.hidden", {}, says))];
  });
}
