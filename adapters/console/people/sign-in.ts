/**
 * Says who sends a request, or answers it: with the page to sign in, with the provider's redirects, or with a refusal.
 * Nobody has to sign in on loopback, where none of the ways is set up.
 */
import type { Context } from "hono";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { Log } from "../../../src/core/ports/log.ts";
import type { KeyValueFactory } from "../../../src/core/ports/state.ts";
import { signInSentences } from "../../../src/presentation/sentences.ts";
import type { Client } from "../intake/client.ts";
import { readCookie, removeCookie, writeCookie } from "./cookies.ts";
import { createPeople } from "./people.ts";
import { nameOf } from "./provider/claims.ts";
import { createProvider, type ProviderSettings } from "./provider/provider.ts";
import { createProviderSignIn } from "./provider/provider-sign-in.ts";
import { createSessions, type Session } from "./sessions.ts";
import { notAllowedPage, sentencePage, signInPage, signInScript } from "./sign-in-page.ts";
import { browserCookie, browserIn, createTokenSignIn, type Tokens, visitorOfBrowser } from "./tokens.ts";
import { type HeaderSettings, visitorOfHeader } from "./user-header.ts";
import { isGuest, type Visitor } from "./visitor.ts";
import { localPath } from "./ways-back.ts";

const says = {
  noStorage: "Parley can't reach its storage, so it can't tell who you are. Try again in a moment.",
};

/** The ways to sign in that are set up. */
export type Ways = Tokens & {
  readonly provider?: ProviderSettings;
  readonly userHeader?: HeaderSettings;
};

export type SignInOptions = Ways & {
  /** URL of the page, without a trailing slash. */
  readonly baseUrl: string;
  readonly keyValue: KeyValueFactory;
  /** Called with the key of each session that is ended. */
  readonly onSessionEnd: (key: string) => void;
  readonly clock: Clock;
  readonly log: Log;
};

export type Admission =
  | { readonly kind: "visitor"; readonly visitor: Visitor; readonly session?: Session }
  | { readonly kind: "response"; readonly response: Response | Promise<Response> };

export type SignIn = ReturnType<typeof createSignIn>;

/** What someone without a role may still use. */
const openToAll: ReadonlySet<string> = new Set(["/api/me", "/api/sign-out"]);

export function createSignIn(options: SignInOptions) {
  const { token, guestToken, userHeader, keyValue, onSessionEnd: onEnd, clock, log } = options;
  const hasToken = token !== undefined || guestToken !== undefined;
  const tokens = createTokenSignIn(options, clock);
  const provider = options.provider === undefined ? undefined : createProvider(options.provider, { clock, log });
  const people = createPeople({ store: keyValue("console-people"), wayOf, userHeader, clock });
  const sessions = createSessions({ store: keyValue("console-sessions"), wayOf, onEnd, clock });

  /** What a sign-in rests on: once any of it changes, people sign in again. */
  function wayOf(visitor: Visitor): string | undefined {
    if (visitor.how === "token") return tokens.wayOf(visitor);
    return visitor.how === "oidc" && options.provider !== undefined ? JSON.stringify(options.provider) : undefined;
  }

  const remember = (visitor: Visitor) =>
    people.saw(visitor).catch((err: unknown) => log.warn({ err }, "A person could not be remembered"));

  const wantsPage = ({ req }: Context) =>
    req.header("accept")?.includes("text/html") === true || /^\/(login|sign-in)$/.test(req.path);

  /** A new session for the person who has just signed in; the one before it ends. */
  async function beginSession(context: Context, client: Client, visitor: Visitor): Promise<void> {
    const before = await sessions.find(readCookie(context, client, "session"));
    const cookie = await sessions.begin(visitor, before);
    await people.signedIn(visitor);
    writeCookie(context, client, "session", cookie);
  }

  /** `typed`: the name in the form that was sent. */
  async function isSignedIn(context: Context, client: Client): Promise<boolean> {
    return (await sessions.find(readCookie(context, client, "session"))) !== undefined;
  }

  function choices(context: Context, client: Client, sentence?: string, isProblem = true, typed?: string) {
    const name = typed ?? browserIn(readCookie(context, client, "browser")).name;
    const to = landingOf(context);
    return signInPage({
      prefix: client.prefix,
      hasToken,
      name,
      to,
      isProblem,
      provider: provider?.label,
      says: sentence,
    });
  }

  async function withToken(context: Context, client: Client): Promise<Response> {
    const form = await context.req.parseBody();
    const role = tokens.roleOf(form["token"], client);
    const typed = nameOf(form["name"]);
    if (role === "wait")
      return context.html(
        choices(context, client, "Too many wrong tokens. Wait a minute, then try again.", true, typed),
        429,
      );
    if (role === "wrong")
      return context.html(choices(context, client, "Wrong token. Ask your Parley admin.", true, typed), 401);
    const known = browserIn(readCookie(context, client, "browser"));
    const browser = { secret: known.secret, name: typed === "" ? known.name : typed };
    await beginSession(context, client, visitorOfBrowser(browser, role));
    writeCookie(context, client, "browser", browserCookie(browser));
    return context.redirect(`${client.prefix}${landingOf(context)}`, 303);
  }

  const withProvider =
    provider === undefined || options.provider === undefined
      ? undefined
      : createProviderSignIn({ ...options, settings: options.provider, provider, beginSession, isSignedIn, choices });

  const signOutUrlOf = async ({ how }: Visitor) =>
    how === "oidc" ? provider?.signOutUrl(`${options.baseUrl}/signed-out`) : undefined;

  async function signOutByForm(context: Context, client: Client): Promise<Response> {
    const session = await sessions.find(readCookie(context, client, "session"));
    if (session !== undefined) await sessions.end(session.key);
    removeCookie(context, client, "session");
    const atProvider = session === undefined ? undefined : await signOutUrlOf(session.visitor);
    const href = atProvider ?? `${client.prefix}/signed-out`;
    // Not a redirect: the policy lets a form lead nowhere else.
    context.header("refresh", `0; url=${href}`);
    return context.html(sentencePage(client.prefix, signInSentences.signedOut, { label: "Continue", href }));
  }

  /** What the paths of the sign-in answer to everyone. */
  function ownPath(context: Context, client: Client): Promise<Response> | Response | undefined {
    const { method, path } = context.req;
    if (path === "/sign-in.js" && method === "GET") {
      return context.body(signInScript, 200, { "content-type": "text/javascript; charset=utf-8" });
    }
    if (userHeader !== undefined) return undefined;
    if (path === "/sign-out" && method === "POST") return signOutByForm(context, client);
    if (method === "POST" && isForm(context)) return withToken(context, client);
    if (method !== "GET") return undefined;
    if (path === "/sign-in/start") return withProvider?.start(context, client);
    if (path === "/sign-in/callback") return withProvider?.finish(context, client);
    return path === "/signed-out"
      ? context.html(choices(context, client, signInSentences.signedOut, false))
      : undefined;
  }

  function byHeader(context: Context, client: Client, settings: HeaderSettings): Admission {
    const from = visitorOfHeader(context.req.header(settings.name), client, settings);
    const refuse = (sentence: string, status: 401 | 403): Admission => ({
      kind: "response",
      response: wantsPage(context)
        ? context.html(sentencePage(client.prefix, sentence), status)
        : context.json(problem("not_logged_in", sentence), status),
    });
    switch (from.kind) {
      case "visitor":
        remember(from.visitor);
        return { kind: "visitor", visitor: from.visitor };
      case "forged":
        return refuse("This request names its user, but it didn't come through a trusted proxy.", 403);
      case "foreign":
        return refuse(
          "Parley isn't known under this name. Open it at its usual address, or ask your Parley admin: the proxy must pass on the Host of PUBLIC_URL.",
          403,
        );
      case "invalid":
        return refuse(
          "The proxy in front of Parley sent a user name that Parley doesn't accept. Ask your Parley admin.",
          403,
        );
      case "missing":
        return refuse("The proxy in front of Parley didn't say who you are. Ask your Parley admin.", 401);
      default:
        return from satisfies never;
    }
  }

  async function bySession(context: Context, client: Client): Promise<Admission> {
    const session = await sessions.find(readCookie(context, client, "session"));
    if (session !== undefined) {
      const isDone = context.req.path === "/sign-in" || context.req.path === "/login";
      if (isGuest(session.visitor)) remember(session.visitor);
      if (!isDone) return { kind: "visitor", visitor: session.visitor, session };
      return { kind: "response", response: context.redirect(`${client.prefix}${landingOf(context)}`, 303) };
    }
    const response = wantsPage(context)
      ? context.html(choices(context, client), 401)
      : context.json(problem("not_logged_in", signInSentences.signedOut, signInSentences.signInAgain), 401);
    return { kind: "response", response };
  }

  const hasRole = ({ role, managesIn = [] }: Visitor) => role !== "nobody" || managesIn.length > 0;

  function allowed(context: Context, client: Client, admission: Admission): Admission {
    if (admission.kind !== "visitor" || hasRole(admission.visitor) || openToAll.has(context.req.path)) {
      return admission;
    }
    const { visitor } = admission;
    const response = wantsPage(context)
      ? context.html(notAllowedPage(client.prefix, visitor.name, whomToAsk(options), visitor.how === "oidc"), 403)
      : context.json(problem("not_allowed", "Your sign-in doesn't let you use this Parley."), 403);
    return { kind: "response", response };
  }

  return {
    isNeeded: hasToken || provider !== undefined || userHeader !== undefined,
    sessions,
    known: people.known,
    /** What a personal token rests on. Each request of people from a header names them, so nothing else holds theirs. */
    wayOf: (visitor: Visitor) => (visitor.how === "header" ? "header" : wayOf(visitor)),
    personNow: people.now,

    /** Never rejects. */
    admit: async (context: Context, client: Client): Promise<Admission> => {
      try {
        const own = ownPath(context, client);
        if (own !== undefined) return { kind: "response", response: await own };
        const admission =
          userHeader === undefined ? await bySession(context, client) : byHeader(context, client, userHeader);
        return allowed(context, client, admission);
      } catch (thrown) {
        log.warn({ err: thrown }, "A sign-in can't be checked");
        const response = wantsPage(context)
          ? context.html(sentencePage(client.prefix, says.noStorage), 503)
          : context.json(problem("state_unavailable", says.noStorage), 503);
        return { kind: "response", response };
      }
    },

    /** Ends this browser's session, or all of that person; where to continue. */
    signOut: async (visitor: Visitor, session: Session | undefined, isEverywhere: boolean) => {
      if (isEverywhere) await sessions.endAll(visitor);
      else if (session !== undefined) await sessions.end(session.key);
      return signOutUrlOf(visitor);
    },
  };
}

/** The sign-in form posts to the URL that it was shown at; nothing else on the page sends forms. */
export function isForm({ req }: Context): boolean {
  return req.method === "POST" && req.header("content-type")?.startsWith("application/x-www-form-urlencoded") === true;
}

/** The page that was asked for. */
function landingOf({ req }: Context): string {
  const { pathname, search } = new URL(req.url);
  return localPath(req.query("to") ?? `${pathname}${search}`);
}

function problem(code: string, what: string, hint = "") {
  return { error: { code, what, hint } };
}

/** Names and addresses of the people who manage, or what their claims have in common, such as a group. */
function whomToAsk({ provider, userHeader }: Ways): readonly string[] {
  const ofProvider = (provider?.managers ?? []).flatMap((entry) => {
    if (entry === "*" || entry.workspace !== undefined) return [];
    return entry.claim === "email" ? [nameOf(entry.value)] : [`someone in ${nameOf(entry.value)}`];
  });
  const ofHeader = (userHeader?.managers ?? []).flatMap((entry) =>
    entry !== "*" && entry.platform === "console" ? [nameOf(entry.id)] : [],
  );
  return [...ofProvider, ...ofHeader].slice(0, 5);
}
