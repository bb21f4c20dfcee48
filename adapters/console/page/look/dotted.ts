/** Draws short parts with dots between them, on lines that neither begin nor end with a dot. */
import type { Inline, Span } from "../../../../src/core/document.ts";
import { type Children, element } from "../drawing/element.ts";

const dot = " · ";

/**
 * Each part has its dot before it, in a margin that is cut off where a line begins. No part turns the direction of the
 * others; undefined parts are left out.
 */
export function dotted(parts: readonly Children[]): HTMLElement {
  const known = parts.filter((part) => part !== undefined && part !== "");
  const drawn = known.map((part, at) =>
    element("span", {}, at === 0 ? undefined : element("span.between", {}, dot), element("bdi", {}, part)),
  );
  return element("span.dotted", {}, element("span", {}, ...drawn));
}

/** The spans of each part of a line. */
export function partsOf(spans: Inline): readonly Inline[] {
  const parts: Span[][] = [[]];
  for (const span of spans) {
    for (const [at, text] of span.text.split(dot).entries()) {
      if (at > 0) parts.push([]);
      if (text !== "") parts.at(-1)?.push({ ...span, text });
    }
  }
  return parts.filter((part) => part.length > 0);
}
