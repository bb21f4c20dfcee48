/** Processes the items of a Job: in parallel where allowed, each with its own outcome. */

import type { JobItem } from "../../core/model/job.ts";
import { personKey } from "../../core/model/place.ts";
import type { ChatPlatform } from "../../core/ports/chat-platform.ts";
import { orAborted } from "../../core/tools/abortable.ts";
import { workSentences } from "../../presentation/sentences.ts";
import type { JobApp } from "./app.ts";
import type { JobRecord } from "./job-record.ts";
import { performItem } from "./job-work.ts";
import { payloadOf } from "./payload.ts";
import { reasonOf } from "./url-work.ts";

type ItemApp = JobApp & { readonly platform: ChatPlatform };

/** Parley reads pages of several hosts in parallel; the service handles one item at a time. */
const itemsAtOnce = { parley: 4, service: 1 } as const;
/** Items this long are stored as soon as they finish, so that they aren't repeated after a crash. */
const longMs = 1_000;
/** Concurrent first looks at URLs: each may take 2 s and 64 kB. */
const looksAtOnce = 20;

/** An item that was running when the process died is retried once: it may be the cause. */
const maxAttempts = 2;
/** Attempts announced with one write, because a Job is stored as a whole. */
const announcedAtOnce = 100;

/** After a crash: retries the items that were running once, except those that must not run twice. */
export function resumeItems(record: JobRecord): void {
  record.changeAll((item) => {
    if (item.state !== "running") return item;
    if (item.kind === "query")
      return {
        ...item,
        state: "failed",
        reason: "Parley restarted while the query ran. Check whether its rows are there before trying again",
      };
    const { stoppedTwice, stoppedTwiceAsking } = workSentences;
    const reason = item.kind === "check" ? stoppedTwiceAsking : stoppedTwice;
    if ((item.attempts ?? 0) >= maxAttempts) return { ...item, state: "failed", reason };
    return waitingAgain(item);
  });
}

/**
 * Hands over to the next process: running items wait again, except those that must not run twice. A clean shutdown
 * doesn't count as an attempt.
 */
export function handOverItems(record: JobRecord): void {
  record.changeAll((item) => {
    if (item.kind === "query" || (item.state !== "running" && item.state !== "waiting")) return item;
    const { attempts = 0, ...left } = waitingAgain(item);
    return attempts <= 1 ? left : { ...left, attempts: attempts - 1 };
  });
}

function waitingAgain({ startedAtMs: _startedAtMs, pages: _pages, size: _size, ...item }: JobItem): JobItem {
  return { ...item, state: "waiting" };
}

/** Resolves when no item is waiting, or when the signal has aborted. */
export async function processItems(record: JobRecord, signal: AbortSignal, app: ItemApp): Promise<void> {
  const { way } = record.job();
  if (way === "service") {
    await eachWaiting(record, looksAtOnce, signal, (at, item) => checkFirst(record, at, item, signal, app));
  }
  const announced = new Map<number, Promise<void>>();
  const work = async (at: number) => {
    await announce(record, at, announced);
    if (!signal.aborted) await processItem(record, at, signal, app);
  };
  // One at a time, so that an item that crashes the process again takes no others with it.
  await eachWaiting(record, 1, signal, async (at, item) => {
    if (item.attempts !== undefined) await work(at);
  });
  await eachWaiting(record, itemsAtOnce[way], signal, work);
}

/**
 * Counts the attempt and stores the count before work starts: second attempts singly, first ones for many items at
 * once. `announced`: the write that stores each.
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
    // The workers share one iterator, so each item is taken once.
    for (const [at, item] of waiting) {
      if (signal.aborted) return;
      if (item.state === "waiting") await work(at, item);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, takeNext));
}

/** Checks every given URL before the first insert, so that a wrong one is reported in seconds instead of minutes. */
async function checkFirst(
  record: JobRecord,
  at: number,
  { kind, url }: JobItem,
  signal: AbortSignal,
  { work, clock }: ItemApp,
): Promise<void> {
  if (kind !== "url" || url === undefined) return;
  const { askedIn, actor } = record.job();
  const { title, reason } = await work.urls.look(url, { owner: personKey(askedIn, actor), signal });
  if (reason !== undefined) record.change(at, { state: "failed", reason, endedAtMs: clock.now() });
  else if (title !== undefined) record.change(at, { title });
}

async function processItem(
  record: JobRecord,
  at: number,
  signal: AbortSignal,
  { work, platform, clock, log }: ItemApp,
): Promise<void> {
  const job = record.job();
  const payload = payloadOf(job, at);
  const startedAtMs = clock.now();
  record.change(at, { state: "running", startedAtMs });
  // The next owner must know that it started: it must not run twice.
  if (payload?.kind === "query") await record.save();
  try {
    const onProgress = (patch: Partial<JobItem>) => {
      if (!signal.aborted) record.change(at, patch);
    };
    // Cancelling doesn't wait: work that can't be interrupted ends on its own, and its result is ignored.
    const task = { job, index: at, payload, platform, signal, onProgress };
    const ended = await orAborted(performItem(work, task), signal);
    record.change(at, { ...ended, state: "done", endedAtMs: clock.now() });
  } catch (thrown) {
    if (signal.aborted) return;
    log.info({ err: thrown, jobId: job.id, ref: job.ref, item: at }, "An item could not be added");
    record.change(at, { state: "failed", reason: reasonOf(thrown), endedAtMs: clock.now() });
  }
  // Stored before the next one starts, so that it is never repeated. Shorter items are stored within a second: each
  // write stores all items, and with hundreds of small ones that cost more time and memory than the items themselves.
  if (payload?.kind === "query" || clock.now() - startedAtMs >= longMs) await record.save();
}
