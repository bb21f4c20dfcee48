/**
 * Access control of the built-in service. It listens on loopback, where any web page open on the same machine can send
 * requests too. Those have a foreign Host (DNS rebinding) or an Origin, and are refused. A token can be required in
 * addition.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { problems } from "./problem.ts";

/** Open even if a token is required. */
const openPaths: ReadonlySet<string> = new Set(["/api/status", "/api/util/ping", "/api/util/readiness"]);

export function guard(token: string | undefined): MiddlewareHandler {
  return async (context, next) => {
    const host = new URL(context.req.url).hostname;
    const isLocal = host === "127.0.0.1" || host === "localhost";
    if (!isLocal || context.req.header("origin") !== undefined) throw problems.foreign();
    const given = /^Bearer (.+)$/.exec(context.req.header("authorization") ?? "")?.[1] ?? "";
    const isOpen = token === undefined || openPaths.has(context.req.path);
    if (!isOpen && !isSame(given, token)) throw problems.unauthorised();
    await next();
  };
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
