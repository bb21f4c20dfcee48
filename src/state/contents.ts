/** Everything that is stored, over the stores of either kind: each of them reads and writes its own records. */
import { personKey } from "../core/model/place.ts";
import type { Clock } from "../core/ports/clock.ts";
import {
  type JobStore,
  type RecordCursor,
  type RecordStore,
  type State,
  type StoredRecord,
  type TurnStore,
  unfinishedTurnStates,
} from "../core/ports/state.ts";
import type { Contents, StoredItem, StoredWork } from "../core/ports/storage/contents.ts";
import { type Collections, unknownCollection } from "./collections.ts";
import { type KeyValueBackend, readAllValues } from "./key-value.ts";
import { stateError } from "./state-error.ts";

/** Records of 100 kB, which a slow Redis has to send in one call. */
const pageSize = 20;

/** What only the store's own code reaches. */
export type OwnContents = Pick<Contents, "restoring" | "setRestoring" | "isShared"> & {
  /** Of collections that have records or had some. */
  readonly collectionNames: () => Promise<readonly string[]>;
  readonly claims: () => AsyncIterable<{ readonly key: string; readonly expiresAtMs: number }>;
  readonly works: () => AsyncIterable<StoredWork>;
  /** Puts it there. One that waits was added before. */
  readonly putWork: (work: StoredWork) => Promise<void>;
  readonly highestFence: () => Promise<number>;
  /** Leases get higher ones from the next start on. */
  readonly raiseFence: (above: number) => Promise<void>;
};

export function createContents(
  stores: Pick<State, "keyValue" | "claims" | "works"> & {
    readonly turns: TurnStore;
    readonly jobs: JobStore;
    readonly collections: Collections;
    readonly values: KeyValueBackend;
    readonly clock: Clock;
  },
  own: OwnContents,
): Contents {
  const { turns, jobs, collections, values, keyValue, claims, works, clock } = stores;
  const noLimits = { ofAsker: Number.MAX_SAFE_INTEGER, all: Number.MAX_SAFE_INTEGER };

  async function* read(): AsyncGenerator<StoredItem> {
    const opened = new Set(collections.opened().map(({ name }) => name));
    const unknown = (await own.collectionNames()).find((name) => !opened.has(name));
    if (unknown !== undefined) throw unknownCollection(unknown);
    for await (const record of allOf(turns)) yield { in: "turns", record };
    for await (const record of allOf(jobs)) yield { in: "jobs", record };
    for await (const record of collections.records()) yield { in: "collections", ...record };
    for await (const value of readAllValues(values)) yield { in: "values", ...value };
    for await (const claim of own.claims()) yield { in: "claims", ...claim };
    for await (const work of own.works()) yield { in: "works", ...work };
    yield { in: "fences", highest: await own.highestFence() };
  }

  async function writeOne(item: StoredItem): Promise<void> {
    switch (item.in) {
      case "turns": {
        const { state, conversation, actor } = item.record;
        // Those that wait count for their asker. Those that are there were restored before.
        const isUnfinished = unfinishedTurnStates.includes(state);
        const limits = isUnfinished ? { asker: personKey(conversation, actor), ...noLimits } : undefined;
        await turns.create(item.record, limits);
        return;
      }
      case "jobs":
        await jobs.create(item.record);
        return;
      case "collections":
        return await collections.putRecord(item);
      case "values": {
        const { namespace, key, value, expiresAtMs } = item;
        const leftMs = expiresAtMs === undefined ? undefined : expiresAtMs - clock.now();
        if (leftMs === undefined || leftMs > 0) await keyValue<unknown>(namespace).set(key, value, leftMs);
        return;
      }
      case "claims": {
        const leftMs = item.expiresAtMs - clock.now();
        if (leftMs > 0) await claims.claim(item.key, leftMs);
        return;
      }
      case "works":
        if (item.state === "waiting") await works.add(item.kind, item.key, item.payload, { dueAtMs: item.dueAtMs });
        return await own.putWork(item);
      case "fences":
        return await own.raiseFence(item.highest);
    }
  }

  return {
    ...own,
    read: async function* () {
      try {
        yield* read();
      } catch (thrown) {
        throw stateError(thrown);
      }
    },
    write: async (items) => {
      await Promise.all(items.map(writeOne));
    },
  };
}

/** The newest first. */
async function* allOf<R extends StoredRecord>({ recent }: Pick<RecordStore<R>, "recent">): AsyncGenerator<R> {
  for (let before: RecordCursor | undefined; ; ) {
    const page = await recent(pageSize, before);
    yield* page;
    before = page.at(-1);
    if (page.length < pageSize) return;
  }
}
