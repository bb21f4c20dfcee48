/**
 * Signs people in at an OpenID Connect provider: authorization code with PKCE, state and nonce. The provider is looked up
 * when someone needs it, so one that is down delays nobody's start and ends nobody's session.
 */
import * as client from "openid-client";
import type { Clock } from "../../../../src/core/ports/clock.ts";
import type { Log } from "../../../../src/core/ports/log.ts";
import { clockToleranceSeconds, providerKnownMs, providerTimeoutSeconds } from "../../limits.ts";
import type { ClaimLists, Claims } from "./claims.ts";

export type ProviderSettings = ClaimLists & {
  /** OIDC_ISSUER, as the provider writes it. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
};

/** What must come back unchanged; the browser keeps it, sealed. */
export type Attempt = { readonly state: string; readonly nonce: string; readonly codeVerifier: string };

/**
 * "down": the provider doesn't answer. "refused": the person, or the provider, said no. "client": the provider refuses
 * Parley's ID or secret. "clock": by Parley's clock the answer has expired. "invalid": it doesn't fit.
 */
export class SignInError extends Error {
  readonly kind: "down" | "refused" | "client" | "clock" | "invalid";
  constructor(kind: SignInError["kind"], options?: ErrorOptions) {
    super(`The sign-in failed: ${kind}`, options);
    this.kind = kind;
  }
}

export type Provider = ReturnType<typeof createProvider>;

export function createProvider(
  settings: ProviderSettings,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
) {
  const issuer = new URL(settings.issuer);
  let known: { readonly configuration: client.Configuration; readonly atMs: number } | undefined;
  let asking: Promise<client.Configuration> | undefined;

  /** Asked again after each failure, and once a day for what the provider has changed. */
  async function configuration(): Promise<client.Configuration> {
    if (known !== undefined && clock.now() - known.atMs < providerKnownMs) return known.configuration;
    asking ??= discover(settings).finally(() => {
      asking = undefined;
    });
    try {
      const found = await asking;
      known = { configuration: found, atMs: clock.now() };
      return found;
    } catch (thrown) {
      log.warn({ err: thrown, issuer: settings.issuer }, "The sign-in provider can't be looked up");
      if (known !== undefined) return known.configuration;
      throw new SignInError("down", { cause: thrown });
    }
  }

  /** Many providers only tell groups and addresses here. Without an answer, the ID token has to do. */
  async function moreClaims(found: client.Configuration, accessToken: string, subject: string): Promise<Claims> {
    if (found.serverMetadata().userinfo_endpoint === undefined) return {};
    try {
      return await client.fetchUserInfo(found, accessToken, subject);
    } catch (thrown) {
      log.warn({ err: thrown, issuer: settings.issuer }, "The sign-in provider doesn't tell more about a person");
      return {};
    }
  }

  return {
    /** Name of the provider's host, for people. */
    label: issuer.host,

    begin: async (redirectUri: string): Promise<{ readonly url: string; readonly attempt: Attempt }> => {
      const found = await configuration();
      const attempt = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        codeVerifier: client.randomPKCECodeVerifier(),
      };
      const hasGroups = found.serverMetadata().scopes_supported?.includes("groups") === true;
      const url = client.buildAuthorizationUrl(found, {
        redirect_uri: redirectUri,
        scope: hasGroups ? "openid profile email groups" : "openid profile email",
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(attempt.codeVerifier),
        code_challenge_method: "S256",
      });
      return { url: url.href, attempt };
    },

    /** `answer` is the URL that the provider sent the browser to. Throws SignInError. */
    finish: async (
      answer: URL,
      { state, nonce, codeVerifier }: Attempt,
    ): Promise<Claims & { readonly sub: string }> => {
      const found = await configuration();
      try {
        const tokens = await client.authorizationCodeGrant(found, answer, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        // Without a subject, everyone would be the same person.
        if (claims === undefined || claims.sub === "") throw new SignInError("invalid");
        return merged(await moreClaims(found, tokens.access_token, claims.sub), claims);
      } catch (thrown) {
        throw new SignInError(kindOf(thrown), { cause: thrown });
      }
    },

    /** Where the browser can end its session at the provider; undefined if the provider doesn't offer it, or is down. */
    signOutUrl: async (returnTo: string): Promise<string | undefined> => {
      const found = await configuration().catch(() => undefined);
      if (found?.serverMetadata().end_session_endpoint === undefined) return undefined;
      return client.buildEndSessionUrl(found, { post_logout_redirect_uri: returnTo }).href;
    },
  };
}

/** What one source says of an address is not said of the other's. */
function merged(more: Claims, claims: Claims & { readonly sub: string }): Claims & { readonly sub: string } {
  const { email, email_verified: isVerified } = claims["email"] === undefined ? more : claims;
  const alsoSaid = email === more["email"] ? more["email_verified"] : undefined;
  return { ...more, ...claims, email, email_verified: isVerified ?? alsoSaid };
}

/** Rejects if the provider doesn't answer, or answers for another issuer. */
export async function discover({ issuer, clientId, clientSecret }: ProviderSettings): Promise<client.Configuration> {
  const url = new URL(issuer);
  const authentication: client.ClientAuth = (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const isBasic = methods.includes("client_secret_basic");
    return (isBasic ? client.ClientSecretBasic : client.ClientSecretPost)(clientSecret)(server, ...request);
  };
  return client.discovery(url, clientId, { [client.clockTolerance]: clockToleranceSeconds }, authentication, {
    // Settings allow http only on this machine.
    execute: url.protocol === "http:" ? [client.allowInsecureRequests] : [],
    timeout: providerTimeoutSeconds,
  });
}

function kindOf(thrown: unknown): SignInError["kind"] {
  if (thrown instanceof SignInError) return thrown.kind;
  if (thrown instanceof client.AuthorizationResponseError) return "refused";
  if (thrown instanceof client.ResponseBodyError) return kindOfRefusal(thrown);
  // Only its answer to a wrong client has this header.
  if (thrown instanceof client.WWWAuthenticateChallengeError) return "client";
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  if (code === "OAUTH_JWT_TIMESTAMP_CHECK_FAILED") return "clock";
  // The answer itself is wrong: forged, replayed, too old, or meant for someone else.
  return /^OAUTH_(?!TIMEOUT|RESPONSE_IS_NOT_CONFORM)/.test(code) ? "invalid" : "down";
}

function kindOfRefusal({ status, error }: client.ResponseBodyError): SignInError["kind"] {
  if (status >= 500) return "down";
  return error === "invalid_client" || error === "unauthorized_client" ? "client" : "invalid";
}
