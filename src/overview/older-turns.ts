/**
 * Reads Turns of earlier versions into what is kept beside Turns, in the background after a start. One instance does it,
 * newest first, and slower while questions are answered. Its place is stored, so the next process continues there.
 * During an upgrade an instance of the version before still answers questions, so every start within a day reads the
 * newest ones again.
 */
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Turn } from "../ports/model/turn.ts";
import type { OlderQuestions, QuestionsLeft } from "../ports/overview/older-questions.ts";
import type { Coordinator, KeyValue, RecordCursor, TurnStore } from "../ports/state.ts";
import { createRest } from "../ports/tools/pause.ts";

export type OlderTurnsProgress = {
  /** Of what is derived. A higher one reads everything again. */
  readonly version: number;
  readonly beganAtMs: number;
  readonly read: number;
  readonly total: number;
  /** The last one that was read. */
  readonly cursor?: RecordCursor;
  readonly isDone?: true;
};

type OlderTurn = Pick<Turn, "id" | "askedIn" | "createdAtMs">;

export type OlderTurns = OlderQuestions & {
  /** For /readyz. Undefined: all are read. Rejects with state_unavailable. */
  readonly progress: () => Promise<string | undefined>;
  readonly start: () => void;
  readonly drain: () => Promise<void>;
};

/** 2: the question log and the counts of each hour. */
const derivedVersion = 2;
const key = "progress";
/** Of Turns with their texts in memory. */
const readAtOnce = 50;
/** Many share a channel and a day, which are written once. */
const defaultPerPage = 500;
/** At most half of the time is spent on it, and a fifth while questions are answered. */
const quietShare = 1;
const busyShare = 4;
const retryMs = 10_000;
const upgradeMs = 86_400_000;

export function createOlderTurns(deps: {
  /** Namespace "older-turns". */
  readonly store: KeyValue<OlderTurnsProgress>;
  readonly turns: Pick<TurnStore, "recent" | "count">;
  readonly derive: (turns: readonly OlderTurn[]) => Promise<void>;
  /** Questions are being answered. */
  readonly isBusy: () => boolean;
  readonly coordinator: Pick<Coordinator, "lease">;
  readonly clock: Clock;
  readonly log: Log;
  /** Fewer in tests. */
  readonly perPage?: number;
}): OlderTurns {
  const { store, turns, derive, isBusy, coordinator, clock, log, perPage = defaultPerPage } = deps;
  const ending = new AbortController();
  const { signal } = ending;
  const rest = createRest(clock, signal, () => (isBusy() ? busyShare : quietShare));
  let running = Promise.resolve();
  let isOver = false;

  const isDone = (progress: OlderTurnsProgress | undefined) =>
    progress?.isDone === true && progress.version >= derivedVersion;

  async function begin(): Promise<OlderTurnsProgress> {
    const known = await store.get(key);
    if (known !== undefined && known.version >= derivedVersion) return known;
    const total = await turns.count();
    return { version: derivedVersion, beganAtMs: clock.now(), read: 0, total };
  }

  /** What is needed of the next Turns. */
  async function nextPage(after: RecordCursor | undefined): Promise<readonly OlderTurn[]> {
    const page: OlderTurn[] = [];
    while (page.length < perPage) {
      const size = Math.min(readAtOnce, perPage - page.length);
      const found = await turns.recent(size, page.at(-1) ?? after);
      page.push(...found.map(({ id, askedIn, createdAtMs }) => ({ id, askedIn, createdAtMs })));
      if (found.length < size) break;
    }
    return page;
  }

  /** Under the lease. */
  async function readAll(isCurrent: () => boolean): Promise<void> {
    let progress = await begin();
    const beganWith = progress.read;
    while (progress.isDone !== true) {
      signal.throwIfAborted();
      const page = await nextPage(progress.cursor);
      await derive(page);
      const last = page.at(-1);
      const cursor = last === undefined ? undefined : { id: last.id, createdAtMs: last.createdAtMs };
      const isDone = page.length < perPage ? (true as const) : undefined;
      if (!isCurrent()) throw new Error("The lease of older questions was lost.");
      const { version, beganAtMs, total } = progress;
      const read = progress.read + page.length;
      progress = { version, beganAtMs, read, total: Math.max(total, read), cursor, isDone };
      await store.set(key, progress);
      if (isDone === undefined) await rest();
    }
    if (progress.read > beganWith) log.info({ questions: progress.read }, "Read older questions into the overview");
  }

  /** Under the lease. Those that an instance of the version before may have ended after they were read. */
  async function readNewestAgain(sinceMs: number): Promise<void> {
    let cursor: RecordCursor | undefined;
    for (;;) {
      signal.throwIfAborted();
      const page = await nextPage(cursor);
      const newest = page.filter(({ createdAtMs }) => createdAtMs >= sinceMs);
      await derive(newest);
      const last = newest.at(-1);
      if (last === undefined || newest.length < perPage) return;
      cursor = { id: last.id, createdAtMs: last.createdAtMs };
      await rest();
    }
  }

  async function run(): Promise<void> {
    await rest();
    for (;;) {
      try {
        const before = await store.get(key);
        const isAgain = isDone(before);
        const upgradedAtMs = before?.beganAtMs ?? 0;
        if (isAgain && clock.now() - upgradedAtMs > upgradeMs) break;
        isOver = isAgain;
        const lease = await coordinator.lease("older-turns", { signal });
        try {
          await (isAgain ? readNewestAgain(upgradedAtMs - upgradeMs) : readAll(lease.isCurrent));
          break;
        } finally {
          await lease.release();
        }
      } catch (err) {
        if (signal.aborted) return;
        log.warn({ err }, "Can't read older questions into the overview; retrying");
        await clock.sleep(retryMs, signal);
      }
    }
    isOver = true;
  }

  async function left(): Promise<QuestionsLeft | undefined> {
    if (isOver) return undefined;
    const progress = await store.get(key);
    if (isDone(progress)) return undefined;
    const { cursor, beganAtMs, read, total } = progress ?? {
      cursor: undefined,
      beganAtMs: clock.now(),
      read: 0,
      total: 0,
    };
    if (progress === undefined && (await turns.count()) === 0) return undefined;
    // Another instance may have begun by a clock that is ahead.
    const sinceMs = Math.min(cursor?.createdAtMs ?? beganAtMs, clock.now());
    return { sinceMs, share: total === 0 ? 0 : Math.min(1, read / total) };
  }

  return {
    start: () => {
      // It ends only with the signal, or when all are read.
      running = run().catch(() => undefined);
    },
    left,
    progress: async () => {
      const { sinceMs, share } = (await left()) ?? {};
      if (sinceMs === undefined || share === undefined) return undefined;
      const since = new Date(sinceMs).toISOString().slice(0, 10);
      return `reads older questions: ${Math.floor(share * 100)} % so far, back to ${since}`;
    },
    drain: async () => {
      ending.abort(new Error("The process is ending."));
      await running;
    },
  };
}
