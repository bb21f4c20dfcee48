/**
 * Reads and writes the cookies of the page. Browsers send a host's cookies to each of its ports, so their names say
 * which Parley they belong to: two of them on one host would sign each other's people out.
 */
import { createHash } from "node:crypto";
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { Client } from "../intake/client.ts";
import { browserMaxAgeSeconds, loginMaxAgeSeconds } from "../limits.ts";

/** What versions before named them on every Parley: still read, so that nobody is signed out by an update. */
const kinds = {
  session: { before: "parley_session", maxAgeSeconds: loginMaxAgeSeconds },
  browser: { before: "parley_browser", maxAgeSeconds: browserMaxAgeSeconds },
} as const;

type Kind = keyof typeof kinds;

function nameOf(kind: Kind, { site }: Client): string {
  return `${kinds[kind].before}_${createHash("sha256").update(site).digest("hex").slice(0, 8)}`;
}

/** Untrusted. */
export function readCookie(context: Context, client: Client, kind: Kind): string | undefined {
  return getCookie(context, nameOf(kind, client)) ?? getCookie(context, kinds[kind].before);
}

export function writeCookie(context: Context, client: Client, kind: Kind, value: string): void {
  const { prefix, scheme } = client;
  setCookie(context, nameOf(kind, client), value, {
    httpOnly: true,
    sameSite: "Strict",
    path: `${prefix}/`,
    maxAge: kinds[kind].maxAgeSeconds,
    secure: scheme === "https",
  });
}

/** With the one of a version before, which would be read next. */
export function removeCookie(context: Context, client: Client, kind: Kind): void {
  for (const name of [nameOf(kind, client), kinds[kind].before]) {
    deleteCookie(context, name, { path: `${client.prefix}/` });
  }
}
