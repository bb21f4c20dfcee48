/**
 * Requests to the server, and the event stream from it. After every (re)connection the page reads everything again,
 * so a missed event is never missed for long.
 */

import { at } from "./address.js";
import { noteTime } from "./clock.js";

/** A random id. Not crypto.randomUUID: browsers lack it on a page served over plain HTTP from another machine. */
export function newId() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Id of this tab, for private answers. Survives a reload. */
export const tab = (() => {
  const known = sessionStorage.getItem("parley.tab");
  if (known !== null) return known;
  const created = newId();
  sessionStorage.setItem("parley.tab", created);
  return created;
})();

/** Id of this browser, which has one vote on each answer. */
export const voter = (() => {
  try {
    const known = localStorage.getItem("parley.voter");
    if (known !== null) return known;
    const created = newId();
    localStorage.setItem("parley.voter", created);
    return created;
  } catch {
    // Storage is switched off: it is another browser after each reload.
    return newId();
  }
})();

let isSignedOut = false;
let whenSignedOut = () => {};

/** `listener` is called when the server no longer knows this person. Nothing is sent after that. */
export function onSignedOut(listener) {
  whenSignedOut = listener;
}

export function signedInAgain() {
  isSignedOut = false;
}

/** Sends JSON to a path such as "api/commands", and resolves `{ status, body }`; status 0 means that the server was unreachable. */
export async function request(method, path, body) {
  if (isSignedOut && path !== "api/me") return { status: 401, body: undefined };
  try {
    const response = await fetch(at(path), {
      method,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    noteTime(response);
    if (response.status === 401) {
      isSignedOut = true;
      whenSignedOut();
    }
    return { status: response.status, body: await response.json().catch(() => undefined) };
  } catch {
    return { status: 0, body: undefined };
  }
}

const eventTypes = ["message", "removed", "conversation", "conversation-removed", "pinned", "channels", "note"];
// A browser opens at most six connections to a server, so background tabs close theirs, but for one: the keeper tells
// the others which conversations change, for the count in their titles.
const hiddenForMs = 60_000;
const keeperLock = "parley.keeper";
const relayed = ["conversation", "conversation-removed", "pinned", "channels"];
const sayLostAfterMs = 800;

/**
 * `onHello` after each (re)connection, `onEvent` per event, `onLost(isLost)` when it is lost for more than a moment,
 * `onPoll` now and then while a hidden tab is connected to nobody. Returns `{ reopen }`.
 */
export function connect({ onHello, onEvent, onLost, onPoll }) {
  let source;
  let isKeeper = false;
  let lostTimer;
  let reopenTimer;
  let hiddenTimer;

  const relay = "BroadcastChannel" in window ? new BroadcastChannel("parley.conversations") : undefined;
  relay?.addEventListener("message", ({ data }) => {
    if (source.readyState === EventSource.CLOSED) onEvent(data);
  });

  function lose() {
    lostTimer ??= setTimeout(() => onLost(true), sayLostAfterMs);
  }

  function open() {
    clearTimeout(reopenTimer);
    source?.close();
    source = new EventSource(at(`api/events?tab=${encodeURIComponent(tab)}`));
    source.addEventListener("hello", () => {
      clearTimeout(lostTimer);
      lostTimer = undefined;
      onLost(false);
      onHello();
    });
    for (const type of eventTypes) {
      source.addEventListener(type, ({ data }) => {
        const event = JSON.parse(data);
        onEvent(event);
        if (isKeeper && relayed.includes(type)) relay?.postMessage(event);
      });
    }
    source.addEventListener("error", () => {
      lose();
      // The browser reconnects automatically, unless the server answered with an error.
      if (source.readyState !== EventSource.CLOSED) return;
      clearTimeout(reopenTimer);
      reopenTimer = setTimeout(async () => {
        // If the session has ended, this request finds out.
        await request("GET", "/api/commands");
        if (!isSignedOut) open();
      }, 2000);
    });
  }

  document.addEventListener("visibilitychange", () => {
    clearInterval(hiddenTimer);
    if (document.visibilityState === "visible") {
      if (source.readyState === EventSource.CLOSED) open();
      return;
    }
    hiddenTimer = setInterval(() => {
      if (isKeeper) return;
      source.close();
      // Locks need a page on this machine or over HTTPS. Without them nobody keeps a connection for the others.
      if (navigator.locks === undefined) onPoll();
    }, hiddenForMs);
  });
  addEventListener("online", open);
  open();
  // Held until this tab is closed; then the next one becomes the keeper.
  navigator.locks?.request(keeperLock, () => {
    isKeeper = true;
    if (source.readyState === EventSource.CLOSED) open();
    return new Promise(() => {});
  });
  return { reopen: open };
}
