/**
 * Works in SQLite: one table and one loop, for the one process that has the folder. Each step of a work is one durable
 * change. What the table calls active and this process doesn't run was left by a process that died.
 */
import { setImmediate as nextLoopTurn } from "node:timers/promises";
import { ParleyError } from "../../core/errors.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Log } from "../../core/ports/log.ts";
import type { ListedWork, WorkCounts, Works } from "../../core/ports/storage/works.ts";
import {
  type AnyDefinition,
  attemptWork,
  type BegunWork,
  checkTime,
  decodePayload,
  type Ending,
  encodePayload,
} from "../works/attempt.ts";
import type { SqliteDatabase } from "./database.ts";

/** While the disk is full, for example. */
const tryAgainMs = 1_000;
const entriesPerRead = 100;

export type SqliteWorks = Works & {
  /** Begins nothing more, and doesn't wait for what runs: the next process continues it. */
  readonly stop: () => void;
};

export function createSqliteWorks(deps: {
  readonly database: SqliteDatabase;
  readonly clock: Clock;
  readonly log: Log;
}): SqliteWorks {
  const { database, clock, log } = deps;
  const { handle, read, write } = database;
  const definitions = new Map<string, AnyDefinition>();
  /** By kind, then by key. */
  const running = new Map<string, Map<string, Running>>();
  let ending = new AbortController();
  let isStarted = false;
  let isLeftKnown = false;
  let looking: Promise<void> | undefined;
  let mustLookAgain = false;
  let cancelTimer = () => {};

  const one = handle.prepare("SELECT state FROM works WHERE kind = ? AND key = ?");
  const insert = handle.prepare(
    `INSERT INTO works (kind, key, payload, state, due_at_ms, since_at_ms) VALUES (?1, ?2, ?3, 'waiting', ?4, ?4)
     ON CONFLICT (kind, key) DO UPDATE SET payload = ?3, state = 'waiting', due_at_ms = ?4, since_at_ms = ?4,
       first_at_ms = NULL, attempts = 0, error = NULL`,
  );
  const addToActive = handle.prepare("UPDATE works SET payload = ?3, again_at_ms = ?4 WHERE kind = ?1 AND key = ?2");
  const due = handle.prepare(
    "SELECT key FROM works WHERE kind = ? AND state = 'waiting' AND due_at_ms <= ? ORDER BY due_at_ms, key LIMIT ?",
  );
  const earliest = handle.prepare("SELECT min(due_at_ms) AS at FROM works WHERE kind = ? AND state = 'waiting'");
  const begin = handle.prepare(
    `UPDATE works SET state = 'active', attempts = attempts + 1, begun = begun + 1,
       first_at_ms = coalesce(first_at_ms, ?3)
     WHERE kind = ?1 AND key = ?2 AND state = 'waiting' AND due_at_ms <= ?3
     RETURNING key, payload, since_at_ms, attempts, begun, first_at_ms`,
  );
  const remove = handle.prepare("DELETE FROM works WHERE kind = ? AND key = ?");
  const markCancelled = handle.prepare(
    "UPDATE works SET is_cancelled = 1, again_at_ms = NULL, payload = 'null' WHERE kind = ? AND key = ?",
  );
  /** All attempts count from now. ?4 is 0 if nothing of it can have been done before. */
  const renew = handle.prepare(
    `UPDATE works SET state = 'waiting', due_at_ms = ?3, since_at_ms = ?3, first_at_ms = NULL, again_at_ms = NULL,
       attempts = 0, begun = begun * ?4, is_cancelled = 0, error = NULL
     WHERE kind = ?1 AND key = ?2`,
  );
  const putBack = handle.prepare(
    "UPDATE works SET state = 'waiting', due_at_ms = ?3, error = ?4 WHERE kind = ?1 AND key = ?2",
  );
  const stopped = handle.prepare(
    "UPDATE works SET state = 'waiting', attempts = attempts - 1 WHERE kind = ?1 AND key = ?2",
  );
  /** Its time is then that of its failure, by which it is listed. */
  const fail = handle.prepare(
    "UPDATE works SET state = 'failed', due_at_ms = ?3, error = ?4 WHERE kind = ?1 AND key = ?2",
  );
  const about = handle.prepare("SELECT again_at_ms, is_cancelled FROM works WHERE kind = ? AND key = ?");
  const left = handle.prepare("SELECT kind, key, again_at_ms, is_cancelled FROM works WHERE state = 'active'");
  const leave = handle.prepare("UPDATE works SET state = 'waiting' WHERE kind = ? AND key = ?");
  const following = handle.prepare(
    `SELECT key, payload FROM works WHERE kind = ? AND key > ? ORDER BY key LIMIT ${entriesPerRead}`,
  );
  const pruneFailed = handle.prepare("DELETE FROM works WHERE state = 'failed' AND due_at_ms < ?");
  const count = handle.prepare(
    `SELECT coalesce(sum(state = 'waiting' AND due_at_ms <= ?2), 0) AS waiting,
       coalesce(sum(state = 'waiting' AND due_at_ms > ?2), 0) AS delayed,
       coalesce(sum(state = 'active'), 0) AS active, coalesce(sum(state = 'failed'), 0) AS failed
     FROM works WHERE kind = ?1`,
  );
  const page = (condition: string, order: string) =>
    handle.prepare(
      `SELECT key, since_at_ms, due_at_ms, attempts, error FROM works WHERE kind = ?1 AND ${condition}
       ORDER BY due_at_ms ${order}, key LIMIT ?2`,
    );
  const pages = {
    waiting: page("state = 'waiting' AND due_at_ms <= ?3", "ASC"),
    delayed: page("state = 'waiting' AND due_at_ms > ?3", "ASC"),
    active: page("state = 'active'", "ASC"),
    failed: page("state = 'failed'", "DESC"),
  };

  /** In the transaction that ends an attempt. */
  function record(kind: string, key: string, how: Ending): void {
    const row = about.get(kind, key);
    if (row === undefined) return;
    const againAtMs = row["again_at_ms"];
    const isOver = how.how === "done" || how.how === "again";
    if (againAtMs !== null) renew.run(kind, key, Number(againAtMs), isOver ? 0 : 1);
    else if (row["is_cancelled"] === 1 || how.how === "done") remove.run(kind, key);
    else if (how.how === "again") renew.run(kind, key, how.dueAtMs, 0);
    else if (how.how === "retry") putBack.run(kind, key, how.dueAtMs, how.error);
    else if (how.how === "failed") fail.run(kind, key, clock.now(), how.error);
    else stopped.run(kind, key);
  }

  /** Tries until it is recorded: what was done would else be done again. At the end of the process it tries once. */
  async function recordForSure(kind: string, key: string, how: Ending): Promise<void> {
    for (;;) {
      try {
        return await write(() => record(kind, key, how));
      } catch (err) {
        log.warn({ err, kind, key }, "Can't record the end of a work; trying again");
        if (ending.signal.aborted) return;
        await clock.sleep(tryAgainMs, ending.signal).catch(() => undefined);
      }
    }
  }

  async function perform(kind: string, definition: AnyDefinition, work: BegunWork, stop: AbortSignal): Promise<void> {
    const how = await attemptWork(kind, definition, work, stop, { clock, log });
    await recordForSure(kind, work.key, how);
    running.get(kind)?.delete(work.key);
    look();
  }

  async function beginDue(kind: string, definition: AnyDefinition): Promise<void> {
    const ofKind = running.get(kind) ?? new Map<string, Running>();
    running.set(kind, ofKind);
    const free = () => definition.concurrency - ofKind.size;
    while (!ending.signal.aborted && free() > 0) {
      const nowMs = clock.now();
      const keys = read(() => due.all(kind, nowMs, free())).map((row) => String(row["key"]));
      if (keys.length === 0) return;
      const begun = await write(() => keys.flatMap((key) => begin.all(kind, key, nowMs)).map(begunWork));
      for (const work of begun) {
        const cancel = new AbortController();
        const stop = AbortSignal.any([ending.signal, cancel.signal]);
        // Not before it is in the map, from which its end removes it.
        const done = Promise.resolve().then(() => perform(kind, definition, work, stop));
        ofKind.set(work.key, { cancel, done });
      }
    }
  }

  /** The next time at which something may begin here. */
  function nextTime(): number | undefined {
    const times = [...definitions].flatMap(([kind, { concurrency }]) => {
      // When one of them ends, this is looked at again.
      if ((running.get(kind)?.size ?? 0) >= concurrency) return [];
      const at = read(() => earliest.get(kind))?.["at"];
      return typeof at === "number" ? [at] : [];
    });
    return times.length === 0 ? undefined : Math.min(...times);
  }

  async function lookOnce(): Promise<void> {
    cancelTimer();
    let nextMs: number | undefined;
    try {
      if (!isLeftKnown) await write(continueLeft);
      isLeftKnown = true;
      for (const [kind, definition] of definitions) await beginDue(kind, definition);
      nextMs = nextTime();
    } catch (err) {
      log.warn({ err }, "Can't look for works that are due; trying again");
      nextMs = clock.now() + tryAgainMs;
    }
    if (nextMs === undefined || ending.signal.aborted) return;
    cancelTimer = clock.after(Math.max(0, nextMs - clock.now()), look);
  }

  function look(): void {
    if (!isStarted || ending.signal.aborted) return;
    if (looking !== undefined) {
      mustLookAgain = true;
      return;
    }
    looking = lookOnce().finally(() => {
      looking = undefined;
      if (!mustLookAgain) return;
      mustLookAgain = false;
      look();
    });
  }

  /** What a process that died was doing. Its attempt counts: it may be what the process died of. */
  function continueLeft(): void {
    for (const row of left.all()) {
      const [kind, key] = [String(row["kind"]), String(row["key"])];
      if (row["again_at_ms"] !== null) renew.run(kind, key, Number(row["again_at_ms"]), 1);
      else if (row["is_cancelled"] === 1) remove.run(kind, key);
      else leave.run(kind, key);
    }
  }

  function stop(): void {
    ending.abort(new Error("The process is ending."));
    cancelTimer();
  }

  return {
    define: (kind, definition) => {
      definitions.set(kind, definition);
    },

    add: async (kind, key, payload, { dueAtMs = clock.now() } = {}) => {
      const json = encodePayload(kind, payload);
      checkTime(kind, dueAtMs);
      const isNew = await write(() => {
        const state = one.get(kind, key)?.["state"];
        if (state === "active") addToActive.run(kind, key, json, dueAtMs);
        else insert.run(kind, key, json, dueAtMs);
        return state === undefined;
      });
      look();
      return isNew;
    },

    cancel: async (kind, key) => {
      await write(() => {
        if (one.get(kind, key)?.["state"] === "active") markCancelled.run(kind, key);
        else remove.run(kind, key);
      });
      running.get(kind)?.get(key)?.cancel.abort(new ParleyError("stopped"));
    },

    counts: async () => {
      const nowMs = clock.now();
      return [...definitions.keys()].map((kind) => counted(kind, read(() => count.get(kind, nowMs)) ?? {}));
    },

    list: async (kind, state, limit) => {
      const times = state === "waiting" || state === "delayed" ? [clock.now()] : [];
      return read(() => pages[state].all(kind, limit, ...times)).map(listed);
    },

    entries: async function* (kind) {
      for (let after = ""; ; ) {
        const rows = read(() => following.all(kind, after));
        for (const row of rows) {
          after = String(row["key"]);
          yield [after, decodePayload(String(row["payload"]))] as const;
        }
        if (rows.length < entriesPerRead) return;
        await nextLoopTurn();
      }
    },

    prune: async (beforeMs) => {
      await write(() => pruneFailed.run(beforeMs));
    },

    retry: async (kind, key) => {
      const isThere = await write(() => {
        const hasFailed = one.get(kind, key)?.["state"] === "failed";
        if (hasFailed) renew.run(kind, key, clock.now(), 1);
        return hasFailed;
      });
      look();
      return isThere;
    },

    start: async () => {
      if (ending.signal.aborted) ending = new AbortController();
      isStarted = true;
      isLeftKnown = false;
      look();
    },

    stop,

    drain: async () => {
      stop();
      await looking;
      await Promise.all([...running.values()].flatMap((ofKind) => [...ofKind.values()].map(({ done }) => done)));
    },
  };
}

type Running = { readonly cancel: AbortController; readonly done: Promise<void> };
type Row = Record<string, unknown>;

function begunWork(row: Row): BegunWork {
  return {
    key: String(row["key"]),
    payload: String(row["payload"]),
    dueAtMs: Number(row["since_at_ms"]),
    begun: Number(row["begun"]),
    attempts: Number(row["attempts"]),
    firstAtMs: Number(row["first_at_ms"]),
  };
}

function counted(kind: string, { waiting, delayed, active, failed }: Row): WorkCounts {
  return {
    kind,
    waiting: Number(waiting),
    delayed: Number(delayed),
    active: Number(active),
    failed: Number(failed),
  };
}

function listed(row: Row): ListedWork {
  const { key, since_at_ms: dueAtMs, attempts, error } = row;
  const about = { key: String(key), dueAtMs: Number(dueAtMs), attempts: Number(attempts) };
  return error === null ? about : { ...about, error: String(error) };
}
