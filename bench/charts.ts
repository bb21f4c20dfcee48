/**
 * Measures charts as pictures: what a PNG takes in its child process, what that process holds, and that a Parley
 * without charts has no such process.
 */

import type { Chart, ChartKind } from "../src/core/model/chart.ts";
import { systemClock as clock } from "../src/core/tools/system-clock.ts";
import { createPictures } from "../src/operations/charts/pictures.ts";
import { childrenOf } from "../test/doubles/processes/children-of.ts";
import { createParleyProcess } from "../test/doubles/processes/parley-process.ts";
import { silentLog as log } from "../test/doubles/silent-log.ts";
import { quantile } from "./bots/answers.ts";
import { memoryOf } from "./bots/memory.ts";
import type { Measure } from "./measure.ts";

const megabyte = 1_000_000;
const drawn = 40;
const program = "chart-child";
const kinds: readonly ChartKind[] = ["line", "bar", "area", "pie"];

/** All different, so that none is taken from the cache. */
function chartNumber(index: number): Chart {
  const kind = kinds[index % kinds.length] ?? "line";
  const categories = Array.from({ length: kind === "pie" ? 6 : 12 }, (_, at) => `Month ${at + 1}`);
  const values = (series: number) => categories.map((_, at) => 100 + ((at * 37 + series * 53 + index * 17) % 90));
  const names = kind === "pie" ? ["Guests"] : ["Sea", "Hill", "Lake"];
  return {
    kind,
    title: `Guests by month, table ${index}`,
    categories,
    series: names.map((name, series) => ({ name, values: values(series) })),
    says: `Chart ${index}.`,
  };
}

export async function bench(): Promise<Measure[]> {
  const pictures = createPictures({ clock, log });
  const times: number[] = [];
  let missing = 0;
  for (let index = 0; index < drawn; index += 1) {
    const beganMs = performance.now();
    if ((await pictures.png(chartNumber(index), "light")) === undefined) missing += 1;
    times.push(performance.now() - beganMs);
  }
  const [child] = await childrenOf(process.pid, program);
  const peakBytes = child === undefined ? Number.NaN : (await memoryOf(child)).peakBytes;
  await pictures.close();
  const [first = Number.NaN, ...others] = times;
  const idle = await idleParley();
  return [
    {
      name: "PNG of a chart, median after the first",
      value: quantile(others, 0.5),
      target: { atMost: 60 },
      unit: "ms",
    },
    { name: "PNG of a chart, slowest after the first", value: quantile(others, 1), unit: "ms" },
    { name: "PNG of a chart, the first, with the start of its process", value: first, unit: "ms" },
    { name: `charts without a picture, of ${drawn}`, value: missing, target: { atMost: 0 }, unit: "charts" },
    { name: "memory of the process that draws", value: peakBytes / megabyte, unit: "MB" },
    { name: "processes that draw, before the first chart", value: idle.children, target: { atMost: 0 }, unit: "" },
    { name: "memory of an idle Parley", value: idle.bytes / megabyte, unit: "MB" },
  ];
}

/** A Parley that has just started, with its page. */
async function idleParley(): Promise<{ readonly children: number; readonly bytes: number }> {
  const parley = await createParleyProcess();
  await parley.start("/healthz");
  const pid = parley.pid() ?? 0;
  const [children, { nowBytes }] = await Promise.all([childrenOf(pid, program), memoryOf(pid)]);
  await parley.close();
  return { children: children.length, bytes: nowBytes };
}
