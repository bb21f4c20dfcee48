/**
 * Decides which requests reach the console. Any web page can send requests to 127.0.0.1, so listening on loopback is
 * not enough: a foreign Host (DNS rebinding) or Origin (CSRF) is refused first. Beyond loopback, and whenever a token
 * is set, a visitor must log in.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { getCookie, setCookie } from "hono/cookie";
import type { Clock } from "../../../src/ports/clock.ts";
import type { Log } from "../../../src/ports/log.ts";
import { loginMaxAgeSeconds, maxLoginBytes } from "../limits.ts";
import { localVisitor } from "../people/visitor.ts";
import { type Client, createClientOf } from "./client.ts";
import { loginPage } from "./login.ts";
import { createLoginLimit } from "./login-limit.ts";
import { proxyMark } from "./proxied.ts";
import { securityHeaders } from "./security-headers.ts";

export type GuardOptions = {
  /** The interface that the server listens on. */
  readonly host: string;
  /** CONSOLE_TOKEN. Without it only loopback is served. */
  readonly token?: string;
  /** TRUSTED_PROXY, as CIDRs. */
  readonly trustedProxy?: readonly string[];
  readonly publicUrl?: string;
  readonly clock: Clock;
  readonly log: Log;
};

/** The probes. */
const unguarded: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);
const cookieName = "parley_console";

/** Whether a host name, without port, is loopback: 127.0.0.0/8, ::1, localhost. */
export function isLoopback(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  return name === "localhost" || name === "::1" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name);
}

/** The name in a Host header, without the port; undefined if it is invalid. */
function hostnameOf(host: string | undefined): string | undefined {
  if (host === undefined || !/^[A-Za-z0-9.:[\]_-]+$/.test(host) || !URL.canParse(`http://${host}`)) return undefined;
  return new URL(`http://${host}`).hostname;
}

/**
 * PUBLIC_URL's host has one scheme. Of other hosts only name and port are compared, since a proxy may hide the scheme;
 * some proxies also send their own Host.
 */
function isOwnOrigin(origin: string, host: string, publicUrl: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const known = publicUrl === undefined ? undefined : new URL(publicUrl);
  if (known?.host === new URL(origin).host) return known.origin === origin;
  const { protocol, host: originHost } = new URL(origin);
  const scheme = protocol === "https:" ? "https" : "http";
  return (protocol === "http:" || protocol === "https:") && originHost === new URL(`${scheme}://${host}`).host;
}

/** Compares in constant time. */
function isEqual(left: string, right: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

/**
 * The time of issue, signed with the token. The cookie does not reveal the token, expires after its lifetime or when
 * the token changes, and needs no storage, so it is valid on every instance.
 */
function sessionOf(token: string, issuedAtMs: number): string {
  const signature = createHmac("sha256", token).update(`parley console session ${issuedAtMs}`).digest("hex");
  return `${issuedAtMs}.${signature}`;
}

function isSession(cookie: string, token: string, nowMs: number): boolean {
  const issuedAtMs = Number(/^(\d{1,15})\./.exec(cookie)?.[1] ?? Number.NaN);
  return isEqual(cookie, sessionOf(token, issuedAtMs)) && nowMs - issuedAtMs < loginMaxAgeSeconds * 1000;
}

/** The login form posts to the URL that it was shown at; nothing else on the page sends forms. */
function isForm({ req }: Context): boolean {
  return req.method === "POST" && req.header("content-type")?.startsWith("application/x-www-form-urlencoded") === true;
}

/** The same URL on this server. Two leading slashes would name another host. */
function landingOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname === "/login" ? "/" : `/${pathname.replace(/^[/\\]+/, "")}${search}`;
}

/** Middleware for every path of Parley's server. Answers 403 and 401 itself, and handles the login. */
export function createGuard(options: GuardOptions): MiddlewareHandler {
  const { token, clock, log } = options;
  const clientOf = createClientOf(options);
  const limit = createLoginLimit(clock);
  let isBehindProxy = false;

  const wantsPage = (context: Context) =>
    context.req.header("accept")?.includes("text/html") === true || context.req.path === "/login";

  async function login(context: Context, client: Client): Promise<Response> {
    const given = (await context.req.parseBody())["token"];
    if (limit.isReached(client)) {
      return context.html(loginPage("Too many wrong tokens. Wait a minute, then try again."), 429);
    }
    if (typeof given !== "string" || token === undefined || !isEqual(given.trim(), token)) {
      limit.countFailure(client);
      return context.html(loginPage("Wrong token. Ask your Parley admin."), 401);
    }
    setCookie(context, cookieName, sessionOf(token, clock.now()), {
      httpOnly: true,
      sameSite: "Strict",
      path: `${client.prefix}/`,
      maxAge: loginMaxAgeSeconds,
      secure: client.scheme === "https",
    });
    return context.redirect(client.prefix + landingOf(context.req.url), 303);
  }

  /** Once a proxy is proven, a visitor may be on any machine, so the page is closed until the next start. */
  function isOfThisMachine(context: Context, host: string, hostname: string): boolean {
    if (isBehindProxy || !isLoopback(options.host) || !isLoopback(hostname)) return false;
    const { incoming } = (context.env ?? {}) as { readonly incoming?: { readonly httpVersion?: string } };
    const mark = proxyMark({ host, httpVersion: incoming?.httpVersion, header: (name) => context.req.header(name) });
    if (mark !== "proxy") return mark === "none";
    isBehindProxy = true;
    log.error({}, "A proxy makes the page reachable from elsewhere, so it is closed. Set CONSOLE_TOKEN and restart.");
    return false;
  }

  const takeLogin = bodyLimit({
    maxSize: maxLoginBytes,
    onError: (context) => context.html(loginPage("That token is too long."), 413),
  });

  return async (context, next) => {
    if (unguarded.has(context.req.path)) return next();
    securityHeaders(context);

    const client = clientOf(context);
    const { host } = client;
    const hostname = hostnameOf(host);
    if (host === undefined || hostname === undefined)
      return context.text("The Host header is missing or wrong.\n", 400);
    if (token === undefined && !isOfThisMachine(context, host, hostname)) {
      return context.text(
        "This page is only available on this machine. Set CONSOLE_TOKEN to open it from elsewhere.\n",
        403,
      );
    }
    const origin = context.req.header("origin");
    if (origin !== undefined && !isOwnOrigin(origin, host, options.publicUrl))
      return context.text("Foreign Origin.\n", 403);
    // Only browsers set these headers. Another site may link to the page, but not read from it or send to it.
    const site = context.req.header("sec-fetch-site");
    const isOpening = context.req.method === "GET" && context.req.header("sec-fetch-mode") === "navigate";
    if ((site === "cross-site" || site === "same-site") && !isOpening) {
      return context.text("Requests from other sites are refused.\n", 403);
    }

    const pass = async () => {
      context.set("visitor", localVisitor);
      await next();
      // Again: a route that returns its own Response drops the headers set before.
      securityHeaders(context, context.res.headers.get("content-type"));
    };
    if (token === undefined) return pass();
    if (isForm(context)) {
      return takeLogin(context, async () => {
        context.res = await login(context, client);
      });
    }
    if (isSession(getCookie(context, cookieName) ?? "", token, clock.now())) return pass();
    // A Strict cookie is not sent when a link on another site is clicked. A refresh from our own page sends it.
    if (isOpening && (site === "cross-site" || site === "same-site")) context.header("refresh", "0");
    return wantsPage(context)
      ? context.html(loginPage(), 401)
      : context.json(
          { error: { code: "not_logged_in", what: "You're signed out.", hint: "Reload the page to sign in." } },
          401,
        );
  };
}
