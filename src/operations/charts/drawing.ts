/** Draws a Chart as SVG and as PNG. Runs in the child process alone: the libraries are large. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { BarChart, LineChart, PieChart } from "echarts/charts";
import { GridComponent, LegendComponent, MarkPointComponent, TitleComponent } from "echarts/components";
import { init, setPlatformAPI, use } from "echarts/core";
import { LabelLayout } from "echarts/features";
import { SVGRenderer } from "echarts/renderers";
import type { Chart, ChartTheme, ChartWidth } from "../../core/model/chart.ts";
import { chartOption, rooms, textWidth } from "./chart-option.ts";

use([
  BarChart,
  LineChart,
  PieChart,
  GridComponent,
  LegendComponent,
  MarkPointComponent,
  TitleComponent,
  SVGRenderer,
  LabelLayout,
]);
// What is drawn in a chart must not reach the next one. Existing properties stay as they are.
Object.preventExtensions(Object.prototype);
// There is no canvas to measure text with.
setPlatformAPI({
  measureText: (text, font) => ({ width: textWidth(text, sizeIn(font) ?? 12) }),
});

/** Twice the size in points, for dense screens. */
const pngWidth = rooms.wide.width * 2;

export function drawSvg(chart: Chart, theme: ChartTheme, inWidth: ChartWidth): string {
  const { width, height } = rooms[inWidth];
  const drawing = init(null, null, { renderer: "svg", ssr: true, width, height });
  try {
    drawing.setOption(chartOption(chart, theme, inWidth));
    return drawing.renderToSVGString();
  } finally {
    drawing.dispose();
  }
}

/** A picture on a page can't load the page's font, so it has its own: the Latin letters, 29 kB each. */
const ownFonts = [
  { weight: 400, file: "inter-ui/web-latin/Inter-Regular-subset.woff2" },
  { weight: 600, file: "inter-ui/web-latin/Inter-SemiBold-subset.woff2" },
] as const;
let ownStyle: Promise<string> | undefined;

async function readOwnStyle(): Promise<string> {
  const faces = ownFonts.map(async ({ weight, file }) => {
    const url = `data:font/woff2;base64,${(await packageFile(file)).toString("base64")}`;
    return `@font-face{font-family:Inter;font-weight:${weight};src:url(${url})}`;
  });
  return `<style>${(await Promise.all(faces)).join("")}</style>`;
}

/** The drawing with its fonts, for a browser. */
export async function withFonts(svg: string): Promise<string> {
  ownStyle ??= readOwnStyle();
  const style = await ownStyle;
  return svg.replace(/^<svg[^>]*>/, (start) => `${start}${style}`);
}

/** Whole fonts: those cut by script are not combined, and a name with several scripts would show boxes. */
const fonts = ["inter-ui/web/Inter-Regular.woff2", "inter-ui/web/Inter-SemiBold.woff2"];
const wasm = "@resvg/resvg-wasm/index_bg.wasm";
let loading: Promise<readonly Uint8Array[]> | undefined;

const packageFile = (path: string) => readFile(fileURLToPath(import.meta.resolve(path)));

async function load(): Promise<readonly Uint8Array[]> {
  await initWasm(await packageFile(wasm));
  return Promise.all(fonts.map(packageFile));
}

export async function drawPng(svg: string): Promise<Uint8Array> {
  loading ??= load();
  const fontBuffers = [...(await loading)];
  const renderer = new Resvg(withOneBoxEach(svg), {
    fitTo: { mode: "width", value: pngWidth },
    font: { fontBuffers, defaultFontFamily: "Inter", sansSerifFamily: "Inter", loadSystemFonts: false },
  });
  try {
    const picture = renderer.render();
    try {
      return picture.asPng();
    } finally {
      picture.free();
    }
  } finally {
    renderer.free();
  }
}

/**
 * The font has no emoji. One that is joined of several would have a box for each, which lie on the text after it, because
 * together they take the room of one.
 */
function withOneBoxEach(svg: string): string {
  return svg.replace(/\u200D\p{Extended_Pictographic}|[\uFE0F\u{1F3FB}-\u{1F3FF}]/gu, "");
}

/** In pixels: the size in a CSS font ("600 12px Inter, sans-serif"). */
function sizeIn(font: string | undefined): number | undefined {
  const size = font?.split(" ").find((word) => word.endsWith("px"));
  return size === undefined ? undefined : Number.parseFloat(size);
}
