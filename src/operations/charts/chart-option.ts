/** Turns a Chart into options of the chart library, for one theme. Pure. */
import type { Chart, ChartTheme, ChartWidth } from "../../core/model/chart.ts";
import { displayWidth, shortenToWidth, valueText } from "../../presentation/charts.ts";
import { type Colours, colours } from "./colours.ts";

/** In points, and how many columns of fixed width the texts have. */
export const rooms = {
  wide: { width: 480, height: 280, titleColumns: 54, nameColumns: 18, labelColumns: 20, pie: "66%", pieLine: 8 },
  narrow: { width: 330, height: 270, titleColumns: 36, nameColumns: 13, labelColumns: 14, pie: "48%", pieLine: 5 },
} as const satisfies Record<ChartWidth, unknown>;

type Room = (typeof rooms)[ChartWidth];

const fontSize = 11;
const titleSize = 14;
const margin = 14;
/** Up to this many bars, each shows its value. */
const maxWithValues = 8;
/** More bars than these, one below the other, need smaller labels. */
const maxLargeLabels = 14;
const smallFontSize = 9;
/** Below the labels, for the name of an axis. */
const nameRoom = 18;
/** Below the title. */
const topOfGrid = 48;
/** Of a legend. */
const rowHeight = 18;
const markSize = 10;
const itemGap = 12;

/** An average: capitals and digits are wider, most small letters narrower. */
export function textWidth(text: string, size: number): number {
  return displayWidth(text) * size * 0.58;
}

/** Options of echarts. Text is passed by functions or as data: a template would read braces in a label. */
export function chartOption(
  chart: Chart,
  theme: ChartTheme,
  width: ChartWidth = "wide",
): Readonly<Record<string, unknown>> {
  const colour = colours[theme];
  const room = rooms[width];
  return {
    animation: false,
    backgroundColor: colour.background,
    textStyle: { fontFamily, fontSize, color: colour.text },
    title: {
      text: drawn(chart.title, room.titleColumns),
      left: margin,
      top: margin - 2,
      padding: 0,
      textStyle: { fontFamily, fontSize: titleSize, fontWeight: 600, color: colour.title },
    },
    ...(chart.kind === "pie" ? pie(chart, colour, room) : axes(chart, colour, room)),
  };
}

const fontFamily = "Inter, system-ui, sans-serif";

type Options = Readonly<Record<string, unknown>>;

function axes(chart: Chart, colour: Colours, room: Room): Options {
  const isLying = chart.kind === "bar" && !labelsFit(chart, room);
  const hasEndNames = chart.kind === "line";
  const hasLegend = !hasEndNames && chart.series.length > 1;
  const names = allDrawn(
    chart.series.map(({ name }) => name),
    room.nameColumns,
  );
  const besideBars = isLying && showsValues(chart) ? valueRoom(chart) : 0;
  const right = hasEndNames ? endRoom(chart, names) : margin + 6 + besideBars;
  const categories = {
    type: "category",
    data: allDrawn(chart.categories, room.labelColumns),
    boundaryGap: chart.kind === "bar",
    inverse: isLying,
    // Labels stay at the edge where values are negative.
    axisLine: { onZero: false, lineStyle: { color: colour.grid } },
    axisTick: { show: false },
    axisLabel: { color: colour.quiet, ...(isLying ? allLabels(chart) : { fontSize, hideOverlap: true }) },
    ...axisName(chart.xLabel, { colour, room, isUpright: isLying }),
  };
  const values = {
    type: "value",
    splitNumber: 4,
    axisLabel: { color: colour.quiet, fontSize, formatter: (value: number) => valueText(value) },
    splitLine: { lineStyle: { color: colour.grid } },
    ...axisName(chart.yLabel, { colour, room, isUpright: !isLying }),
  };
  return {
    grid: {
      left: margin,
      right,
      top: topOfGrid + (hasLegend ? legendRows(names, room) * rowHeight : 0),
      bottom: margin + ((isLying ? chart.yLabel : chart.xLabel) === undefined ? 0 : nameRoom),
      outerBoundsMode: "same",
      outerBoundsContain: "axisLabel",
    },
    ...(hasLegend ? { legend: legend(names, colour) } : {}),
    xAxis: isLying ? values : categories,
    yAxis: isLying ? categories : values,
    series: chart.series.map((one, index) => ({
      ...series(chart, index, names[index] ?? one.name, colour),
      ...(showsValues(chart) ? { label: barValues(colour, isLying) } : {}),
    })),
  };
}

function showsValues({ kind, series, categories }: Chart): boolean {
  const isAbove = series[0]?.values.every((value) => value >= 0) === true;
  return kind === "bar" && series.length === 1 && categories.length <= maxWithValues && isAbove;
}

/** Right of the longest bar. */
function valueRoom({ series: [one] }: Chart): number {
  return Math.ceil(Math.max(...(one?.values ?? []).map((value) => textWidth(valueText(value), fontSize))));
}

/** Beyond the end of each bar. */
function barValues(colour: Colours, isLying: boolean): Options {
  const formatter = ({ value }: { readonly value: unknown }) => (typeof value === "number" ? valueText(value) : "");
  return { show: true, position: isLying ? "right" : "top", color: colour.text, fontSize, formatter };
}

/** Beside each other below upright bars, or as far apart as 20 points of a line need. */
function labelsFit({ categories, kind }: Chart, { width, labelColumns }: Room): boolean {
  if (kind !== "bar") return true;
  const perLabel = (width - 80) / categories.length;
  return allDrawn(categories, labelColumns).every((label) => textWidth(label, fontSize) < perLabel - 4);
}

/** Each bar has its own. */
function allLabels({ categories }: Chart): Options {
  return { fontSize: categories.length > maxLargeLabels ? smallFontSize : fontSize, interval: 0 };
}

type AxisLook = { readonly colour: Colours; readonly room: Room; readonly isUpright: boolean };

function axisName(name: string | undefined, { colour, room, isUpright }: AxisLook): Options {
  if (name === undefined) return {};
  const nameTextStyle = { color: colour.quiet, fontSize };
  const shown = drawn(name, room.nameColumns * 2);
  return isUpright
    ? { name: shown, nameLocation: "end", nameGap: 8, nameTextStyle: { ...nameTextStyle, align: "left" } }
    : { name: shown, nameLocation: "middle", nameGap: 24, nameTextStyle };
}

/** Names that don't fit one row continue in the next. */
function legendRows(names: readonly string[], { width }: Room): number {
  const most = width - 2 * margin;
  let rows = 1;
  let used = 0;
  for (const name of names) {
    const item = markSize + 5 + textWidth(name, fontSize) + itemGap;
    if (used > 0 && used + item > most) {
      rows += 1;
      used = 0;
    }
    used += item;
  }
  return rows;
}

function legend(names: readonly string[], colour: Colours): Options {
  return {
    type: "plain",
    data: names,
    left: margin,
    top: margin + titleSize + 6,
    padding: 0,
    itemWidth: markSize,
    itemHeight: markSize,
    itemGap,
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

function pie({ categories, series }: Chart, colour: Colours, room: Room): Options {
  const values = series[0]?.values ?? [];
  const total = values.reduce((sum, value) => sum + value, 0);
  return {
    series: [
      {
        type: "pie",
        radius: ["0%", room.pie],
        center: ["50%", "57%"],
        data: allDrawn(categories, room.nameColumns).map((name, index) => ({
          name,
          value: values[index] ?? 0,
          itemStyle: {
            color: index === 0 ? colour.accent : colour.others[(index - 1) % colour.others.length],
            borderColor: colour.background,
            borderWidth: 2,
          },
        })),
        label: {
          // Below each other: moved apart only, those of small parts would lie on the pie.
          alignTo: "labelLine",
          bleedMargin: 2,
          color: colour.text,
          fontSize,
          lineHeight: 14,
          formatter: ({ name, value }: { readonly name: string; readonly value: number }) =>
            `${name}\n${shareText(value, total)}`,
        },
        labelLine: { lineStyle: { color: colour.quiet }, length: 8, length2: room.pieLine },
      },
    ],
  };
}

/** Values that are percentages already say it once. */
function shareText(value: number, total: number): string {
  const share = `${Math.round((value / total) * 100)}%`;
  return Math.abs(total - 100) < 0.5 ? share : `${valueText(value)} (${share})`;
}

/** All different: a legend shows the same name once, and two bars of that name can't be told apart. */
function allDrawn(texts: readonly string[], columns: number): readonly string[] {
  const used = new Set<string>();
  return texts.map((text) => {
    let shown = drawn(text, columns);
    for (let number = 2; used.has(shown); number++) {
      const suffix = ` ${number}`;
      shown = `${drawn(text, columns - suffix.length)}${suffix}`;
    }
    used.add(shown);
    return shown;
  });
}

/**
 * One line that XML can hold. The library keeps widths of texts in plain objects, so that a text named like a property
 * that all objects have ("__proto__") would change every later chart: a space that doesn't break follows it.
 */
function drawn(text: string, columns: number): string {
  const oneLine = text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no place for them, not even escaped.
    .replace(/[\u0000-\u001F\u007F\uFFFE\uFFFF]+/g, " ")
    .trim();
  const shown = shortenToWidth(oneLine, columns);
  return shown in {} ? `${shown}\u00A0` : shown;
}
