/** Draws thumbs, and which of them this browser has pressed below an answer. */
import type { Thumb } from "../../../../src/core/model/turn.ts";
import { element, icon } from "./element.ts";

/** Which vote the button stands for. */
export function thumbOf({ id }: { readonly id: string | undefined }): Thumb | undefined {
  if (id === "thumb-up") return "up";
  return id === "thumb-down" ? "down" : undefined;
}

/** Shows this browser's vote: "up", "down", or none. */
export function markVote(article: HTMLElement, vote: Thumb | null | undefined): void {
  for (const thumb of article.querySelectorAll<HTMLElement>(":scope > .actions .is-thumb"))
    thumb.setAttribute("aria-pressed", String(vote !== undefined && thumbOf({ id: thumb.dataset["action"] }) === vote));
}

const thumbs = new Map([
  ["👍", { shape: "up", says: "thumbs up" }],
  ["👎", { shape: "bad", says: "thumbs down" }],
] as const);

const isThumb = (piece: string): piece is "👍" | "👎" => piece === "👍" || piece === "👎";

/** Text with its thumbs drawn, because not every system has a font with them. `draw` makes nodes of the rest. */
export function withThumbs(text: string, draw: (piece: string) => readonly (Node | string)[]): (Node | string)[] {
  return text.split(/(👍|👎)/u).flatMap((piece) => {
    const thumb = isThumb(piece) ? thumbs.get(piece) : undefined;
    if (thumb === undefined) return piece === "" ? [] : [...draw(piece)];
    const { shape, says } = thumb;
    return [element("span.thumb", {}, icon(shape), element("span.hidden", {}, says))];
  });
}
