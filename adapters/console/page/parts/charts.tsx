/**
 * Small charts as SVG: stacked bars per day, lines, ticks and a split bar. Each has its numbers as a table for those who
 * can't see it. Sizes are attributes, since the page's policy allows no inline styles.
 */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "./icon.tsx";
import { numberText } from "./numbers.ts";

/** A round number that is at least `most`: 10, 20, 40, 50, 80, 100, … */
function niceTop(most: number): number {
  if (most <= 4) return 4;
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 4, 5, 8, 10].map((factor) => factor * power).find((top) => top >= most) ?? most;
}

/** What a chart shows, as a table for everyone who opens it, and for screen readers. `note`: what is counted. */
export function NumbersTable({
  caption,
  heads,
  rows,
  note,
}: {
  readonly caption: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly note: string;
}) {
  return (
    <details class="numbers">
      <summary>
        <Icon name="unfold" />
        Show the numbers
      </summary>
      <p class="note">{note}</p>
      <div class="numbers-box" tabindex={0} role="region" aria-label={caption}>
        <table>
          <caption class="hidden">{caption}</caption>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([first, ...rest]) => (
              <tr key={first}>
                <th scope="row">{first}</th>
                {rest.map((cell, at) => (
                  <td key={heads[at + 1]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

export type Bar = {
  readonly key: string;
  readonly label: string;
  readonly isLabelled: boolean;
  readonly parts: readonly number[];
  /** Shown where the pointer is. */
  readonly says: readonly string[];
};

/** How far a day's name may reach beyond its chart, and half of what it takes. */
const outside = 10;
/** So few bars have their values above them. */
const maxWithValues = 8;
const halfName = 19;

/** Stacked bars, drawn for the width that they have, so that text keeps its size. `looks`: a class for each part. */
export function StackedBars({
  label,
  days,
  looks,
  height = 214,
}: {
  readonly label: string;
  readonly days: readonly Bar[];
  readonly looks: readonly string[];
  readonly height?: number;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [pointed, setPointed] = useState<number>();
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const now = Math.round(entry?.contentRect.width ?? 0);
      if (now >= 40) setWidth(now);
    });
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);

  const sum = (parts: readonly number[]) => parts.reduce((a, b) => a + b, 0);
  const top = niceTop(Math.max(...days.map(({ parts }) => sum(parts))));
  const lines = top === 4 ? 4 : top % 8 === 0 || top % 4 === 0 ? 4 : 5;
  const hasValues = days.length <= maxWithValues;
  const [left, bottom, above] = [numberText(top).length * 7 + 10, 24, hasValues ? 20 : 8];
  const step = (width - left) / days.length;
  const barWidth = Math.max(2, Math.min(34, step * 0.64));
  const y = (value: number) => height - bottom - ((height - bottom - above) * value) / top;
  const middle = (day: number) => left + step * (day + 0.5);
  const tip = pointed === undefined ? undefined : days[pointed];

  return (
    <div class="bars" ref={box}>
      {width === 0 ? undefined : (
        <svg
          class="plot"
          viewBox={`0 0 ${width} ${height}`}
          width={width}
          height={height}
          role="img"
          aria-label={label}
          onPointerLeave={() => setPointed(undefined)}
        >
          {Array.from({ length: lines + 1 }, (_, at) => (top * at) / lines).map((value) => (
            <g key={`at ${value}`}>
              <line class="grid" x1={left} x2={width} y1={y(value)} y2={y(value)} />
              <text x={left - 8} y={y(value) + 4} text-anchor="end">
                {numberText(value)}
              </text>
            </g>
          ))}
          {days.map(({ key, parts }, day) =>
            parts.map((part, at) => {
              const from = sum(parts.slice(0, at));
              return part === 0 ? undefined : (
                <rect
                  key={`${key} ${looks[at]}`}
                  class={looks[at]}
                  x={(middle(day) - barWidth / 2).toFixed(1)}
                  y={y(from + part).toFixed(1)}
                  width={barWidth.toFixed(1)}
                  height={Math.max(0, y(from) - y(from + part)).toFixed(1)}
                  rx={Math.min(2, barWidth / 2)}
                />
              );
            }),
          )}
          {hasValues
            ? days.map(({ key, parts }, day) =>
                sum(parts) === 0 ? undefined : (
                  <text
                    key={key}
                    class="value"
                    x={middle(day).toFixed(1)}
                    y={(y(sum(parts)) - 5).toFixed(1)}
                    text-anchor="middle"
                  >
                    {numberText(sum(parts))}
                  </text>
                ),
              )
            : undefined}
          {days.map(({ key, label: words, isLabelled }, day) =>
            isLabelled && middle(day) + halfName <= width + outside ? (
              <text key={key} x={middle(day).toFixed(1)} y={height - 5} text-anchor="middle">
                {words}
              </text>
            ) : undefined,
          )}
          {days.map(({ key }, day) => (
            <rect
              key={key}
              class="zone"
              x={left + step * day}
              y={0}
              width={step}
              height={height - bottom}
              onPointerEnter={() => setPointed(day)}
            />
          ))}
        </svg>
      )}
      {tip === undefined || pointed === undefined ? undefined : (
        <Tip says={tip.says} atPx={Math.min(Math.max(middle(pointed), 70), width - 70)} />
      )}
    </div>
  );
}

function Tip({ says: [first, ...rest], atPx }: { readonly says: readonly string[]; readonly atPx: number }) {
  const box = useRef<HTMLDivElement>(null);
  // Through the object model: the policy forbids style attributes only.
  useLayoutEffect(() => {
    if (box.current !== null) box.current.style.left = `${atPx}px`;
  });
  return (
    <div class="tip" aria-hidden="true" ref={box}>
      <b>{first}</b>
      {rest.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </div>
  );
}

const sparkWidth = 200;
const sparkHeight = 34;

function Spark({ children }: { readonly children?: ComponentChildren }) {
  return (
    <svg class="spark" viewBox={`0 0 ${sparkWidth} ${sparkHeight}`} preserveAspectRatio="none" aria-hidden="true">
      {children}
    </svg>
  );
}

type Line = { readonly values: readonly (number | undefined)[]; readonly look?: string };

/** Lines over the same scale, the first one on top. Undefined values are gaps. */
export function SparkLines({
  lists,
  low,
  high,
}: {
  readonly lists: readonly Line[];
  readonly low?: number;
  readonly high?: number;
}) {
  const all = lists.flatMap(({ values }) => values).filter((value) => value !== undefined);
  const from = low ?? Math.min(...all);
  const range = (high ?? Math.max(...all)) - from || 1;
  const lines = lists.map(({ values, look = "" }) => {
    const points = values.flatMap((value, at) => {
      if (value === undefined) return [];
      const x = values.length === 1 ? sparkWidth / 2 : (sparkWidth * at) / (values.length - 1);
      return [`${x.toFixed(1)},${(sparkHeight - 2 - ((sparkHeight - 4) * (value - from)) / range).toFixed(1)}`];
    });
    return <polyline key={look} class={`spark-line ${look}`} points={points.join(" ")} />;
  });
  return <Spark>{lines.reverse()}</Spark>;
}

/** One tick per value: nothing is a faint dot, everything else a tick of its height. */
export function SparkTicks({
  values,
}: {
  readonly values: readonly { readonly key: string; readonly value: number }[];
}) {
  const most = Math.max(3, ...values.map(({ value }) => value));
  const step = sparkWidth / values.length;
  return (
    <Spark>
      {values.map(({ key, value }, at) => {
        const height = value === 0 ? 1.5 : Math.max(6, (sparkHeight * value) / most);
        return (
          <rect
            key={key}
            class={value === 0 ? "tick-none" : "tick"}
            x={(at * step + step * 0.15).toFixed(1)}
            y={(sparkHeight - height).toFixed(1)}
            width={(step * 0.7).toFixed(1)}
            height={height.toFixed(1)}
            rx={1}
          />
        );
      })}
    </Spark>
  );
}

/** Two parts of a whole. */
export function SplitBar({ first, second }: { readonly first: number; readonly second: number }) {
  const total = first + second;
  const at = total === 0 ? 0 : Math.round((sparkWidth * first) / total);
  const gap = first > 0 && second > 0 ? 1.5 : 0;
  const bar = (look: string, x: number, width: number) => (
    <rect class={look} x={x} y={0} width={Math.max(0, width)} height={8} rx={3} />
  );
  return (
    <svg class="split" viewBox={`0 0 ${sparkWidth} 8`} preserveAspectRatio="none" aria-hidden="true">
      {total === 0 ? (
        bar("split-none", 0, sparkWidth)
      ) : (
        <>
          {bar("split-first", 0, at - gap)}
          {bar("split-second", at + gap, sparkWidth - at - gap)}
        </>
      )}
    </svg>
  );
}

/** A bar of a share between 0 and 1. */
export function ShareBar({ share, isBad = false }: { readonly share: number; readonly isBad?: boolean }) {
  const width = Math.max(share > 0 ? 2 : 0, Math.min(1, share) * sparkWidth);
  const look = `share${isBad ? " is-bad" : ""}`;
  return (
    <svg class={look} viewBox={`0 0 ${sparkWidth} 5`} preserveAspectRatio="none" aria-hidden="true">
      <rect class="share-whole" x={0} y={0} width={sparkWidth} height={5} rx={2.5} />
      <rect class="share-part" x={0} y={0} width={width.toFixed(1)} height={5} rx={2.5} />
    </svg>
  );
}
