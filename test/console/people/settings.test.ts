import { describe, expect, it } from "vitest";
import type { Ways } from "../../../adapters/console/people/sign-in.ts";
import { readConfig } from "../../../src/config/config.ts";
import type { Environment } from "../../../src/config/setting.ts";
import { platformModules } from "../../../src/platforms.ts";

const token = "a-token-to-manage-with";
const guest = "a-token-to-ask-with";
const oidc = {
  OIDC_ISSUER: "https://login.acme.example/realms/acme",
  OIDC_CLIENT_ID: "parley",
  OIDC_CLIENT_SECRET: "abcdef0123456789",
  OIDC_MANAGERS: "groups:parley-admins",
};
const header = {
  TRUSTED_USER_HEADER: "X-Forwarded-User",
  TRUSTED_PROXY: "10.0.0.5",
  PUBLIC_URL: "https://tools.acme.example/parley",
  MANAGERS: "console:ana@acme.example",
};

function waysOf(env: Environment): Ways {
  const [page] = readConfig(env, platformModules).platforms;
  return (page as unknown as { readonly config: Ways }).config;
}

describe("the settings of signing in", () => {
  it("take lists of claims, whose values may have colons and spaces", () => {
    const { provider } = waysOf({
      ...oidc,
      OIDC_MANAGERS: "groups:parley-admins, email:ana@acme.example",
      OIDC_INGESTERS: "roles:urn:acme:writers,groups:Domain Writers",
      OIDC_ASKERS: "https://acme.example/groups:staff, *",
    });

    expect(provider).toMatchObject({
      managers: [
        { claim: "groups", value: "parley-admins" },
        { claim: "email", value: "ana@acme.example" },
      ],
      ingesters: [
        { claim: "roles", value: "urn:acme:writers" },
        { claim: "groups", value: "Domain Writers" },
      ],
      askers: [{ claim: "https://acme.example/groups", value: "staff" }, "*"],
    });
  });

  it("leave the issuer as the provider writes it", () => {
    const OIDC_ISSUER = "https://login.acme.example/application/o/parley/";

    expect(waysOf({ ...oidc, OIDC_ISSUER }).provider?.issuer).toBe(OIDC_ISSUER);
    expect(waysOf({ ...oidc, OIDC_ISSUER: "http://127.0.0.1:8080/x" }).provider?.issuer).toBe(
      "http://127.0.0.1:8080/x",
    );
  });

  it("take a proxy's header with the people that the other lists name", () => {
    const { userHeader } = waysOf({ ...header, HOST: "0.0.0.0" });

    expect(userHeader).toMatchObject({
      name: "x-forwarded-user",
      managers: [{ platform: "console", id: "ana@acme.example" }],
    });
  });

  it.each<[string, Environment, string]>([
    ["a guests' token alone", { CONSOLE_GUEST_TOKEN: guest }, "CONSOLE_TOKEN: is missing, but CONSOLE_GUEST_TOKEN"],
    ["one token for both", { CONSOLE_TOKEN: token, CONSOLE_GUEST_TOKEN: token }, "CONSOLE_GUEST_TOKEN: is the same"],
    ["a short token for guests", { CONSOLE_TOKEN: token, CONSOLE_GUEST_TOKEN: "x" }, "CONSOLE_GUEST_TOKEN: must have"],
    ["an issuer without a client", { OIDC_ISSUER: oidc.OIDC_ISSUER }, "OIDC_CLIENT_ID: is missing"],
    ["an issuer without a secret", { ...oidc, OIDC_CLIENT_SECRET: "" }, "OIDC_CLIENT_SECRET: is missing"],
    ["a client without an issuer", { OIDC_CLIENT_ID: "parley" }, "OIDC_ISSUER: is missing, but OIDC_CLIENT_ID"],
    ["roles without an issuer", { OIDC_ASKERS: "groups:staff" }, "OIDC_ISSUER: is missing, but OIDC_ASKERS"],
    ["an issuer over plain HTTP", { ...oidc, OIDC_ISSUER: "http://login.acme.example" }, "OIDC_ISSUER: must be"],
    [
      "the address of its metadata",
      { ...oidc, OIDC_ISSUER: "https://x.example/.well-known/openid-configuration" },
      "OIDC_ISSUER: must be",
    ],
    ["a provider and no address to come back to", { ...oidc, HOST: "0.0.0.0" }, "PUBLIC_URL: is missing"],
    ["nobody who manages", { ...oidc, OIDC_MANAGERS: "" }, "OIDC_MANAGERS: is missing, so nobody could manage"],
    ["a claim without a value", { ...oidc, OIDC_MANAGERS: "groups:" }, "OIDC_MANAGERS: entry 1 must be claim:value"],
    ["a header under any name", { ...header, PUBLIC_URL: "" }, "PUBLIC_URL: is missing, but TRUSTED_USER_HEADER"],
    ["a header from anywhere", { ...header, TRUSTED_PROXY: "" }, "TRUSTED_PROXY: is missing, but TRUSTED_USER_HEADER"],
    [
      "a header and a token",
      { ...header, CONSOLE_TOKEN: token },
      "TRUSTED_USER_HEADER: is set, but so is CONSOLE_TOKEN",
    ],
    ["a header and a provider", { ...header, ...oidc }, "TRUSTED_USER_HEADER: is set, but so is OIDC_ISSUER"],
    ["a header and nobody who manages", { ...header, MANAGERS: "slack:U1" }, "MANAGERS: names nobody as console:NAME"],
    ["a header that isn't one", { ...header, TRUSTED_USER_HEADER: "X User" }, "TRUSTED_USER_HEADER: must be the name"],
    ["a name that no header has", { ...header, MANAGERS: "console:a/b" }, "MANAGERS: entry 1 isn't a valid console ID"],
  ])("refuse %s", (_, env, sentence) => {
    expect(() => readConfig(env, platformModules)).toThrow(sentence);
  });

  it("never repeat a secret", () => {
    const env = { ...oidc, OIDC_CLIENT_SECRET: "two words" };

    expect(() => readConfig(env, platformModules)).toThrow(/^(?!.*two words)/s);
  });
});
