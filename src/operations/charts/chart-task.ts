/** What Parley asks of the child process that draws charts. */
import type { Chart, ChartTheme, ChartWidth } from "../../core/model/chart.ts";

export type PictureFormat = "svg" | "png";

export type ChartTask = {
  readonly chart: Chart;
  readonly theme: ChartTheme;
  readonly width: ChartWidth;
  readonly as: PictureFormat;
};

/** SVG as text, PNG in base64: messages to a child process are JSON. */
export type Drawn = string;
