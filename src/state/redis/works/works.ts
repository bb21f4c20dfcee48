/**
 * Works on Redis, for many instances. The record of a work is the truth, and has its payload. A BullMQ job, which has
 * only the key, hands it to one instance at its time, and to another one if that dies. A job can be lost (a process died
 * before it was added, Redis lost its last second), so works whose time has passed are looked through each minute.
 */
import { randomUUID } from "node:crypto";
import { type Job, Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { z } from "zod";
import { ParleyError } from "../../../core/errors.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Log } from "../../../core/ports/log.ts";
import type { Coordinator } from "../../../core/ports/state.ts";
import type { ListedWork, WorkCounts, WorkState, Works } from "../../../core/ports/storage/works.ts";
import { createFairTurns } from "../../../core/tools/fair-turns.ts";
import {
  type AnyDefinition,
  attemptWork,
  type BegunWork,
  checkTime,
  decodePayload,
  type Ending,
  encodePayload,
} from "../../works/attempt.ts";
import { keyPrefix, type RedisConnection, type RedisScript } from "../connection.ts";
import { orTimeout } from "../link.ts";
import { addScript, beginScript, cancelScript, endScript, retryScript } from "./scripts.ts";

/**
 * A job of a dead instance is taken over after `lockMs` and two checks. Below about 5 s a restart of Redis or a busy
 * event loop makes two instances do the same (measured with BullMQ 6.7.0, November 2026).
 */
export type WorkTimes = { readonly lockMs: number; readonly checkMs: number };
const defaultTimes: WorkTimes = { lockMs: 15_000, checkMs: 5_000 };

/** The braces keep all of a queue's keys in one slot. */
const prefix = `${keyPrefix}{works}`;
/** BullMQ's own calls wait without end while Redis is away. */
const callLimitMs = 1_300;
const lookEveryMs = 60_000;
/**
 * Thousands at once would block the process while it sends them and reads their replies, and the last ones would wait
 * longer than a call is allowed to: 5,970 of 10,000 were refused on a busy machine.
 */
const addedAtOnce = { atOnce: 100, perQueue: 50 };
/** Of each kind and state at a time. */
const lookedThrough = 500;
const tryAgainMs = 500;
/** A connection that says nothing for so long is replaced. BullMQ waits up to 10 s for a job. */
const silentMs = 15_000;
const closeLimitMs = 2_000;
/** Nobody listens to them. */
const maxEvents = 10;
const topic = "works";

/**
 * What BullMQ gives up for good is lost to it, and found again only when works are looked through. So it doesn't: not
 * when a connection is lost, and not however often a process dies. Attempts are counted in the record.
 */
const jobOptions = {
  attempts: 1_000_000,
  backoff: { type: "fixed", delay: tryAgainMs },
  removeOnComplete: true,
  removeOnFail: true,
} as const;
const maxStalledCount = 1_000_000;

const text = z.string();
const addedReply = z.tuple([z.number(), text, text]);
const beginReply = z.union([z.tuple([text, text, text, text, text, text]), z.tuple([text, text]), z.tuple([])]);
const cancelMessage = z.tuple([text, text]);

type JobData = { readonly key: string };

export type RedisWorks = Works & {
  /** Drains it first. */
  readonly close: () => Promise<void>;
};

export function createRedisWorks(deps: {
  readonly connection: RedisConnection;
  readonly coordinator: Pick<Coordinator, "publish" | "subscribe">;
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Shorter in tests. */
  readonly times?: WorkTimes;
}): RedisWorks {
  const { connection, coordinator, url, clock, log, times = defaultTimes } = deps;
  const definitions = new Map<string, AnyDefinition>();
  const queues = new Map<string, Queue<JobData>>();
  const workers = new Map<string, Worker<JobData>>();
  /** Those that run here, by the id of their job. */
  const running = new Map<string, Running>();
  /** Also those whose end is being recorded. */
  const performing = new Set<Promise<void>>();
  const adding = createFairTurns(addedAtOnce);
  let ending = new AbortController();
  let client: Redis | undefined;
  let isLooking = false;
  let stopLooking = () => {};

  const listKey = (kind: string, list: string) => `${keyPrefix}works:${kind}:${list}`;
  const recordKey = (kind: string, key: string) => `${keyPrefix}work:${kind}:${key}`;

  function evaluate(script: RedisScript, kind: string, args: readonly [key: string, ...rest: string[]]) {
    const lists = ["waiting", "active", "failed"].map((list) => listKey(kind, list));
    return connection.evaluate(script, [recordKey(kind, args[0]), ...lists], args);
  }

  /** Opened when the first work is added or done: programs for one command need none. */
  function jobsClient(): Redis {
    client ??= new Redis(url, { maxRetriesPerRequest: null, socketTimeout: silentMs }).on("error", onError);
    return client;
  }

  /** The connection of everything else says that Redis is down, and when it is back. */
  function onError(err: unknown): void {
    log.debug({ err }, "The queue of works has a problem with Redis");
  }

  function queueOf(kind: string): Queue<JobData> {
    const known = queues.get(kind);
    if (known !== undefined) return known;
    const options = { defaultJobOptions: jobOptions, streams: { events: { maxLen: maxEvents } } };
    const queue = new Queue<JobData>(kind, { connection: jobsClient(), prefix, ...options });
    queue.on("error", onError);
    queues.set(kind, queue);
    return queue;
  }

  /** Never rejects: what isn't handed over now is found when works are looked through. */
  async function handOver(kind: string, key: string, jobId: string, dueAtMs: number): Promise<void> {
    const delay = Math.max(0, dueAtMs - clock.now());
    try {
      await orTimeout(clock, callLimitMs, queueOf(kind).add(kind, { key }, { jobId, delay }));
    } catch (err) {
      log.debug({ err, kind, key }, "A work is stored, and not handed over yet");
    }
  }

  /** Never rejects: a job that stays does nothing. */
  async function removeJob(kind: string, jobId: string): Promise<void> {
    if (jobId === "") return;
    await orTimeout(clock, callLimitMs, queueOf(kind).remove(jobId)).catch(onError);
  }

  async function perform(kind: string, jobId: string, key: string): Promise<void> {
    // A worker that pauses may still get a job. The library then gives it to another one, after `tryAgainMs`.
    ending.signal.throwIfAborted();
    const definition = definitions.get(kind);
    if (definition === undefined) throw new Error(`Nothing does works of the kind ${kind}.`);
    const token = randomUUID();
    const reply = await evaluate(beginScript, kind, [key, jobId, token, String(clock.now())]);
    const begun = beginReply.parse(reply);
    // Done, cancelled, or given up.
    if (begun.length === 0) return;
    if (begun.length === 2) return await handOver(kind, key, begun[0], Number(begun[1]));
    const how: Ending =
      begun[5] === "1" ? { how: "done" } : await attempt(kind, definition, { jobId, key }, begunWork(key, begun));
    await recordForSure(kind, key, token, how);
  }

  async function attempt(
    kind: string,
    definition: AnyDefinition,
    { jobId, key }: { readonly jobId: string; readonly key: string },
    work: BegunWork,
  ): Promise<Ending> {
    const cancel = new AbortController();
    running.set(jobId, { kind, key, cancel });
    const stop = AbortSignal.any([ending.signal, cancel.signal]);
    const how = await attemptWork(kind, definition, work, stop, { clock, log });
    running.delete(jobId);
    return how;
  }

  /**
   * Tries until it is recorded: what was done would else be done again. An instance that has begun it since is not
   * disturbed. At the end of the process it tries once.
   */
  async function recordForSure(kind: string, key: string, token: string, how: Ending): Promise<void> {
    const job = randomUUID();
    const nextMs = how.how === "again" || how.how === "retry" ? how.dueAtMs : clock.now();
    const error = how.how === "failed" || how.how === "retry" ? how.error : "";
    const args = [key, token, how.how, String(nextMs), error, job, String(clock.now())] as const;
    for (;;) {
      try {
        const dueAtMs = text.parse(await evaluate(endScript, kind, args));
        if (dueAtMs !== "") await handOver(kind, key, job, Number(dueAtMs));
        return;
      } catch (err) {
        log.debug({ err, kind, key }, "Can't record the end of a work; trying again");
        if (ending.signal.aborted) return;
        await clock.sleep(tryAgainMs, ending.signal).catch(() => undefined);
      }
    }
  }

  function openWorker(kind: string, concurrency: number): void {
    const process = ({ id = "", data }: Job<JobData>) => {
      const performed = perform(kind, id, data.key);
      const settled = performed.then(
        () => undefined,
        () => undefined,
      );
      performing.add(settled);
      void settled.then(() => performing.delete(settled));
      return performed;
    };
    const worker = new Worker<JobData>(kind, process, {
      connection: jobsClient(),
      prefix,
      concurrency,
      lockDuration: times.lockMs,
      stalledInterval: times.checkMs,
      maxStalledCount,
      runRetryDelay: tryAgainMs,
    });
    worker.on("error", onError);
    worker.on("lockRenewalFailed", (ids) => {
      for (const id of ids) running.get(id)?.cancel.abort(new Error("Another instance may do it now."));
    });
    workers.set(kind, worker);
  }

  /**
   * Its job exists, or is added. One that is in none of BullMQ's lists would never run, and one that is delayed there
   * waits by a clock that is behind.
   */
  async function lookAt(kind: string, key: string): Promise<void> {
    const [job, due] = await connection.run((client) => client.hmGet(recordKey(kind, key), ["job", "due"]));
    if (typeof job !== "string") return;
    const queue = queueOf(kind);
    const state = await orTimeout(clock, callLimitMs, queue.getJobState(job));
    if (state === "delayed") return await orTimeout(clock, callLimitMs, promote(queue, job)).catch(onError);
    if (state !== "unknown") return;
    await removeJob(kind, job);
    await handOver(kind, key, job, Number(due));
  }

  async function lookThrough(kind: string): Promise<void> {
    const upTo = String(clock.now());
    for (const list of ["waiting", "active"]) {
      const found = await connection.run((client) =>
        client.zRange(listKey(kind, list), "-inf", upTo, {
          BY: "SCORE",
          LIMIT: { offset: 0, count: lookedThrough },
        }),
      );
      for (const key of found) {
        if (ending.signal.aborted) return;
        await lookAt(kind, key);
      }
    }
  }

  function look(): void {
    if (isLooking || ending.signal.aborted || workers.size === 0) return;
    isLooking = true;
    stopLooking();
    const all = async () => {
      for (const kind of definitions.keys()) await lookThrough(kind);
    };
    all()
      .catch((err: unknown) => log.debug({ err }, "Can't look through the works"))
      .finally(() => {
        isLooking = false;
        if (!ending.signal.aborted) stopLooking = clock.after(lookEveryMs, look);
      });
  }

  function stopHere(message: string): void {
    const [kind, key] = cancelMessage.parse(JSON.parse(message));
    for (const one of running.values()) {
      if (one.kind === kind && one.key === key) one.cancel.abort(new ParleyError("stopped"));
    }
  }

  const stopListening = coordinator.subscribe(topic, stopHere);
  const stopWatching = connection.onReady(look);

  return {
    define: (kind, definition) => {
      definitions.set(kind, definition);
    },

    add: async (kind, key, payload, { dueAtMs = clock.now() } = {}) => {
      const args = [key, encodePayload(kind, payload), String(checkTime(kind, dueAtMs)), randomUUID()] as const;
      return await adding.run(kind, async () => {
        const [isNew, job, before] = addedReply.parse(await evaluate(addScript, kind, args));
        if (job !== "") await handOver(kind, key, job, dueAtMs);
        await removeJob(kind, before);
        return isNew === 1;
      });
    },

    cancel: async (kind, key) => {
      const job = text.parse(await evaluate(cancelScript, kind, [key]));
      if (job !== "") return await removeJob(kind, job);
      // It runs to its end if this is lost, and is then deleted.
      await coordinator.publish(topic, JSON.stringify([kind, key])).catch(onError);
    },

    counts: () => Promise.all([...definitions.keys()].map(counted)),

    list: async (kind, state, limit) => {
      const keys = await keysIn(kind, state, limit);
      const all = await Promise.all(keys.map((key) => listed(kind, key)));
      return all.filter((work) => work !== undefined);
    },

    entries: async function* (kind) {
      // At one moment: a work that changes its list in between would be in none of them.
      const lists = await connection.run((client) =>
        client
          .multi()
          .zRange(listKey(kind, "waiting"), 0, -1)
          .zRange(listKey(kind, "active"), 0, -1)
          .zRange(listKey(kind, "failed"), 0, -1)
          .execTyped(),
      );
      for (const key of lists.flat()) {
        const payload = await connection.run((client) => client.hGet(recordKey(kind, key), "payload"));
        if (typeof payload === "string") yield [key, decodePayload(payload)] as const;
      }
    },

    prune: async (beforeMs) => {
      for (const kind of definitions.keys()) {
        const before = ["-inf", `(${beforeMs}`, { BY: "SCORE" }] as const;
        const failed = await connection.run((client) => client.zRange(listKey(kind, "failed"), ...before));
        for (const key of failed) await evaluate(cancelScript, kind, [key]);
      }
    },

    retry: async (kind, key) => {
      const [nowMs, job] = [clock.now(), randomUUID()];
      const hasFailed = (await evaluate(retryScript, kind, [key, String(nowMs), job])) === 1;
      if (hasFailed) await handOver(kind, key, job, nowMs);
      return hasFailed;
    },

    start: async () => {
      if (ending.signal.aborted) ending = new AbortController();
      for (const [kind, { concurrency }] of definitions) {
        const worker = workers.get(kind);
        if (worker === undefined) openWorker(kind, concurrency);
        else await worker.resume();
      }
      look();
    },

    drain,

    close: async () => {
      stopListening();
      stopWatching();
      await drain();
      // Without Redis it would wait forever. A job that stays is taken over, and its work is found done.
      const isForced = await connection.check().then(
        () => false,
        () => true,
      );
      const closing = [
        ...[...workers.values()].map((worker) => worker.close(isForced)),
        ...[...queues.values()].map((q) => q.close()),
      ];
      await orTimeout(clock, closeLimitMs, Promise.all(closing)).catch(onError);
      client?.disconnect();
    },
  };

  async function drain(): Promise<void> {
    ending.abort(new Error("The process is ending."));
    stopLooking();
    await Promise.all([...workers.values()].map((worker) => worker.pause(true)));
    await Promise.all(performing);
  }

  async function keysIn(kind: string, state: WorkState, limit: number): Promise<readonly string[]> {
    if (limit <= 0) return [];
    const nowMs = clock.now();
    if (state === "failed") {
      return await connection.run((client) => client.zRange(listKey(kind, state), 0, limit - 1, { REV: true }));
    }
    const [from, to] = state === "delayed" ? [`(${nowMs}`, "+inf"] : ["-inf", state === "active" ? "+inf" : nowMs];
    const list = listKey(kind, state === "active" ? state : "waiting");
    const range = { BY: "SCORE", LIMIT: { offset: 0, count: limit } } as const;
    return await connection.run((client) => client.zRange(list, from, to, range));
  }

  async function counted(kind: string): Promise<WorkCounts> {
    const nowMs = clock.now();
    const count = (list: string, from: number | string = "-inf", to: number | string = "+inf") =>
      connection.run((client) => client.zCount(listKey(kind, list), from, to));
    const [waiting, delayed, active, failed] = await Promise.all([
      count("waiting", "-inf", nowMs),
      count("waiting", `(${nowMs}`),
      count("active"),
      count("failed"),
    ]);
    return { kind, waiting, delayed, active, failed };
  }

  async function listed(kind: string, key: string): Promise<ListedWork | undefined> {
    const fields = ["since", "attempts", "error"];
    const [since, attempts, error] = await connection.run((client) => client.hmGet(recordKey(kind, key), fields));
    if (typeof since !== "string") return undefined;
    const about = { key, dueAtMs: Number(since), attempts: Number(attempts) };
    return typeof error === "string" ? { ...about, error } : about;
  }
}

async function promote(queue: Queue<JobData>, jobId: string): Promise<void> {
  const job = await queue.getJob(jobId);
  await job?.promote();
}

type Running = { readonly kind: string; readonly key: string; readonly cancel: AbortController };

function begunWork(key: string, reply: readonly [string, string, string, string, string, string]): BegunWork {
  const [payload, since, begun, attempts, first] = reply;
  return {
    key,
    payload,
    dueAtMs: Number(since),
    begun: Number(begun),
    attempts: Number(attempts),
    firstAtMs: Number(first),
  };
}
