import { describe, expect, it } from "vitest";
import type { RoleEntry } from "../../../src/core/access.ts";
import { signInRoom } from "./sign-in-room.ts";

const person = (id: string): RoleEntry => ({ platform: "console", kind: "user", id });
const userHeader = {
  name: "x-forwarded-user",
  managers: [person("ana@acme.example")],
  ingesters: [person("ben")],
  askers: [person("cem"), { platform: "slack", kind: "user", id: "dora" } as const],
};
const from = (remoteAddress: string) => ({ incoming: { httpVersion: "1.1", socket: { remoteAddress } } });
const proxy = from("10.0.0.5");

function behindProxy(settings: object = userHeader) {
  const room = signInRoom({ userHeader: settings as typeof userHeader, trustedProxy: ["10.0.0.5/32"] });
  const ask = (path: string, headers: Record<string, string>, env: object = proxy) => room.ask(path, headers, {}, env);
  const who = async (name: string) => (await ask("/api/me", { "x-forwarded-user": name })).json();
  return { ...room, ask, who };
}

describe("a user's name in a proxy's header", () => {
  it.each([
    ["ana@acme.example", "manage"],
    ["ben", "ingest"],
    ["cem", "ask"],
    ["dora", "nobody"],
    ["ANA@acme.example", "nobody"],
  ])("gives %s the role that the lists name: %s", async (name, role) => {
    expect(await behindProxy().who(name)).toMatchObject({ id: name, name, role, isVerified: true, canSignOut: false });
  });

  it("lets everyone ask and add where no list says otherwise, and nobody manage", async () => {
    const { who } = behindProxy({ name: "x-forwarded-user" });

    expect(await who("cem")).toMatchObject({ role: "ingest" });
  });

  it.each([
    ["another machine", from("203.0.113.9")],
    ["this machine", from("127.0.0.1")],
    ["nobody knows where", {}],
  ])("is refused when it comes from %s, instead of the proxy", async (_, env) => {
    const { ask } = behindProxy();

    const page = await ask("/", { "x-forwarded-user": "ana@acme.example", accept: "text/html" }, env);
    const api = await ask("/api/me", { "x-forwarded-user": "ana@acme.example" }, env);

    expect([page.status, api.status]).toEqual([403, 403]);
    expect(await page.text()).toContain("didn&#39;t come through a trusted proxy");
  });

  it("is needed: nobody is let in without it, by the proxy or beside it", async () => {
    const { ask } = behindProxy();

    expect((await ask("/", { accept: "text/html" })).status).toBe(401);
    expect((await ask("/", {}, from("127.0.0.1"))).status).toBe(401);
    expect((await ask("/", { "x-forwarded-user": " " })).status).toBe(401);
  });

  it.each([
    "you",
    "You",
    "browser-1234",
    "oidc-1234",
    "me-1234",
    "a/b",
    "a b",
    "ana, ben",
    "../x",
    "<b>",
    "x".repeat(101),
  ])("is refused when it could be taken for something else: %s", async (name) => {
    expect((await behindProxy().ask("/", { "x-forwarded-user": name })).status).toBe(403);
  });

  it("doesn't count when the header comes twice, so that nobody adds a second name to the proxy's", async () => {
    const { ask } = behindProxy();
    const twice = new Headers({ "x-forwarded-user": "ana@acme.example" });
    twice.append("X-Forwarded-User", "ben");

    expect((await ask("/", Object.fromEntries(twice))).status).toBe(403);
  });

  it.each([
    ["in other case", "X-FORWARDED-user", 200],
    ["with underscores, as another header", "X_Forwarded_User", 401],
  ])("is read %s", async (_, name, status) => {
    expect((await behindProxy().ask("/api/me", { [name]: "ben" })).status).toBe(status);
  });

  it.each([
    ["empty", "", 401],
    ["with commas", "ben,cem", 403],
    ["with a comma at its end", "ben,", 403],
    ["of 10 kB", "x".repeat(10_000), 403],
    ["in other letters", "b\u00e9n", 403],
    ["with an encoded line break", "ben%0d%0aana", 403],
  ])("is refused %s", async (_, name, status) => {
    expect((await behindProxy().ask("/api/me", { "x-forwarded-user": name })).status).toBe(status);
  });

  it.each([
    ["IPv4 that a socket for both shows as IPv6", ["10.0.0.5/32"], "::ffff:10.0.0.5"],
    ["IPv4 that the setting writes as IPv6", ["::ffff:10.0.0.5/128"], "10.0.0.5"],
    ["IPv6", ["fd00::5/128"], "fd00:0:0:0:0:0:0:5"],
  ])("is taken from a proxy whose address is %s", async (_, trustedProxy, address) => {
    const { ask } = signInRoom({ userHeader, trustedProxy });

    expect((await ask("/api/me", { "x-forwarded-user": "ben" }, {}, from(address))).status).toBe(200);
    expect((await ask("/api/me", { "x-forwarded-user": "ben" }, {}, from("fd00::6"))).status).toBe(403);
  });

  it("is refused under another site's name, whose scripts could send it from a trusted machine", async () => {
    const room = signInRoom({
      userHeader,
      trustedProxy: ["10.0.0.5/32"],
      publicUrl: "https://tools.acme.example/parley",
    });
    const under = async (host: string, more: Record<string, string> = {}) => {
      const headers = { "x-forwarded-user": "ana@acme.example", host, ...more };
      return (await room.ask("/api/me", headers, {}, proxy)).status;
    };

    // A name of their own leads to Parley's address, and what the proxy says of the browser is invented with the rest.
    expect(await under("evil.example")).toBe(403);
    expect(await under("evil.example:3000", { "x-forwarded-host": "tools.acme.example" })).toBe(403);
    expect(await under("tools.acme.example.evil.example")).toBe(403);
    for (const host of [
      "tools.acme.example",
      "tools.acme.example:8443",
      "127.0.0.1:3000",
      "[::1]:3000",
      "parley:3000",
    ]) {
      expect([host, await under(host)]).toEqual([host, 200]);
    }
    expect(
      await (await room.ask("/", { "x-forwarded-user": "ben", host: "evil.example" }, {}, proxy)).text(),
    ).toContain("isn't known under this name");
  });

  it("has no use for a token's form or a session", async () => {
    const { login, ask } = behindProxy();

    expect((await login("a-token-to-manage-with", {}, "/", proxy)).status).toBe(401);
    expect((await ask("/", { cookie: `parley_session=${"0".repeat(32)}.${"A".repeat(43)}` })).status).toBe(401);
  });

  it("says what a person may do now to schedules that run for them", async () => {
    const room = behindProxy();
    await room.who("ben");
    const ben = { id: "ben", workspace: "local", name: "ben", isAdmin: false, isGuest: false } as const;
    const actor = { ...ben, isExternal: false, isBot: false, roles: [] };
    const demoted = signInRoom({
      userHeader: { ...userHeader, ingesters: [] },
      trustedProxy: ["10.0.0.5/32"],
      keyValue: room.keyValue,
    });
    const closed = signInRoom({ token: "a-token-to-manage-with", keyValue: room.keyValue });

    expect(await room.signIn.personNow(actor)).toMatchObject({ id: "ben", signedInAs: "ingest" });
    expect(await demoted.signIn.personNow(actor)).toMatchObject({ signedInAs: "nobody" });
    expect(await closed.signIn.personNow(actor)).toBe("gone");
    expect(await room.signIn.personNow({ ...actor, id: "nobody-we-know" })).toBeUndefined();
    expect(await room.signIn.personNow({ ...actor, id: "you" })).toMatchObject({ id: "you" });
  });
});
