/**
 * What strangers can do to Parley: the longest that its event loop stood still, and the most memory that it and its
 * children held, beside what they may at most.
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
