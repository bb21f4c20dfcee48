/**
 * Draws a chart as a picture from the server, with its table behind it. The browser chooses the light or the dark,
 * the wide or the narrow picture. Where there is no picture, it shows the table.
 */

import { darkMedia } from "../look/theme-switch.js";
import { element, icon } from "./element.js";
import { drawTable } from "./table.js";

/** The points of the pictures; the room is kept while they load, so that nothing jumps. */
const sizes = { wide: { width: 480, height: 280 }, narrow: { width: 330, height: 270 } };
const isNarrow = "(max-width: 480px)";

addEventListener("themechange", () => {
  for (const source of document.querySelectorAll("source[data-dark-if]")) {
    source.media = darkMedia(source.dataset.darkIf);
  }
});

/** In reading order, as the server counts them. */
export function chartsIn(blocks) {
  return blocks.flatMap((block) => {
    if (block.kind === "chart") return [block];
    return block.kind === "fold" ? chartsIn(block.blocks) : [];
  });
}

export function drawChart(block, { charts = [], pictureOf }) {
  const { chart, table } = block;
  const asTable = () => drawTable({ table, caption: [{ text: chart.title }] }, chart.title);
  if (pictureOf === undefined) return asTable();
  const url = (theme, width) => pictureOf(charts.indexOf(block), { theme, width });
  const source = (media, theme, width) => element("source", { media, srcset: url(theme, width), ...sizes[width] });
  const darkSource = (more, width) => {
    const made = source(darkMedia(more), "dark", width);
    made.dataset.darkIf = more;
    return made;
  };
  const picture = element("img", {
    alt: chart.says,
    ...sizes.wide,
    decoding: "async",
    loading: "lazy",
    error: () => box.replaceChildren(asTable()),
  });
  const box = element(
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
  picture.src = url("light", "wide");
  return box;
}
