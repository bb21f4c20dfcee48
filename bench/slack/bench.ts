/**
 * Measures how long people in Slack wait, against a strict local Slack without latency.
 *
 *   node bench/run.ts slack
 */
import type { Measure } from "../measure.ts";
import { playAll } from "../scenes.ts";
import { scenes } from "./scenes.ts";

export function bench(): Promise<Measure[]> {
  return playAll(new URL("scenes.ts", import.meta.url), scenes);
}
