/** The face of charts: which table becomes a chart, when, and the widths that drawing one needs. */
export { displayWidth, shortenToWidth } from "./drawing/display-width.ts";
