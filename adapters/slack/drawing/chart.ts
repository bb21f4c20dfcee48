/** Draws a chart as Slack's own, if it is within its limits. */
import type { Chart } from "../../../src/core/model/chart.ts";
import { cleanText } from "../../../src/presentation/drawing.ts";
import { shorten } from "../../../src/presentation/sentences.ts";
import * as limits from "../limits.ts";
import type { DataVisualizationBlock } from "./slots.ts";

/** Undefined if Slack would refuse it: then its table says the same. */
export function chartBlock(chart: Chart): DataVisualizationBlock | undefined {
  const title = shorten(cleanText(chart.title), limits.maxChartTitleChars);
  const labels = chart.categories.map((label) => cleanText(label));
  const names = chart.series.map(({ name }) => cleanText(name));
  const isPossible =
    title !== "" &&
    areLabels(labels, limits.maxChartPoints) &&
    areLabels(names, limits.maxChartSeries) &&
    chart.series.every(({ values }) => values.length === labels.length && values.every(Number.isFinite));
  if (!isPossible) return undefined;
  const drawn = chart.kind === "pie" ? pie(chart, labels) : lines(chart, labels, names);
  return drawn && { type: "data_visualization", title, chart: drawn };
}

function pie({ series }: Chart, labels: readonly string[]) {
  const [only, ...others] = series;
  const isPie = others.length === 0 && labels.length <= limits.maxChartSegments;
  if (only === undefined || !isPie || !only.values.every((value) => value > 0)) return undefined;
  return { type: "pie", segments: labels.map((label, at) => ({ label, value: only.values[at] })) };
}

function lines({ kind, series, xLabel, yLabel }: Chart, categories: readonly string[], names: readonly string[]) {
  return {
    type: kind,
    series: series.map(({ values }, at) => ({
      name: names[at],
      data: categories.map((label, index) => ({ label, value: values[index] })),
    })),
    axis_config: { categories, ...axisLabel("x_label", xLabel), ...axisLabel("y_label", yLabel) },
  };
}

function axisLabel(name: "x_label" | "y_label", label = "") {
  const text = shorten(cleanText(label), limits.maxChartAxisChars);
  return text === "" ? {} : { [name]: text };
}

/** Some, all different, none empty or too long. */
function areLabels(labels: readonly string[], most: number): boolean {
  const areGood = labels.every((label) => label.trim() !== "" && label.length <= limits.maxChartLabelChars);
  return areGood && labels.length > 0 && labels.length <= most && new Set(labels).size === labels.length;
}
