/**
 * Inserts into knowledge bases, one insert at a time per base across all instances. One generation of the service
 * refuses a second one ("Index is already used"). Searches can collide with an insert too, so a refusal is retried, and
 * an outage of the service is waited out.
 */

import { ParleyError } from "../../core/errors.ts";
import type { AgentService, Insert } from "../../core/ports/agent-service.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { retry } from "../../core/tools/retry.ts";
import type { Row } from "../rows/row-format.ts";
import type { Locks } from "./lock.ts";
import type { ServicePatience } from "./service-patience.ts";

export type Destination = { readonly project: string; readonly knowledgeBase: string };

/** The destination, owner and signal of one item's work. */
export type Errand = {
  readonly target: Destination;
  /** The queue for parsing content, and in the ledger who added it. */
  readonly owner: string;
  /** The owner's name, for the ledger. */
  readonly name: string;
  readonly signal: AbortSignal;
};

/** All throw ParleyError, or the signal's reason. */
export type Inserting = {
  readonly insert: (target: Destination, what: Insert, signal: AbortSignal) => Promise<void>;
  /**
   * Replaces the rows with the same ids, in several requests if there are many. Returns their number. Reads rows only
   * when it is their turn, so that queued work takes no memory.
   */
  readonly replaceRows: (target: Destination, rows: AsyncIterable<Row>, signal: AbortSignal) => Promise<number>;
  /**
   * Runs `work` while no other insert into that base runs on any instance. If the base is busy, `work` runs again, so all
   * of it must be repeatable.
   */
  readonly alone: (target: Destination, signal: AbortSignal, work: (rows: RowsAlone) => Promise<void>) => Promise<void>;
};

/** Changes rows for work that runs alone. */
export type RowsAlone = {
  /** Deletes the rows with the same ids, then inserts these, in several requests if there are many. */
  readonly replace: (rows: readonly Row[]) => Promise<void>;
  readonly delete: (ids: readonly string[]) => Promise<void>;
};

const busyPauses = { firstPauseMs: 1_000, maxPauseMs: 4_000 };
const maxBusyRetries = 3;
const maxRowsPerRequest = 200;
const maxCharsPerRequest = 1_000_000;

export function createInserting(options: {
  readonly service: Pick<AgentService, "insert" | "deleteRows">;
  readonly locks: Locks;
  readonly patience: ServicePatience;
  readonly clock: Clock;
}): Inserting {
  const { service, locks, patience, clock } = options;

  async function alone(target: Destination, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    const lock = await locks.acquire(`insert/${target.project}/${target.knowledgeBase}`, { signal });
    try {
      return await retry(work, {
        ...busyPauses,
        clock,
        signal,
        // After an abort the pause ends at once.
        pauseAfter: (thrown, pauseMs, tries) =>
          signal.aborted || (isBusy(thrown) && tries <= maxBusyRetries) ? pauseMs : undefined,
      });
    } finally {
      await lock.release();
    }
  }

  /** Unless the older version is deleted first, both generations keep all of it, or its longer part. */
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
      // A query may have run although its response was lost.
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

    alone: (target, signal, work) => {
      const rows: RowsAlone = {
        replace: async (all) => {
          const source = all[Symbol.iterator]();
          for (let isMore = true; isMore; ) {
            const batch = await nextBatch(source);
            if (batch.rows.length > 0) await replaceSome(target, batch.rows, signal);
            isMore = batch.isMore;
          }
        },
        delete: async (ids) => {
          if (ids.length === 0) return;
          await patience.outwait(() => service.deleteRows(target.project, target.knowledgeBase, ids), signal);
        },
      };
      return alone(target, signal, () => work(rows));
    },
  };
}

function isBusy(thrown: unknown): boolean {
  return thrown instanceof ParleyError && thrown.code === "knowledge_base_busy";
}

type Batch = { readonly rows: readonly Row[]; readonly isMore: boolean };

/** As many rows as fit into one request. */
async function nextBatch(source: AsyncIterator<Row> | Iterator<Row>): Promise<Batch> {
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
