/** The settings of signing in at the page, and what they mean together. */
import { z } from "zod";
import * as is from "../../../src/config/formats.ts";
import type { SettingContext } from "../../../src/core/ports/platform-module.ts";
import type { ClaimEntry } from "./provider/claims.ts";
import type { ProviderSettings } from "./provider/provider.ts";
import type { Ways } from "./sign-in.ts";

const claimList = is.listOf<ClaimEntry>('claim:value, such as groups:parley-admins, or "*"', (entry) => {
  const [, platform, workspace, rest] = /^([a-z][a-z\d-]*):([\w-]+)\/([^/].*)$/.exec(entry) ?? [];
  if (platform !== undefined && workspace !== undefined && rest !== undefined) {
    const inside = claimIn(rest);
    return inside && { ...inside, workspace: { platform, workspace } };
  }
  return claimIn(entry);
});

/** The claim's name ends at the first colon, or at the last one if it is an address of the web. */
function claimIn(entry: string): Exclude<ClaimEntry, "*"> | undefined {
  const at = /^https?:\/\//.test(entry) ? entry.lastIndexOf(":") : entry.indexOf(":");
  const [claim, value] = [entry.slice(0, at), entry.slice(at + 1).trim()];
  return at > 0 && value !== "" && !/\s/.test(claim) ? { claim, value } : undefined;
}

/** As the provider writes it: a slash at its end is part of it. */
const issuer = z.string().refine((text) => {
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.search !== "" || url.hash !== "") return false;
  if (url.pathname.includes("/.well-known/")) return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isThisMachine(url.hostname));
}, "must be the provider's issuer, a URL that begins with https:// (not its /.well-known/ address)");

function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}

const headerName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z\d-]{1,60}$/, "must be the name of a header, such as X-Forwarded-User")
  .transform((name) => name.toLowerCase());

const providerSettings = z.object({
  issuer: issuer.optional().meta({
    env: "OIDC_ISSUER",
    example: "https://login.acme.example/realms/acme",
    about:
      "People sign in to the page at this OpenID Connect provider (docs/sign-in.md), which sends them back to `PUBLIC_URL/sign-in/callback`.",
  }),
  clientId: is.token
    .optional()
    .meta({ env: "OIDC_CLIENT_ID", example: "parley", about: "Parley's client ID at the provider." }),
  clientSecret: is.token.optional().meta({
    env: "OIDC_CLIENT_SECRET",
    example: "abcdef0123456789",
    about: "Parley's client secret at the provider.",
    isSecret: true,
  }),
  managers: claimList.optional().meta({
    env: "OIDC_MANAGERS",
    example: "groups:parley-admins, email:ana@acme.example",
    about:
      "Who manages Parley: `claim:value`. A claim can be a list; `email` counts only if the provider has verified it. `slack:T0123/claim:value` manages that workspace only (docs/access.md).",
  }),
  ingesters: claimList.optional().meta({
    env: "OIDC_INGESTERS",
    example: "groups:writers",
    about: "Who may add to knowledge bases; `*` for everyone.",
  }),
  askers: claimList.optional().meta({
    env: "OIDC_ASKERS",
    defaultWords: "everyone whom the provider admits",
    example: "groups:staff",
    about: "Who may ask.",
  }),
});

export const signInSettings = z.object({
  token: is.consoleToken.optional().meta({
    env: "CONSOLE_TOKEN",
    example: "a-long-random-word",
    about:
      "Token to manage Parley on its page; at least 16 characters (`openssl rand -hex 24`). Without any way to sign in, the page is open to everyone on this machine, and HOST must be a loopback address.",
    isSecret: true,
  }),
  guestToken: is.consoleToken.optional().meta({
    env: "CONSOLE_GUEST_TOKEN",
    example: "another-long-random-word",
    about:
      "Token to ask on the page, and nothing more. Names that people type with either token are shown as unverified.",
    isSecret: true,
  }),
  provider: providerSettings.prefault({}),
  userHeader: headerName.optional().meta({
    env: "TRUSTED_USER_HEADER",
    example: "X-Forwarded-User",
    about:
      "Header in which a proxy says who sends a request: it decides who people are on the page. Counts only from TRUSTED_PROXY; MANAGERS, INGESTERS and ASKERS name these people as `console:NAME`.",
  }),
});

type Values = z.infer<typeof signInSettings>;

/** Reports what doesn't fit together. */
export function waysToSignIn(
  { token, guestToken, provider, userHeader }: Values,
  { roles, isGiven, report, isLoopback, hasOthers }: Omit<SettingContext, "host" | "workspaces">,
): Ways {
  const needs = (given: string, missing: string) => {
    if (isGiven(given) && !isGiven(missing)) report(missing, `is missing, but ${given} is set`);
  };
  const hasProvider = isGiven("OIDC_ISSUER");
  const hasHeader = isGiven("TRUSTED_USER_HEADER");
  for (const name of ["OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"]) needs("OIDC_ISSUER", name);
  const ofProvider = Object.values(providerSettings.shape)
    .map((setting) => setting.meta()?.env ?? "")
    .find(isGiven);
  if (ofProvider !== undefined) needs(ofProvider, "OIDC_ISSUER");
  if (hasProvider && !isLoopback) needs("OIDC_ISSUER", "PUBLIC_URL");
  if (!hasProvider) needs("CONSOLE_GUEST_TOKEN", "CONSOLE_TOKEN");
  if (token !== undefined && token === guestToken) {
    report("CONSOLE_GUEST_TOKEN", "is the same as CONSOLE_TOKEN, so everyone would manage Parley");
  }
  if (hasHeader) {
    for (const name of ["TRUSTED_PROXY", "PUBLIC_URL"]) needs("TRUSTED_USER_HEADER", name);
    for (const other of ["OIDC_ISSUER", "CONSOLE_TOKEN", "CONSOLE_GUEST_TOKEN"]) {
      if (isGiven(other)) report("TRUSTED_USER_HEADER", `is set, but so is ${other}: choose one way to sign in`);
    }
  }
  const managesByHeader = roles.managers?.some((entry) => entry === "*" || entry.platform === "console") === true;
  if (hasHeader && !hasOthers && !managesByHeader && !(isGiven("MANAGERS") && roles.managers === undefined)) {
    report("MANAGERS", "names nobody as console:NAME, so nobody could manage Parley");
  }
  if (hasProvider && !hasOthers && !isGiven("CONSOLE_TOKEN") && !isGiven("OIDC_MANAGERS")) {
    report("OIDC_MANAGERS", "is missing, so nobody could manage Parley");
  }
  return {
    token,
    guestToken,
    provider: isWhole(provider) ? provider : undefined,
    userHeader: userHeader === undefined ? undefined : { name: userHeader, ...roles },
  };
}

function isWhole(provider: Values["provider"]): provider is ProviderSettings {
  return [provider.issuer, provider.clientId, provider.clientSecret].every((value) => value !== undefined);
}
