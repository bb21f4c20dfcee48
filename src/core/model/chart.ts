/** A chart, neutral of any platform: numbers under named categories, to be drawn beside the table they come from. */

export type ChartKind = "line" | "bar" | "area" | "pie";

export type ChartSeries = {
  readonly name: string;
  /** One finite number per category. */
  readonly values: readonly number[];
  /** The series that the question is about: drawn in the accent colour. At most one. */
  readonly isAccent?: true;
};

/** Texts come from tables, so they are untrusted. A pie has one series. */
export type Chart = {
  readonly kind: ChartKind;
  readonly title: string;
  /** In the order of drawing; all different. */
  readonly categories: readonly string[];
  readonly series: readonly ChartSeries[];
  readonly xLabel?: string;
  readonly yLabel?: string;
  /** The chart in words, with its main number: for screen readers and notifications. */
  readonly says: string;
};

export type ChartTheme = "light" | "dark";

/** Narrow pictures are for phones: fewer points across, letters of the same size. */
export type ChartWidth = "wide" | "narrow";

/** Pictures of charts. Undefined when a picture can't be made, or not in time: the table is shown instead. Never reject. */
export type ChartPictures = {
  readonly png: (chart: Chart, theme: ChartTheme) => Promise<Buffer | undefined>;
  readonly svg: (chart: Chart, theme: ChartTheme, width?: ChartWidth) => Promise<Buffer | undefined>;
};
