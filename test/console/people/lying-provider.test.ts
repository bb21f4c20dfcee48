/** A provider whose answers don't fit: who signs in there is refused, or gets no more than the ID token says. */
import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { createProvider } from "../../../adapters/console/people/provider/provider.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";

type Lies = {
  readonly discovery?: object;
  readonly header?: object;
  readonly claims?: object;
  readonly userinfo?: object;
};

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Signs in as "ana" at a provider that lies so. */
async function signIn({ discovery, header, claims, userinfo }: Lies = {}) {
  let issuer = "";
  let nonce = "";
  const nowSeconds = Math.floor(Date.now() / 1_000);
  const answers: Readonly<Record<string, () => object>> = {
    "/.well-known/openid-configuration": () => ({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      ...discovery,
    }),
    "/token": () => {
      const token = { iss: issuer, sub: "ana", aud: "parley", iat: nowSeconds, exp: nowSeconds + 300, nonce };
      const idToken = `${base64({ alg: "RS256", ...header })}.${base64({ ...token, ...claims })}.c2lnbmVk`;
      return { access_token: "an-access-token", token_type: "Bearer", id_token: idToken };
    },
    "/userinfo": () => ({ sub: "ana", ...userinfo }),
  };
  const server = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answers[request.url ?? ""]?.() ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const bound = server.address();
  issuer = `http://127.0.0.1:${typeof bound === "object" ? bound?.port : 0}`;
  const provider = createProvider(
    { issuer, clientId: "parley", clientSecret: "a-secret-of-the-client" },
    { clock: createFakeClock(), log },
  );
  const { attempt } = await provider.begin("http://127.0.0.1:3000/sign-in/callback");
  nonce = attempt.nonce;
  return provider.finish(new URL(`http://127.0.0.1:3000/sign-in/callback?code=c&state=${attempt.state}`), attempt);
}

describe("a provider that lies", () => {
  it("is believed as long as everything fits", async () => {
    expect(await signIn({ userinfo: { groups: ["staff"] } })).toMatchObject({ sub: "ana", groups: ["staff"] });
  });

  it.each([
    ["ended four minutes ago", { exp: -240 }],
    ["begins in four minutes", { iat: 240, nbf: 240 }],
  ])("is believed when an ID token %s by Parley's clock, because clocks differ", async (_, seconds) => {
    const nowSeconds = Math.floor(Date.now() / 1_000);
    const claims = Object.fromEntries(Object.entries(seconds).map(([claim, by]) => [claim, nowSeconds + by]));

    expect(await signIn({ claims })).toMatchObject({ sub: "ana" });
  });

  it.each([
    ["ended ten minutes ago", { exp: Math.floor(Date.now() / 1_000) - 600 }],
    ["begins in ten minutes", { nbf: Math.floor(Date.now() / 1_000) + 600 }],
  ])("signs nobody in when an ID token %s, and the clocks are named", async (_, claims) => {
    await expect(signIn({ claims })).rejects.toMatchObject({ kind: "clock" });
  });

  it.each([
    ["an ID token for another client", { claims: { aud: "another-client" } }],
    ["an ID token of another issuer", { claims: { iss: "https://login.other.example" } }],
    ["an ID token whose person is a number", { claims: { sub: 7 } }],
    ["an ID token for an empty name", { claims: { sub: "" } }],
    ["an ID token for another attempt", { claims: { nonce: "another" } }],
    ["an ID token that says it isn't signed", { header: { alg: "none" } }],
    ["an ID token for nobody", { claims: { sub: undefined } }],
    ["a discovery of another issuer", { discovery: { issuer: "https://login.other.example" } }],
  ])("signs nobody in with %s", async (_, lies) => {
    await expect(signIn(lies)).rejects.toThrow(/The sign-in failed: (?:invalid|down)/);
  });

  it("gives nobody the groups that it tells of someone else", async () => {
    const claims = await signIn({ userinfo: { sub: "mallory", groups: ["parley-admins"] } });

    expect(claims).not.toHaveProperty("groups");
  });

  it.each([
    [
      "another one",
      { email: "ana@acme.example", email_verified: false },
      { email: "x@acme.example", email_verified: true },
    ],
    ["none", { email_verified: true }, { email: "ana@acme.example" }],
    ["none, and the other no verdict", { email_verified: true }, { email: "ana@acme.example", email_verified: false }],
  ])("proves no address by what is said of %s", async (_, claims, userinfo) => {
    expect((await signIn({ claims, userinfo }))["email_verified"]).not.toBe(true);
  });
});
