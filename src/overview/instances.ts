/** Knows which instances share the storage: each says every few seconds that it runs, and what it has learnt. */
import { randomUUID } from "node:crypto";
import type { App } from "../app.ts";
import type { BudgetLine } from "./budgets.ts";
import type { Installation } from "./installation.ts";

const beatEveryMs = 15_000;
/** An instance that died is listed no longer than this. */
const aliveMs = 45_000;

/** An instance that runs now. */
export type InstanceLine = {
  /** Of the machine or container. */
  readonly host: string;
  /** Parley's. */
  readonly version: string;
  readonly node: string;
  readonly startedAtMs: number;
};

export type StoredInstance = {
  readonly version: 1;
  readonly line: InstanceLine;
  readonly budgets: readonly BudgetLine[];
};

export type Instances = {
  /** This one first, then the others by their start. Rejects with state_unavailable. */
  readonly alive: () => Promise<readonly StoredInstance[]>;
  /** Says so until the signal aborts; then takes it back. Never rejects. */
  readonly beat: (signal: AbortSignal) => Promise<void>;
};

export function createInstances(
  app: App,
  {
    installation,
    budgets,
  }: {
    readonly installation: Pick<Installation, "isShared" | "host" | "startedAtMs">;
    readonly budgets: () => readonly BudgetLine[];
  },
): Instances {
  const { clock, log } = app;
  const { version } = app.settings;
  const instances = app.state.keyValue<StoredInstance>("instances");

  const { isShared, host, startedAtMs } = installation;
  const id = randomUUID();
  const key = `instances/${id}`;

  const own = (): StoredInstance => {
    const line = { host, version, node: process.versions.node, startedAtMs };
    return { version: 1, line, budgets: budgets().filter(({ lowered }) => lowered.length > 0) };
  };

  return {
    alive: async () => {
      const others: StoredInstance[] = [];
      // A storage that nobody shares has no others.
      if (isShared) for await (const [at, found] of instances.entries("instances/")) if (at !== key) others.push(found);
      return [own(), ...others.sort((one, other) => one.line.startedAtMs - other.line.startedAtMs)];
    },

    beat: async (signal) => {
      if (!isShared) return;
      const failed = (err: unknown) => log.warn({ err }, "This instance couldn't say that it runs");
      while (!signal.aborted) {
        await instances.set(key, own(), aliveMs).catch(failed);
        await clock.sleep(beatEveryMs, signal).catch(() => undefined);
      }
      await instances.delete(key).catch(failed);
    },
  };
}
