/** Limits for what hostile content may cost. */
import type { Measure } from "../measure.ts";

/** Slack and Discord wait 3 s for an acknowledgement, and liveness probes often 1 s: far away from both. */
const maxLoopMs = 100;
/** With its children it fits into a container of 1 GB, by itself into one of 512 MB. */
const maxMainMegabytes = 400;
const maxChildrenMegabytes = 350;

export function suffered(
  name: string,
  seen: {
    readonly loopMs: number;
    readonly ownMs: number | undefined;
    readonly mainMegabytes: number;
    readonly childrenMegabytes?: number;
    readonly isAlive: boolean;
    readonly seconds: number;
  },
): Measure[] {
  const { loopMs, ownMs = Number.NaN, mainMegabytes, childrenMegabytes = 0, isAlive, seconds } = seen;
  const children = {
    ...{ name: `${name}: memory of the children`, value: childrenMegabytes },
    ...{ target: { atMost: maxChildrenMegabytes }, unit: "MB" },
  };
  return [
    { name: `${name}: event loop`, value: loopMs, target: { atMost: maxLoopMs }, unit: "ms" },
    // On a machine with others at work, the part of it that is Parley's.
    { name: `${name}: event loop, of its own work`, value: ownMs, unit: "ms" },
    { name: `${name}: memory`, value: mainMegabytes, target: { atMost: maxMainMegabytes }, unit: "MB" },
    ...(childrenMegabytes === 0 ? [] : [children]),
    { name: `${name}: came to its end`, value: isAlive ? 1 : 0, target: { atLeast: 1 }, unit: "ends" },
    { name: `${name}: took`, value: seconds, unit: "s" },
  ];
}
