import { relativeText, wholeTime } from "../../parts/dates.ts";

/** A time: short, with all of it on hover. */
export function Time({ atMs, text = relativeText(atMs) }: { readonly atMs: number; readonly text?: string }) {
  return (
    <time datetime={new Date(atMs).toISOString()} title={wholeTime.format(atMs)}>
      {text}
    </time>
  );
}
