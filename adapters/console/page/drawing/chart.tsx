/**
 * A chart as a picture from the server, with its table behind it. The browser chooses the light or the dark, the wide or
 * the narrow picture. Where there is no picture, the table is shown.
 */
import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import type { Block } from "../../../../src/core/document.ts";
import { darkMedia } from "../look/theme-switch.tsx";
import { Icon } from "../parts/icon.tsx";
import { TableFigure } from "./table.tsx";

type Look = { readonly theme: "light" | "dark"; readonly width: "wide" | "narrow" };
export type ChartBlock = Extract<Block, { readonly kind: "chart" }>;

/** The URL of a chart's picture, by its number in the message. */
export type PictureOf = (number: number, look: Look) => string;

/** The points of the pictures; the room is kept while they load, so that nothing jumps. */
const sizes = { wide: { width: 480, height: 280 }, narrow: { width: 330, height: 270 } };
const isNarrow = "(max-width: 480px)";

/** Where there is no picture: when it is asked for again. */
const againAfterMs = [3_000, 8_000, 20_000];

/** In reading order, as the server counts them. */
export function chartsIn(blocks: readonly Block[]): readonly ChartBlock[] {
  return blocks.flatMap((block) => {
    if (block.kind === "chart") return [block];
    return block.kind === "fold" ? chartsIn(block.blocks) : [];
  });
}

export function Chart({
  block: { chart, table },
  number,
  pictureOf,
}: {
  readonly block: ChartBlock;
  readonly number: number;
  readonly pictureOf: PictureOf | undefined;
}) {
  /** A picture that didn't come. */
  const [missing, setMissing] = useState<{ readonly url: string }>();
  const tries = useRef(0);
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const onChange = () => drawAgain(undefined);
    addEventListener("themechange", onChange);
    return () => removeEventListener("themechange", onChange);
  }, []);
  // After a timeout the server still finishes the picture, so asking again soon can succeed.
  useEffect(() => {
    const afterMs = againAfterMs[tries.current];
    if (missing === undefined || afterMs === undefined) return undefined;
    tries.current += 1;
    const image = new Image();
    image.onload = () => setMissing(undefined);
    image.onerror = () => setMissing({ ...missing });
    const timer = setTimeout(() => {
      image.src = missing.url;
    }, afterMs);
    return () => clearTimeout(timer);
  }, [missing]);
  if (pictureOf === undefined || missing !== undefined) {
    const asTable = <TableFigure table={table} caption={[{ text: chart.title }]} name={chart.title} />;
    return missing === undefined ? asTable : <div class="chart">{asTable}</div>;
  }
  const source = (media: string, theme: Look["theme"], width: Look["width"]) => (
    <source media={media} srcset={pictureOf(number, { theme, width })} {...sizes[width]} />
  );
  return (
    <div class="chart">
      <picture>
        {source(darkMedia(isNarrow), "dark", "narrow")}
        {source(isNarrow, "light", "narrow")}
        {source(darkMedia(""), "dark", "wide")}
        {/* Last: the sources before it decide which picture is loaded. */}
        <img
          alt={chart.says}
          {...sizes.wide}
          decoding="async"
          loading="lazy"
          src={pictureOf(number, { theme: "light", width: "wide" })}
          onError={(event) => setMissing({ url: event.currentTarget.currentSrc })}
        />
      </picture>
      <details class="numbers">
        <summary>
          <Icon name="unfold" />
          Show the numbers
        </summary>
        <TableFigure table={table} name={chart.title} />
      </details>
    </div>
  );
}
