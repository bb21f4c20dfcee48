/**
 * Requests to the server, and the stream of events from it. After every (re)connection the page reads everything anew,
 * so an event that was missed is never missed for long.
 */

/** A new id. Not crypto.randomUUID: a page that is reached over plain HTTP from another machine does not have it. */
export function newId() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** This tab, for answers that only it may see. Survives a reload. */
export const tab = (() => {
  const known = sessionStorage.getItem("parley.tab");
  if (known !== null) return known;
  const made = newId();
  sessionStorage.setItem("parley.tab", made);
  return made;
})();

/** A request whose answer is JSON. Resolves `{ status, body }`; status 0 means that the server was not reached. */
export async function request(method, path, body) {
  try {
    const response = await fetch(path, {
      method,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // The token is asked for by the page itself; what was typed is kept in this browser.
    if (response.status === 401) location.reload();
    return { status: response.status, body: await response.json().catch(() => undefined) };
  } catch {
    return { status: 0, body: undefined };
  }
}

const eventTypes = ["message", "removed", "conversation", "conversation-removed", "note"];
// A browser opens six connections to a server at most; tabs in the background give theirs back.
const hiddenForMs = 60_000;
const sayLostAfterMs = 800;

/** `onHello` after each connection, `onEvent` for each event, `onLost(isLost)` when the state changes for more than a moment. */
export function connect({ onHello, onEvent, onLost }) {
  let source;
  let lostTimer;
  let reopenTimer;
  let hiddenTimer;

  function lose() {
    lostTimer ??= setTimeout(() => onLost(true), sayLostAfterMs);
  }

  function open() {
    clearTimeout(reopenTimer);
    source?.close();
    source = new EventSource(`/api/events?tab=${encodeURIComponent(tab)}`);
    source.addEventListener("hello", () => {
      clearTimeout(lostTimer);
      lostTimer = undefined;
      onLost(false);
      onHello();
    });
    for (const type of eventTypes) source.addEventListener(type, (event) => onEvent(JSON.parse(event.data)));
    source.addEventListener("error", () => {
      lose();
      // The browser tries again by itself, unless the server answered with an error.
      if (source.readyState !== EventSource.CLOSED) return;
      clearTimeout(reopenTimer);
      reopenTimer = setTimeout(async () => {
        // Shows the form when the error was that the token is asked for again.
        await request("GET", "/api/commands");
        open();
      }, 2000);
    });
  }

  document.addEventListener("visibilitychange", () => {
    clearTimeout(hiddenTimer);
    if (document.visibilityState === "visible") {
      if (source.readyState === EventSource.CLOSED) open();
    } else {
      hiddenTimer = setTimeout(() => source.close(), hiddenForMs);
    }
  });
  addEventListener("online", open);
  open();
}
