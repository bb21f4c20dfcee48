/**
 * Learns what changes on the server, from a stream of events. After each (re)connection the page reads everything again,
 * so a missed event is never missed for long. Where the browser has no streams, or something between it and the server
 * refuses them or holds them back, the page reads everything every few seconds instead.
 */
import type { PageEvent } from "../../writing/messages.ts";
import { at, named } from "./address.ts";
import { request, tab } from "./connection.ts";
import { isNewNote } from "./seen-notes.ts";

const eventTypes: readonly PageEvent["type"][] = [
  "message",
  "removed",
  "conversation",
  "conversation-removed",
  "pinned",
  "channels",
  "note",
];
// A browser opens at most six connections to a server, so background tabs close theirs, but for one: the keeper tells
// the others which conversations change, for the count in their titles.
const hiddenForMs = 60_000;
const relayed: readonly PageEvent["type"][] = ["conversation", "conversation-removed", "pinned", "channels"];
const sayLostAfterMs = 800;

type Timer = ReturnType<typeof setTimeout>;

/** A stream that says nothing for so long after it was opened is held back by a proxy. */
const firstWordMs = 5_000;
/** The server says something every 15 s. A connection can break without the browser noticing. */
const silentMs = 40_000;
const refusedAgainMs = 2_000;
const streamAgainMs = 60_000;
const pollMs = { visible: 3_000, hidden: 30_000 };

export function connect({
  person,
  kept,
  onHello,
  onEvent: onNew,
  onLost,
  onPoll,
}: {
  /** Whose page it is. */
  readonly person: string;
  /** Begins the names of what this person's tabs share; another person of the same browser sees none of it. */
  readonly kept: string;
  /** After each (re)connection. */
  readonly onHello: () => Promise<unknown>;
  readonly onEvent: (event: PageEvent) => void;
  /** Whether the server is lost, for more than a moment. */
  readonly onLost: (isLost: boolean) => void;
  /** What may have changed is to be read. */
  readonly onPoll: () => Promise<unknown>;
}) {
  const hasStreams = "EventSource" in window;
  const tabQuery = `tab=${encodeURIComponent(tab)}`;
  let source: EventSource | undefined;
  /** A stream has worked since the page was loaded. */
  let hasWorked = false;
  let refusals = 0;
  let isPolling = false;
  /** The server ended the stream because there are too many. */
  let isCrowdedOut = false;
  let isKeeper = false;
  let lostTimer: Timer | undefined;
  let reopenTimer: Timer | undefined;
  let silenceTimer: Timer | undefined;
  let pollTimer: Timer | undefined;
  let hiddenTimer: Timer | undefined;

  const onEvent = (event: PageEvent) => {
    if (event.type !== "note" || isNewNote(event)) onNew(event);
  };
  const isStreaming = () => source !== undefined && source.readyState !== EventSource.CLOSED;
  const relay = "BroadcastChannel" in window ? new BroadcastChannel(named(`${kept}conversations`)) : undefined;
  relay?.addEventListener("message", ({ data }: MessageEvent<PageEvent>) => {
    if (!isStreaming()) onEvent(data);
  });

  function lose(): void {
    lostTimer ??= setTimeout(() => onLost(true), sayLostAfterMs);
  }

  function find(): void {
    clearTimeout(lostTimer);
    lostTimer = undefined;
    onLost(false);
  }

  function expectWord(withinMs: number, orElse: () => void): void {
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(orElse, withinMs);
  }

  function closeStream(): void {
    clearTimeout(silenceTimer);
    clearTimeout(reopenTimer);
    source?.close();
  }

  /** `isNew`: nothing was read yet, or not since the server was lost. */
  async function poll(isNew: boolean): Promise<unknown> {
    clearTimeout(pollTimer);
    await (isNew ? onHello() : onPoll());
    // Private answers are stored nowhere else, so they wait there for this tab.
    const { status, body } = await request<readonly PageEvent[]>("GET", `api/notes?${tabQuery}`);
    const wasLost = lostTimer !== undefined;
    if (body !== undefined) {
      find();
      for (const event of body) onEvent(event);
    } else if (status !== 401) lose();
    if (!isPolling) return undefined;
    clearTimeout(pollTimer);
    const isBack = status === 200 && wasLost;
    if (isBack && hasWorked) return open();
    pollTimer = setTimeout(() => poll(isBack), isBack ? 0 : pollMs[document.visibilityState]);
    return undefined;
  }

  function startPolling(): Promise<unknown> {
    if (isPolling) return poll(false);
    isPolling = true;
    return poll(true);
  }

  function stopPolling(): void {
    isPolling = false;
    clearTimeout(pollTimer);
  }

  /** A stream that never worked isn't tried again. */
  function pollInstead(): void {
    closeStream();
    startPolling();
    if (hasWorked) reopenTimer = setTimeout(open, streamAgainMs);
  }

  /**
   * Opening another stream at once would end another page's, and that page's next one this page's. So it waits until
   * someone comes back to it.
   */
  function makeRoom(): void {
    closeStream();
    isCrowdedOut = true;
    if (isKeeper || document.visibilityState === "visible") startPolling();
  }

  function open(): void {
    closeStream();
    isCrowdedOut = false;
    if (!hasStreams) return void startPolling();
    source = new EventSource(at(`api/events?${tabQuery}&person=${encodeURIComponent(person)}`));
    expectWord(firstWordMs, pollInstead);
    source.addEventListener("hello", () => {
      hasWorked = true;
      refusals = 0;
      stopPolling();
      find();
      expectWord(silentMs, open);
      onHello();
    });
    source.addEventListener("crowded", makeRoom);
    source.addEventListener("beat", () => expectWord(silentMs, open));
    for (const type of eventTypes) {
      source.addEventListener(type, ({ data }) => {
        expectWord(silentMs, open);
        const event: PageEvent = JSON.parse(data);
        onEvent(event);
        if (isKeeper && relayed.includes(type)) relay?.postMessage(event);
      });
    }
    source.addEventListener("error", () => {
      if (!isPolling) lose();
      // The browser reconnects automatically, unless the server answered with an error.
      if (isStreaming()) return;
      closeStream();
      reopenTimer = setTimeout(reopenRefused, refusedAgainMs);
    });
  }

  async function reopenRefused(): Promise<void> {
    // If the session has ended, this request finds out.
    const { status } = await request("GET", "api/commands");
    if (status === 401) return;
    if (status === 200) refusals += 1;
    if (refusals > 1) pollInstead();
    else open();
  }

  document.addEventListener("visibilitychange", () => {
    clearInterval(hiddenTimer);
    if (document.visibilityState === "visible") {
      if (isPolling && !isCrowdedOut) poll(false);
      else if (!isStreaming()) open();
      return;
    }
    hiddenTimer = setInterval(() => {
      if (isKeeper || isPolling) return;
      closeStream();
      // Locks need a page on this machine or over HTTPS. Without them nobody keeps a connection for the others.
      if (navigator.locks === undefined) onPoll();
    }, hiddenForMs);
  });
  addEventListener("online", open);
  open();
  // Held until this tab is closed; then the next one becomes the keeper.
  navigator.locks?.request(named(`${kept}keeper`), () => {
    isKeeper = true;
    if (!isStreaming() && !isPolling) open();
    return new Promise(() => {});
  });
  return { reopen: open };
}
