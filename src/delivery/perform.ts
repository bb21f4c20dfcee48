/**
 * Performs one operation on a platform and keeps the stored parts correct. A part is stored as intended before its post
 * and as posted after it; while a message is being changed, no hash is stored for it.
 */
import { createHash } from "node:crypto";
import { ParleyError } from "../core/errors.ts";
import type { DeliveryMetrics, WriteKind } from "../core/metrics.ts";
import type { Place } from "../core/model/place.ts";
import { filePart, type Reply } from "../core/model/reply.ts";
import type { ChatPlatform, PostedFile, PostMark, WriteOptions } from "../core/ports/chat-platform.ts";
import type { Clock } from "../core/ports/clock.ts";
import {
  adopt,
  generationOf,
  isOnlyProgress,
  newestGeneration,
  nextOperation,
  type Operation,
  restored,
  supersede,
  withoutMessage,
} from "./reply-parts.ts";
import type { StoredParts } from "./stored-parts.ts";
import { isOutcomeUnknown } from "./write-errors.ts";

export type Rendered = {
  readonly payloads: readonly unknown[];
  readonly hashes: readonly string[];
  readonly file?: { readonly content: PostedFile; readonly hash: string };
};

export function rendered(payloads: readonly unknown[], file?: PostedFile): Rendered {
  const hashes = payloads.map((payload) => hashText(JSON.stringify(payload)));
  return {
    payloads,
    hashes,
    file: file === undefined ? undefined : { content: file, hash: hashText(file.content) },
  };
}

function hashText(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

/** What the operations of one Reply share. */
export type ReplyWork = {
  readonly platform: ChatPlatform;
  readonly clock: Clock;
  readonly metrics?: DeliveryMetrics | undefined;
  readonly replyId: string;
  readonly place: Place;
  readonly stored: StoredParts;
  /** Messages that were given up; never adopted again. */
  abandoned: ReadonlySet<string>;
  /** Messages that were replaced elsewhere; removed when the end is shown. */
  replaced: ReadonlySet<string>;
  /** An end may be posted beside the progress that stands. */
  mayPostAnew?: boolean;
  /** An unknown message may exist too: search once more before the end counts as shown. */
  mayHaveTwins: boolean;
};

/** Shared: of 10,000 waiting questions few ever give up a message. */
const none: ReadonlySet<string> = new Set();

/** The work of one Reply at its beginning. */
export function newWork(
  options: Omit<ReplyWork, "place" | "stored" | "abandoned" | "replaced" | "mayHaveTwins"> & {
    readonly reply: Reply;
    readonly mayHaveTwins?: boolean;
  },
  stored: StoredParts,
): ReplyWork {
  const { mayHaveTwins = false, reply } = options;
  return { ...options, place: reply.place, stored, abandoned: none, replaced: none, mayHaveTwins };
}

/** Index for a message that is no longer part of the Reply. */
const noPart = -1;

/** The next write that ends the Reply with this content, or undefined when nothing is left to do. */
export function nextOfEnd({ stored, mayHaveTwins, replaced }: ReplyWork, content: Rendered): Operation | undefined {
  const operation = nextOperation(stored.parts(), content.hashes, true, content.file?.hash);
  if (operation !== undefined) return operation;
  if (mayHaveTwins) return { kind: "find" };
  const [messageId] = replaced;
  return messageId === undefined ? undefined : { kind: "remove", index: noPart, messageId };
}

/** Whether that edit may be a new message instead: only while nothing but progress is shown there. */
export function mayBeAnew({ mayPostAnew, platform, stored }: ReplyWork, operation: Operation | undefined): boolean {
  if (operation?.kind !== "edit" || mayPostAnew !== true || platform.limits.writes.posts === undefined) return false;
  return isOnlyProgress(stored.parts());
}

/** Rejects with the error of the platform or the store; the parts then hold what is certain. */
export async function perform(
  work: ReplyWork,
  operation: Operation,
  target: Rendered,
  options: WriteOptions,
): Promise<void> {
  const { platform, place, replyId, stored } = work;
  const showsEnd = options.urgency === "final";
  switch (operation.kind) {
    case "find": {
      const found = await timed(work, "find", () =>
        platform.findOwn(place, replyId, newestGeneration(stored.parts()), options.signal),
      );
      const notOurs = new Set([...work.abandoned, ...stored.superseded()]);
      const { parts, twins, isLost } = adopt(stored.parts(), found, notOurs);
      work.mayHaveTwins = isLost || (options.urgency !== "final" && work.mayHaveTwins);
      stored.replace(parts);
      work.replaced = new Set([...work.replaced, ...twins]);
      work.abandoned = new Set([...work.abandoned, ...twins]);
      await stored.persist();
      return;
    }
    case "post": {
      const { index } = operation;
      const generation = generationOf(stored.parts(), index);
      // A file never changes, so its content identifies it from the beginning.
      const isFinal = index === filePart;
      const intended = { generation, ...(isFinal ? hashOf(target, index) : {}), isFinal: false, showsEnd };
      stored.set(index, { ...intended, isUncertain: true });
      try {
        await stored.persist();
      } catch (thrown) {
        stored.set(index, { ...intended, isUncertain: false });
        throw thrown;
      }
      try {
        const mark = { replyId, part: index, generation };
        const { result: messageId, lacks } = await written(options, (told) =>
          timed(work, "post", () => post(work, target, mark, told)),
        );
        stored.set(index, {
          messageId,
          ...hashOf(target, index),
          ...lacks,
          generation,
          isUncertain: false,
          isFinal,
          showsEnd,
        });
      } catch (thrown) {
        stored.set(index, { ...intended, isUncertain: isOutcomeUnknown(thrown) });
        throw thrown;
      }
      await stored.persist();
      return;
    }
    case "edit": {
      const { index, messageId } = operation;
      const before = stored.parts().get(index);
      const generation = generationOf(stored.parts(), index);
      const part = { messageId, generation, isUncertain: false, isFinal: false, showsEnd };
      stored.set(index, part);
      // Only ends are stored with their hash; progress needs no write to the store.
      if (before?.isFinal === true) await stored.persist();
      try {
        const { lacks } = await written(options, (told) =>
          timed(work, "edit", () => platform.edit({ place, messageId }, target.payloads[index], told)),
        );
        stored.set(index, { ...part, ...hashOf(target, index), ...lacks });
      } catch (thrown) {
        const hash = isOutcomeUnknown(thrown) ? undefined : before?.hash;
        // Known to have failed: the message is as it was before.
        const isUnchanged = !isOutcomeUnknown(thrown);
        stored.set(index, {
          ...part,
          hash,
          showsEnd: isUnchanged ? before?.showsEnd === true : showsEnd,
        });
        throw thrown;
      }
      return;
    }
    case "anew":
      return postAnew(work, target, options);
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

/** The store knows both before anything is posted, so that after a crash neither is lost nor shown twice. */
async function postAnew(work: ReplyWork, target: Rendered, options: WriteOptions): Promise<void> {
  const { stored } = work;
  const [before, supersededBefore] = [stored.parts(), stored.superseded()];
  const { parts, superseded } = supersede(before);
  stored.replace(parts);
  stored.supersede([...supersededBefore, ...superseded]);
  try {
    await perform(work, { kind: "post", index: 0 }, target, options);
  } catch (thrown) {
    const first = stored.parts().get(0);
    if (first?.messageId === undefined && first?.isUncertain !== true) {
      // Nothing was posted, so the message that stands can be edited after all.
      stored.replace(restored(stored.parts(), before));
      stored.supersede(supersededBefore);
      await stored.persist().catch(() => undefined);
    }
    throw thrown;
  }
}

/** That message is no longer part of the Reply. */
export function abandon(work: ReplyWork, index: number, messageId: string): void {
  work.abandoned = new Set(work.abandoned).add(messageId);
  work.replaced = new Set([...work.replaced].filter((other) => other !== messageId));
  work.stored.replace(withoutMessage(work.stored.parts(), index));
}

function post(
  { platform, place }: ReplyWork,
  target: Rendered,
  mark: PostMark,
  options: WriteOptions,
): Promise<string> {
  if (mark.part !== filePart || target.file === undefined) {
    return platform.post(place, target.payloads[mark.part], mark, options);
  }
  return platform.uploadFile(place, target.file.content, mark);
}

/** Succeeds when it is already gone. */
async function removeMessage(work: ReplyWork, messageId: string): Promise<void> {
  try {
    await timed(work, "remove", () => work.platform.remove({ place: work.place, messageId }));
  } catch (thrown) {
    if (!(thrown instanceof ParleyError && thrown.code === "message_gone")) throw thrown;
  }
}

async function timed<T>(work: ReplyWork, kind: WriteKind, call: () => Promise<T>): Promise<T> {
  const startedAtMs = work.clock.now();
  const count = (outcome: string) => work.metrics?.onWrite(kind, outcome, work.clock.now() - startedAtMs);
  try {
    const done = await call();
    count("ok");
    return done;
  } catch (thrown) {
    const code = thrown instanceof ParleyError ? thrown.code : "internal";
    count(code);
    if (code === "platform_rate_limited") work.metrics?.onRateLimited();
    throw thrown;
  }
}

/** `lacks`: something was not ready, and is missing in what was written. */
async function written<T>(options: WriteOptions, write: (options: WriteOptions) => Promise<T>) {
  let lacks: { readonly lacks?: true } = {};
  const onLess = () => {
    lacks = { lacks: true };
  };
  const result = await write({ ...options, onLess });
  return { result, lacks };
}

function hashOf(target: Rendered, index: number): { readonly hash?: string } {
  const hash = index === filePart ? target.file?.hash : target.hashes[index];
  return { hash };
}
