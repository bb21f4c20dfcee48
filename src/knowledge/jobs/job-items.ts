/** Working off the items of a Job: what waits is done, side by side where that is allowed, each with its own outcome. */

import type { ChatPlatform } from "../../ports/chat-platform.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { JobItem } from "../../ports/model/job.ts";
import { workSentences } from "../../presentation/sentences.ts";
import type { JobRecord } from "./job-record.ts";
import type { JobWork } from "./job-work.ts";
import { payloadOf } from "./payload.ts";
import { reasonOf } from "./url-work.ts";

export type ItemDeps = {
  readonly platform: ChatPlatform;
  readonly work: JobWork;
  readonly clock: Clock;
  readonly log: Log;
};

/** Pages of several hosts are read side by side; what the service reads, it reads alone. */
const itemsAtOnce = { parley: 4, service: 1 } as const;
/** What takes as long is not done twice, even when the process is killed. */
const longMs = 1_000;
/** Addresses that are looked at side by side: each may take 2 s, and 64 kB. */
const looksAtOnce = 20;

/** An item in which a process died is tried once more: it may be what ended it. */
const maxAttempts = 2;
/** Begun one after the other, with one write for all of them: a Job is stored whole. */
const announcedAtOnce = 100;

/** What an earlier process was doing when it died is done again, once, but for what must not be done twice. */
export function settleItems(record: JobRecord): void {
  record.changeAll((item) => {
    if (item.state !== "running") return item;
    if (item.kind === "query") return { ...item, state: "failed", reason: workSentences.queryInterrupted };
    const { attempts = 1 } = item;
    if (attempts >= maxAttempts) return { ...item, state: "failed", reason: workSentences.stoppedTwice };
    return { ...waitingAgain(item), attempts };
  });
}

/** Left to the next process: what ran here waits again, but for what must not be done twice. An end in order counts as no attempt. */
export function leaveItems(record: JobRecord): void {
  record.changeAll((item) => {
    if (item.kind === "query" || (item.state !== "running" && item.state !== "waiting")) return item;
    const { attempts = 0, ...left } = waitingAgain(item);
    return attempts <= 1 ? left : { ...left, attempts: attempts - 1 };
  });
}

function waitingAgain({ startedAtMs: _startedAtMs, pages: _pages, ...item }: JobItem): JobItem {
  return { ...item, state: "waiting" };
}

/** Resolves when nothing waits any more, or when the signal has aborted. */
export async function workOff(record: JobRecord, signal: AbortSignal, deps: ItemDeps): Promise<void> {
  const { way } = record.job();
  if (way === "service") {
    await eachWaiting(record, looksAtOnce, signal, (at, item) => lookFirst(record, at, item, signal, deps));
  }
  const announced = new Map<number, Promise<void>>();
  const work = async (at: number) => {
    await announce(record, at, announced);
    if (!signal.aborted) await workOn(record, at, signal, deps);
  };
  // Alone, so that what ends the process a second time takes no others with it.
  await eachWaiting(record, 1, signal, async (at, item) => {
    if (item.attempts !== undefined) await work(at);
  });
  await eachWaiting(record, itemsAtOnce[way], signal, work);
}

/**
 * Counts the attempt, and stores the count before it begins: of a second one by itself, of first ones for many items.
 * `announced`: when each is stored.
 */
function announce(record: JobRecord, at: number, announced: Map<number, Promise<void>>): Promise<void> {
  const known = announced.get(at);
  if (known !== undefined) return known;
  const { items } = record.job();
  const attempts = items[at]?.attempts ?? 0;
  const indexes =
    attempts > 0
      ? [at]
      : [...items.keys()].filter((index) => index >= at && isFresh(items[index])).slice(0, announcedAtOnce);
  for (const index of indexes) record.change(index, { attempts: attempts + 1 });
  if (attempts > 0) record.change(at, { state: "running" });
  const stored = record.save();
  for (const index of indexes) announced.set(index, stored);
  return stored;
}

function isFresh(item: JobItem | undefined): boolean {
  return item?.state === "waiting" && item.attempts === undefined;
}

async function eachWaiting(
  record: JobRecord,
  atOnce: number,
  signal: AbortSignal,
  work: (at: number, item: JobItem) => Promise<void>,
): Promise<void> {
  const waiting = record.job().items.entries();
  const takeNext = async (): Promise<void> => {
    // One iterator for all: what one of them took, no other one gets.
    for (const [at, item] of waiting) {
      if (signal.aborted) return;
      if (item.state === "waiting") await work(at, item);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, takeNext));
}

/** Each given address before the first is inserted, so that a wrong one is known in seconds and not after minutes. */
async function lookFirst(
  record: JobRecord,
  at: number,
  { kind, url }: JobItem,
  signal: AbortSignal,
  { work, clock }: ItemDeps,
): Promise<void> {
  if (kind !== "url" || url === undefined) return;
  const { title, reason } = await work.look(url, signal);
  if (reason !== undefined) record.change(at, { state: "failed", reason, endedAtMs: clock.now() });
  else if (title !== undefined) record.change(at, { title });
}

async function workOn(
  record: JobRecord,
  at: number,
  signal: AbortSignal,
  { work, platform, clock, log }: ItemDeps,
): Promise<void> {
  const job = record.job();
  const payload = payloadOf(job, at);
  const startedAtMs = clock.now();
  record.change(at, { state: "running", startedAtMs });
  // Whoever goes on after this process must know that it ran: it must not run twice.
  if (payload?.kind === "query") await record.save();
  try {
    const report = (patch: Partial<JobItem>) => {
      if (!signal.aborted) record.change(at, patch);
    };
    const ended = await orAborted(work.perform(job, at, payload, platform, signal, report), signal);
    record.change(at, { ...ended, state: "done", endedAtMs: clock.now() });
  } catch (thrown) {
    if (signal.aborted) return;
    log.info({ err: thrown, jobId: job.id, ref: job.ref, item: at }, "Something could not be added");
    record.change(at, { state: "failed", reason: reasonOf(thrown), endedAtMs: clock.now() });
  }
  // Before the next one begins, so that it is never done again. The rest is stored within a second: all items are written
  // each time, and with hundreds of small ones that took more time and memory than they did themselves.
  if (payload?.kind === "query" || clock.now() - startedAtMs >= longMs) await record.save();
}

/** Whoever cancels waits for nothing: what cannot be broken off ends by itself, unheard. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener("abort", onAbort));
}
