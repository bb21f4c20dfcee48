/** Pictures of charts, drawn by the real child process. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { Chart } from "../../../src/core/model/chart.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { createPictures, type Pictures } from "../../../src/operations/charts/pictures.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { silentLog } from "../../doubles/silent-log.ts";

const bookings: Chart = {
  kind: "line",
  title: "Bookings per month",
  categories: ["May", "Jun", "Jul", "Aug", "Sep", "Oct"],
  series: [
    { name: "Direct", values: [1240, 1385, 1520, 1705, 1815, 2000], isAccent: true },
    { name: "Partner sites", values: [1610, 1655, 1700, 1690, 1640, 1605] },
  ],
  says: "Direct rises from 1,240 to 2,000.",
};

let drawnBefore = 0;
/** A chart that no test has drawn: one that was drawn comes from memory. */
function another(): Chart {
  drawnBefore += 1;
  return { ...bookings, title: `Bookings ${drawnBefore}` };
}

const create = () => createPictures({ clock: systemClock, log: silentLog });

/** One for all tests: its process takes longer to start than to draw. */
let pictures: Pictures;
beforeAll(() => {
  pictures = create();
});
afterAll(() => pictures.close());

it("draws the same data as SVG and as PNG", async () => {
  const svg = String(await pictures.svg(bookings, "light"));
  const png = await pictures.png(bookings, "dark");

  for (const text of ["Bookings per month", "May", "Oct", "Direct", "Partner sites", "2,000", "1,605"]) {
    expect(svg).toContain(text);
  }
  expect(png?.subarray(1, 4).toString()).toBe("PNG");
  expect([png?.readUInt32BE(16), png?.readUInt32BE(20)]).toEqual([960, 560]);
});

it("draws a chart whose labels would break a file, and the next one", async () => {
  const labels = ["]]>", "{b}", "a\u0000b\uD800", "<b>&amp;", "\u202Eabc", "🙂 مرحبا"];
  const hostile: Chart = {
    ...bookings,
    title: "<script>{a}</script>",
    categories: labels,
    series: bookings.series.map((one, index) => ({ ...one, name: labels[index + 2] ?? "" })),
  };

  const svg = String(await pictures.svg(hostile, "light"));
  expect(svg).toContain("&lt;script&gt;");
  expect(svg).not.toContain("<script");
  expect(await pictures.png(hostile, "dark")).toBeDefined();
  expect(await pictures.png(another(), "dark")).toBeDefined();
});

it("has one box for an emoji in a PNG, however many it is joined of, so that none lies on the text after it", async () => {
  const labelled = (label: string): Chart => ({ ...bookings, categories: [label, ...bookings.categories.slice(1)] });
  const [one, joined, coloured] = await Promise.all(
    ["👩 family", "👩‍👩‍👧‍👦 family", "👩🏽 family"].map((label) => pictures.png(labelled(label), "dark")),
  );

  expect(one).toBeDefined();
  expect(joined?.equals(one ?? Buffer.of())).toBe(true);
  expect(coloured?.equals(one ?? Buffer.of())).toBe(true);
  expect(String(await pictures.svg(labelled("👩‍👩‍👧‍👦 family"), "dark"))).toContain("👩‍👩‍👧‍👦 family");
});

it("draws every later chart whole after labels that are named like properties of objects", async () => {
  const words = ["__proto__", "constructor", "hasOwnProperty", "toString", "key", "prev", "next", "value"];
  for (const [index, word] of [...words, ...words].entries()) {
    const series = bookings.series.map((one, at) => ({ ...one, name: at === 0 ? word : `${word} ${index}` }));
    const categories = bookings.categories.map((label, at) => (at === 0 ? word : `${label} ${index}`));
    const hostile = { ...bookings, title: word, yLabel: word, categories, series };
    expect(await pictures.svg(hostile, "dark"), word).toBeDefined();
  }

  expect(String(await pictures.svg(another(), "light"))).not.toContain("prev");
  expect(await pictures.png(another(), "dark")).toBeDefined();
});

it("gives no picture of data that can't be drawn, and draws the next chart", async () => {
  const broken = { ...bookings, series: undefined } as unknown as Chart;

  expect(await pictures.png(broken, "dark")).toBeUndefined();
  expect(await pictures.png(another(), "dark")).toBeDefined();
});

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);

it("starts nothing before the first chart, and draws the next one after the process was killed", async () => {
  const before = new Set(childrenOf(process.pid));
  const started = () => childrenOf(process.pid).filter((pid) => !before.has(pid));
  const own = create();
  onTestFinished(() => own.close());
  expect(started()).toEqual([]);
  expect(await own.png(bookings, "dark")).toBeDefined();
  expect(started()).toHaveLength(1);

  const drawn = own.png({ ...bookings, title: "Nights per month" }, "dark");
  for (const pid of started()) process.kill(Number(pid), "SIGKILL");
  await drawn;
  expect(await own.png({ ...bookings, title: "Guests per month" }, "dark")).toBeDefined();
});

it("gives no picture from a process that stands still, after 10 seconds, and draws the next chart in another", async () => {
  const clock = createFakeClock();
  const before = new Set(childrenOf(process.pid));
  const own = createPictures({ clock, log: silentLog });
  onTestFinished(() => own.close());
  expect(await own.png(bookings, "dark")).toBeDefined();
  const frozen = childrenOf(process.pid).filter((pid) => !before.has(pid));
  for (const pid of frozen) process.kill(Number(pid), "SIGSTOP");

  const drawn = own.png({ ...bookings, title: "Nights per month" }, "dark");
  await clock.advance(10_000);

  expect(await drawn).toBeUndefined();
  expect(await own.png({ ...bookings, title: "Guests per month" }, "dark")).toBeDefined();
});

it("draws a chart once for many who ask at the same time", async () => {
  const asked = another();
  const [first, ...others] = await Promise.all(Array.from({ length: 30 }, () => pictures.png(asked, "dark")));

  expect(first).toBeDefined();
  for (const other of others) expect(other).toBe(first);
});
