/** The settings of signing in at the page, and what they mean together. */
import { z } from "zod";
import * as is from "../../../src/config/formats.ts";
import type { RoleEntry } from "../../../src/ports/access.ts";
import type { SettingContext, ValuesOf } from "../../../src/ports/platform-module.ts";
import type { ClaimEntry } from "./provider/claims.ts";
import type { Ways } from "./sign-in.ts";

/** The claim's name ends at the first colon, or at the last one if it is an address of the web. */
const claimList = is.listOf<ClaimEntry>('claim:value, such as groups:parley-admins, or "*"', (entry) => {
  const at = /^https?:\/\//.test(entry) ? entry.lastIndexOf(":") : entry.indexOf(":");
  const [claim, value] = [entry.slice(0, at), entry.slice(at + 1).trim()];
  return at > 0 && value !== "" && !/\s/.test(claim) ? { claim, value } : undefined;
});

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

export const signInSettings = {
  CONSOLE_TOKEN: {
    format: is.consoleToken,
    example: "a-long-random-word",
    about:
      "Token to manage Parley on its page; at least 16 characters (`openssl rand -hex 24`). Without any way to sign in, the page is open to everyone on this machine, and HOST must be a loopback address.",
    isSecret: true,
  },
  CONSOLE_GUEST_TOKEN: {
    format: is.consoleToken,
    example: "another-long-random-word",
    about:
      "Token to ask on the page, and nothing more. Names that people type with either token are shown as unverified.",
    isSecret: true,
  },
  OIDC_ISSUER: {
    format: issuer,
    example: "https://login.acme.example/realms/acme",
    about:
      "People sign in to the page at this OpenID Connect provider (docs/sign-in.md), which sends them back to `PUBLIC_URL/sign-in/callback`.",
  },
  OIDC_CLIENT_ID: { format: is.token, example: "parley", about: "Parley's client ID at the provider." },
  OIDC_CLIENT_SECRET: {
    format: is.token,
    example: "abcdef0123456789",
    about: "Parley's client secret at the provider.",
    isSecret: true,
  },
  OIDC_MANAGERS: {
    format: claimList,
    example: "groups:parley-admins, email:ana@acme.example",
    about:
      "Who manages Parley: `claim:value`. A claim can be a list; `email` counts only if the provider has verified it.",
  },
  OIDC_INGESTERS: {
    format: claimList,
    example: "groups:writers",
    about: "Who may add to knowledge bases; `*` for everyone.",
  },
  OIDC_ASKERS: {
    format: claimList,
    defaultWords: "everyone whom the provider admits",
    example: "groups:staff",
    about: "Who may ask.",
  },
  TRUSTED_USER_HEADER: {
    format: headerName,
    example: "X-Forwarded-User",
    about:
      "Header in which a proxy says who sends a request: it decides who people are on the page. Counts only from TRUSTED_PROXY; MANAGERS, INGESTERS and ASKERS name these people as `console:NAME`.",
  },
} as const;

type Values = ValuesOf<typeof signInSettings>;
/** Settings of every platform: this one reads its own entries. */
export type ListsOfRoles = {
  readonly MANAGERS?: readonly RoleEntry[] | undefined;
  readonly INGESTERS?: readonly RoleEntry[] | undefined;
  readonly ASKERS?: readonly RoleEntry[] | undefined;
};

/** Reports what doesn't fit together. `lists`: the settings of the same names. */
export function waysToSignIn(
  values: Values,
  lists: ListsOfRoles,
  { isGiven, report, isLoopback, hasOthers }: Pick<SettingContext, "isGiven" | "report" | "isLoopback" | "hasOthers">,
): Ways {
  const needs = (given: string, missing: string) => {
    if (isGiven(given) && !isGiven(missing)) report(missing, `is missing, but ${given} is set`);
  };
  const hasProvider = isGiven("OIDC_ISSUER");
  const hasHeader = isGiven("TRUSTED_USER_HEADER");
  for (const name of ["OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"]) needs("OIDC_ISSUER", name);
  const [ofProvider] = Object.keys(signInSettings).filter((name) => name.startsWith("OIDC_") && isGiven(name));
  if (ofProvider !== undefined) needs(ofProvider, "OIDC_ISSUER");
  if (hasProvider && !isLoopback) needs("OIDC_ISSUER", "PUBLIC_URL");
  const { CONSOLE_TOKEN: token, CONSOLE_GUEST_TOKEN: guestToken } = values;
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
  const managesByHeader = lists.MANAGERS?.some((entry) => entry === "*" || entry.platform === "console") === true;
  if (hasHeader && !hasOthers && !managesByHeader && !(isGiven("MANAGERS") && lists.MANAGERS === undefined)) {
    report("MANAGERS", "names nobody as console:NAME, so nobody could manage Parley");
  }
  if (hasProvider && !hasOthers && !isGiven("CONSOLE_TOKEN") && !isGiven("OIDC_MANAGERS")) {
    report("OIDC_MANAGERS", "is missing, so nobody could manage Parley");
  }
  return { token, guestToken, provider: providerIn(values), userHeader: headerIn(values, lists) };
}

function providerIn(values: Values): Ways["provider"] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = values;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  const { OIDC_MANAGERS: managers, OIDC_INGESTERS: ingesters, OIDC_ASKERS: askers } = values;
  return { issuer, clientId, clientSecret, managers, ingesters, askers };
}

function headerIn({ TRUSTED_USER_HEADER: name }: Values, lists: ListsOfRoles): Ways["userHeader"] {
  const { MANAGERS: managers, INGESTERS: ingesters, ASKERS: askers } = lists;
  return name === undefined ? undefined : { name, managers, ingesters, askers };
}
