/** What the chart library is told to draw: a Chart as its options, for one theme. Pure. */
import type { Chart, ChartTheme } from "../ports/model/chart.ts";
import { displayWidth, shortenToWidth, valueText } from "../presentation/charts.ts";
import { type Colours, colours } from "./colours.ts";

export const chartWidth = 480;
export const chartHeight = 280;

const fontSize = 11;
const titleSize = 14;
const margin = 14;
/** Titles longer than this leave the picture. In columns of fixed width, like all widths here. */
const maxTitleColumns = 54;
const maxNameColumns = 18;
const maxLabelColumns = 20;
/** More bars than these, one below the other, need smaller labels. */
const maxLargeLabels = 14;
const smallFontSize = 9;
/** Below the labels, for the name of an axis. */
const nameRoom = 18;
/** Below the title, and below the title and a legend. */
const topOfGrid = 48;
const topBelowLegend = 66;

/** An average: capitals and digits are wider, most small letters narrower. */
export function textWidth(text: string, size: number): number {
  return displayWidth(text) * size * 0.58;
}

/** Options of echarts. Text is passed by functions or as data: a template would read braces in a label. */
export function chartOption(chart: Chart, theme: ChartTheme): Readonly<Record<string, unknown>> {
  const colour = colours[theme];
  return {
    animation: false,
    backgroundColor: colour.background,
    textStyle: { fontFamily, fontSize, color: colour.text },
    title: {
      text: drawn(chart.title, maxTitleColumns),
      left: margin,
      top: margin - 2,
      padding: 0,
      textStyle: { fontFamily, fontSize: titleSize, fontWeight: 600, color: colour.title },
    },
    ...(chart.kind === "pie" ? pie(chart, colour) : axes(chart, colour)),
  };
}

const fontFamily = "Inter, system-ui, sans-serif";

type Options = Readonly<Record<string, unknown>>;

function axes(chart: Chart, colour: Colours): Options {
  const isLying = chart.kind === "bar" && !labelsFit(chart);
  const hasEndNames = chart.kind === "line";
  const hasLegend = !hasEndNames && chart.series.length > 1;
  const names = chart.series.map(({ name }) => drawn(name, maxNameColumns));
  const right = hasEndNames ? endRoom(chart, names) : margin + 6;
  const categories = {
    type: "category",
    data: chart.categories.map((label) => drawn(label, maxLabelColumns)),
    boundaryGap: chart.kind === "bar",
    inverse: isLying,
    // Labels stay at the edge where values are negative.
    axisLine: { onZero: false, lineStyle: { color: colour.grid } },
    axisTick: { show: false },
    axisLabel: { color: colour.quiet, ...(isLying ? allLabels(chart) : { fontSize, hideOverlap: true }) },
    ...axisName(chart.xLabel, colour, isLying),
  };
  const values = {
    type: "value",
    splitNumber: 4,
    axisLabel: { color: colour.quiet, fontSize, formatter: (value: number) => valueText(value) },
    splitLine: { lineStyle: { color: colour.grid } },
    ...axisName(chart.yLabel, colour, !isLying),
  };
  return {
    grid: {
      left: margin,
      right,
      top: hasLegend ? topBelowLegend : topOfGrid,
      bottom: margin + ((isLying ? chart.yLabel : chart.xLabel) === undefined ? 0 : nameRoom),
      outerBoundsMode: "same",
      outerBoundsContain: "axisLabel",
    },
    ...(hasLegend ? { legend: legend(names, colour) } : {}),
    xAxis: isLying ? values : categories,
    yAxis: isLying ? categories : values,
    series: chart.series.map((one, index) => series(chart, index, names[index] ?? one.name, colour)),
  };
}

/** Beside each other below upright bars, or as far apart as 20 points of a line need. */
function labelsFit({ categories, kind }: Chart): boolean {
  if (kind !== "bar") return true;
  const room = (chartWidth - 80) / categories.length;
  return categories.every((label) => textWidth(drawn(label, maxLabelColumns), fontSize) < room - 4);
}

/** Each bar has its own. */
function allLabels({ categories }: Chart): Options {
  return { fontSize: categories.length > maxLargeLabels ? smallFontSize : fontSize, interval: 0 };
}

function axisName(name: string | undefined, colour: Colours, isUpright: boolean): Options {
  if (name === undefined) return {};
  const nameTextStyle = { color: colour.quiet, fontSize };
  const shown = drawn(name, maxNameColumns * 2);
  return isUpright
    ? { name: shown, nameLocation: "end", nameGap: 8, nameTextStyle: { ...nameTextStyle, align: "left" } }
    : { name: shown, nameLocation: "middle", nameGap: 24, nameTextStyle };
}

function legend(names: readonly string[], colour: Colours): Options {
  return {
    type: "plain",
    data: names,
    left: margin,
    top: margin + titleSize + 6,
    padding: 0,
    itemWidth: 10,
    itemHeight: 10,
    itemGap: 12,
    icon: "roundRect",
    textStyle: { color: colour.text, fontSize },
  };
}

function series({ kind, series, categories }: Chart, index: number, name: string, colour: Colours): Options {
  const one = series[index];
  const own = colourOf(series, index, colour);
  const shared = { name, data: one?.values ?? [], itemStyle: { color: own } };
  if (kind === "bar") return { ...shared, type: "bar", barMaxWidth: 36, barGap: "10%" };
  const isAccent = one?.isAccent === true;
  const last = one?.values.at(-1);
  return {
    ...shared,
    type: "line",
    z: isAccent ? 3 : 2,
    lineStyle: { color: own, width: isAccent ? 2.5 : 1.8 },
    symbol: "circle",
    symbolSize: isAccent ? 7 : 6,
    // Only the last point of a line has a mark, beside its name.
    showSymbol: categories.length === 1,
    ...(kind === "area" ? { stack: "all", areaStyle: { color: own, opacity: 0.55 } } : {}),
    ...(kind === "line"
      ? {
          endLabel: {
            show: true,
            distance: 8,
            color: own,
            fontSize,
            fontWeight: 600,
            lineHeight: 14,
            formatter: () => `${name}\n${last === undefined ? "" : valueText(last)}`,
          },
          labelLayout: { moveOverlap: "shiftY" },
          markPoint: {
            silent: true,
            symbol: "circle",
            symbolSize: isAccent ? 8 : 7,
            label: { show: false },
            data: [{ coord: [categories.length - 1, last ?? 0] }],
          },
        }
      : {}),
  };
}

/** The room that names and last values need beside the ends of lines. */
function endRoom({ series }: Chart, names: readonly string[]): number {
  const texts = [...names, ...series.map(({ values }) => valueText(values.at(-1) ?? 0))];
  return Math.ceil(Math.max(...texts.map((text) => textWidth(text, fontSize + 0.5)))) + margin + 10;
}

function colourOf(series: Chart["series"], index: number, colour: Colours): string {
  if (series[index]?.isAccent === true) return colour.accent;
  const before = series.slice(0, index).filter(({ isAccent }) => isAccent !== true).length;
  return colour.others[before % colour.others.length] ?? colour.accent;
}

function pie({ categories, series }: Chart, colour: Colours): Options {
  const values = series[0]?.values ?? [];
  const total = values.reduce((sum, value) => sum + value, 0);
  return {
    series: [
      {
        type: "pie",
        radius: ["0%", "66%"],
        center: ["50%", "57%"],
        data: categories.map((label, index) => ({
          name: drawn(label, maxNameColumns),
          value: values[index] ?? 0,
          itemStyle: {
            color: index === 0 ? colour.accent : colour.others[(index - 1) % colour.others.length],
            borderColor: colour.background,
            borderWidth: 2,
          },
        })),
        label: {
          color: colour.text,
          fontSize,
          lineHeight: 14,
          formatter: ({ name, value }: { readonly name: string; readonly value: number }) =>
            `${name}\n${shareText(value, total)}`,
        },
        labelLine: { lineStyle: { color: colour.quiet }, length: 8, length2: 8 },
      },
    ],
  };
}

/** Values that are percentages already say it once. */
function shareText(value: number, total: number): string {
  const share = `${Math.round((value / total) * 100)}%`;
  return Math.abs(total - 100) < 0.5 ? share : `${valueText(value)} (${share})`;
}

/** One line that XML can hold. */
function drawn(text: string, columns: number): string {
  const oneLine = text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no place for them, not even escaped.
    .replace(/[\u0000-\u001F\u007F\uFFFE\uFFFF]+/g, " ")
    .trim();
  return shortenToWidth(oneLine, columns);
}
