/**
 * Slack's OAuth v2: codes for one use that expire, tokens and their rotation, revoking and uninstalling. The redirect of
 * the page where people press Allow is what `authorize` returns.
 */
import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { SlackRefusal } from "./refusal.ts";
import { bot, type Json } from "./world.ts";

export const clientId = "1111.2222";
export const clientSecret = "client-secret-0123456789abcdef";

/** docs.slack.dev, "Installing with OAuth" and "Using token rotation", 2026-11. */
const codeLifeMs = 10 * 60_000;
const tokenLifeS = 43_200;

type Token = {
  readonly team: string;
  readonly scopes: readonly string[];
  readonly expiresAtMs?: number;
  /** What every call with it gets. */
  refused?: string;
};

type Code = {
  readonly team: string;
  readonly scopes: readonly string[];
  readonly redirectUri: string | undefined;
  readonly atMs: number;
  isUsed: boolean;
};

export type OAuthOptions = {
  /** Where Slack may send people back to. Absent: anywhere. */
  readonly redirectUrls?: readonly string[];
  /** Tokens expire, and come with a refresh token. */
  readonly rotates?: boolean;
  readonly tokenLifeS?: number;
};

/** What the person at Slack's page decides. */
export type Decision = {
  readonly team: string;
  readonly isCancelled?: true;
  /** Fewer than the app asked for. */
  readonly withoutScope?: string;
  readonly by?: string;
};

export function createOAuth(options: OAuthOptions & { readonly nowMs: () => number }) {
  const { nowMs, rotates = false } = options;
  const tokens = new Map<string, Token>();
  const codes = new Map<string, Code & { readonly by: string }>();
  /** For one use each. */
  const refreshTokens = new Map<
    string,
    { readonly team: string; readonly scopes: readonly string[]; isUsed: boolean }
  >();
  const random = () => randomBytes(12).toString("hex");

  /** By a form's fields, or by Basic authorisation. */
  function checkClient(request: IncomingMessage, body: Json): void {
    const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? "")?.[1];
    const given = basic === undefined ? undefined : Buffer.from(basic, "base64").toString().split(":");
    const [id = body["client_id"], secret = body["client_secret"]] = given ?? [];
    if (id !== clientId) throw new SlackRefusal("invalid_client_id");
    if (secret !== clientSecret) throw new SlackRefusal("bad_client_secret");
  }

  function grant(team: string, scopes: readonly string[]): Json {
    const token = `${rotates ? "xoxe.xoxb" : "xoxb"}-${team}-${random()}`;
    const lifeS = options.tokenLifeS ?? tokenLifeS;
    tokens.set(token, { team, scopes, ...(rotates ? { expiresAtMs: nowMs() + lifeS * 1000 } : {}) });
    const refreshToken = `xoxe-1-${team}-${random()}`;
    if (rotates) refreshTokens.set(refreshToken, { team, scopes, isUsed: false });
    return {
      app_id: "A0",
      scope: scopes.join(","),
      token_type: "bot",
      access_token: token,
      bot_user_id: bot.userId,
      ...(rotates ? { refresh_token: refreshToken, expires_in: lifeS } : {}),
      team: { id: team, name: `Team ${team}` },
      enterprise: null,
      is_enterprise_install: false,
    };
  }

  function access(body: Json): Json {
    const grantType = body["grant_type"] ?? "authorization_code";
    if (grantType === "refresh_token") {
      const known = refreshTokens.get(String(body["refresh_token"]));
      if (known === undefined || known.isUsed) throw new SlackRefusal("invalid_refresh_token");
      known.isUsed = true;
      return grant(known.team, known.scopes);
    }
    if (grantType !== "authorization_code") throw new SlackRefusal("invalid_grant_type");
    const code = codes.get(String(body["code"]));
    if (code === undefined || nowMs() - code.atMs > codeLifeMs) throw new SlackRefusal("invalid_code");
    if (code.isUsed) throw new SlackRefusal("code_already_used");
    if (code.redirectUri !== body["redirect_uri"]) throw new SlackRefusal("bad_redirect_uri");
    code.isUsed = true;
    return { ...grant(code.team, code.scopes), authed_user: { id: code.by } };
  }

  return {
    tokens,
    refreshTokens,
    /** Slack's page: returns where it sends the browser. */
    authorize: (page: string, { team, isCancelled, withoutScope, by = "U0ALICE" }: Decision): string => {
      const { searchParams } = new URL(page);
      if (searchParams.get("client_id") !== clientId) throw new Error("invalid_client_id");
      const redirectUri = searchParams.get("redirect_uri") ?? undefined;
      const allowed = options.redirectUrls;
      const target = redirectUri ?? allowed?.[0];
      const isAllowed = allowed === undefined || allowed.some((one) => target?.startsWith(one) === true);
      if (target === undefined || !isAllowed) throw new Error("redirect_uri did not match any configured URIs");
      const to = new URL(target);
      const state = searchParams.get("state");
      if (state !== null) to.searchParams.set("state", state);
      if (isCancelled === true) to.searchParams.set("error", "access_denied");
      else {
        const code = random();
        const scopes = (searchParams.get("scope") ?? "").split(",").filter((scope) => scope !== withoutScope);
        codes.set(code, { team, scopes, redirectUri, atMs: nowMs(), isUsed: false, by });
        to.searchParams.set("code", code);
      }
      return to.href;
    },
    /** The methods that need no token, or end one. Undefined: it is another method. */
    run: (method: string, request: IncomingMessage, body: Json): Json | undefined => {
      if (method !== "oauth.v2.access") return undefined;
      checkClient(request, body);
      return access(body);
    },
    checkClient,
    /** Throws as Slack refuses it. */
    check: (token: string): Token => {
      const known = tokens.get(token);
      if (known === undefined) throw new SlackRefusal("invalid_auth");
      if (known.refused !== undefined) throw new SlackRefusal(known.refused);
      if (known.expiresAtMs !== undefined && known.expiresAtMs <= nowMs()) throw new SlackRefusal("token_expired");
      return known;
    },
    /** All tokens of the workspace. */
    revoke: (team: string, code: "token_revoked" | "account_inactive"): void => {
      for (const token of tokens.values()) if (token.team === team) token.refused = code;
      for (const refresh of refreshTokens.values()) if (refresh.team === team) refresh.isUsed = true;
    },
    /** Tokens that still work there. */
    alive: (team: string): readonly string[] =>
      [...tokens].filter(([, one]) => one.team === team && one.refused === undefined).map(([token]) => token),
  };
}
