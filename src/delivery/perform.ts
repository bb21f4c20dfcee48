/**
 * Carries out one operation on a platform and keeps the stored parts true to it: intended before a post, posted after
 * it, no stored hash while what it describes is being changed.
 */
import { createHash } from "node:crypto";
import { ParleyError } from "../bridge/errors.ts";
import type { ChatPlatform, WriteOptions } from "../bridge/ports/chat-platform.ts";
import type { Clock } from "../bridge/ports/clock.ts";
import type { Place } from "../bridge/words.ts";
import type { DeliveryMetrics, WriteKind } from "./metrics.ts";
import { adopt, type Operation, withPart } from "./reply-parts.ts";
import type { StoredParts } from "./stored-parts.ts";
import { isOutcomeUnknown } from "./write-errors.ts";

export type Rendered = { readonly payloads: readonly unknown[]; readonly hashes: readonly string[] };

export function rendered(payloads: readonly unknown[]): Rendered {
  const hashes = payloads.map((payload) =>
    createHash("sha256").update(JSON.stringify(payload)).digest("base64url").slice(0, 22),
  );
  return { payloads, hashes };
}

/** What the operations of one Reply work with. */
export type Workplace = {
  readonly platform: ChatPlatform;
  readonly clock: Clock;
  readonly metrics: DeliveryMetrics | undefined;
  readonly replyId: string;
  readonly place: Place;
  readonly stored: StoredParts;
  /** Messages that were given up; never adopted again. */
  readonly abandoned: Set<string>;
  /** Messages whose successors stand elsewhere; to be removed when the end is shown. */
  readonly replaced: Set<string>;
};

/** Rejects with whatever the platform or the store threw; the parts then say what is certain. */
export async function perform(
  work: Workplace,
  operation: Operation,
  target: Rendered,
  options: WriteOptions,
): Promise<void> {
  const { platform, place, replyId, stored } = work;
  switch (operation.kind) {
    case "find": {
      const found = await timed(work, "find", () => platform.findOwn(place, replyId));
      const { parts, twins } = adopt(stored.parts(), found, work.abandoned);
      stored.replace(parts);
      for (const twin of twins) {
        work.replaced.add(twin);
        work.abandoned.add(twin);
      }
      await stored.persist();
      return;
    }
    case "post": {
      const { index } = operation;
      stored.set(index, { isUncertain: false, isFinal: false });
      await stored.persist();
      stored.set(index, { isUncertain: true, isFinal: false });
      try {
        const messageId = await timed(work, "post", () =>
          platform.post(place, target.payloads[index], { replyId, part: index }, options),
        );
        stored.set(index, { messageId, ...hashOf(target, index), isUncertain: false, isFinal: false });
      } catch (thrown) {
        stored.set(index, { isUncertain: isOutcomeUnknown(thrown), isFinal: false });
        throw thrown;
      }
      await stored.persist();
      return;
    }
    case "edit": {
      const { index, messageId } = operation;
      const before = stored.parts().get(index);
      stored.set(index, { messageId, isUncertain: false, isFinal: false });
      // Only an end was stored with its hash; what is in motion needs no word in the store.
      if (before?.isFinal === true) await stored.persist();
      try {
        await timed(work, "edit", () => platform.edit({ place, messageId }, target.payloads[index], options));
        stored.set(index, { messageId, ...hashOf(target, index), isUncertain: false, isFinal: false });
      } catch (thrown) {
        const hash = isOutcomeUnknown(thrown) || before?.hash === undefined ? {} : { hash: before.hash };
        stored.set(index, { messageId, ...hash, isUncertain: false, isFinal: false });
        throw thrown;
      }
      return;
    }
    case "remove": {
      const { index, messageId } = operation;
      await removeMessage(work, messageId);
      abandon(work, index, messageId);
      return;
    }
    default:
      operation satisfies never;
  }
}

/** That message shows nothing of the Reply any more. */
export function abandon(work: Workplace, index: number, messageId: string): void {
  work.abandoned.add(messageId);
  work.replaced.delete(messageId);
  work.stored.replace(withPart(work.stored.parts(), index, undefined));
}

/** Gone already is as good as removed. */
async function removeMessage(work: Workplace, messageId: string): Promise<void> {
  try {
    await timed(work, "remove", () => work.platform.remove({ place: work.place, messageId }));
  } catch (thrown) {
    if (!(thrown instanceof ParleyError && thrown.code === "message_gone")) throw thrown;
  }
}

async function timed<T>(work: Workplace, kind: WriteKind, call: () => Promise<T>): Promise<T> {
  const startedAtMs = work.clock.now();
  const tell = (outcome: string) => work.metrics?.onWrite(kind, outcome, work.clock.now() - startedAtMs);
  try {
    const done = await call();
    tell("ok");
    return done;
  } catch (thrown) {
    const code = thrown instanceof ParleyError ? thrown.code : "internal";
    tell(code);
    if (code === "platform_rate_limited") work.metrics?.onRateLimited();
    throw thrown;
  }
}

function hashOf(target: Rendered, index: number): { readonly hash?: string } {
  const hash = target.hashes[index];
  return hash === undefined ? {} : { hash };
}
