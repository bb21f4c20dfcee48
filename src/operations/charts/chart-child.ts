/** The child process that draws charts. Nothing else loads the libraries that draw. */
import { type Bounded, type ChildRequest, serveTasks } from "../child/serve-tasks.ts";
import type { ChartTask, Drawn } from "./chart-task.ts";
import { drawPng, drawSvg, withFonts } from "./drawing.ts";

async function perform({ task }: ChildRequest, bounded: Bounded): Promise<Drawn> {
  const { chart, theme, width, as } = task as ChartTask;
  const svg = bounded(() => drawSvg(chart, theme, width));
  return as === "svg" ? withFonts(svg) : Buffer.from(await drawPng(svg)).toString("base64");
}

serveTasks({ perform });
