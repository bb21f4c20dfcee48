/**
 * Counts, inside Parley's process, edits that are passed to discord.js while another edit of the same message is
 * unanswered. Such an edit would wait in discord.js's queue. It is loaded before Parley and prints the count when the
 * process ends.
 */
import { writeSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { REST, RESTEvents } from "discord.js";

export type Probed = {
  /** Edits of one message that discord.js had at once, at most. */
  readonly editsAtOnce: number;
  /** Requests that discord.js kept waiting for one of its limits. */
  readonly heldBack: number;
  readonly loopP99Ms: number;
};

const { request } = REST.prototype;
const known = new WeakSet<REST>();
const open = new Map<string, number>();
let editsAtOnce = 0;
let heldBack = 0;
const loop = monitorEventLoopDelay({ resolution: 5 });
loop.enable();

REST.prototype.request = async function (asked) {
  if (!known.has(this)) {
    known.add(this);
    this.on(RESTEvents.RateLimited, () => {
      heldBack += 1;
    });
  }
  const isEdit = asked.method === "PATCH" && /^\/channels\/\d+\/messages\/\d+$/.test(asked.fullRoute);
  if (!isEdit) return request.call(this, asked);
  const now = (open.get(asked.fullRoute) ?? 0) + 1;
  open.set(asked.fullRoute, now);
  editsAtOnce = Math.max(editsAtOnce, now);
  try {
    return await request.call(this, asked);
  } finally {
    open.set(asked.fullRoute, (open.get(asked.fullRoute) ?? 1) - 1);
  }
};

process.on("exit", () => {
  const probed: Probed = { editsAtOnce, heldBack, loopP99Ms: loop.percentile(99) / 1e6 };
  writeSync(1, `probed ${JSON.stringify(probed)}\n`);
});
