/**
 * Measures jobs that fill knowledge bases: the real Parley in its own process, against a strict local Slack, a service
 * that accepts content, and forty sites with pages of 80 kB.
 *
 *   node bench/run.ts jobs
 *   node bench/jobs/scenes.ts patience        an insert of twelve minutes, which takes as long
 */

import type { Measure } from "../measure.ts";
import { playAll } from "../scenes.ts";
import { scenes } from "./scenes.ts";

export function bench(): Promise<Measure[]> {
  return playAll(new URL("scenes.ts", import.meta.url), scenes);
}
