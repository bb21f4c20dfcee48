/** Logs packets of Discord's that Parley can't read, each kind once: the same one can arrive a thousand times. */
import { LRUCache } from "lru-cache";
import type { Log } from "../../../src/core/ports/log.ts";

export type MalformedPackets = ReturnType<typeof createMalformedPackets>;

/** Kinds come from outside, so their number is limited. */
const maxKinds = 500;

export function createMalformedPackets(log: Log) {
  const logged = new LRUCache<string, true>({ max: maxKinds });
  const once = (key: string, write: () => void) => {
    if (logged.has(key)) return;
    logged.set(key, true);
    write();
  };
  return {
    /** Something threw on it. */
    skipped: (kind: string, thrown: unknown): void =>
      once(`skipped ${kind}`, () =>
        log.warn({ err: thrown, kind }, "A packet of Discord's could not be used: skipped"),
      ),
    /** It does not match Parley's schema; `path` is the mismatching field. */
    unread: (kind: string, path: string): void =>
      once(`unread ${kind} ${path}`, () => log.debug({ kind, path }, "An event of Discord's does not fit: skipped")),
  };
}
