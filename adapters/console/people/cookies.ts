/**
 * Reads and writes the cookies of the page. Browsers send a host's cookies to each of its ports, so their names say
 * which Parley they belong to: two of them on one host would sign each other's people out. Over HTTPS their names also
 * begin so that the browser takes them only from this host (`__Host-`) or, below a path, only over HTTPS (`__Secure-`):
 * another site of the same domain can't sign people in as someone else.
 */
import { createHash } from "node:crypto";
import type { Context } from "hono";
import { deleteCookie, getCookie, getSignedCookie, setCookie, setSignedCookie } from "hono/cookie";
import type { Client } from "../intake/client.ts";
import { browserMaxAgeSeconds, loginMaxAgeSeconds } from "../limits.ts";

const maxAgeSeconds = { session: loginMaxAgeSeconds, browser: browserMaxAgeSeconds } as const;

type Kind = keyof typeof maxAgeSeconds;

type Where = Pick<Client, "prefix" | "scheme">;

type Lasting = { readonly sameSite: "Strict" | "Lax"; readonly maxAge: number; readonly path?: string };

/** `__Host-` is for whole hosts alone. */
const prefixOf = ({ prefix }: Where): "host" | "secure" => (prefix === "" ? "host" : "secure");

/** `path`: where a cookie is sent, within Parley's own. */
function about(client: Where, isSecure: boolean, path = "/") {
  const prefix = isSecure ? { prefix: prefixOf(client) } : {};
  return { path: `${client.prefix}${path}`, secure: isSecure, httpOnly: true, ...prefix } as const;
}

/** Untrusted. A proxy that hides the host can make a request over HTTPS look like one over HTTP, never the reverse. */
function readNamed(context: Context, client: Where, name: string): string | undefined {
  const secured = getCookie(context, name, prefixOf(client));
  return secured === undefined && client.scheme === "http" ? getCookie(context, name) : secured;
}

type Signed = { readonly name: string; readonly secret: string };

/** As it was written; undefined if it was changed or signed with another secret. */
export async function readSigned(context: Context, client: Where, { name, secret }: Signed) {
  const secured = await getSignedCookie(context, secret, name, prefixOf(client));
  const isPlain = secured === undefined && client.scheme === "http";
  return (isPlain ? await getSignedCookie(context, secret, name) : secured) || undefined;
}

export function writeSigned(
  context: Context,
  client: Where,
  { name, secret, value, path, ...lasting }: Signed & Lasting & { readonly value: string },
): Promise<void> {
  return setSignedCookie(context, name, value, secret, {
    ...lasting,
    ...about(client, client.scheme === "https", path),
  });
}

/** Of both schemes. */
export function removeNamed(context: Context, client: Where, name: string, path?: string): void {
  deleteCookie(context, name, about(client, false, path));
  deleteCookie(context, name, about(client, true, path));
}

/** Names of that kind, without what says that they are secure; the oldest first. */
export function namesBeginning(context: Context, beginning: string): readonly string[] {
  const names = Object.keys(getCookie(context)).map((name) => name.replace(/^__(?:Host|Secure)-/, ""));
  return [...new Set(names.filter((name) => name.startsWith(beginning)))];
}

function nameOf(kind: Kind, { site }: Client): string {
  return `parley_${kind}_${createHash("sha256").update(site).digest("hex").slice(0, 8)}`;
}

/** Untrusted. */
export function readCookie(context: Context, client: Client, kind: Kind): string | undefined {
  return readNamed(context, client, nameOf(kind, client));
}

export function writeCookie(context: Context, client: Client, kind: Kind, value: string): void {
  const lasting = { sameSite: "Strict", maxAge: maxAgeSeconds[kind] } as const;
  setCookie(context, nameOf(kind, client), value, { ...lasting, ...about(client, client.scheme === "https") });
}

export function removeCookie(context: Context, client: Client, kind: Kind): void {
  removeNamed(context, client, nameOf(kind, client));
}
