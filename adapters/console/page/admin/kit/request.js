/** Requests of the admin part. What fails becomes a Problem with sentences for people. */
import { noteTime } from "../../connection/clock.ts";
import { headersFor } from "../../connection/whose.ts";
import { root, searchOf } from "./address.js";

/** `what` happened and, as `hint`, what to do. */
export class Problem extends Error {
  constructor({ what, hint = "", code = "" }, status = 0) {
    super(what);
    this.what = what;
    this.hint = hint;
    this.code = code;
    this.status = status;
  }
}

const unreachable = { what: "Parley can't be reached.", hint: "Check your connection, then try again." };
const unknown = { what: "Something went wrong.", hint: "Try again. If it keeps happening, look at Parley's log." };

/** The address of `path`, which begins without a slash: "api/admin/audit". */
export function urlOf(path, query = {}) {
  const url = new URL(path, root);
  url.search = searchOf(query);
  return url.href;
}

export function read(path, query = {}, signal) {
  return send("GET", urlOf(path, query), undefined, signal);
}

/** Sends JSON. Resolves the response's JSON; rejects with a Problem. */
export async function send(method, path, body, signal) {
  const response = await fetch(new URL(path, root), {
    method,
    signal,
    headers: headersFor(body),
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch((thrown) => {
    throw signal?.aborted ? thrown : new Problem(unreachable);
  });
  noteTime(response);
  // Loading the page again shows the sign-in.
  if (response.status === 401) location.reload();
  const answer = await response.json().catch(() => undefined);
  if (response.ok) return answer;
  throw new Problem(answer?.error ?? unknown, response.status);
}
