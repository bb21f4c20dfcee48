/**
 * Reads and writes the cookies of the page. Browsers send a host's cookies to each of its ports, so their names say
 * which Parley they belong to: two of them on one host would sign each other's people out. Over HTTPS their names also
 * begin so that the browser takes them only from this host (`__Host-`) or, below a path, only over HTTPS (`__Secure-`):
 * another site of the same domain can't sign people in as someone else.
 */
import { createHash } from "node:crypto";
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { Client } from "../intake/client.ts";
import { browserMaxAgeSeconds, loginMaxAgeSeconds } from "../limits.ts";

const maxAgeSeconds = { session: loginMaxAgeSeconds, browser: browserMaxAgeSeconds } as const;

type Kind = keyof typeof maxAgeSeconds;

type Where = Pick<Client, "prefix" | "scheme">;

const securePrefix = ({ prefix }: Where) => (prefix === "" ? "__Host-" : "__Secure-");

/** `path`: where a cookie is sent, within Parley's own. `__Host-` is for whole hosts alone. */
function about(client: Where, isSecure: boolean, path = "/") {
  const own = isSecure && client.prefix === "" ? "/" : path;
  return { path: `${client.prefix}${own}`, secure: isSecure, httpOnly: true };
}

/** Untrusted. A proxy that hides the host can make a request over HTTPS look like one over HTTP, never the reverse. */
export function readNamed(context: Context, client: Where, name: string): string | undefined {
  const secured = getCookie(context, `${securePrefix(client)}${name}`);
  return secured === undefined && client.scheme === "http" ? getCookie(context, name) : secured;
}

export function writeNamed(
  context: Context,
  client: Where,
  name: string,
  value: string,
  options: { readonly sameSite: "Strict" | "Lax"; readonly maxAge: number; readonly path?: string },
): void {
  const isSecure = client.scheme === "https";
  const whole = isSecure ? `${securePrefix(client)}${name}` : name;
  setCookie(context, whole, value, { ...options, ...about(client, isSecure, options.path) });
}

/** Of both schemes. */
export function removeNamed(context: Context, client: Where, name: string, path?: string): void {
  deleteCookie(context, name, about(client, false, path));
  deleteCookie(context, `${securePrefix(client)}${name}`, about(client, true, path));
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
  writeNamed(context, client, nameOf(kind, client), value, { sameSite: "Strict", maxAge: maxAgeSeconds[kind] });
}

export function removeCookie(context: Context, client: Client, kind: Kind): void {
  removeNamed(context, client, nameOf(kind, client));
}
