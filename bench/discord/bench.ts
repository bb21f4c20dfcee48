/**
 * Measures how long people in Discord wait, against a strict local Discord without latency.
 *
 *   node bench/run.ts discord
 */

import type { Measure } from "../measure.ts";
import { playAll } from "../scenes.ts";
import { scenes } from "./scenes.ts";

export function bench(): Promise<Measure[]> {
  return playAll(new URL("scenes.ts", import.meta.url), scenes);
}
