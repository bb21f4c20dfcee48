/**
 * Answers the person behind an event. A private answer is a note in the tab that asked and is never stored; a public
 * one is a message in the thread. A second answer replaces the first, whatever their visibility.
 */
import { randomUUID } from "node:crypto";
import type { Responder } from "../../../src/core/ports/chat-platform.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { Log } from "../../../src/core/ports/log.ts";
import { createPause } from "../../../src/core/tools/pause.ts";
import { defaultRoom, drawWithin } from "../../../src/presentation/drawing.ts";
import { render } from "../drawing/render.ts";
import { platformLimits } from "../limits.ts";
import type { PrivateNote } from "./messages.ts";
import type { Hub } from "./sse.ts";
import type { ConsoleStore } from "./store.ts";

const { answers: room = defaultRoom } = platformLimits;

type NoteAnchor = Pick<PrivateNote, "channel" | "thread" | "anchor">;

/** `person` is the id of the person who caused the event: private answers are for them alone. */
type Cause = { readonly id: string; readonly tab: string; readonly person: string };

export type ResponderFor = (event: Cause, at: NoteAnchor) => Responder;

export function createResponders(options: {
  readonly store: ConsoleStore;
  readonly hub: Hub;
  readonly clock: Clock;
  readonly log: Log;
}): ResponderFor {
  const { store, hub, clock, log } = options;

  return ({ id, tab, person }, at) => {
    let shown: "nothing" | "private" | "public" = "nothing";
    const { channel, thread } = at;
    const messageId = `reply-${id}`;
    const sendNote = (note: Pick<PrivateNote, "payload">) => {
      hub.notify({ type: "note", key: randomUUID(), tab, person, note: { id, ...at, ...note } });
    };

    return {
      send: async (document, visibility) => {
        try {
          const { pages } = await drawWithin(document, room, render, createPause(clock));
          const [payload] = render(pages[0] ?? document);
          if (shown === "private" && visibility === "public") sendNote({});
          if (shown === "public" && visibility === "private") await store.remove({ channel, thread }, messageId);
          shown = visibility;
          if (visibility === "private") sendNote({ payload });
          else await store.putOwn({ channel, thread }, messageId, payload, { replyId: messageId, part: 0 });
        } catch (thrown) {
          log.error({ err: thrown, channel, thread }, "A reply could not be shown on the page");
        }
      },
    };
  };
}
