/**
 * Measures what strangers can do to Parley: the longest block of its event loop, and the peak memory of it and its
 * children, beside the limits.
 *
 *   node bench/run.ts hostile
 *   node bench/hostile/scenes.ts "CSV of 20,000 columns"        one scene
 */

import type { Measure } from "../measure.ts";
import { playAll } from "../scenes.ts";
import { scenes } from "./scenes.ts";

export function bench(): Promise<Measure[]> {
  return playAll(new URL("scenes.ts", import.meta.url), scenes);
}
