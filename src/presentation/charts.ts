/** The face of charts for those who draw them: the widths of text, and values as people read them. */
export { valueText } from "./charts/value-text.ts";
export { displayWidth, shortenToWidth } from "./drawing/display-width.ts";
