/** Measures the event loop's delay inside a bot's process. It is loaded before the bot and prints when the bot ends. */
import { writeSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

export type Probed = {
  readonly loopP99Ms: number;
  /** Edits of one message that the platform's library had at once, at most, if that is counted. */
  readonly editsAtOnce?: number;
  /** Requests that the library kept waiting for one of its limits, if that is counted. */
  readonly heldBack?: number;
};

const loop = monitorEventLoopDelay({ resolution: 5 });
loop.enable();
let alsoCounted: () => Partial<Probed> = () => ({});

/** What a platform's own probe counts besides. */
export function count(more: () => Partial<Probed>): void {
  alsoCounted = more;
}

process.on("exit", () => {
  const probed: Probed = { ...alsoCounted(), loopP99Ms: loop.percentile(99) / 1e6 };
  writeSync(1, `probed ${JSON.stringify(probed)}\n`);
});
