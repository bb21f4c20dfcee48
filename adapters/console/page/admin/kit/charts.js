/**
 * Small charts as SVG: stacked bars per day, lines, ticks and a split bar. Each has its numbers as a table for those who
 * can't see it. Sizes are attributes, since the page's policy allows no inline styles.
 */
import { svgElement as drawn, element } from "../../drawing/element.ts";
import { numberText } from "./numbers.js";

/** A round number that is at least `most`: 10, 20, 40, 50, 80, 100, … */
function niceTop(most) {
  if (most <= 4) return 4;
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 4, 5, 8, 10].map((factor) => factor * power).find((top) => top >= most);
}

/** What a chart shows, as a table for everyone who opens it, and for screen readers. `note`: what is counted. */
export function numbersTable({ caption, heads, rows, note }) {
  return element(
    "details.numbers",
    {},
    element("summary", {}, "Show the numbers"),
    element("p.note", {}, note),
    element(
      "div.numbers-box",
      { tabindex: "0", role: "region", "aria-label": caption },
      element(
        "table",
        {},
        element("caption.hidden", {}, caption),
        element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
        element(
          "tbody",
          {},
          ...rows.map(([first, ...rest]) =>
            element("tr", {}, element("th", { scope: "row" }, first), ...rest.map((cell) => element("td", {}, cell))),
          ),
        ),
      ),
    ),
  );
}

/**
 * Stacked bars. `days`: `[{ label, isLabelled, parts: [bottom, top], says }]`; `looks`: a class for each part. Drawn for
 * the width it has, and again when that changes, so that text keeps its size.
 */
export function stackedBars({ label, days, looks, height = 214 }) {
  const box = element("div.bars", {});
  const tip = element("div.tip", { "aria-hidden": "true", hidden: true });
  const top = niceTop(Math.max(...days.map(({ parts }) => parts.reduce((a, b) => a + b, 0))));
  const lines = top === 4 ? 4 : top % 8 === 0 || top % 4 === 0 ? 4 : 5;
  let drawnWidth = 0;

  function draw(width) {
    const [left, bottom, above] = [String(numberText(top)).length * 7 + 10, 24, 8];
    const step = (width - left) / days.length;
    const barWidth = Math.max(2, Math.min(34, step * 0.64));
    const y = (value) => height - bottom - ((height - bottom - above) * value) / top;
    const grid = Array.from({ length: lines + 1 }, (_, at) => (top * at) / lines).flatMap((value) => [
      drawn("line", { class: "grid", x1: left, x2: width, y1: y(value), y2: y(value) }),
      drawn("text", { x: left - 8, y: y(value) + 4, "text-anchor": "end" }, numberText(value)),
    ]);
    const bars = days.flatMap(({ parts }, day) => {
      const x = left + step * (day + 0.5) - barWidth / 2;
      let from = 0;
      return parts.flatMap((part, at) => {
        const rect = drawn("rect", {
          class: looks[at],
          x: x.toFixed(1),
          y: y(from + part).toFixed(1),
          width: barWidth.toFixed(1),
          height: Math.max(0, y(from) - y(from + part)).toFixed(1),
          rx: Math.min(2, barWidth / 2),
        });
        from += part;
        return part === 0 ? [] : [rect];
      });
    });
    const zones = days.map(({ says }, day) => {
      const zone = drawn("rect", { class: "zone", x: left + step * day, y: 0, width: step, height: height - bottom });
      zone.addEventListener("pointerenter", () => showTip(says, left + step * (day + 0.5), width));
      return zone;
    });
    const labels = days.flatMap(({ label: words, isLabelled }, day) =>
      isLabelled && left + step * (day + 0.5) + halfName <= width + outside
        ? [drawn("text", { x: (left + step * (day + 0.5)).toFixed(1), y: height - 5, "text-anchor": "middle" }, words)]
        : [],
    );
    const svg = drawn(
      "svg",
      { class: "chart", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label },
      ...grid,
      ...bars,
      ...labels,
      ...zones,
    );
    svg.addEventListener("pointerleave", () => {
      tip.hidden = true;
    });
    box.replaceChildren(svg, tip);
  }

  function showTip(says, at, width) {
    tip.replaceChildren(...says.map((line, index) => element(index === 0 ? "b" : "span", {}, line)));
    tip.hidden = false;
    // Through the object model: the policy forbids style attributes only.
    tip.style.left = `${Math.min(Math.max(at, 70), width - 70)}px`;
  }

  new ResizeObserver(([entry]) => {
    const width = Math.round(entry.contentRect.width);
    if (width === drawnWidth || width < 40) return;
    drawnWidth = width;
    draw(width);
  }).observe(box);
  return box;
}

/** How far a day's name may reach beyond its chart, and half of what it takes. */
const outside = 10;
const halfName = 19;

const sparkWidth = 200;
const sparkHeight = 34;

function sparkSvg(...children) {
  return drawn(
    "svg",
    { class: "spark", viewBox: `0 0 ${sparkWidth} ${sparkHeight}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    ...children,
  );
}

/** Lines over the same scale, the first one on top. `lists`: `{ values, look }`; undefined values are gaps. */
export function sparkLines(lists, { low, high } = {}) {
  const all = lists.flatMap(({ values }) => values).filter((value) => value !== undefined);
  const from = low ?? Math.min(...all);
  const range = (high ?? Math.max(...all)) - from || 1;
  const paths = lists.map(({ values, look = "" }) => {
    const points = values.flatMap((value, at) => {
      if (value === undefined) return [];
      const x = values.length === 1 ? sparkWidth / 2 : (sparkWidth * at) / (values.length - 1);
      return [`${x.toFixed(1)},${(sparkHeight - 2 - ((sparkHeight - 4) * (value - from)) / range).toFixed(1)}`];
    });
    return drawn("polyline", { class: `spark-line ${look}`, points: points.join(" ") });
  });
  return sparkSvg(...paths.reverse());
}

/** One tick per value: nothing is a faint dot, everything else a tick of its height. */
export function sparkTicks(values) {
  const most = Math.max(1, ...values);
  const step = sparkWidth / values.length;
  return sparkSvg(
    ...values.map((value, at) => {
      const height = value === 0 ? 1.5 : Math.max(6, (sparkHeight * value) / Math.max(most, 3));
      return drawn("rect", {
        class: value === 0 ? "tick-none" : "tick",
        x: (at * step + step * 0.15).toFixed(1),
        y: (sparkHeight - height).toFixed(1),
        width: (step * 0.7).toFixed(1),
        height: height.toFixed(1),
        rx: 1,
      });
    }),
  );
}

/** Two parts of a whole. */
export function splitBar(first, second) {
  const total = first + second;
  const at = total === 0 ? 0 : Math.round((sparkWidth * first) / total);
  const gap = first > 0 && second > 0 ? 1.5 : 0;
  const bar = (look, x, width) => drawn("rect", { class: look, x, y: 0, width: Math.max(0, width), height: 8, rx: 3 });
  return drawn(
    "svg",
    { class: "split", viewBox: `0 0 ${sparkWidth} 8`, preserveAspectRatio: "none", "aria-hidden": "true" },
    ...(total === 0
      ? [bar("split-none", 0, sparkWidth)]
      : [bar("split-first", 0, at - gap), bar("split-second", at + gap, sparkWidth - at - gap)]),
  );
}

/** A bar of a share between 0 and 1. `look`: "bad", or none. */
export function shareBar(share, look) {
  const width = Math.max(share > 0 ? 2 : 0, Math.min(1, share) * sparkWidth);
  return drawn(
    "svg",
    {
      class: `share${look === undefined ? "" : ` is-${look}`}`,
      viewBox: `0 0 ${sparkWidth} 5`,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    },
    drawn("rect", { class: "share-whole", x: 0, y: 0, width: sparkWidth, height: 5, rx: 2.5 }),
    drawn("rect", { class: "share-part", x: 0, y: 0, width: width.toFixed(1), height: 5, rx: 2.5 }),
  );
}
