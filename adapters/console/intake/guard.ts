/**
 * Decides which requests reach the console. Any web page can send requests to 127.0.0.1, so listening on loopback is
 * not enough: a foreign Host (DNS rebinding) or Origin (CSRF) is refused first. Beyond loopback, and whenever a way to
 * sign in is set up, the sign-in says who a visitor is.
 */
import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { every } from "hono/combine";
import type { Log } from "../../../src/core/ports/log.ts";
import { signInSentences } from "../../../src/presentation/sentences.ts";
import { networkOf } from "../../shared/browser-address.ts";
import { maxLoginBytes } from "../limits.ts";
import { mcpPath } from "../mcp/routes.ts";
import type { Session } from "../people/sessions.ts";
import { isForm, type SignIn } from "../people/sign-in.ts";
import { signInParts } from "../people/sign-in-page.ts";
import { localVisitor, type Visitor } from "../people/visitor.ts";
import { createClientOf } from "./client.ts";
import { proxyMark } from "./proxied.ts";
import { securityHeaders } from "./security-headers.ts";

export type GuardOptions = {
  /** The interface that the server listens on. */
  readonly host: string;
  /** If nobody needs to sign in, only loopback is served. */
  readonly signIn: Pick<SignIn, "isNeeded" | "admit">;
  /** TRUSTED_PROXY, as CIDRs. */
  readonly trustedProxy?: readonly string[];
  readonly publicUrl?: string;
  readonly log: Log;
};

/** The probes. */
const unguarded: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

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

/**
 * An open page says whose it is. Someone else may have signed in since in the same browser, and what waits on the page to
 * be sent isn't theirs, nor is what the server would tell it.
 */
function isOfAnother({ req }: Context, { id }: Visitor): boolean {
  // Here the page asks who it is now.
  if (req.path === "/api/me") return false;
  const whose = req.header("x-parley-person") ?? (req.path === "/api/events" ? req.query("person") : undefined);
  return whose !== undefined && whose !== id;
}

/** Middleware for every path of Parley's server. Answers 403 and 401 itself, and handles the login. */
export function createGuard(options: GuardOptions): MiddlewareHandler {
  const { signIn, log } = options;
  const clientOf = createClientOf(options);
  let isBehindProxy = false;

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
    onError: (context) => context.text(`That token is too long.\n`, 413),
  });

  return every(securityHeaders, async (context, next) => {
    if (unguarded.has(context.req.path)) return next();

    const client = clientOf(context);
    const { host } = client;
    const hostname = hostnameOf(host);
    if (host === undefined || hostname === undefined)
      return context.text("The Host header is missing or wrong.\n", 400);
    if (!signIn.isNeeded && !isOfThisMachine(context, host, hostname)) {
      return context.text(
        "This page is only available on this machine. Set CONSOLE_TOKEN to open it from elsewhere.\n",
        403,
      );
    }
    const origin = context.req.header("origin");
    if (origin !== undefined && !isOwnOrigin(origin, host, options.publicUrl))
      return context.text(
        `Another site sent this request. If it is Parley's own page behind a proxy, set PUBLIC_URL to its address.\n`,
        403,
      );
    // Only browsers set these headers. Another site may link to the page, but not read from it or send to it.
    const site = context.req.header("sec-fetch-site");
    const isOpening = context.req.method === "GET" && context.req.header("sec-fetch-mode") === "navigate";
    if ((site === "cross-site" || site === "same-site") && !isOpening) {
      return context.text("Requests from other sites are refused.\n", 403);
    }

    const pass = async (visitor: Visitor, session?: Session) => {
      if (isOfAnother(context, visitor)) {
        const { signedOut: what, signInAgain: hint } = signInSentences;
        context.res = context.json({ error: { code: "not_logged_in", what, hint } }, 401);
        return;
      }
      context.set("visitor", visitor);
      context.set("session", session);
      context.set("network", client.address === undefined ? undefined : networkOf(client.address));
      await next();
    };
    if (!signIn.isNeeded) return pass(localVisitor);
    // A token says who calls, never what a browser sends along.
    if (context.req.path === mcpPath) return next();
    // MCP clients look there for a sign-in that Parley doesn't have; told to sign in first, they would give up.
    if (context.req.path.startsWith("/.well-known/oauth-")) return context.text("Not found.\n", 404);
    if (context.req.method === "GET" && signInParts.includes(context.req.path)) return next();
    const admit = async () => {
      const admission = await signIn.admit(context, client);
      if (admission.kind === "visitor") return pass(admission.visitor, admission.session);
      context.res = await admission.response;
      // A Strict cookie is not sent when a link on another site is clicked. A refresh from our own page sends it.
      const isFromElsewhere = isOpening && (site === "cross-site" || site === "same-site");
      if (isFromElsewhere && context.res.status === 401) context.header("refresh", "0");
    };
    return isForm(context) ? takeLogin(context, admit) : admit();
  });
}
