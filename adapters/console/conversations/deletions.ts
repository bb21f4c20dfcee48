/**
 * Deletes questions and conversations everywhere, as Parley itself forgets them, and has edited questions asked again.
 * What is to be done is a work, stored first, and shown at once.
 */

import type { CheckAskedAlone, Forget } from "../../../src/core/conversations.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Actor } from "../../../src/core/model/place.ts";
import type { Inbound, InboundPort } from "../../../src/core/ports/chat-platform.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { Works } from "../../../src/core/ports/storage/works.ts";
import { withTimeout } from "../../../src/core/tools/timeout.ts";
import { untilDone } from "../../../src/core/tools/until-done.ts";
import type { AttachedFiles } from "../files/attached-files.ts";
import { deleteInbound, type EventParts, editInbound, placeOf } from "../intake/inbound.ts";
import type { ConsoleStore } from "../writing/store.ts";
import { type Thread, threadKey } from "./thread-key.ts";

type Deletion =
  | ({ readonly kind: "edit"; readonly messageId: string } & Common)
  | ({ readonly kind: "question"; readonly messageId: string } & Common)
  | Forgetting;
type Forgetting = { readonly kind: "conversation"; readonly mayForgetOthers: boolean } & Common;
type Common = Thread & { readonly version: 1; readonly id: string; readonly actor: Actor };

export type Deletions = ReturnType<typeof createDeletions>;

/** Ms that a person waits until their question is deleted everywhere. */
const patienceMs = 1_500;
/** The request itself has this long; then the work does it again. */
const ownMs = 2_000;
const silent: Inbound["reply"] = { send: async () => {} };

export function createDeletions(deps: {
  readonly works: Pick<Works, "define" | "add" | "cancel">;
  readonly store: ConsoleStore;
  readonly forget: Forget;
  readonly checkAskedAlone: CheckAskedAlone;
  readonly attached: Pick<AttachedFiles, "of">;
  readonly port: () => InboundPort | undefined;
  readonly clock: Clock;
}) {
  const { store, works, clock } = deps;
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

  /** False: someone else has asked there since that was decided, so it is listed again. */
  async function isForgotten({ channel, thread, actor, mayForgetOthers }: Forgetting): Promise<boolean> {
    try {
      await deps.forget(placeOf(channel, thread), actor, mayForgetOthers);
      return true;
    } catch (failure) {
      if (failure instanceof ParleyError && failure.code === "not_allowed") return false;
      throw failure;
    }
  }

  /** Idempotent. Whether nothing is left to do. */
  async function finish(deletion: Deletion): Promise<boolean> {
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
        if (!(await isForgotten(deletion))) {
          await store.gone(deletion);
          return true;
        }
        await store.removeAll(deletion);
        await store.gone(deletion);
        return true;
      default:
        return deletion satisfies never;
    }
  }

  const note = (deletion: Deletion, dueAtMs: number) =>
    works.add<Deletion>("page-deletions", keyOf(deletion), deletion, { dueAtMs });
  const drop = (deletion: Deletion) => works.cancel("page-deletions", keyOf(deletion));

  works.define<Deletion>("page-deletions", {
    ...untilDone(works, clock, "page-deletions"),
    run: async ({ payload }) => {
      if (!(await finish(payload))) throw new Error("Parley didn't take it yet.");
      return undefined;
    },
  });

  return {
    /**
     * Before the text of a question changes. Call the result once Parley knows the new text; if that never happens,
     * Parley learns of the text as it is then.
     */
    edit: async (
      { channel, thread, id, messageId }: Thread & { readonly id: string; readonly messageId: string },
      actor: Actor,
    ): Promise<() => Promise<void>> => {
      const deletion = { version: 1, kind: "edit", id, channel, thread, messageId, actor } as const;
      await note(deletion, clock.now() + ownMs);
      return () => drop(deletion);
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
      const deletion = { version: 1, kind: "question", id, channel, thread, messageId, actor } as const;
      await note(deletion, clock.now() + ownMs);
      const isDone = await withTimeout(finish(deletion), patienceMs, clock);
      if (isDone !== undefined) {
        await drop(deletion);
        return isDone;
      }
      await store.remove(at, messageId);
      return true;
    },

    /** Resolves as soon as it is stored and gone from the list. Throws not_allowed where others have asked. */
    conversation: async (
      at: Thread & { readonly id: string },
      actor: Actor,
      mayForgetOthers: boolean,
    ): Promise<void> => {
      const { channel, thread, id } = at;
      // Decided before it is hidden: later nobody is there to be told.
      if (!mayForgetOthers) await deps.checkAskedAlone(placeOf(channel, thread), actor);
      const deletion = { version: 1, kind: "conversation", id, channel, thread, actor, mayForgetOthers } as const;
      await note(deletion, clock.now() + ownMs);
      await store.hide(at);
      await note(deletion, clock.now());
    },
  };
}
