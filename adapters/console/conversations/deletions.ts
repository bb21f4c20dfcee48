/**
 * Deletes questions and conversations everywhere, as Parley itself forgets them, and has edited questions asked again.
 * What is to be done is stored first and shown at once; another process finishes what one could not.
 */

import type { Forget } from "../../../src/core/conversations.ts";
import type { Actor } from "../../../src/core/model/place.ts";
import type { Inbound, InboundPort } from "../../../src/core/ports/chat-platform.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { Log } from "../../../src/core/ports/log.ts";
import type { Coordinator, KeyValueFactory } from "../../../src/core/ports/state.ts";
import { withTimeout } from "../../../src/core/tools/timeout.ts";
import type { AttachedFiles } from "../files/attached-files.ts";
import { deleteInbound, type EventParts, editInbound, placeOf, workspaceName as workspace } from "../intake/inbound.ts";
import type { ConsoleStore } from "../writing/store.ts";
import { type Thread, threadKey } from "./thread-key.ts";
import { abandonedMs } from "./unfinished.ts";

type Deletion =
  | ({ readonly kind: "edit"; readonly messageId: string } & Common)
  | ({ readonly kind: "question"; readonly messageId: string } & Common)
  | ({ readonly kind: "conversation"; readonly mayForgetOthers: boolean } & Common);
type Common = Thread & { readonly version: 1; readonly id: string; readonly actor: Actor; readonly atMs: number };

export type Deletions = ReturnType<typeof createDeletions>;

/** Ms that a person waits until their question is deleted everywhere. */
const patienceMs = 1_500;
const silent: Inbound["reply"] = { send: async () => {} };

export function createDeletions(deps: {
  readonly keyValue: KeyValueFactory;
  readonly coordinator: Pick<Coordinator, "lease">;
  readonly store: ConsoleStore;
  readonly forget: Forget;
  readonly attached: Pick<AttachedFiles, "of">;
  readonly port: () => InboundPort | undefined;
  readonly clock: Clock;
  readonly log: Log;
}) {
  const { store, clock, log } = deps;
  const journal = deps.keyValue<Deletion>("console-deletions");
  // The id comes from the browser, as in inbound.ts.
  const keyOf = (about: Thread & { readonly id: string }) => `${threadKey(about)}/${encodeURIComponent(about.id)}`;

  /** Whether Parley has done what the event says. */
  async function isTaken(port: InboundPort, actor: Actor, build: (parts: EventParts) => Inbound): Promise<boolean> {
    let hasAck = false;
    const ack = async () => {
      hasAck = true;
    };
    await port.handle(build({ actor, order: await store.nextOrder(), ack, reply: silent }));
    return hasAck;
  }

  /** Idempotent. Whether nothing of it is left. */
  async function work(deletion: Deletion): Promise<boolean> {
    const port = deps.port();
    if (port === undefined) return false;
    switch (deletion.kind) {
      case "edit": {
        const message = await store.get(deletion, deletion.messageId);
        if (message?.author !== "you") return true;
        const attachments = await deps.attached.of(message.files);
        const request = { ...deletion, tab: "", text: message.text };
        return isTaken(port, deletion.actor, (parts) => editInbound(request, parts, attachments));
      }
      case "question":
        if (!(await isTaken(port, deletion.actor, (parts) => deleteInbound({ ...deletion, tab: "" }, parts)))) {
          return false;
        }
        await store.remove(deletion, deletion.messageId);
        return true;
      case "conversation":
        await deps.forget(placeOf(deletion.channel, deletion.thread), deletion.actor, deletion.mayForgetOthers);
        await store.removeAll(deletion);
        await store.gone(deletion);
        return true;
      default:
        return deletion satisfies never;
    }
  }

  async function finish(deletion: Deletion): Promise<boolean> {
    const isDone = await work(deletion);
    if (isDone) await journal.delete(keyOf(deletion));
    return isDone;
  }

  return {
    /**
     * Before the text of a question changes. Call the result once Parley knows the new text; if that never happens,
     * Parley learns of the text as it is then.
     */
    edit: async (
      { channel, thread, id, messageId }: Thread & { readonly id: string; readonly messageId: string },
      actor: Actor,
    ): Promise<() => Promise<void>> => {
      const about = { version: 1, id, channel, thread, messageId, actor, atMs: clock.now() } as const;
      await journal.set(keyOf(about), { ...about, kind: "edit" });
      return () => journal.delete(keyOf(about));
    },

    /**
     * Resolves to whether it is gone from the page. Where another question runs in its conversation, the rest of it is
     * forgotten after that.
     */
    question: async (
      at: Thread & { readonly id: string; readonly messageId: string },
      actor: Actor,
    ): Promise<boolean> => {
      const { channel, thread, id, messageId } = at;
      const deletion = {
        version: 1,
        kind: "question",
        id,
        channel,
        thread,
        messageId,
        actor,
        atMs: clock.now(),
      } as const;
      await journal.set(keyOf(deletion), deletion);
      const finishing = finish(deletion);
      const isDone = await withTimeout(finishing, patienceMs, clock);
      if (isDone === false) await journal.delete(keyOf(deletion));
      if (isDone !== undefined) return isDone;
      finishing.catch((err: unknown) => log.warn({ err, ...at }, "A question is not yet deleted everywhere"));
      await store.remove(at, messageId);
      return true;
    },

    /** Resolves as soon as it is stored and gone from the list. */
    conversation: async (
      at: Thread & { readonly id: string },
      actor: Actor,
      mayForgetOthers: boolean,
    ): Promise<void> => {
      const { channel, thread, id } = at;
      const about = { version: 1, id, channel, thread, actor, atMs: clock.now() } as const;
      const deletion: Deletion = { ...about, kind: "conversation", mayForgetOthers };
      await journal.set(keyOf(deletion), deletion);
      await store.hide(at);
      finish(deletion).catch((err: unknown) =>
        log.warn({ err, ...at }, "A conversation is not yet deleted everywhere"),
      );
    },

    /** Finishes what other processes began. */
    recover: async (isStart: boolean): Promise<void> => {
      for await (const [key, deletion] of journal.entries(`${workspace}/`)) {
        if (clock.now() - deletion.atMs < abandonedMs && !isStart) continue;
        const lease = await deps.coordinator.lease(`console/deletion/${key}`);
        try {
          if ((await journal.get(key)) !== undefined) await finish(deletion);
        } catch (err) {
          log.warn({ err, key }, "What was deleted on the page is not yet forgotten everywhere");
        } finally {
          await lease.release();
        }
      }
    },
  };
}
