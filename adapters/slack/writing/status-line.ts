/**
 * Shows the running step in the status line of a Slack thread, "Parley is working: …", and clears it again.
 * Nothing depends on it: at most one call per thread is in flight, the newest words win, and what fails is not repeated.
 */

import type { AdapterMetrics } from "../../../src/core/metrics.ts";
import { type LearntShare, shareNow, wholeAgainAtMs } from "../../../src/core/model/learnt-share.ts";
import type { Place } from "../../../src/core/model/place.ts";
import type { Coordinator } from "../../../src/core/ports/state.ts";
import { cleanText } from "../../../src/presentation/drawing.ts";
import { shorten } from "../../../src/presentation/sentences.ts";
import type { WebClient } from "../connection/clients.ts";
import { withoutBrackets } from "../drawing/markup.ts";
import { threadTs } from "../ids.ts";
import { maxStatusChars, statusBucket, statusLastsMs } from "../limits.ts";
import type { SlackParts } from "../parts.ts";
import { slackCode, toPlatformError } from "./api-errors.ts";
import { isRefusedMethod, type Refusals } from "./refusals.ts";

/** What `refusals` calls it. */
const refusedName = "status";
/** Words that nobody renews are left to expire. */
const maxStandingMs = 3_600_000;
const defaultPauseMs = 1_000;

type Line = {
  readonly place: Place;
  readonly thread: string;
  /** "" clears it. */
  wanted: string;
  wantedSinceMs: number;
  /** Undefined: unknown. */
  said: string | undefined;
  /** Words of this process or of another one may be there to clear. */
  mayStand: boolean;
  isSending: boolean;
  cancelRepeat?: () => void;
};

export function createStatusLine(
  options: SlackParts & {
    /** Rejects where Parley isn't installed. */
    readonly clientOf: (place: Place) => Promise<WebClient>;
    readonly refusals: Refusals;
    readonly coordinator: Coordinator;
    readonly metrics?: AdapterMetrics | undefined;
  },
) {
  const { clientOf, refusals, coordinator, metrics, clock, log } = options;
  const lines = new Map<string, Line>();
  /** Lines that wait for a token, by workspace. */
  const waiting = new Map<string, Waiting[]>();
  /** What 429s have taught about each workspace, for the metrics. */
  const learnt = new Map<string, LearntShare>();
  const perMinute = statusBucket.refillPerMinute;
  metrics?.watchBudget("status", {
    per: "workspace",
    perMinute,
    lowered: () =>
      [...learnt]
        .filter(([, share]) => wholeAgainAtMs(share) > clock.now())
        .map(([workspace, share]) => ({
          workspace,
          perMinute: perMinute * shareNow(share, clock.now()),
          wholeAgainAtMs: wholeAgainAtMs(share),
        })),
  });
  const bucketOf = ({ workspace }: Place) => `slack/status/${workspace}`;

  /** Only the first of those that wait asks for a token. A line to clear goes first, because its answer is already shown. */
  function waitForToken(line: Line): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const queue = waiting.get(line.place.workspace) ?? [];
    queue.push({ line, resolve, reject });
    if (!waiting.has(line.place.workspace)) {
      waiting.set(line.place.workspace, queue);
      void serve(line.place, queue);
    }
    return promise;
  }

  async function serve(place: Place, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      try {
        await takeToken(place);
        const clearing = queue.findIndex(({ line }) => line.wanted === "" && line.mayStand);
        queue.splice(Math.max(0, clearing), 1)[0]?.resolve();
      } catch (thrown) {
        queue.shift()?.reject(thrown);
      }
    }
    waiting.delete(place.workspace);
  }

  async function takeToken(place: Place): Promise<void> {
    for (;;) {
      const token = await coordinator.takeToken(bucketOf(place), statusBucket, 0);
      if (token.taken) return;
      await clock.sleep(token.waitMs);
    }
  }

  async function limited(place: Place, forMs: number): Promise<void> {
    const nowMs = clock.now();
    const share = await coordinator.penalise(bucketOf(place), forMs);
    metrics?.onRateLimited();
    if (share < shareNow(learnt.get(place.workspace), nowMs)) metrics?.onBudgetLowered("status");
    learnt.set(place.workspace, { share, loweredAtMs: nowMs, quietSinceMs: nowMs + forMs });
  }

  const isRefused = async ({ workspace }: Place) => (await refusals.of(workspace)).has(refusedName);

  /** Sends the newest words until they stand. A failure is not repeated: newer words will come. */
  async function sendNewest(line: Line): Promise<void> {
    const { place, thread } = line;
    while (line.wanted !== line.said && (line.wanted !== "" || line.mayStand) && !(await isRefused(place))) {
      await waitForToken(line);
      const words = line.wanted;
      if (words === line.said || (words === "" && !line.mayStand)) return;
      line.mayStand = true;
      try {
        const client = await clientOf(place);
        await client.assistant.threads.setStatus({ channel_id: place.channel, thread_ts: thread, status: words });
        line.said = words;
        metrics?.onStatusLine(words === "" ? "cleared" : "shown");
      } catch (thrown) {
        line.said = undefined;
        const { code, retryAfterMs } = toPlatformError(thrown);
        const isLimit = code === "platform_rate_limited";
        const isMethod = isRefusedMethod(thrown);
        metrics?.onStatusLine(isLimit ? "limited" : isMethod ? "refused" : "failed");
        if (isLimit) await limited(place, retryAfterMs ?? defaultPauseMs);
        if (isMethod) refusals.remember(place.workspace, refusedName, slackCode(thrown) ?? code);
        if (!isLimit && line.wanted === words) return;
      }
    }
  }

  async function send(key: string, line: Line): Promise<void> {
    line.isSending = true;
    line.cancelRepeat?.();
    try {
      await sendNewest(line);
    } catch (thrown) {
      log.debug({ err: thrown }, "The status line could not be set in Slack");
    }
    line.isSending = false;
    if (line.wanted === "" || clock.now() - line.wantedSinceMs > maxStandingMs || (await isRefused(line.place))) {
      if (!line.isSending) lines.delete(key);
      return;
    }
    line.cancelRepeat = clock.after(statusLastsMs, () => {
      if (line.isSending || line.wanted === "") return;
      line.said = undefined;
      void send(key, line);
    });
  }

  return {
    /** Returns at once; never throws. */
    show: (place: Place, words: string | undefined): void => {
      const thread = threadTs(place);
      if (thread === undefined) return;
      const key = `${place.workspace}/${place.channel}/${thread}`;
      const line = lines.get(key) ?? newLine(place, thread, words === undefined);
      lines.set(key, line);
      line.wanted = words === undefined ? "" : statusText(words);
      line.wantedSinceMs = clock.now();
      if (!line.isSending) void send(key, line);
    },
  };
}

type Waiting = { readonly line: Line; readonly resolve: () => void; readonly reject: (reason: unknown) => void };

function newLine(place: Place, thread: string, mayStand: boolean): Line {
  return { place, thread, wanted: "", wantedSinceMs: 0, said: undefined, mayStand, isSending: false };
}

/** Commas would divide it in a form's body. */
function statusText(words: string): string {
  const plain = withoutBrackets(cleanText(words).replaceAll(/,\s*/g, " "));
  return shorten(`is working: ${plain}`, maxStatusChars);
}
