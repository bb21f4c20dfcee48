/** The two steps of a sign-in at the provider: sends the browser there, and takes it back. */
import { createHash } from "node:crypto";
import type { Context } from "hono";
import { z } from "zod";
import type { Clock } from "../../../../src/core/ports/clock.ts";
import type { Log } from "../../../../src/core/ports/log.ts";
import type { Client } from "../../intake/client.ts";
import { attemptMs, maxAttempts } from "../../limits.ts";
import { namesBeginning, readSigned, removeNamed, writeSigned } from "../cookies.ts";
import { type Page, sentencePage } from "../sign-in-page.ts";
import type { Visitor } from "../visitor.ts";
import { localPath } from "../ways-back.ts";
import { visitorOfClaims } from "./claims.ts";
import { type Provider, type ProviderSettings, SignInError } from "./provider.ts";

const says = {
  noProvider: (provider: string) =>
    `${provider} doesn't answer, so nobody can sign in there. Try again in a moment. People who are signed in stay signed in.`,
  refused: (provider: string) => `${provider} didn't let you sign in. Try again, or ask its admin.`,
  misfit: (provider: string) => `The answer from ${provider} doesn't match this sign-in. Sign in again.`,
  wrongClient: (provider: string) =>
    `${provider} refuses Parley's client ID or secret, so nobody can sign in there now. Tell your Parley admin.`,
  wrongClock: (provider: string) =>
    `Parley's clock differs too much from the clock of ${provider}, so nobody can sign in there now. Tell your Parley admin.`,
};

export type ProviderSignInParts = {
  readonly settings: ProviderSettings;
  readonly provider: Provider;
  /** URL of the page, without a trailing slash. */
  readonly baseUrl: string;
  readonly beginSession: (context: Context, client: Client, visitor: Visitor) => Promise<void>;
  readonly isSignedIn: (context: Context, client: Client) => Promise<boolean>;
  /** The page to sign in, with that sentence. */
  readonly choices: (context: Context, client: Client, sentence: string) => Page;
  readonly clock: Clock;
  readonly log: Log;
};

const storedAttempt = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  redirectUri: z.string(),
  to: z.string(),
  expiresAtMs: z.number(),
});

/** Each attempt has a cookie of its own, so that two tabs can sign in at once. */
const attemptCookie = "parley_attempt_";
const cookiePath = "/sign-in";
const cookieOf = (state: string) => `${attemptCookie}${createHash("sha256").update(state).digest("hex").slice(0, 12)}`;

export function createProviderSignIn({
  settings,
  provider,
  baseUrl,
  beginSession,
  isSignedIn,
  choices,
  clock,
  log,
}: ProviderSignInParts) {
  // Nothing is stored, so strangers who begin to sign in cost no storage. Every instance has the same secret.
  const secret = createHash("sha256").update(`parley sign-in attempt ${settings.clientSecret}`).digest("hex");
  const home = new URL(baseUrl);
  const redirectUri = `${baseUrl}/sign-in/callback`;

  /** Whether the browser is where the provider will send it back to: cookies belong to a host. */
  function isHome(client: Client): boolean {
    return URL.parse(`${home.protocol}//${client.host}`)?.host === home.host;
  }

  /** The provider leads browsers to PUBLIC_URL alone: where a proxy sends another Host, cookies are secure as there. */
  function asSeen(client: Client): Client {
    return isHome(client) ? client : { ...client, scheme: home.protocol === "https:" ? "https" : "http" };
  }

  async function start(context: Context, client: Client): Promise<Response> {
    const to = localPath(context.req.query("to"));
    // A proxy may hide the host that the browser sees, so this is tried once.
    if (!isHome(client) && context.req.query("moved") === undefined) {
      return context.redirect(`${baseUrl}/sign-in/start?${new URLSearchParams({ to, moved: "1" })}`, 302);
    }
    const begun = await provider.begin(redirectUri).catch((thrown: unknown) => {
      log.warn({ err: thrown }, "A sign-in could not begin");
      return undefined;
    });
    if (begun === undefined) return context.html(choices(context, client, says.noProvider(provider.label)), 503);
    const { url, attempt } = begun;
    // Browsers send the oldest first. With too many, the server would refuse the request for its length.
    const begunBefore = namesBeginning(context, attemptCookie);
    for (const name of begunBefore.slice(0, -(maxAttempts - 1))) removeNamed(context, client, name, cookiePath);
    const stored: z.infer<typeof storedAttempt> = { ...attempt, redirectUri, to, expiresAtMs: clock.now() + attemptMs };
    // Lax: the browser comes back from another site.
    const lasting = { sameSite: "Lax", maxAge: attemptMs / 1000, path: cookiePath } as const;
    const value = JSON.stringify(stored);
    await writeSigned(context, asSeen(client), { name: cookieOf(attempt.state), secret, value, ...lasting });
    return context.redirect(url, 302);
  }

  async function finish(context: Context, client: Client): Promise<Response> {
    const state = context.req.query("state") ?? "";
    const name = cookieOf(state);
    const { data: attempt } = storedAttempt.safeParse(
      JSON.parse((await readSigned(context, client, { name, secret })) ?? "null"),
    );
    removeNamed(context, client, name, cookiePath);
    if (attempt === undefined || attempt.state !== state || attempt.expiresAtMs <= clock.now()) {
      // The browser's Back leads here after a sign-in.
      if (await isSignedIn(context, client)) return context.redirect(`${client.prefix}/`, 303);
      return context.html(
        choices(context, client, "This sign-in has expired, or began in another browser. Sign in again."),
        400,
      );
    }
    const answer = new URL(attempt.redirectUri);
    answer.search = new URL(context.req.url).search;
    try {
      const claims = await provider.finish(answer, attempt);
      await beginSession(context, asSeen(client), visitorOfClaims(settings.issuer, claims, settings));
    } catch (thrown) {
      if (!(thrown instanceof SignInError)) throw thrown;
      log.warn({ err: thrown.cause ?? thrown, kind: thrown.kind }, "A sign-in failed");
      const { sentence, status } = failures[thrown.kind];
      return context.html(choices(context, client, sentence(provider.label)), status);
    }
    // The new cookie isn't sent along while the browser is still coming from another site: this page begins anew.
    const here = `${client.prefix}${localPath(attempt.to)}`;
    context.header("refresh", `0; url=${here}`);
    return context.html(sentencePage(client.prefix, "You're signed in.", { label: "Continue", href: here }));
  }

  return { start, finish };
}

const failures = {
  down: { sentence: says.noProvider, status: 503 },
  refused: { sentence: says.refused, status: 403 },
  client: { sentence: says.wrongClient, status: 503 },
  clock: { sentence: says.wrongClock, status: 503 },
  invalid: { sentence: says.misfit, status: 400 },
} as const;
