/** Sends requests to the server, as this person, this tab and this browser. */

import { at } from "./address.js";
import { noteTime } from "./clock.js";
import { headersFor } from "./whose.js";

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
      headers: headersFor(body),
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
