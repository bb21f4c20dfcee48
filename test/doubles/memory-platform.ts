/**
 * A chat platform in memory, for tests and benches of everything above the adapters.
 *
 *     const platform = createMemoryPlatform({ clock, latencyMs: 30 });
 *     platform.fail({ on: "edit", error: "message_gone" });              // the next edit
 *     platform.fail({ on: "post", error: "platform_unreachable", takesEffect: true }); // posted, but the answer is lost
 *     platform.thread(place)                                             // what stands there now, oldest first
 *     platform.writes                                                    // every write that was tried, with its outcome
 *     platform.violations                                                // must be empty at the end of every test
 *
 * It is stricter than the real ones: text over the limit, empty text, two writes at once on one message, an edit that
 * changes nothing and a second message with the same mark are noted in `violations` (the first two are refused, too).
 * Its posts are idempotent: a mark that was posted before gets the message of then, also when that is gone.
 * A payload is the document as text, its buttons and its tone; long documents become several payloads.
 * With `enforced` it has token buckets of its own and answers platform_rate_limited as a platform would.
 */

import type { Action, Document, Tone } from "../../src/core/document.ts";
import { type ErrorCode, ParleyError } from "../../src/core/errors.ts";
import { conversationKey, type Place, workspaceKey } from "../../src/core/model/place.ts";
import type {
  ChatPlatform,
  Inbound,
  InboundPort,
  PlatformLimits,
  PostMark,
  ThreadMessage,
  WriteOptions,
} from "../../src/core/ports/chat-platform.ts";
import type { Clock } from "../../src/core/ports/clock.ts";
import type { Bucket } from "../../src/core/ports/state.ts";
import { documentText } from "../../src/presentation/markdown/plain-text.ts";
import { splitMarkdown } from "../../src/presentation/markdown/split-markdown.ts";
import { watchForKeys } from "./planted-keys.ts";

function allActions({ blocks, actions }: Document): readonly Action[] {
  return [...blocks.flatMap((block) => (block.kind === "actions" ? block.actions : [])), ...actions];
}

export type MemoryPayload = {
  readonly text: string;
  readonly tone: Tone;
  /** On the last payload of a document only; those between its paragraphs first. */
  readonly actions: readonly Action[];
  readonly summary: string;
};

export type MemoryMessage = {
  readonly messageId: string;
  readonly place: Place;
  readonly mark: PostMark;
  readonly payload: MemoryPayload;
  readonly edits: number;
};

export type MemoryFile = {
  readonly place: Place;
  readonly name: string;
  readonly content: string;
  readonly messageId: string;
  /** How many messages stood when it was posted. */
  readonly after: number;
  readonly mark?: PostMark;
};

export type MemoryWrite = {
  readonly kind: "post" | "edit" | "remove";
  readonly place: Place;
  readonly messageId?: string;
  readonly payload?: MemoryPayload;
  readonly mark?: PostMark;
  readonly urgency?: WriteOptions["urgency"];
  readonly startedAtMs: number;
  endedAtMs?: number;
  outcome: "pending" | "ok" | ErrorCode;
};

export type MemoryFault = {
  readonly on: "post" | "edit" | "remove" | "find" | "upload";
  readonly error: ErrorCode;
  readonly retryAfterMs?: number;
  /** How many times. Default 1. */
  readonly times?: number;
  /** The write happens all the same; only its answer is lost. */
  readonly takesEffect?: boolean;
  /** A search finds nothing, instead of failing: it came too early. */
  readonly seesNothing?: boolean;
  /** Only writes for which this holds. */
  readonly when?: (write: { readonly place: Place; readonly payload?: MemoryPayload }) => boolean;
};

export type Enforced = {
  readonly perWorkspace?: Bucket;
  readonly perChannel?: Bucket;
  /** By workspace, of that kind of write alone. */
  readonly edits?: Bucket;
  readonly removals?: Bucket;
  /** By workspace, and by channel whatever the thread. */
  readonly posts?: { readonly perWorkspace: Bucket; readonly perChannel: Bucket };
};

export type MemoryPlatformOptions = {
  readonly clock: Clock;
  readonly name?: string;
  /** Of one message. Default 2,000. */
  readonly maxChars?: number;
  /** Of every call. Default 0. */
  readonly latencyMs?: number;
  /** What Parley is told. Default: no limits. */
  readonly limits?: Partial<PlatformLimits>;
  /** What the platform itself allows. Default: everything. */
  readonly enforced?: Enforced;
  /** How long a write is on its way before the platform counts it. Default: nothing. */
  readonly onItsWayMs?: () => number;
  /** Replies that its limits count apart from all others. Default: none. */
  readonly hasOwnLimits?: (replyId: string) => boolean;
};

export type MemoryPlatform = ChatPlatform<MemoryPayload> & {
  readonly writes: readonly MemoryWrite[];
  readonly violations: readonly string[];
  /** How often it said platform_rate_limited by its own buckets. */
  readonly rateLimited: () => number;
  readonly fail: (fault: MemoryFault) => void;
  /** Messages of Parley in that place, oldest first. */
  readonly thread: (place: Place) => readonly MemoryMessage[];
  readonly message: (messageId: string) => MemoryMessage | undefined;
  /** As if a person had deleted it. */
  readonly deleteMessage: (messageId: string) => void;
  /** What people say there, for readThread. */
  readonly say: (place: Place, message: ThreadMessage) => void;
  /** Hands an event to the bridge. */
  readonly emit: (inbound: Inbound) => Promise<void>;
  readonly files: readonly MemoryFile[];
  readonly setLatencyMs: (ms: number) => void;
  /** Everything said in the status line; without words it was cleared. */
  readonly statuses: readonly { readonly thread?: string; readonly words: string | undefined; readonly atMs: number }[];
};

export function createMemoryPlatform(options: MemoryPlatformOptions): MemoryPlatform {
  const { clock, maxChars = 2_000, enforced = {} } = options;
  let latencyMs = options.latencyMs ?? 0;
  let port: InboundPort | undefined;
  let nextId = 1;
  let rateLimited = 0;
  const messages = new Map<string, MemoryMessage>();
  const newestByMark = new Map<string, string>();
  const said = new Map<string, ThreadMessage[]>();
  const writes: MemoryWrite[] = [];
  const violations: string[] = [];
  const files: MemoryFile[] = [];
  const busy = new Set<string>();
  const statuses: MemoryPlatform["statuses"][number][] = [];
  const faults: (MemoryFault & { left: number })[] = [];
  const buckets = new Map<string, { tokens: number; atMs: number }>();

  /** Undefined when there is a token (taken), else how long until one. */
  function shortOf(key: string, bucket: Bucket): number | undefined {
    const perMs = bucket.refillPerMinute / 60_000;
    const known = buckets.get(key) ?? { tokens: bucket.capacity, atMs: clock.now() };
    const tokens = Math.min(bucket.capacity, known.tokens + (clock.now() - known.atMs) * perMs);
    buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, atMs: clock.now() });
    return tokens >= 1 ? undefined : Math.ceil((1 - tokens) / perMs);
  }

  function checkBudget(place: Place, kind: MemoryWrite["kind"]): void {
    const ofKind = (key: string, bucket: Bucket | undefined) =>
      bucket === undefined ? undefined : shortOf(`${kind} ${key}`, bucket);
    const { edits, removals, posts } = enforced;
    const byKind = { edit: edits, remove: removals, post: posts?.perWorkspace };
    const waits = [
      ofKind(workspaceKey(place), byKind[kind]),
      kind === "post" ? ofKind(`channel ${workspaceKey(place)}/${place.channel}`, posts?.perChannel) : undefined,
      enforced.perWorkspace === undefined ? undefined : shortOf(workspaceKey(place), enforced.perWorkspace),
      enforced.perChannel === undefined ? undefined : shortOf(`channel ${conversationKey(place)}`, enforced.perChannel),
    ].filter((wait) => wait !== undefined);
    if (waits.length === 0) return;
    rateLimited += 1;
    throw new ParleyError("platform_rate_limited", { retryAfterMs: Math.max(...waits) });
  }

  function faultFor(on: MemoryFault["on"], write: { place: Place; payload?: MemoryPayload }): MemoryFault | undefined {
    const fault = faults.find(
      (candidate) => candidate.on === on && candidate.left > 0 && candidate.when?.(write) !== false,
    );
    if (fault !== undefined) fault.left -= 1;
    return fault;
  }

  function check(payload: MemoryPayload): void {
    watchForKeys("a message", JSON.stringify(payload));
    if (payload.text.trim() === "") violations.push("a message without text");
    else if (payload.text.length > maxChars) violations.push(`a message of ${payload.text.length} characters`);
    else return;
    throw new ParleyError("payload_refused");
  }

  async function pass(signal?: AbortSignal): Promise<void> {
    if (latencyMs > 0) await clock.sleep(latencyMs, signal);
    else await undefined;
  }

  /** One write: noted, refused while another one of the same message is under way, failed as scripted. */
  async function perform<T>(
    write: MemoryWrite,
    busyKey: string,
    signal: AbortSignal | undefined,
    effect: () => T,
  ): Promise<T> {
    writes.push(write);
    if (busy.has(busyKey)) violations.push(`two writes at once: ${busyKey}`);
    busy.add(busyKey);
    try {
      const fault = faultFor(write.kind, write);
      await pass(signal);
      const onItsWayMs = options.onItsWayMs?.() ?? 0;
      if (onItsWayMs > 0) await clock.sleep(onItsWayMs, signal);
      if (fault === undefined || fault.takesEffect === true) {
        checkBudget(write.place, write.kind);
        if (write.payload !== undefined) check(write.payload);
        const done = effect();
        if (fault === undefined) {
          write.outcome = "ok";
          return done;
        }
      }
      throw refusal(fault);
    } catch (thrown) {
      write.outcome = thrown instanceof ParleyError ? thrown.code : "internal";
      throw thrown;
    } finally {
      write.endedAtMs = clock.now();
      busy.delete(busyKey);
    }
  }

  const limits: PlatformLimits = {
    writes: options.limits?.writes ?? { keptForFinals: 0 },
    maxAttachmentTextBytes: options.limits?.maxAttachmentTextBytes ?? 100_000,
  };

  return {
    name: options.name ?? "memory",
    limits,
    start: async (inboundPort) => {
      port = inboundPort;
    },
    stopIntake: async () => {
      port = undefined;
    },
    close: async () => {},
    health: () => ({ isConnected: true }),

    render: (document) => {
      const parts = splitMarkdown(documentText(document), { maxChars });
      return parts.map((text, at) => ({
        text,
        tone: document.tone,
        actions: at === parts.length - 1 ? allActions(document) : [],
        summary: document.summary,
      }));
    },

    post: (place, payload, mark, { urgency, signal }) =>
      perform(
        { kind: "post", place, payload, mark, urgency, startedAtMs: clock.now(), outcome: "pending" },
        `${mark.replyId}/${mark.part}`,
        signal,
        () => {
          const marked = `${mark.replyId}/${mark.part}/${mark.generation}`;
          const earlier = newestByMark.get(marked);
          if (earlier !== undefined && messages.has(earlier)) violations.push(`a second message for ${marked}`);
          // As platforms do whose posts are idempotent: the mark's message, also when it is gone.
          else if (earlier !== undefined) return earlier;
          const messageId = `m${nextId}`;
          nextId += 1;
          newestByMark.set(marked, messageId);
          messages.set(messageId, { messageId, place, mark, payload, edits: 0 });
          return messageId;
        },
      ),

    edit: ({ place, messageId }, payload, { urgency, signal }) =>
      perform(
        { kind: "edit", place, messageId, payload, urgency, startedAtMs: clock.now(), outcome: "pending" },
        messageId,
        signal,
        () => {
          const message = messages.get(messageId);
          if (message === undefined) throw new ParleyError("message_gone");
          if (JSON.stringify(message.payload) === JSON.stringify(payload)) {
            violations.push(`an edit of ${messageId} that changes nothing`);
          }
          messages.set(messageId, { ...message, payload, edits: message.edits + 1 });
        },
      ),

    remove: ({ place, messageId }) =>
      perform(
        { kind: "remove", place, messageId, startedAtMs: clock.now(), outcome: "pending" },
        messageId,
        undefined,
        () => {
          const file = files.findIndex((one) => one.messageId === messageId);
          if (file >= 0) files.splice(file, 1);
          else if (!messages.delete(messageId)) throw new ParleyError("message_gone");
        },
      ),

    findOwn: async (place, replyId, newest) => {
      const fault = faultFor("find", { place });
      await pass();
      if (fault?.seesNothing === true) return [];
      if (fault !== undefined) throw new ParleyError(fault.error);
      const marked = files.flatMap(({ mark, ...file }) => (mark === undefined ? [] : [{ ...file, mark }]));
      return [...messages.values(), ...marked]
        .filter((message) => message.mark.replyId === replyId && samePlace(message.place, place))
        .filter(({ mark }) => {
          if (mark.generation > newest) violations.push(`a search that stops before generation ${mark.generation}`);
          return mark.generation <= newest;
        })
        .map(({ mark, messageId }) => ({ part: mark.part, generation: mark.generation, messageId }));
    },

    readThread: async (place, { limit, after }) => {
      await pass();
      const all = said.get(conversationKey(place)) ?? [];
      return all.filter((message) => after === undefined || message.order > after).slice(-limit);
    },

    openAttachment: async (attachment) => {
      await pass();
      return (async function* () {
        const isLatin = attachment.mediaType.endsWith("charset=iso-8859-1");
        yield Buffer.from(attachment.reference, isLatin ? "latin1" : "utf8");
      })();
    },
    uploadFile: async (place, file, mark) => {
      const fault = faultFor("upload", { place });
      await pass();
      if (fault !== undefined && fault.takesEffect !== true) throw refusal(fault);
      watchForKeys("a file", file.content);
      const marked = mark === undefined ? undefined : `file ${mark.replyId}/${mark.part}/${mark.generation}`;
      const earlier = marked === undefined ? undefined : newestByMark.get(marked);
      if (earlier !== undefined && files.some(({ messageId }) => messageId === earlier)) {
        violations.push(`a second file for ${marked}`);
      }
      const messageId = earlier ?? `m${nextId}`;
      if (earlier === undefined) {
        nextId += 1;
        if (marked !== undefined) newestByMark.set(marked, messageId);
        const after = [...messages.keys()].length;
        files.push({
          place,
          name: file.name,
          content: file.content,
          messageId,
          after,
          ...(mark === undefined ? {} : { mark }),
        });
      }
      if (fault !== undefined) throw refusal(fault);
      return messageId;
    },
    permalink: async ({ messageId }) => `https://chat.example/${messageId}`,

    status: ({ thread }, words) => {
      statuses.push({ ...(thread === undefined ? {} : { thread }), words, atMs: clock.now() });
    },

    ...(options.hasOwnLimits === undefined ? {} : { hasOwnLimits: options.hasOwnLimits }),
    statuses,
    writes,
    violations,
    rateLimited: () => rateLimited,
    fail: (fault) => {
      faults.push({ ...fault, left: fault.times ?? 1 });
    },
    thread: (place) => [...messages.values()].filter((message) => samePlace(message.place, place)),
    message: (messageId) => messages.get(messageId),
    deleteMessage: (messageId) => {
      messages.delete(messageId);
    },
    say: (place, message) => {
      const key = conversationKey(place);
      said.set(key, [...(said.get(key) ?? []), message]);
    },
    emit: async (inbound) => {
      if (port === undefined) throw new Error("not started, or intake is closed");
      await port.handle(inbound);
    },
    files,
    setLatencyMs: (ms) => {
      latencyMs = ms;
    },
  };
}

function refusal({ error, retryAfterMs }: MemoryFault): ParleyError {
  return new ParleyError(error, retryAfterMs === undefined ? {} : { retryAfterMs });
}

function samePlace(one: Place, other: Place): boolean {
  return conversationKey(one) === conversationKey(other);
}
