/** Thumbs in texts are drawn, because not every system has a font with them. */
import type { ComponentChildren } from "preact";
import type { Thumb } from "../../../../src/core/model/turn.ts";
import { Icon } from "../parts/icon.tsx";

/** Which vote a button stands for. */
export function thumbOf(actionId: string): Thumb | undefined {
  if (actionId === "thumb-up") return "up";
  return actionId === "thumb-down" ? "down" : undefined;
}

function DrawnThumb({ thumb }: { readonly thumb: Thumb }) {
  return (
    <span class="thumb">
      <Icon name={thumb === "up" ? "up" : "bad"} />
      <span class="hidden">{`thumbs ${thumb}`}</span>
    </span>
  );
}

/** Text with its thumbs drawn; `draw` draws the rest of it. */
export function WithThumbs({
  text,
  draw = (piece) => piece,
}: {
  readonly text: string;
  readonly draw?: (piece: string) => ComponentChildren;
}) {
  return (
    <>
      {text.split(/(👍|👎)/u).map((piece, index) => {
        if (piece !== "👍" && piece !== "👎") return piece === "" ? undefined : draw(piece);
        // Pieces of one text, in their order.
        return <DrawnThumb key={index} thumb={piece === "👍" ? "up" : "down"} />;
      })}
    </>
  );
}
