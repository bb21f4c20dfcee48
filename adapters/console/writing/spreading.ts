/**
 * Sends events to all open pages, a few at a time, so that thousands of them hold up nobody else. While they are written,
 * of each message and conversation only the newest state waits: a page takes the highest revision, whatever came before.
 */
import type { Clock } from "../../../src/core/ports/clock.ts";
import { createPause } from "../../../src/core/tools/pause.ts";
import { threadKey } from "../conversations/thread-key.ts";
import { pagesAtOnce } from "../limits.ts";
import type { PageEvent } from "./messages.ts";

export type Listening<F> = {
  readonly isFor: (event: PageEvent) => boolean;
  readonly send: (frame: F) => void;
};

export function createSpreading<F>(pages: ReadonlySet<Listening<F>>, clock: Pick<Clock, "now">) {
  const waiting = new Map<string, { readonly event: PageEvent; readonly frame: F }>();
  let isSending = false;

  async function sendAll(): Promise<void> {
    isSending = true;
    const pause = createPause(clock);
    for (const [key, { event, frame }] of waiting) {
      waiting.delete(key);
      let count = 0;
      // Pages that are opened meanwhile read everything themselves.
      for (const page of [...pages]) {
        if (page.isFor(event)) page.send(frame);
        count += 1;
        if (count % pagesAtOnce === 0) await pause();
      }
    }
    // At once, not after a promise: what comes next must find nobody sending.
    isSending = false;
  }

  /** `text`: the event as JSON. */
  return (event: PageEvent, text: string, frame: F): void => {
    const key = stateOf(event) ?? text;
    // Behind what came in between, such as the removal of the message.
    waiting.delete(key);
    waiting.set(key, { event, frame });
    if (!isSending) void sendAll();
  };
}

/** What the event tells the newest state of; undefined: it is news. */
function stateOf(event: PageEvent): string | undefined {
  if (event.type === "message") return `message ${threadKey(event.message)}/${event.message.id}`;
  return event.type === "conversation" ? `conversation ${threadKey(event.conversation)}` : undefined;
}
