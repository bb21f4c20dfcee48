/**
 * Putting things into a knowledge base: one insert at a time into each, across all instances, because one of the
 * service's generations refuses the second ("Index is already used") and tells it only then. Searches can collide with an
 * insert as well, so that refusal is waited out, too; and so is a service that is away.
 */

import type { AgentService, Insert } from "../../ports/agent-service.ts";
import type { Clock } from "../../ports/clock.ts";
import { ParleyError } from "../../ports/errors.ts";
import type { Row } from "../rows/row-format.ts";
import type { FirmLeases } from "./firm-lease.ts";
import type { ServicePatience } from "./service-patience.ts";

export type Destination = { readonly project: string; readonly knowledgeBase: string };

/** For whom, where to, and until when an item of a Job is worked on. */
export type Errand = {
  readonly target: Destination;
  /** Takes turns with other owners where content is parsed. */
  readonly owner: string;
  readonly signal: AbortSignal;
};

/** All throw ParleyError, or the signal's reason. */
export type Inserting = {
  readonly insert: (target: Destination, what: Insert, signal: AbortSignal) => Promise<void>;
  /**
   * Rows with ids take the place of what those ids held; in several requests when there are many. Returns how many. Rows
   * are taken only when it is their turn to go in: what waits in line takes no memory.
   */
  readonly replaceRows: (target: Destination, rows: AsyncIterable<Row>, signal: AbortSignal) => Promise<number>;
  readonly deleteRows: (target: Destination, ids: readonly string[], signal: AbortSignal) => Promise<void>;
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

  async function alone(target: Destination, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
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
  async function replaceSome(
    { project, knowledgeBase }: Destination,
    rows: readonly Row[],
    signal: AbortSignal,
  ): Promise<void> {
    const ids = rows.map((row) => String(row["id"]));
    await patience.outwait(async () => {
      await service.deleteRows(project, knowledgeBase, ids);
      await service.insert(project, knowledgeBase, { rows }, signal);
    }, signal);
  }

  return {
    insert: ({ project, knowledgeBase }, what, signal) => {
      const insert = () => service.insert(project, knowledgeBase, what, signal);
      // A query may have run, although its answer was lost.
      const work = what.query === undefined ? () => patience.outwait(insert, signal) : insert;
      return alone({ project, knowledgeBase }, signal, work);
    },

    replaceRows: async (target, rows, signal) => {
      const source = rows[Symbol.asyncIterator]();
      let count = 0;
      try {
        for (let isMore = true; isMore; ) {
          let batch: Batch | undefined;
          await alone(target, signal, async () => {
            batch ??= await nextBatch(source);
            if (batch.rows.length > 0) await replaceSome(target, batch.rows, signal);
          });
          count += batch?.rows.length ?? 0;
          isMore = batch?.isMore ?? false;
        }
      } finally {
        await source.return?.();
      }
      return count;
    },

    deleteRows: ({ project, knowledgeBase }, ids, signal) =>
      alone({ project, knowledgeBase }, signal, () => service.deleteRows(project, knowledgeBase, ids)),
  };
}

type Batch = { readonly rows: readonly Row[]; readonly isMore: boolean };

/** As many as go into one request. */
async function nextBatch(source: AsyncIterator<Row>): Promise<Batch> {
  const rows: Row[] = [];
  for (let chars = 0; rows.length < maxRowsPerRequest && chars < maxCharsPerRequest; ) {
    const next = await source.next();
    if (next.done) return { rows, isMore: false };
    rows.push(next.value);
    for (const [name, cell] of Object.entries(next.value)) {
      chars += name.length + (typeof cell === "string" ? cell.length : 0);
    }
  }
  return { rows, isMore: true };
}
