/**
 * Asks a question for an MCP client and waits for its answer. The question is `/ask` in a conversation of its own on the
 * page: its answer is there too, also when the client has gone.
 */
import { randomUUID } from "node:crypto";
import type { Tone } from "../../../src/core/document.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import { createPause } from "../../../src/core/tools/pause.ts";
import type { Channels } from "../channels/channels.ts";
import type { Thread } from "../conversations/thread-key.ts";
import { identifier, placeOf } from "../intake/inbound.ts";
import { stillWorkingMs, watchAnswerMs } from "../limits.ts";
import type { Visitor } from "../people/visitor.ts";
import type { ConsoleMessage } from "../writing/messages.ts";
import type { ConsoleStore } from "../writing/store.ts";
import { type Acting, textOf } from "./acting.ts";

export type Answer =
  /** It has ended. */
  | { readonly kind: "ended"; readonly text: string; readonly isFailed: boolean }
  /** It continues after someone has pressed a button on the page. */
  | { readonly kind: "waiting"; readonly id: string; readonly text: string }
  | { readonly kind: "running"; readonly id: string }
  | { readonly kind: "stopped" }
  /** The caller's token was revoked meanwhile. */
  | { readonly kind: "revoked" }
  /** This person has no such question. */
  | { readonly kind: "unknown" };

/** How someone waits for an answer. */
export type Waiting = {
  /** Stops the run. */
  readonly cancelled: AbortSignal;
  /** Nobody reads the answer any longer, and it continues. */
  readonly left: AbortSignal;
  /** What is being done now. Never rejects. */
  readonly onProgress: (says: string) => Promise<void>;
  readonly stillHolds: () => Promise<boolean>;
};

type Reply = { readonly tone: Tone; readonly messages: readonly ConsoleMessage[] };

const inProgress: readonly Tone[] = ["running", "waiting"];

export type Asking = ReturnType<typeof createAsking>;

export function createAsking({
  acting,
  store,
  channels,
  clock,
}: {
  readonly acting: Acting;
  readonly store: Pick<ConsoleStore, "list" | "noteAsked" | "summary" | "getFile">;
  readonly channels: Pick<Channels, "listFor">;
  readonly clock: Clock;
}) {
  /** The messages of the first answer there; others may have asked more in that conversation since. */
  async function replyAt(at: Thread): Promise<Reply | undefined> {
    const own = (await store.list(at)).filter((message) => message.author !== "you");
    const replyId = own[0]?.mark?.replyId;
    if (replyId === undefined) return undefined;
    const messages = own.filter(({ mark }) => mark?.replyId === replyId);
    const tones = messages.flatMap((message) => (message.author === "parley" ? [message.payload.tone] : []));
    return { tone: tones.find((tone) => inProgress.includes(tone)) ?? tones[0] ?? "running", messages };
  }

  async function textIn({ messages }: Reply): Promise<string> {
    const texts: string[] = [];
    for (const message of messages) {
      if (message.author === "parley") texts.push(textOf(message.payload));
      if (message.author !== "parley-file") continue;
      const file = await store.getFile(message.file.id);
      if (file !== undefined) texts.push(`${message.file.name}:\n\n${file.content}`);
    }
    return texts.join("\n\n");
  }

  /** Its Stop button, as its asker presses it: what others asked in that conversation continues. */
  async function stop(visitor: Visitor, at: Thread): Promise<void> {
    for (let waitedMs = 0; waitedMs < stillWorkingMs; waitedMs += watchAnswerMs) {
      const reply = await replyAt(at);
      if (reply !== undefined && !inProgress.includes(reply.tone)) return;
      const shown = reply?.messages.flatMap((message) => (message.author === "parley" ? message.payload.actions : []));
      const button = shown?.find(({ id }) => id === "stop");
      if (button !== undefined) {
        await acting.act(visitor, { kind: "action", action: button.id, value: button.value }, placeIn(at));
        return;
      }
      // It was asked a moment ago.
      await clock.sleep(watchAnswerMs);
    }
  }

  /** Looks now and then, since the answer may run on another instance, and a look reads a few records. */
  async function wait(visitor: Visitor, at: Thread, how: Waiting): Promise<Answer> {
    const { cancelled, left, onProgress } = how;
    const id = at.thread;
    const pause = createPause(clock);
    const ends = AbortSignal.any([cancelled, left]);
    const untilMs = clock.now() + stillWorkingMs;
    let told = "";
    let before = "";
    while (!ends.aborted && clock.now() < untilMs) {
      if (!(await how.stillHolds())) {
        await stop(visitor, at);
        return { kind: "revoked" };
      }
      const reply = await replyAt(at);
      const newest = reply?.messages.map(({ id: message, revision }) => `${message} ${revision}`).join("\n") ?? "";
      if (reply !== undefined && !inProgress.includes(reply.tone)) {
        // The parts of a long answer are written one after the other.
        if (newest === before) return { kind: "ended", text: await textIn(reply), isFailed: reply.tone === "failed" };
      } else if (reply?.tone === "waiting" && newest === before && !isQueued(reply)) {
        return { kind: "waiting", id, text: await textIn(reply) };
      } else if (reply !== undefined) {
        const says = summaryOf(reply);
        if (says !== told) await onProgress(says);
        told = says;
      }
      before = newest;
      await pause();
      await clock.sleep(watchAnswerMs, ends).catch(() => undefined);
    }
    if (!cancelled.aborted) return { kind: "running", id };
    await stop(visitor, at);
    return { kind: "stopped" };
  }

  return {
    ask: async (
      visitor: Visitor,
      { question, agent }: { readonly question: string; readonly agent?: string | undefined },
      how: Waiting,
    ): Promise<Answer> => {
      const at = { channel: await acting.channelFor(visitor), thread: randomUUID() };
      await store.noteAsked(at, at.thread, question, visitor.id);
      const options: Readonly<Record<string, string>> = agent === undefined ? { question } : { question, agent };
      const { document } = await acting.act(visitor, { kind: "command", path: "ask", options }, placeIn(at));
      // It wasn't asked, and that is why.
      if (document !== undefined)
        return { kind: "ended", text: textOf(document), isFailed: document.tone === "failed" };
      return wait(visitor, at, how);
    },

    /** Of one that the person asked before. */
    answer: async (visitor: Visitor, id: string, how: Waiting): Promise<Answer> => {
      if (!identifier.safeParse(id).success) return { kind: "unknown" };
      for (const { id: channel } of await channels.listFor(visitor)) {
        const at = { channel, thread: id };
        const found = await store.summary(at);
        if (found?.begunBy === visitor.id) return wait(visitor, at, how);
      }
      return { kind: "unknown" };
    },
  };
}

const placeIn = ({ channel, thread }: Thread) => placeOf(channel, thread);

/** It waits in line, not for a person. */
function isQueued({ messages }: Reply): boolean {
  const actions = messages.flatMap((message) => (message.author === "parley" ? message.payload.actions : []));
  const inBlocks = messages.some(
    (message) => message.author === "parley" && message.payload.blocks.some(({ kind }) => kind === "actions"),
  );
  return !inBlocks && actions.every(({ id }) => id === "stop");
}

function summaryOf({ messages }: Reply): string {
  const [first] = messages;
  return first?.author === "parley" ? first.payload.summary : "";
}
