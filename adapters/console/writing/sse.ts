/**
 * Notifies open pages of changes. Events travel over a topic of the Coordinator, so a page on one instance sees answers
 * that run on another. An event may be lost, because a page reads everything again when it reconnects. Private notes
 * are not stored, so they wait for the tab that asked, and for its person. A proxy can hold a new stream back, so what is
 * sent over it in the first seconds waits as well, and the page ignores what it knows.
 */

import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import { LRUCache } from "lru-cache";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { Log } from "../../../src/core/ports/log.ts";
import type { Coordinator } from "../../../src/core/ports/state.ts";
import {
  crowdedRetryMs,
  heartbeatMs,
  maxStreams,
  maxStreamsOfSession,
  maxUnsentChars,
  maxWaitingNotes,
  maxWaitingTabs,
  unprovenStreamMs,
} from "../limits.ts";
import type { Session } from "../people/sessions.ts";
import type { PageEvent } from "./messages.ts";
import { createSpreading } from "./spreading.ts";

const topic = "console/local/events";

/** Who reads a stream. */
export type Reader = {
  readonly tab: string;
  /** Id of the person: a tab's id is no secret. */
  readonly person: string;
  readonly session?: Pick<Session, "key" | "expiresAtMs"> | undefined;
};

/** An event as it is sent: made once, for all pages. */
type Frame = { readonly bytes: Uint8Array; readonly chars: number };

type Page = Reader & {
  isProven: boolean;
  readonly isFor: (event: PageEvent) => boolean;
  readonly send: (frame: Frame) => void;
  readonly end: () => void;
};

const encoder = new TextEncoder();

/** `json` has no line breaks. */
function frameOf(type: string, json: string, retryMs?: number): Frame {
  const retry = retryMs === undefined ? "" : `retry: ${retryMs}\n`;
  return { bytes: encoder.encode(`event: ${type}\ndata: ${json}\n${retry}\n`), chars: json.length };
}

const hello = frameOf("hello", "{}", 1_000);
/** An event, not a comment: scripts can't see comments, and the page looks for a broken connection. */
const beatFrame = frameOf("beat", "{}");
const crowded = frameOf("crowded", "{}", crowdedRetryMs);

/** Whose streams are counted together. */
const groupOf = ({ session, person }: Reader) => session?.key ?? `person ${person}`;

const readerKey = ({ person, tab }: Pick<Reader, "person" | "tab">) => `${person} ${tab}`;

export type Hub = ReturnType<typeof createHub>;

export type HubOptions = {
  readonly coordinator: Pick<Coordinator, "publish" | "subscribe">;
  readonly clock: Clock;
  readonly log: Log;
};

export function createHub({ coordinator, clock, log }: HubOptions) {
  const pages = new Set<Page>();
  const spread = createSpreading<Frame>(pages, clock);
  // By reader: notes for tabs that don't hear of them at the moment; the oldest tab is dropped first.
  const waiting = new LRUCache<string, PageEvent[]>({ max: maxWaitingTabs });
  let unsubscribe = () => {};

  function holdFor(reader: string, event: PageEvent): void {
    waiting.set(reader, [...(waiting.get(reader) ?? []), event].slice(-maxWaitingNotes));
  }

  function receive(text: string): void {
    const event: PageEvent = JSON.parse(text);
    if (event.type === "signed-out") {
      for (const page of pages) if (page.session?.key === event.session) page.end();
      return;
    }
    const frame = frameOf(event.type, text);
    if (event.type !== "note") {
      spread(event, text, frame);
      return;
    }
    const reader = readerKey(event);
    const tabs = [...pages].filter((page) => readerKey(page) === reader && page.isFor(event));
    for (const page of tabs) page.send(frame);
    if (!tabs.some(({ isProven }) => isProven)) holdFor(reader, event);
  }

  /** Its page asks for what is new every few seconds instead, so that it doesn't end another one's stream in turn. */
  function crowdOut(page: Page | undefined): void {
    if (page === undefined) return;
    page.send(crowded);
    page.end();
    pages.delete(page);
  }

  /** Where all are too many, one of those who have most makes room: nobody ends the streams of people who have a few. */
  function makeRoomFor(reader: Reader): void {
    const own = [...pages].filter((page) => groupOf(page) === groupOf(reader));
    if (own.length >= maxStreamsOfSession) crowdOut(own[0]);
    if (pages.size < maxStreams) return;
    const groups = [...Map.groupBy(pages, groupOf).values()];
    crowdOut(groups.reduce((most, other) => (other.length > most.length ? other : most))[0]);
  }

  const waitingFor = (reader: Reader, isFor: Page["isFor"]) => (waiting.get(readerKey(reader)) ?? []).filter(isFor);

  return {
    /** What waits for a tab that has no stream. If it still has one here, a proxy keeps it open, and nobody reads it. */
    take: (reader: Reader, isFor: Page["isFor"]): readonly PageEvent[] => {
      for (const page of pages) if (readerKey(page) === readerKey(reader)) page.end();
      const events = waitingFor(reader, isFor);
      waiting.delete(readerKey(reader));
      return events;
    },

    start: (): void => {
      unsubscribe = coordinator.subscribe(topic, receive);
    },

    /** Never throws. What cannot be sent now is read by the page when it reconnects. */
    notify: (event: PageEvent): void => {
      coordinator.publish(topic, JSON.stringify(event)).catch((thrown: unknown) => {
        log.warn({ err: thrown, type: event.type }, "Open pages could not be notified of a change");
      });
    },

    /** Answers `GET /api/events?tab=…` with a stream that lasts until either side closes it, or the session ends. */
    stream: (context: Context, reader: Reader, isFor: Page["isFor"]): Response => {
      // nginx would keep events back until its buffer is full.
      context.header("x-accel-buffering", "no");
      return streamSSE(
        context,
        async (stream) => {
          let end = () => {};
          const ended = new Promise<void>((resolve) => {
            end = resolve;
          });
          let cancelBeat = () => {};
          const beat = () => {
            cancelBeat = clock.after(heartbeatMs, () => {
              if ((reader.session?.expiresAtMs ?? Number.POSITIVE_INFINITY) <= clock.now()) return end();
              stream.write(beatFrame.bytes).then(beat, end);
            });
          };
          let unsentChars = 0;
          const send = ({ bytes, chars }: Frame) => {
            // A sleeping computer keeps its connection but reads nothing, and its queue must not grow forever.
            if (unsentChars > maxUnsentChars) return end();
            unsentChars += chars;
            const sent = () => {
              unsentChars -= chars;
            };
            stream.write(bytes).then(sent, end);
          };
          const page: Page = { ...reader, isProven: false, isFor, send, end };
          stream.onAbort(end);

          // Subscribe before anything else can happen: every change after "hello" must reach the page.
          stream.write(hello.bytes).catch(end);
          makeRoomFor(reader);
          pages.add(page);
          for (const event of waitingFor(reader, isFor)) send(frameOf(event.type, JSON.stringify(event)));
          beat();
          const cancelProof = clock.after(unprovenStreamMs, () => {
            page.isProven = true;
            waiting.delete(readerKey(reader));
          });
          await ended;
          cancelBeat();
          cancelProof();
          pages.delete(page);
        },
        async (thrown) => log.warn({ err: thrown }, "An event stream to a page broke"),
      );
    },

    /** Ends all streams. */
    close: (): void => {
      unsubscribe();
      for (const page of pages) page.end();
    },
  };
}
