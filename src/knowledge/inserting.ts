/**
 * Putting things into a knowledge base: one insert at a time into each, across all instances, because one of the
 * service's generations refuses the second ("Index is already used") and tells it only then. Searches can collide with an
 * insert as well, so that refusal is waited out, too; and so is a service that is away.
 */
import { ParleyError } from "../bridge/errors.ts";
import type { AgentService, Insert } from "../bridge/ports/agent-service.ts";
import type { Clock } from "../bridge/ports/clock.ts";
import type { FirmLeases } from "./firm-lease.ts";
import type { Row } from "./rows.ts";
import type { ServicePatience } from "./service-patience.ts";

export type Target = { readonly project: string; readonly knowledgeBase: string };

/** All throw ParleyError, or the signal's reason. */
export type Inserting = {
  readonly insert: (target: Target, what: Insert, signal: AbortSignal) => Promise<void>;
  /** Rows with ids take the place of what those ids held; in several requests when there are many. Returns how many. */
  readonly replaceRows: (target: Target, rows: AsyncIterable<Row>, signal: AbortSignal) => Promise<number>;
  readonly deleteRows: (target: Target, ids: readonly string[], signal: AbortSignal) => Promise<void>;
};

const busyDelaysMs = [1_000, 2_000, 4_000];
const maxRowsPerRequest = 200;
const maxCharsPerRequest = 1_000_000;

export function createInserting(options: {
  readonly service: Pick<AgentService, "insert" | "deleteRows">;
  readonly leases: FirmLeases;
  readonly patience: ServicePatience;
  readonly clock: Clock;
}): Inserting {
  const { service, leases, patience, clock } = options;

  async function alone(target: Target, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    const lease = await leases.acquire(`insert/${target.project}/${target.knowledgeBase}`, { signal });
    try {
      for (let attempt = 0; ; attempt += 1) {
        const waitMs = busyDelaysMs[attempt];
        try {
          return await work();
        } catch (thrown) {
          if (signal.aborted) throw signal.reason;
          const isBusy = thrown instanceof ParleyError && thrown.code === "knowledge_base_busy";
          if (!isBusy || waitMs === undefined) throw thrown;
        }
        await clock.sleep(waitMs, signal);
      }
    } finally {
      await lease.release();
    }
  }

  /** Both generations keep what is longer of an older version, or all of it, unless it is deleted first. */
  async function replaceSome(target: Target, rows: readonly Row[], signal: AbortSignal): Promise<void> {
    const { project, knowledgeBase } = target;
    const ids = rows.map((row) => String(row["id"]));
    const replace = async () => {
      await service.deleteRows(project, knowledgeBase, ids);
      await service.insert(project, knowledgeBase, { rows }, signal);
    };
    await alone(target, signal, () => patience.outwait(replace, signal));
  }

  return {
    insert: ({ project, knowledgeBase }, what, signal) => {
      const insert = () => service.insert(project, knowledgeBase, what, signal);
      // A query may have run, although its answer was lost.
      const work = what.query === undefined ? () => patience.outwait(insert, signal) : insert;
      return alone({ project, knowledgeBase }, signal, work);
    },

    replaceRows: async (target, rows, signal) => {
      let batch: Row[] = [];
      let chars = 0;
      let count = 0;
      for await (const row of rows) {
        batch.push(row);
        chars += String(row["content"]).length;
        count += 1;
        if (batch.length < maxRowsPerRequest && chars < maxCharsPerRequest) continue;
        await replaceSome(target, batch, signal);
        batch = [];
        chars = 0;
      }
      if (batch.length > 0) await replaceSome(target, batch, signal);
      return count;
    },

    deleteRows: ({ project, knowledgeBase }, ids, signal) =>
      alone({ project, knowledgeBase }, signal, () => service.deleteRows(project, knowledgeBase, ids)),
  };
}
