/** Two instances under test, and a wait that has demonstrably begun. */
import type { Coordinator, Lease, WaitOptions } from "../../../../src/core/ports/state.ts";

export type CoordinatorUnderTest = {
  /** Two instances that share everything; the same one where there is only one. */
  readonly a: Coordinator;
  readonly b: Coordinator;
  /** Lets that much time pass. */
  readonly pass: (ms: number) => Promise<void>;
  /** An entry that nobody acquires leaves its lane after this long. */
  readonly unattendedMs: number;
  readonly close: () => Promise<void>;
};

/** A wait that has demonstrably begun: it was told its first position. */
export async function begin(acquire: (options: WaitOptions) => Promise<Lease>, signal?: AbortSignal) {
  const positions: number[] = [];
  const inLine = Promise.withResolvers<void>();
  const watchers = new Set<() => void>();
  const lease = acquire({
    ...(signal === undefined ? {} : { signal }),
    onPosition: (position) => {
      positions.push(position);
      inLine.resolve();
      for (const watch of watchers) watch();
    },
  });
  lease.catch(() => {});
  await Promise.race([inLine.promise, lease]);
  return {
    lease,
    positions,
    /** Resolves when that position was told. */
    at: (position: number) =>
      new Promise<void>((resolve) => {
        const check = () => {
          if (positions.at(-1) === position) resolve();
        };
        watchers.add(check);
        check();
      }),
  };
}
