/** Pictures of charts, drawn in a child process that starts with the first one. */

import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Chart, ChartPictures, ChartTheme, ChartWidth } from "../../core/model/chart.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Log } from "../../core/ports/log.ts";
import { createTaskChild } from "../child/task-child.ts";
import type { ChartTask, PictureFormat } from "./chart-task.ts";

/** PNGs have twice the density of the 480 by 280 points. */
export type Pictures = ChartPictures & { readonly close: () => Promise<void> };

const limitMs = 5_000;
const heapMegabytes = 128;
/** Above what it needs after drawing (143 to 255 MB measured on Node 24.21). */
const maxKeptBytes = 320 * 1024 * 1024;
/** Votes and other edits show the same chart again. */
const maxCached = 20;
/** More than these would come too late to be shown. */
const maxWaiting = 20;

export function createPictures({ clock, log }: { readonly clock: Clock; readonly log: Log }): Pictures {
  const child = createTaskChild({
    program: new URL("./chart-child.ts", import.meta.url),
    heapMegabytes,
    maxKeptBytes,
    clock,
  });
  /** A picture that is being drawn is here too, so that nobody draws it twice. */
  const cached = new LRUCache<string, Promise<Buffer | undefined>>({ max: maxCached });
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let isClosed = false;

  async function perform(task: ChartTask): Promise<Buffer | undefined> {
    if (isClosed) return undefined;
    const outcome = await child.perform({ kind: "chart", task, limitMs });
    if (outcome.outcome === "done" && typeof outcome.result === "string") {
      return Buffer.from(outcome.result, task.as === "png" ? "base64" : "utf8");
    }
    if (!isClosed) log.warn({ chart: task.chart.kind, as: task.as, ...outcome }, "A chart could not be drawn");
    return undefined;
  }

  function draw(task: ChartTask): Promise<Buffer | undefined> {
    const key = createHash("sha256").update(JSON.stringify(task)).digest("base64");
    const known = cached.get(key);
    if (known !== undefined) return known;
    if (waiting >= maxWaiting) return Promise.resolve(undefined);
    waiting += 1;
    const drawn = last.then(() => perform(task));
    last = drawn;
    cached.set(key, drawn);
    void drawn.then((picture) => {
      waiting -= 1;
      if (picture === undefined && cached.peek(key) === drawn) cached.delete(key);
    });
    return drawn;
  }

  const as =
    (format: PictureFormat) =>
    (chart: Chart, theme: ChartTheme, width: ChartWidth = "wide") =>
      draw({ chart, theme, width, as: format });
  return {
    png: as("png"),
    svg: as("svg"),
    close: async () => {
      isClosed = true;
      await child.close();
    },
  };
}
