/**
 * Draws a chart as a picture from the server, with its table behind it. The browser chooses the light or the dark,
 * the wide or the narrow picture. Where there is no picture, it shows the table.
 */

import type { Block } from "../../../../src/core/document.ts";
import { darkMedia } from "../look/theme-switch.ts";
import { element, icon } from "./element.ts";
import { drawTable } from "./table.ts";

/** The points of the pictures; the room is kept while they load, so that nothing jumps. */
type Look = { readonly theme: "light" | "dark"; readonly width: "wide" | "narrow" };
type ChartBlock = Extract<Block, { readonly kind: "chart" }>;

/** The URL of a chart's picture, by its number in the message. */
export type PictureOf = (number: number, look: Look) => string | undefined;

const sizes = { wide: { width: 480, height: 280 }, narrow: { width: 330, height: 270 } };
const isNarrow = "(max-width: 480px)";

addEventListener("themechange", () => {
  for (const source of document.querySelectorAll<HTMLSourceElement>("source[data-dark-if]")) {
    source.media = darkMedia(source.dataset["darkIf"] ?? "");
  }
});

/** In reading order, as the server counts them. */
export function chartsIn(blocks: readonly Block[]): readonly ChartBlock[] {
  return blocks.flatMap((block) => {
    if (block.kind === "chart") return [block];
    return block.kind === "fold" ? chartsIn(block.blocks) : [];
  });
}

export function drawChart(
  block: ChartBlock,
  { charts, pictureOf }: { readonly charts: readonly ChartBlock[]; readonly pictureOf?: PictureOf | undefined },
): HTMLElement {
  const { chart, table } = block;
  const asTable = () => drawTable({ table, caption: [{ text: chart.title }] }, chart.title);
  if (pictureOf === undefined) return asTable();
  const url = (theme: Look["theme"], width: Look["width"]) => pictureOf(charts.indexOf(block), { theme, width });
  const source = (media: string, theme: Look["theme"], width: Look["width"]) =>
    element("source", { media, srcset: url(theme, width), ...sizes[width] });
  const darkSource = (more: string, width: Look["width"]) => {
    const made = source(darkMedia(more), "dark", width);
    made.dataset["darkIf"] = more;
    return made;
  };
  const picture: HTMLImageElement = element("img", {
    alt: chart.says,
    ...sizes.wide,
    decoding: "async",
    loading: "lazy",
    error: () => box.replaceChildren(asTable()),
  });
  const box: HTMLElement = element(
    "div.chart",
    {},
    element(
      "picture",
      {},
      darkSource(isNarrow, "narrow"),
      source(isNarrow, "light", "narrow"),
      darkSource("", "wide"),
      picture,
    ),
    element(
      "details.numbers",
      {},
      element("summary", {}, icon("unfold"), "Show the numbers"),
      drawTable({ table }, chart.title),
    ),
  );
  // Last: the sources beside it decide which picture is loaded.
  picture.src = url("light", "wide") ?? "";
  return box;
}
