/**
 * Asks a question for an MCP client and waits for its answer. The question is `/ask` in a conversation on the page: its
 * answer is there too, also when the client has gone.
 */
import { randomUUID } from "node:crypto";
import type { Turn } from "../../../src/core/model/turn.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { TurnOf } from "../../../src/core/ports/platform-module.ts";
import { unfinishedTurnStates } from "../../../src/core/ports/state.ts";
import { createPause } from "../../../src/core/tools/pause.ts";
import type { Channels } from "../channels/channels.ts";
import type { Thread } from "../conversations/thread-key.ts";
import { identifier, placeOf } from "../intake/inbound.ts";
import { maxMcpFileChars, stillWorkingMs, watchAnswerMs } from "../limits.ts";
import type { Visitor } from "../people/visitor.ts";
import type { ConsoleMessage } from "../writing/messages.ts";
import type { ConsoleStore } from "../writing/store.ts";
import { type Acting, eventKeyOf } from "./acting.ts";

/** `conversation`: for a further question about it. */
export type Answer =
  /** It has ended. */
  | { readonly kind: "ended"; readonly text: string; readonly isFailed: boolean; readonly conversation: string }
  /** It continues after someone has pressed a button on the page. */
  | { readonly kind: "waiting"; readonly id: string; readonly text: string; readonly conversation: string }
  | { readonly kind: "running"; readonly id: string }
  /** It wasn't asked, and that is why. */
  | { readonly kind: "refused"; readonly text: string }
  | { readonly kind: "stopped" }
  /** The caller's token was revoked meanwhile. */
  | { readonly kind: "revoked" }
  /** Its answer was deleted on the page. */
  | { readonly kind: "deleted" }
  /** This person has no such question, or conversation. */
  | { readonly kind: "unknown" }
  | { readonly kind: "unknown-conversation" };

type Asked = {
  readonly question: string;
  readonly agent?: string | undefined;
  readonly conversation?: string | undefined;
};

/** How someone waits for an answer. */
export type Waiting = {
  /** Stops the run. */
  readonly cancelled: AbortSignal;
  /** Nobody reads the answer any longer, and it continues. */
  readonly left: AbortSignal;
  /** What is being done now. Never rejects. Absent: nobody wants to know. */
  readonly onProgress?: ((says: string) => Promise<void>) | undefined;
  readonly stillHolds: () => Promise<boolean>;
};

/** Who calls, and how their calls end. */
export type Caller = {
  readonly visitor: Visitor;
  readonly stillHolds: Waiting["stillHolds"];
  /** This instance ends: who waits can ask another one. */
  readonly closing: AbortSignal;
  /** `work` ends when that request is cancelled. Rejects with too_many_questions beyond the limit of the person. */
  readonly during: <T>(requestId: string | number, work: (cancelled: AbortSignal) => Promise<T>) => Promise<T>;
};

export type Asking = ReturnType<typeof createAsking>;

export function createAsking({
  acting,
  store,
  channels,
  turnOf,
  clock,
}: {
  readonly acting: Acting;
  readonly store: Pick<ConsoleStore, "list" | "noteAsked" | "summary" | "getFile">;
  readonly channels: Pick<Channels, "listFor">;
  readonly turnOf: TurnOf;
  readonly clock: Clock;
}) {
  /** What shows it on the page. */
  async function messagesOf({ id, conversation: { channel, thread } }: Turn): Promise<readonly ConsoleMessage[]> {
    if (thread === undefined) return [];
    const all = await store.list({ channel, thread });
    return all.filter((message) => message.author !== "you" && message.mark?.replyId === id);
  }

  async function textIn(messages: readonly ConsoleMessage[]): Promise<string> {
    const texts: string[] = [];
    for (const message of messages) {
      if (message.author === "parley") texts.push(acting.textOf(message.payload));
      if (message.author === "parley-file") texts.push(await fileText(message.file));
    }
    return texts.join("\n\n");
  }

  async function fileText({ id, name }: { readonly id: string; readonly name: string }): Promise<string> {
    const content = (await store.getFile(id))?.content ?? "";
    if (content.length <= maxMcpFileChars) return `${name}:\n\n${content}`;
    return `${name} has ${content.length} characters, which is too long for here. It is on Parley's page.`;
  }

  /** As with its Stop button: only its asker's own question ends. */
  async function stop(visitor: Visitor, id: string): Promise<void> {
    for (let waitedMs = 0; waitedMs < stillWorkingMs; waitedMs += watchAnswerMs) {
      const turn = await turnOf(eventKeyOf(visitor, id));
      if (turn !== undefined) {
        if (isUnfinished(turn)) {
          await acting.act(visitor, { kind: "action", action: "stop", value: turn.id }, turn.conversation);
        }
        return;
      }
      // It was asked a moment ago.
      await clock.sleep(watchAnswerMs);
    }
  }

  async function endOf(turn: Turn): Promise<Answer> {
    const { channel, thread: conversation = "" } = turn.conversation;
    const [messages, listed] = [await messagesOf(turn), await store.summary({ channel, thread: conversation })];
    // What is deleted isn't listed from then on; its messages go one after the other.
    if (messages.length === 0 || listed === undefined) return { kind: "deleted" };
    return { kind: "ended", text: await textIn(messages), isFailed: turn.state === "failed", conversation };
  }

  /** Looks now and then, since the answer may run on another instance, and a look reads a few records. */
  async function wait(visitor: Visitor, id: string, how: Waiting): Promise<Answer> {
    const { cancelled, left, onProgress } = how;
    const pause = createPause(clock);
    const ends = AbortSignal.any([cancelled, left]);
    const untilMs = clock.now() + stillWorkingMs;
    let told = "";
    while (!ends.aborted && clock.now() < untilMs) {
      if (!(await how.stillHolds())) {
        await stop(visitor, id);
        return { kind: "revoked" };
      }
      const turn = await turnOf(eventKeyOf(visitor, id));
      // It is over when everything of it is on the page: the parts of a long answer are written one after the other.
      if (turn !== undefined && !isUnfinished(turn)) return endOf(turn);
      if (turn?.state === "waiting") {
        const messages = await messagesOf(turn);
        const conversation = turn.conversation.thread ?? "";
        if (isShownAsWaiting(messages)) return { kind: "waiting", id, text: await textIn(messages), conversation };
      }
      if (turn !== undefined && onProgress !== undefined) {
        const says = summaryOf(await messagesOf(turn));
        if (says !== told) await onProgress(says);
        told = says;
      }
      await pause();
      await clock.sleep(watchAnswerMs, ends).catch(() => undefined);
    }
    if (!cancelled.aborted) return { kind: "running", id };
    await stop(visitor, id);
    return { kind: "stopped" };
  }

  /** One that the person began. */
  async function ownConversation(visitor: Visitor, thread: string): Promise<Thread | undefined> {
    if (!identifier.safeParse(thread).success) return undefined;
    for (const { id: channel } of await channels.listFor(visitor)) {
      const found = await store.summary({ channel, thread });
      if (found?.begunBy === visitor.id) return { channel, thread };
    }
    return undefined;
  }

  return {
    ask: async (visitor: Visitor, { question, agent, conversation }: Asked, how: Waiting): Promise<Answer> => {
      const id = randomUUID();
      const at =
        conversation === undefined
          ? { channel: await acting.channelFor(visitor), thread: id }
          : await ownConversation(visitor, conversation);
      if (at === undefined) return { kind: "unknown-conversation" };
      await store.noteAsked(at, id, question, visitor.id);
      const options: Readonly<Record<string, string>> = agent === undefined ? { question } : { question, agent };
      const place = placeOf(at.channel, at.thread);
      const { document } = await acting.act(visitor, { kind: "command", path: "ask", options }, place, id);
      if (document === undefined) return wait(visitor, id, how);
      // A question that ends with a time is offered as a schedule, which nobody here can confirm: it is asked now.
      const askNow = document.actions.find((action) => action.id === "schedule-once");
      if (askNow === undefined) return { kind: "refused", text: acting.textOf(document) };
      const press = { kind: "action", action: askNow.id, value: askNow.value } as const;
      const asked = randomUUID();
      const said = await acting.act(visitor, press, place, asked);
      return said.document === undefined
        ? wait(visitor, asked, how)
        : { kind: "refused", text: acting.textOf(said.document) };
    },

    /** Of one that the person asked before: the id means nothing to others. */
    answer: async (visitor: Visitor, id: string, how: Waiting): Promise<Answer> => {
      const turn = await turnOf(eventKeyOf(visitor, id));
      return turn?.actor.id === visitor.id ? wait(visitor, id, how) : { kind: "unknown" };
    },
  };
}

const isUnfinished = ({ state }: Turn) => unfinishedTurnStates.includes(state);

const isShownAsWaiting = (messages: readonly ConsoleMessage[]) =>
  messages.some((message) => message.author === "parley" && message.payload.tone === "waiting");

function summaryOf([first]: readonly ConsoleMessage[]): string {
  return first?.author === "parley" ? first.payload.summary : "";
}
