/**
 * Reads the Slack messages missed during an outage and passes them on as if they had just arrived.
 * Slack sends an event four times within about six minutes, then never again. So after each connection every channel is
 * read from its watermark; the event key deduplicates. One instance reads, under a lease: if it dies, the next one
 * starts from the watermarks again.
 */
import { randomUUID } from "node:crypto";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Coordinator, Lease } from "../../../src/core/ports/state.ts";
import { platformPauses, retry } from "../../../src/core/tools/retry.ts";
import type { Self } from "../ids.ts";
import type { SlackMessage } from "../intake/events.ts";
import { maxHoldMs, maxMissedMs } from "../limits.ts";
import type { SlackParts } from "../parts.ts";
import { toPlatformError } from "../writing/api-errors.ts";
import { type CatchUpQueue, createCatchUpQueue, type Gap, type Step } from "./catch-up-queue.ts";
import type { ChannelReads } from "./channel-reads.ts";
import { isMissed, isReply, readFrom, readingOrder, threadOrder, tsAt } from "./missed.ts";
import type { Stored, Watermarks } from "./watermarks.ts";

/** One run over all channels. */
type Run = { readonly self: Self; readonly lease: Lease; readonly signal: AbortSignal };

/** About 30 s. Then a message that can't be stored is dropped, unless the whole storage is down. */
const maxHandTries = 6;
/** The channel or thread is gone, or Parley can't read it. */
const closedCodes = ["place_gone", "thread_gone", "not_permitted", "platform_refused", "message_gone"];

export function createCatchUp(
  options: SlackParts & {
    readonly reads: ChannelReads;
    readonly watermarks: Watermarks;
    readonly self: () => Promise<Self>;
    /** Resolves with false if the message could not be stored and has to be passed on again. */
    readonly passOn: (self: Self, channel: string, message: SlackMessage) => Promise<boolean>;
    readonly boundChannels: (teamId: string) => Promise<readonly string[]>;
    readonly coordinator: Coordinator;
  },
) {
  const { reads, watermarks, coordinator, keyValue, clock, log } = options;
  const closing = new AbortController();
  let connection = new AbortController();
  /** Without watermarks, nothing before this moment counts as missed. */
  let firstConnectedMs: number | undefined;
  /** Set while this instance reads. */
  let queue: CatchUpQueue | undefined;
  const waiting = new Map<string, Set<() => void>>();

  async function keepReading(signal: AbortSignal): Promise<void> {
    const beganMs = clock.now();
    await retry(() => attempt(signal), {
      clock,
      ...platformPauses,
      signal,
      pauseAfter: (thrown, pauseMs) => {
        if (signal.aborted) return undefined;
        log.warn({ err: thrown }, "Missed Slack messages could not be read yet");
        return clock.now() - beganMs > maxMissedMs ? undefined : pauseMs;
      },
    }).catch(() => undefined);
    if (signal.aborted) return;
    watermarks.release();
    await watermarks.flush();
  }

  async function attempt(signal: AbortSignal): Promise<void> {
    const self = await options.self();
    const doneKey = `${self.teamId}/caught-up`;
    const doneBefore = await keyValue.get(doneKey);
    const lease = await coordinator.lease(`slack/${self.teamId}/catch-up`, { signal });
    try {
      const stored = await watermarks.load(self.teamId);
      // Another instance has read everything since this one connected.
      if ((await keyValue.get(doneKey)) !== doneBefore) return;
      const { since } = stored;
      if (since === undefined) await watermarks.begin(self.teamId, tsAt(firstConnectedMs ?? clock.now()));
      else await readAll({ self, lease, signal: AbortSignal.any([signal, lease.lost]) }, { ...stored, since });
      await keyValue.set(doneKey, randomUUID());
    } finally {
      await lease.release();
    }
  }

  async function readAll(run: Run, stored: Stored & { readonly since: string }): Promise<void> {
    const { self, signal } = run;
    const beganMs = clock.now();
    const bound = new Set(await options.boundChannels(self.teamId));
    const own = Map.groupBy(stored.threads, ({ channel }) => channel);
    const known = new Set([...bound, ...stored.channels.keys(), ...own.keys(), ...(await reads.channels(signal))]);
    const gaps = readingOrder(known, { lastTs: (channel) => stored.channels.get(channel), bound }).map((channel) => {
      const markTs = stored.channels.get(channel) ?? stored.since;
      const threads = new Set(own.get(channel)?.map(({ thread }) => thread));
      return { channel, markTs, fromTs: readFrom(markTs, beganMs), threads, isTopRead: false };
    });
    const steps = createCatchUpQueue(gaps, threadOrder(stored.threads, bound));
    queue = steps;
    let passedOn = 0;
    try {
      for (let step = steps.next(); step !== undefined; step = steps.next()) {
        // By now, everything still unread is too old to answer.
        if (clock.now() - beganMs > maxMissedMs) break;
        try {
          passedOn += await readStep(run, step, steps);
        } catch (thrown) {
          if (!(thrown instanceof ParleyError) || thrown.code !== "platform_unreachable") throw thrown;
          steps.defer(step);
          continue;
        }
        if (steps.finish(step)) done(step.gap);
      }
    } finally {
      queue = undefined;
      for (const channel of waiting.keys()) releaseWaiting(channel);
    }
    const tookMs = clock.now() - beganMs;
    log.info({ channels: gaps.length, passedOn, tookMs }, "Missed Slack messages have been read");
  }

  /** Reads one channel or thread; returns how many messages were passed on. */
  async function readStep(run: Run, step: Step, steps: CatchUpQueue) {
    const { gap, thread } = step;
    const { channel, markTs } = gap;
    let passedOn = 0;
    for (const message of await read(step, steps, run.signal)) {
      if (watermarks.wasHeard(channel, message.ts)) continue;
      const inThread = thread ?? message.thread_ts;
      const joinedTs = inThread === undefined ? undefined : watermarks.joinedAt(channel, inThread);
      if (!isMissed(message, { self: run.self, channel, markTs, joinedTs, nowMs: clock.now() })) continue;
      await passOnWithRetries(run, channel, message);
      passedOn += 1;
    }
    return passedOn;
  }

  async function read({ gap, thread }: Step, steps: CatchUpQueue, signal: AbortSignal) {
    try {
      if (thread !== undefined) return await reads.thread(gap.channel, thread, gap.fromTs, signal);
      const messages = await reads.history(gap.channel, gap.fromTs, signal);
      for (const { ts, thread_ts } of messages) {
        gap.newestTs = ts;
        if (thread_ts === ts) steps.add(gap, ts);
      }
      return messages.filter((message) => !isReply(message) || message.subtype === "thread_broadcast");
    } catch (thrown) {
      signal.throwIfAborted();
      if (!closedCodes.includes(toPlatformError(thrown).code)) throw thrown;
      log.debug({ err: thrown, channel: gap.channel }, "The missed messages of a Slack channel cannot be read");
      if (thread === undefined) gap.threads.clear();
      return [];
    }
  }

  async function passOnWithRetries({ self, lease, signal }: Run, channel: string, message: SlackMessage) {
    let pauseMs = platformPauses.firstPauseMs;
    for (let tries = 1; ; tries += 1) {
      signal.throwIfAborted();
      if (!lease.isCurrent()) throw new Error("the lease has lapsed");
      if (await options.passOn(self, channel, message)) return;
      if (tries >= maxHandTries && (await canStore(self))) {
        log.error({ channel, ts: message.ts }, "A missed Slack message was dropped: it could not be stored");
        return;
      }
      await clock.sleep(pauseMs, signal);
      pauseMs = Math.min(pauseMs * 2, platformPauses.maxPauseMs);
    }
  }

  function canStore({ teamId }: Self): Promise<boolean> {
    return keyValue.set(`${teamId}/catching-up`, tsAt(clock.now()), maxMissedMs).then(
      () => true,
      () => false,
    );
  }

  function done(gap: Gap): void {
    watermarks.done(gap.channel, gap.newestTs);
    releaseWaiting(gap.channel);
  }

  function releaseWaiting(channel: string): void {
    for (const resolve of waiting.get(channel) ?? []) resolve();
    waiting.delete(channel);
  }

  return {
    /** Slack is connected: starts reading missed messages. */
    connected: (): void => {
      firstConnectedMs ??= clock.now();
      connection.abort();
      connection = new AbortController();
      void keepReading(AbortSignal.any([connection.signal, closing.signal]));
    },
    lost: (): void => {
      connection.abort();
      watermarks.hold();
    },
    /** Resolves when the missed messages of that channel have been passed on, or after `maxHoldMs`. */
    before: (channel: string): Promise<void> => {
      if (queue?.has(channel) !== true) return Promise.resolve();
      queue.prioritise(channel);
      return new Promise((resolve) => {
        const all = waiting.get(channel) ?? new Set();
        waiting.set(channel, all);
        const cancel = clock.after(maxHoldMs, () => over());
        const over = () => {
          cancel();
          all.delete(over);
          resolve();
        };
        all.add(over);
      });
    },
    stop: (): void => closing.abort(),
  };
}
