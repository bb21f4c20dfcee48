/**
 * Access control of the built-in service. It listens on loopback, where any web page open on the same machine can send
 * requests too. Those have a foreign Host (DNS rebinding) or an Origin, and are refused. A token or a login can be
 * required in addition.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { Hono, type MiddlewareHandler } from "hono";
import { z } from "zod";
import { Problem, problems } from "./problem.ts";

export type AccessOptions = {
  /** Accepted in addition to tokens from logins. */
  readonly token?: string;
  readonly login?: { readonly user: string; readonly password: string };
};

export type Access = {
  readonly guard: MiddlewareHandler;
  readonly routes: Hono;
  readonly isOn: boolean;
};

/** Open even if a token is required. */
const openPaths: ReadonlySet<string> = new Set(["/api/status", "/api/login", "/api/util/ping", "/api/util/readiness"]);
const credentials = z.object({ username: z.string(), password: z.string() });

export function createAccess(options: AccessOptions): Access {
  const isOn = options.token !== undefined || options.login !== undefined;
  /** Tokens issued by logins; they end with the process. */
  const tokens = new Set<string>();
  const isValid = (token: string) => tokens.has(token) || (options.token !== undefined && isSame(token, options.token));

  const guard: MiddlewareHandler = async (context, next) => {
    const host = new URL(context.req.url).hostname;
    const isLocal = host === "127.0.0.1" || host === "localhost" || host === "[::1]";
    if (!isLocal || context.req.header("origin") !== undefined) throw problems.foreign();
    const given = /^Bearer (.+)$/.exec(context.req.header("authorization") ?? "")?.[1] ?? "";
    if (isOn && !openPaths.has(context.req.path) && !isValid(given)) throw problems.unauthorised();
    await next();
  };

  const routes = new Hono();
  routes.post("/login", async (context) => {
    const given = credentials.safeParse(await context.req.json().catch(() => undefined));
    if (!given.success) {
      throw new Problem(400, "Error in username or password", "Username and password should be string");
    }
    const { login } = options;
    const { username, password } = given.data;
    if (login === undefined || !(isSame(username, login.user) && isSame(password, login.password))) {
      throw new Problem(401, "Forbidden", "Invalid username or password");
    }
    const token = `pat_${randomBytes(24).toString("base64url")}`;
    tokens.add(token);
    return context.json({ token });
  });
  routes.post("/logout", (context) => {
    tokens.delete(/^Bearer (.+)$/.exec(context.req.header("authorization") ?? "")?.[1] ?? "");
    return context.json("");
  });
  return { guard, routes, isOn };
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
