/** Small marks of a state: chips, lamps and thumbs. */
import type { ComponentChildren } from "preact";
import type { Thumb } from "../../../../src/core/model/turn.ts";
import { Icon } from "./icon.tsx";
import { numberText } from "./numbers.ts";

export type Tone = "good" | "warn" | "bad";

export function Chip({
  tone,
  isBusy = false,
  children,
}: {
  readonly tone?: Tone | undefined;
  readonly isBusy?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <span class={`chip${tone === undefined ? "" : ` is-${tone}`}${isBusy ? " is-busy" : ""}`} dir="auto">
      {children}
    </span>
  );
}

const thumbLooks = { up: { shape: "up", says: "thumbs up" }, down: { shape: "bad", says: "thumbs down" } } as const;

/** Thumbs "up" or "down", and perhaps how many. Drawn, because not every system has a font with a thumb. */
export function Thumbs({ thumb, count }: { readonly thumb: Thumb; readonly count?: number }) {
  const { shape, says } = thumbLooks[thumb];
  return (
    <span class="thumbs" title={says}>
      <Icon name={shape} />
      <span class="hidden">{says} </span>
      {count === undefined ? undefined : numberText(count)}
    </span>
  );
}

/** `says` is for those who don't see colours. */
export function Lamp({ tone, says }: { readonly tone: Tone; readonly says: string }) {
  return (
    <span class={`lamp is-${tone}`}>
      <span class="hidden">{says}</span>
    </span>
  );
}
