/** Requests of the admin part. What fails becomes a Problem with sentences for people. */
import { root } from "../../connection/address.ts";
import { noteTime } from "../../connection/clock.ts";
import { reloadOnce } from "../../connection/reload.ts";
import { headersFor } from "../../connection/whose.ts";
import { Problem } from "../../parts/problem.ts";
import { type Query, searchOf } from "./address.ts";

export const unreachable = {
  what: "Parley can't be reached.",
  hint: "Check your connection, then try again.",
};
const unknown = {
  what: "Something went wrong.",
  hint: "Try again. If it keeps happening, look at Parley's log.",
};

/** The address of `path`, which begins without a slash: "api/admin/audit". */
export function urlOf(path: string, query: Query = {}): string {
  const url = new URL(path, root);
  url.search = searchOf(query);
  return url.href;
}

export function read<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  return send<T>("GET", urlOf(path, query), undefined, signal);
}

/** Sends JSON. Resolves the response's JSON; rejects with a Problem. */
export async function send<T>(method: string, path: string, body?: object, signal?: AbortSignal): Promise<T> {
  const response = await fetch(new URL(path, root), {
    method,
    signal: signal ?? null,
    headers: headersFor(body),
    body: body === undefined ? null : JSON.stringify(body),
  }).catch((thrown: unknown) => {
    throw signal?.aborted === true ? thrown : new Problem(unreachable);
  });
  noteTime(response);
  // Loading the page again shows the sign-in.
  if (response.status === 401) reloadOnce();
  const answer = await response.json().catch(() => undefined);
  // Without JSON it isn't Parley's: it was cut, or something in between answered.
  if (response.ok && answer !== undefined) return answer;
  throw new Problem(answer?.error ?? unknown, response.status);
}
