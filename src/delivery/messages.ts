/**
 * The messages of one Reply: performs one write on them and keeps what is stored correct. A part is stored as intended
 * before its post and as posted after it; while a message is being changed, no hash is stored for it.
 */
import { createHash } from "node:crypto";
import { ParleyError, toParleyError } from "../core/errors.ts";
import type { DeliveryMetrics, WriteKind } from "../core/metrics.ts";
import { filePart, type Reply } from "../core/model/reply.ts";
import type { ChatPlatform, PostedFile, WriteOptions } from "../core/ports/chat-platform.ts";
import type { Clock } from "../core/ports/clock.ts";
import {
  adopt,
  generationOf,
  isOnlyProgress,
  newestGeneration,
  nextOperation,
  type Operation,
  type Part,
  type Parts,
  partsOf,
  replyOf,
  restored,
  supersede,
  withoutMessage,
} from "./reply-parts.ts";
import { isOutcomeUnknown, reactionTo } from "./write-errors.ts";

export type Rendered = {
  readonly payloads: readonly unknown[];
  readonly hashes: readonly string[];
  readonly file?: { readonly content: PostedFile; readonly hash: string };
};

export function rendered(payloads: readonly unknown[], file?: PostedFile): Rendered {
  const hashes = payloads.map((payload) => hashText(JSON.stringify(payload)));
  return { payloads, hashes, file: file && { content: file, hash: hashText(file.content) } };
}

function hashText(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

type MessagesOptions = {
  readonly platform: ChatPlatform;
  readonly clock: Pick<Clock, "now">;
  readonly metrics?: DeliveryMetrics | undefined;
  readonly replyId: string;
  readonly reply: Reply;
  readonly save: (reply: Reply) => Promise<void>;
  readonly mayPostAnew?: boolean;
  readonly mayHaveTwins?: boolean;
};

export type Messages = Omit<MessagesOptions, "mayPostAnew" | "mayHaveTwins"> & {
  /** As last stored. */
  stored: Reply;
  parts: Parts;
  /** Messages that an end was posted beside. They are removed after it. */
  superseded: readonly string[];
  /** Messages that are no longer part of the Reply, and never adopted again: to be removed with the end, or left. */
  dropped: ReadonlyMap<string, "remove" | "leave">;
  /** An end may be posted beside the progress that stands. */
  mayPostAnew: boolean;
  /** An unknown message may exist too: search once more before the end counts as shown. */
  mayHaveTwins: boolean;
};

/** Shared: of 10,000 waiting questions few ever drop a message. */
const nothing: Messages["dropped"] = new Map();
/** Index for a message that is no longer part of the Reply. */
const noPart = -1;

/** As stored. */
export function messagesOf({ mayPostAnew = false, mayHaveTwins = false, ...options }: MessagesOptions): Messages {
  const { reply } = options;
  const superseded = (reply.superseded ?? []).map(({ messageId }) => messageId);
  return { ...options, stored: reply, parts: partsOf(reply), superseded, dropped: nothing, mayPostAnew, mayHaveTwins };
}

/** Stores the parts. What is stored already isn't written again, because a durable write costs more than the message. */
export async function persist(messages: Messages): Promise<void> {
  const wanted = replyOf(messages.reply.place, messages.parts, messages.superseded);
  if (JSON.stringify(wanted) === JSON.stringify(messages.stored)) return;
  await messages.save(wanted);
  messages.stored = wanted;
}

export function stands({ parts }: Pick<Messages, "parts">): boolean {
  return parts.get(0)?.messageId !== undefined;
}

/** The next write that ends the Reply with this content, or undefined when nothing is left to do. */
export function nextOfEnd({ parts, mayHaveTwins, dropped }: Messages, content: Rendered): Operation | undefined {
  const operation = nextOperation(parts, content.hashes, true, content.file?.hash);
  if (operation !== undefined) return operation;
  if (mayHaveTwins) return { kind: "find" };
  const messageId = [...dropped].find(([, fate]) => fate === "remove")?.[0];
  return messageId === undefined ? undefined : { kind: "remove", index: noPart, messageId };
}

/** Whether that edit may be a new message instead: only while nothing but progress is shown there. */
export function mayBeAnew({ mayPostAnew, platform, parts }: Messages, operation: Operation): boolean {
  if (operation.kind !== "edit" || !mayPostAnew || platform.limits.writes.posts === undefined) return false;
  return isOnlyProgress(parts);
}

/** Rejects with the error of the platform or the store; the parts then hold what is certain. */
export async function perform(
  messages: Messages,
  operation: Operation,
  target: Rendered,
  options: WriteOptions,
): Promise<void> {
  switch (operation.kind) {
    case "find":
      return find(messages, options);
    case "post":
      return post(messages, operation.index, target, options);
    case "edit":
      return edit(messages, operation, target, options);
    case "anew":
      return postAnew(messages, target, options);
    case "remove":
      await remove(messages, operation.messageId);
      drop(messages, operation);
  }
}

async function find(messages: Messages, { urgency, signal }: WriteOptions): Promise<void> {
  const { platform, replyId, reply, parts, superseded, dropped } = messages;
  const { result: found } = await timed(messages, "find", () =>
    platform.findOwn(reply.place, replyId, newestGeneration(parts), signal),
  );
  const adopted = adopt(messages.parts, found, new Set([...dropped.keys(), ...superseded]));
  messages.mayHaveTwins = adopted.isLost || (urgency !== "final" && messages.mayHaveTwins);
  messages.parts = adopted.parts;
  messages.dropped = new Map([...dropped, ...adopted.twins.map((messageId) => [messageId, "remove"] as const)]);
  await persist(messages);
}

async function post(messages: Messages, index: number, target: Rendered, options: WriteOptions): Promise<void> {
  const { platform, replyId, reply } = messages;
  const generation = generationOf(messages.parts, index);
  const file = index === filePart ? target.file : undefined;
  const showsEnd = options.urgency === "final";
  // A file never changes, so its content identifies it from the beginning.
  const intended: Part = { state: "intended", generation, hash: file?.hash, showsEnd };
  const notPosted: Part = { ...intended, state: "gone" };
  set(messages, index, intended);
  try {
    await persist(messages);
  } catch (thrown) {
    set(messages, index, notPosted);
    throw thrown;
  }
  const mark = { replyId, part: index, generation };
  try {
    const { result: messageId, lacks } = await timed(messages, "post", (onLess) =>
      file === undefined
        ? platform.post(reply.place, target.payloads[index], mark, { ...options, onLess })
        : platform.uploadFile(reply.place, file.content, mark),
    );
    const hash = file?.hash ?? target.hashes[index];
    set(messages, index, { ...intended, state: file === undefined ? "posted" : "final", messageId, hash, lacks });
  } catch (thrown) {
    if (!isOutcomeUnknown(thrown)) set(messages, index, notPosted);
    throw thrown;
  }
  await persist(messages);
}

async function edit(
  messages: Messages,
  { index, messageId }: Extract<Operation, { kind: "edit" }>,
  target: Rendered,
  options: WriteOptions,
): Promise<void> {
  const { platform, replyId, reply } = messages;
  const before = messages.parts.get(index);
  const generation = generationOf(messages.parts, index);
  const part: Part = { state: "posted", messageId, generation, showsEnd: options.urgency === "final" };
  set(messages, index, part);
  const mark = { replyId, part: index, generation };
  // Only ends are stored with their hash; progress needs no write to the store.
  if (before?.state === "final") await persist(messages);
  try {
    const { lacks } = await timed(messages, "edit", (onLess) =>
      platform.edit({ place: reply.place, messageId }, target.payloads[index], { ...options, onLess, mark }),
    );
    set(messages, index, { ...part, hash: target.hashes[index], lacks });
  } catch (thrown) {
    // Known to have failed: the message is as it was before.
    if (!isOutcomeUnknown(thrown)) set(messages, index, { ...part, hash: before?.hash, showsEnd: before?.showsEnd });
    throw thrown;
  }
}

/** The store knows both before anything is posted, so that after a crash neither is lost nor shown twice. */
async function postAnew(messages: Messages, target: Rendered, options: WriteOptions): Promise<void> {
  const { parts: before, superseded: supersededBefore } = messages;
  const { parts, superseded } = supersede(before);
  messages.parts = parts;
  messages.superseded = [...supersededBefore, ...superseded];
  try {
    await post(messages, 0, target, options);
  } catch (thrown) {
    if (messages.parts.get(0)?.state === "gone") {
      // Nothing was posted, so the message that stands can be edited after all.
      messages.parts = restored(messages.parts, before);
      messages.superseded = supersededBefore;
      await persist(messages).catch(() => undefined);
    }
    throw thrown;
  }
}

/** Succeeds when it is already gone. */
async function remove(messages: Messages, messageId: string): Promise<void> {
  const { platform, reply } = messages;
  try {
    await timed(messages, "remove", () => platform.remove({ place: reply.place, messageId }));
  } catch (thrown) {
    if (!(thrown instanceof ParleyError && thrown.code === "message_gone")) throw thrown;
  }
}

/** After a refused write: drops its message if that is lost. True when the write isn't needed any longer. */
export function isNeedlessAfter(
  messages: Messages,
  operation: Operation,
  thrown: unknown,
  hasFailedLong: boolean,
): boolean {
  const reaction = reactionTo(thrown);
  switch (operation.kind) {
    case "anew":
      // Where nothing may be posted, what stands can perhaps be edited.
      if (reaction === "again-later" || !stands(messages)) return false;
      messages.mayPostAnew = false;
      return true;
    case "edit": {
      const isThere = toParleyError(thrown).code === "message_not_editable";
      if (reaction === "anew") drop(messages, operation, isThere ? "remove" : "leave");
      return false;
    }
    case "remove":
      if (reaction === "again-later" && !hasFailedLong) return false;
      // The answer is posted; a surplus message does not make it a failure.
      drop(messages, operation);
      return true;
    default:
      return false;
  }
}

/** That message is no longer part of the Reply. */
function drop(
  messages: Messages,
  { index, messageId }: { readonly index: number; readonly messageId: string },
  fate: "remove" | "leave" = "leave",
): void {
  messages.dropped = new Map(messages.dropped).set(messageId, fate);
  messages.parts = withoutMessage(messages.parts, index);
}

function set(messages: Messages, index: number, part: Part): void {
  messages.parts = new Map(messages.parts).set(index, part);
}

/** `lacks`: something was not ready, and is missing in what was written. */
async function timed<T>(
  { clock, metrics }: Messages,
  kind: WriteKind,
  call: (onLess: () => void) => Promise<T>,
): Promise<{ readonly result: T; readonly lacks: true | undefined }> {
  const startedAtMs = clock.now();
  const count = (outcome: string) => metrics?.onWrite(kind, outcome, clock.now() - startedAtMs);
  let lacks: true | undefined;
  try {
    const result = await call(() => {
      lacks = true;
    });
    count("ok");
    return { result, lacks };
  } catch (thrown) {
    const code = thrown instanceof ParleyError ? thrown.code : "internal";
    count(code);
    if (code === "platform_rate_limited") metrics?.onRateLimited();
    throw thrown;
  }
}
