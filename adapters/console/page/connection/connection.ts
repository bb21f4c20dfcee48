/** Sends requests to the server, as this person, this tab and this browser. */

import type { FieldErrors } from "../../../../src/core/document.ts";
import { at } from "./address.ts";
import { noteTime } from "./clock.ts";
import { headersFor } from "./whose.ts";

/** A random id. Not crypto.randomUUID: browsers lack it on a page served over plain HTTP from another machine. */
export function newId(): string {
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

/** What the server says where it refuses. */
export type Refusal = {
  readonly error?: { readonly code: string; readonly what: string; readonly hint: string };
  readonly errors?: FieldErrors;
};

/** `status` 0: the server was unreachable. A success has a body, unless it is 204; anything else a refusal. */
export type Answer<T> = { readonly status: number; readonly body?: T; readonly refusal?: Refusal };

let isSignedOut = false;
let whenSignedOut = () => {};

/** `listener` is called when the server no longer knows this person. Nothing is sent after that. */
export function onSignedOut(listener: () => void): void {
  whenSignedOut = listener;
}

export function signedInAgain(): void {
  isSignedOut = false;
}

/** Sends JSON to a path such as "api/commands". Never rejects. */
export async function request<T>(method: string, path: string, body?: object): Promise<Answer<T>> {
  if (isSignedOut && path !== "api/me") return { status: 401 };
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
    const { status, ok } = response;
    const sent = await response.json().catch(() => undefined);
    if (!ok) return { status, refusal: sent };
    // Not Parley's: a proxy answered with its own page, such as one to sign in, and nothing was done.
    if (sent === undefined && status !== 204) return { status: 0 };
    return { status, body: sent };
  } catch {
    return { status: 0 };
  }
}
