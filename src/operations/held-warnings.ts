/**
 * Holds warnings back while the process starts, so that the first line of a terminal says where the page is. An error
 * lets them out before it, and so does a start that takes long: they may say why.
 */
import type { Clock } from "../core/ports/clock.ts";
import type { Log } from "../core/ports/log.ts";

const maxHeldMs = 3_000;

export function holdWarnings(log: Log, clock: Clock): { readonly log: Log; readonly release: () => void } {
  let held: Parameters<Log["warn"]>[] | undefined = [];
  const release = () => {
    cancel();
    const before = held ?? [];
    held = undefined;
    for (const line of before) log.warn(...line);
  };
  const cancel = clock.after(maxHeldMs, release);
  return {
    log: {
      ...log,
      warn: (...line) => (held === undefined ? log.warn(...line) : void held.push(line)),
      error: (...line) => {
        release();
        log.error(...line);
      },
    },
    release,
  };
}
