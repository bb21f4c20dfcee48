/**
 * Does what is due: schedules, and reviews of added answers. One timer per instance reads the earliest of each list, and
 * a claim lets one instance do each of them.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { App } from "../../app.ts";
import { ParleyError } from "../../core/errors.ts";

/** Does it, alone; called again after a crash. Returns when it is due next; undefined: never. */
export type DueRun = (member: string, dueAtMs: number) => Promise<number | undefined>;

export type DueWork = {
  /** `kind` names the list: "schedules", "reviews". What nobody registered is left as it is. */
  readonly register: (kind: string, run: DueRun) => void;
  /** Adds it, or changes when it is due. `member` begins with the workspace. */
  readonly put: (kind: string, member: string, dueAtMs: number) => Promise<void>;
  readonly delete: (kind: string, member: string) => Promise<void>;
  /**
   * For changes of it and of its time: meanwhile no instance does it. Rejects with state_unavailable when that can't be
   * had soon.
   */
  readonly alone: <T>(kind: string, member: string, work: () => Promise<T>) => Promise<T>;
};

export type DueWorker = DueWork & {
  /** Does everything that is due now. Never rejects. */
  readonly look: () => Promise<void>;
  readonly start: () => void;
  /** Begins nothing more; resolves when what was begun is done. */
  readonly drain: () => Promise<void>;
};

const everyMs = 15_000;
const batch = 50;
/** Another instance repeats it after this time, if the one that claimed it died. Longer than any single run takes. */
const claimMs = 60_000;
/** Nothing holds one of them for longer. */
const leaseMs = 10_000;
/** After a failure, for example while storage was unreachable. */
const againMs = 60_000;

export function createDueWork(app: App): DueWorker {
  const { clock, log } = app;
  const { rankings, claims, coordinator } = app.state;
  const runs = new Map<string, DueRun>();
  const ending = new AbortController();
  const { signal } = ending;
  let looking: Promise<void> | undefined;
  const listOf = (kind: string) => `${kind}-due`;

  async function alone<T>(kind: string, member: string, work: () => Promise<T>): Promise<T> {
    const waiting = new AbortController();
    const cancel = clock.after(leaseMs, () => waiting.abort(new ParleyError("state_unavailable")));
    const waited = coordinator.lease(`due/${kind}/${member}`, { signal: waiting.signal });
    const lease = await waited.finally(cancel);
    try {
      return await work();
    } finally {
      await lease.release();
    }
  }

  /** True if its time has changed, so it isn't due again at once. */
  async function perform(kind: string, run: DueRun, member: string, dueAtMs: number): Promise<boolean> {
    if (!(await claims.claim(`due/${kind}/${member}/${dueAtMs}`, claimMs))) return false;
    try {
      await alone(kind, member, async () => {
        const next = await run(member, dueAtMs);
        if (next === undefined) await rankings.delete(listOf(kind), member);
        else await rankings.put(listOf(kind), member, next);
      });
    } catch (err) {
      log.warn({ err, kind }, "Something that was due could not be done; it is tried again in a minute");
      await rankings.put(listOf(kind), member, clock.now() + againMs);
    }
    return true;
  }

  async function lookAt(kind: string, run: DueRun): Promise<void> {
    for (;;) {
      const due = await rankings.upTo(listOf(kind), clock.now(), batch);
      let done = 0;
      for (const { member, score } of due) {
        if (signal.aborted) return;
        if (await perform(kind, run, member, score)) done += 1;
        await nextTurn();
      }
      if (due.length < batch || done === 0) return;
    }
  }

  async function lookAtAll(): Promise<void> {
    for (const [kind, run] of runs) {
      await lookAt(kind, run).catch((err: unknown) => log.warn({ err, kind }, "Can't look for what is due"));
    }
  }

  function look(): Promise<void> {
    looking ??= lookAtAll().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  return {
    register: (kind, run) => {
      runs.set(kind, run);
    },
    put: (kind, member, dueAtMs) => rankings.put(listOf(kind), member, dueAtMs),
    delete: (kind, member) => rankings.delete(listOf(kind), member),
    alone,
    look,
    start: () => {
      const keepLooking = async () => {
        for (;;) {
          await look();
          await clock.sleep(everyMs, signal);
        }
      };
      // It ends only with the signal.
      keepLooking().catch(() => undefined);
    },
    drain: async () => {
      ending.abort();
      await looking;
    },
  };
}
