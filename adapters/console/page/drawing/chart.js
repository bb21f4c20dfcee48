/**
 * Draws a chart as a picture from the server, with its table behind it. The browser chooses the light or the dark
 * picture. Where there is no picture, it shows the table.
 */
import { element, icon } from "./element.js";
import { drawTable } from "./table.js";

/** The points of a picture; the room is kept while it loads, so that nothing jumps. */
const width = 480;
const height = 280;

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
  const url = (theme) => pictureOf(charts.indexOf(block), theme);
  const picture = element("img", {
    alt: chart.says,
    width,
    height,
    decoding: "async",
    loading: "lazy",
    error: () => box.replaceChildren(asTable()),
  });
  const box = element(
    "div.chart",
    {},
    element("picture", {}, element("source", { media: "(prefers-color-scheme: dark)", srcset: url("dark") }), picture),
    element(
      "details.numbers",
      {},
      element("summary", {}, icon("unfold"), "Show the numbers"),
      drawTable({ table }, chart.title),
    ),
  );
  // Last: the source beside it decides which picture is loaded.
  picture.src = url("light");
  return box;
}
