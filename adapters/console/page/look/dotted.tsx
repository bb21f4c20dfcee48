/** Short parts with dots between them, on lines that neither begin nor end with a dot. */
import type { ComponentChildren } from "preact";
import type { Inline, Span } from "../../../../src/core/document.ts";

const dot = " · ";

/**
 * Each part has its dot before it, in a margin that is cut off where a line begins. No part turns the direction of the
 * others; undefined and empty parts are left out.
 */
export function Dotted({ parts }: { readonly parts: readonly ComponentChildren[] }) {
  const known = parts.filter((part) => part !== undefined && part !== "");
  return (
    <span class="dotted">
      <span>
        {known.map((part, at) => (
          // Parts have no names, and their order is what they are.
          <span key={at}>
            {at === 0 ? undefined : <span class="between">{dot}</span>}
            <bdi>{part}</bdi>
          </span>
        ))}
      </span>
    </span>
  );
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
