import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import type { Actor } from "../../../src/core/model/place.ts";
import { openState } from "../../../src/state/open-state.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { until } from "../../doubles/until.ts";
import { cookiesAfter, memoryStores, signInRoom } from "./sign-in-room.ts";

const token = "a-token-to-manage-with";
const guestToken = "a-token-to-ask-with";
const both = { token, guestToken };

async function signedIn(room: ReturnType<typeof signInRoom>, given: string, name: string, before = "") {
  const cookie = cookiesAfter(await room.login(given, before === "" ? {} : { cookie: before }, "/", {}, name), before);
  const me = z.looseObject({ id: z.string(), name: z.string(), role: z.string() });
  return { cookie, me: me.parse(await (await room.ask("/api/me", { cookie })).json()) };
}

describe("signing in with a token", () => {
  it("lets the one token manage and the other ask", async () => {
    const room = signInRoom(both);

    const ana = await signedIn(room, token, "Ana");
    const ben = await signedIn(room, guestToken, "Ben");

    expect([ana.me.role, ben.me.role]).toEqual(["manage", "ask"]);
    expect(ana.me).toMatchObject({ name: "Ana", isVerified: false, how: "token", canSignOut: true });
  });

  it("makes a name a label: two browsers with one name are two people", async () => {
    const room = signInRoom(both);

    const one = await signedIn(room, guestToken, "Ana");
    const other = await signedIn(room, guestToken, "Ana");

    expect(one.me.id).toMatch(/^browser-[\da-f]{32}$/);
    expect(other.me.id).not.toBe(one.me.id);
  });

  it("asks for the name once, and knows the browser again", async () => {
    const room = signInRoom(both);
    const first = await signedIn(room, guestToken, "Ana");
    await room.clock.advance(31 * 86_400_000);

    const form = await (await room.ask("/", { cookie: first.cookie, accept: "text/html" })).text();
    const second = await signedIn(room, guestToken, "", first.cookie);

    expect(form).toContain('value="Ana"');
    expect(second.me).toEqual(first.me);
  });

  it("doesn't let anyone become the person whose id they read", async () => {
    const room = signInRoom(both);
    const ana = await signedIn(room, token, "Ana");
    const secret = ana.me.id.replace("browser-", "");

    const other = await signedIn(room, guestToken, "Ana", `parley_browser=${secret}.Ana`);

    expect(other.me.id).not.toBe(ana.me.id);
  });

  it("keeps the name in the form when the token is wrong, or was wrong too often", async () => {
    const room = signInRoom(both);
    const formAfter = async () => (await room.login("wrong", {}, "/", {}, "Ana <b>")).text();

    const forms = [await formAfter()];
    while (forms.length < 20) forms.push(await formAfter());

    expect(forms[0]).toContain("Wrong token.");
    expect(forms.at(-1)).not.toContain("Wrong token.");
    for (const form of forms) expect(form).toContain('value="Ana &lt;b&gt;"');
  });

  it("shows a name with markup, line breaks and bidi characters as one harmless line", async () => {
    const room = signInRoom(both);
    const name = "\u202eAna\n<b>\u0000&\"'";

    const { cookie, me } = await signedIn(room, guestToken, name);
    await room.clock.advance(31 * 86_400_000);
    const form = await (await room.ask("/", { cookie, accept: "text/html" })).text();

    expect(me.name).toBe("Ana <b>&\"'");
    expect(form).toContain('value="Ana &lt;b&gt;&amp;&quot;&#39;"');
  });

  it("shortens a name, and calls someone without one Someone", async () => {
    const room = signInRoom(both);

    expect((await signedIn(room, guestToken, "x".repeat(500))).me.name).toHaveLength(60);
    expect((await signedIn(room, guestToken, "\u200b ")).me.name).toBe("Someone");
  });
});

describe("a guest", () => {
  const dayMs = 86_400_000;

  async function openStore() {
    const clock = createFakeClock();
    const state = await openState({ dataDir: await temporaryFolder("guests"), clock, log: silentLog });
    onTestFinished(state.close);
    const actorOf = (id: string) => ({ id, workspace: "local", name: "", isAdmin: false, isGuest: true }) as Actor;
    const known = async (id: string) => (await state.keyValue("console-people").get(`local/${id}`)) !== undefined;
    return { clock, keyValue: state.keyValue, actorOf, known };
  }

  it("is forgotten 30 days after the last visit, and someone who manages isn't", async () => {
    const { clock, keyValue, actorOf, known } = await openStore();
    const room = signInRoom({ ...both, keyValue, clock });
    const ana = await signedIn(room, token, "Ana");
    const ben = await signedIn(room, guestToken, "Ben");
    await clock.advance(29 * dayMs);
    await room.ask("/", { cookie: ben.cookie });
    await until("the visit is noted", async () => {
      const person = await keyValue<{ readonly seenAtMs: number }>("console-people").get(`local/${ben.me.id}`);
      return person?.seenAtMs === clock.now();
    });

    await clock.advance(29 * dayMs);
    expect(await room.signIn.personNow(actorOf(ben.me.id))).toMatchObject({ id: ben.me.id });
    await clock.advance(dayMs + 1);

    expect([await known(ana.me.id), await known(ben.me.id)]).toEqual([true, false]);
    // Schedules that run for them end, as for people who have left.
    expect(await room.signIn.personNow(actorOf(ben.me.id))).toBe("gone");
    expect((await signedIn(room, guestToken, "", ben.cookie)).me).toEqual(ben.me);
    expect(await known(ben.me.id)).toBe(true);
  });

  it("who visits is noted also after the clock was set back", async () => {
    const { clock, keyValue } = await openStore();
    let behindMs = 0;
    const now = () => clock.now() - behindMs;
    const room = signInRoom({ ...both, keyValue, clock: { ...clock, now } });
    const ben = await signedIn(room, guestToken, "Ben");
    const people = keyValue<{ readonly seenAtMs: number }>("console-people");
    await clock.advance(2 * 3_600_000);
    await room.ask("/", { cookie: ben.cookie });
    await until("the visit is noted", async () => (await people.get(`local/${ben.me.id}`))?.seenAtMs === now());

    behindMs = 3_600_001;
    await room.ask("/", { cookie: ben.cookie });

    await until("the next one is noted", async () => (await people.get(`local/${ben.me.id}`))?.seenAtMs === now());
  });
});

describe("a session", () => {
  it("is stored without its cookie, and holds no token", async () => {
    const keyValue = memoryStores();
    const { cookie } = await signedIn(signInRoom({ ...both, keyValue }), token, "Ana");
    const secret = /parley_session_[\da-f]{8}=[\da-f]+\.([\w-]+)/.exec(cookie)?.[1] ?? "";

    const stored: unknown[] = [];
    for (const space of ["console-sessions", "console-people"]) {
      for await (const entry of keyValue(space).entries("")) stored.push(entry);
    }

    expect(stored).toHaveLength(2);
    expect(secret).toHaveLength(43);
    expect(JSON.stringify(stored)).not.toContain(secret);
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  it("is known to every instance, whose clocks may differ", async () => {
    const keyValue = memoryStores();
    const ahead = signInRoom({ ...both, keyValue, clock: createFakeClock(1_800_000_600_000) });
    const behind = signInRoom({ ...both, keyValue, clock: createFakeClock(1_800_000_000_000) });

    const { cookie } = await signedIn(ahead, token, "Ana");

    expect((await behind.ask("/", { cookie })).status).toBe(200);
  });

  it.each([
    ["the token it began with", { token: "a-new-token-to-manage" }, { token: 401, guest: 200 }],
    ["the guests' token", { guestToken: "a-new-token-to-ask" }, { token: 200, guest: 401 }],
  ])("ends when %s is replaced", async (_, change, expected) => {
    const keyValue = memoryStores();
    const room = signInRoom({ ...both, keyValue });
    const ana = await signedIn(room, token, "Ana");
    const ben = await signedIn(room, guestToken, "Ben");

    const later = signInRoom({ ...both, ...change, keyValue });

    expect((await later.ask("/", { cookie: ana.cookie })).status).toBe(expected.token);
    expect((await later.ask("/", { cookie: ben.cookie })).status).toBe(expected.guest);
  });

  it("ends with a sign-out in this browser, and its open pages learn of it", async () => {
    const room = signInRoom(both);
    const ana = await signedIn(room, token, "Ana");
    const ben = await signedIn(room, guestToken, "Ben");
    const out = { method: "POST", body: "{}" };

    const response = await room.ask("/api/sign-out", { cookie: ana.cookie, "content-type": "application/json" }, out);

    expect(response.status).toBe(200);
    expect((await room.ask("/", { cookie: ana.cookie })).status).toBe(401);
    expect((await room.ask("/", { cookie: ben.cookie })).status).toBe(200);
    expect(room.events).toMatchObject([{ type: "signed-out" }]);
  });

  it("ends in every browser of the person who signs out everywhere", async () => {
    const room = signInRoom(both);
    const one = await signedIn(room, token, "Ana");
    const two = await signedIn(room, token, "", one.cookie.replace(/parley_session_\w+=[^;]+; /, ""));
    const body = JSON.stringify({ isEverywhere: true });
    const json = { "content-type": "application/json" };

    await room.ask("/api/sign-out", { cookie: one.cookie, ...json }, { method: "POST", body });

    expect(two.me.id).toBe(one.me.id);
    for (const { cookie } of [one, two]) expect((await room.ask("/", { cookie })).status).toBe(401);
  });

  it("ends its open pages when someone else signs in, in this browser", async () => {
    const room = signInRoom(both);
    const { cookie } = await signedIn(room, token, "Ana");

    await signedIn(room, guestToken, "Ben", cookie);

    expect(room.events).toMatchObject([{ type: "signed-out" }]);
  });

  it("begins anew with each sign-in, so that a cookie planted before is worth nothing", async () => {
    const room = signInRoom(both);
    const planted = await signedIn(room, guestToken, "Mallory");

    const ana = await signedIn(room, token, "Ana", planted.cookie);

    expect(ana.me.role).toBe("manage");
    expect((await room.ask("/", { cookie: planted.cookie })).status).toBe(401);
  });

  it("isn't ended by another site, nor by a form", async () => {
    const room = signInRoom(both);
    const { cookie } = await signedIn(room, token, "Ana");
    const json = { "content-type": "application/json" };
    const post = { method: "POST", body: "{}" };

    const foreign = await room.ask("/api/sign-out", { cookie, ...json, origin: "https://evil.example" }, post);
    const text = await room.ask("/api/sign-out", { cookie, "content-type": "text/plain" }, post);

    expect([foreign.status, text.status]).toEqual([403, 415]);
    expect((await room.ask("/", { cookie })).status).toBe(200);
  });

  it("is neither lost nor believed while storage is unreachable", async () => {
    const keyValue = memoryStores();
    const { cookie } = await signedIn(signInRoom({ ...both, keyValue }), token, "Ana");
    const away = () => Promise.reject(new Error("away"));
    const room = signInRoom({ ...both, keyValue: (space) => ({ ...keyValue(space), get: away }) as never });

    const page = await room.ask("/", { cookie, accept: "text/html" });
    const api = await room.ask("/api/me", { cookie });

    expect([page.status, api.status]).toEqual([503, 503]);
    expect(await page.text()).toContain("can't reach its storage".replace("'", "&#39;"));
  });

  it.each([
    ["another port", {}, { baseUrl: "http://127.0.0.1:3001" }],
    ["another path", { publicUrl: "http://127.0.0.1:3000/a" }, { publicUrl: "http://127.0.0.1:3000/b" }],
  ])("is not disturbed by another Parley on the same host at %s", async (_, one, other) => {
    const rooms = [signInRoom({ ...both, ...one }), signInRoom({ ...both, ...other })] as const;
    const first = await signedIn(rooms[0], token, "Ana");

    // A browser sends the cookies of a host to all of its ports.
    const second = await signedIn(rooms[1], guestToken, "Ben", first.cookie);

    const here = await rooms[0].ask("/api/me", { cookie: second.cookie });
    expect([here.status, await here.json()]).toEqual([200, first.me]);
    expect((await rooms[1].ask("/api/me", { cookie: second.cookie })).status).toBe(200);
  });

  it("is known to instances behind one PUBLIC_URL that a proxy reaches at different ports", async () => {
    const keyValue = memoryStores();
    const shared = { ...both, keyValue, publicUrl: "https://parley.example" };
    const { cookie } = await signedIn(signInRoom(shared), token, "Ana");

    const other = signInRoom({ ...shared, baseUrl: "http://127.0.0.1:3001" });

    expect((await other.ask("/", { cookie })).status).toBe(200);
  });

  it("ends with a sign-out, and no other one of the same browser appears behind it", async () => {
    const room = signInRoom(both);
    await signedIn(room, token, "Ana");
    const { cookie } = await signedIn(room, guestToken, "Ben");

    const response = await room.ask("/sign-out", { cookie }, { method: "POST", body: new URLSearchParams() });

    expect((await room.ask("/", { cookie: cookiesAfter(response, cookie) })).status).toBe(401);
    expect((await room.ask("/", { cookie })).status).toBe(401);
  });

  it.each([
    ["https://parley.example", "__Host-", "/"],
    ["https://sites.example/parley", "__Secure-", "/parley/"],
  ])("is in a cookie that no other site of the domain can set, at %s: %s", async (publicUrl, prefix, path) => {
    const room = signInRoom({ ...both, publicUrl });
    const host = { host: new URL(publicUrl).host };
    const signIn = (cookie: string) => room.login(token, { ...host, cookie }, "/", {}, "Eve");
    const set = (await signIn("")).headers.getSetCookie();

    const own = set.map((cookie) => cookie.split(";")[0]).join("; ");
    const planted = own.replaceAll(prefix, "");
    const statusWith = async (cookie: string) => (await room.ask("/", { ...host, cookie })).status;

    expect(set.map((cookie) => cookie.split("parley_")[0])).toEqual([prefix, prefix]);
    for (const cookie of set) expect(cookie).toContain(`; Path=${path}; HttpOnly; Secure`);
    expect(set.join()).not.toContain("Domain");
    expect([own, planted].map((one) => one.length > 100)).toEqual([true, true]);
    expect(await Promise.all([own, planted].map(statusWith))).toEqual([200, 401]);
    const idAfter = async (cookie: string) => {
      const after = cookiesAfter(await signIn(cookie), cookie);
      const me = await (await room.ask("/api/me", { ...host, cookie: after })).json();
      return z.looseObject({ id: z.string() }).parse(me).id;
    };
    const id = await idAfter(own);
    expect(await idAfter(own)).toBe(id);
    expect(await idAfter(planted)).not.toBe(id);
    const out = await room.ask("/sign-out", { ...host, cookie: own }, { method: "POST", body: new URLSearchParams() });
    expect(cookiesAfter(out, own)).not.toContain("session");
  });

  it("answers no page of someone else that is still open in the same browser", async () => {
    const room = signInRoom(both);
    const ana = await signedIn(room, guestToken, "Ana");
    const ben = await signedIn(room, token, "Ben");
    const { cookie } = ben;
    const statusOf = async (path: string, headers: Record<string, string>, method = "GET") =>
      (await room.ask(path, { cookie, ...headers }, { method })).status;

    for (const [whose, status] of [
      [ana.me.id, 401],
      [ben.me.id, 200],
    ] as const) {
      const headers = { "x-parley-person": whose };
      expect(await statusOf("/api/notes?tab=t", headers)).toBe(status);
      expect(await statusOf("/api/messages", headers, "POST")).toBe(status);
      expect(await statusOf(`/api/events?tab=t&person=${whose}`, {})).toBe(status);
    }
    // Her page finds out who is there now.
    expect(await statusOf("/api/me", { "x-parley-person": ana.me.id })).toBe(200);
    expect(await statusOf(`/api/admin/audit?person=${ana.me.id}`, {})).toBe(200);
  });

  it("of the first version with a token asks to sign in again", async () => {
    const room = signInRoom(both);
    const cookie = `parley_console=1800000000000.${"a".repeat(64)}`;

    expect((await room.ask("/", { cookie })).status).toBe(401);
  });
});

describe("where a sign-in leads back to", () => {
  it.each([
    ["/docs/deploy.md?raw", "/docs/deploy.md?raw"],
    ["/?from=mail", "/?from=mail"],
    ["https://evil.example/", "/"],
    ["//evil.example", "/"],
    ["/\\evil.example", "/"],
    ["javascript:alert(1)", "/"],
    ["/sign-in?to=/x", "/"],
    [`/${"x".repeat(2_000)}`, "/"],
  ])("is a page of this server: %s", async (to, expected) => {
    const room = signInRoom(both);

    const response = await room.login(token, {}, `/sign-in?${new URLSearchParams({ to })}`);

    expect(response.headers.get("location")).toBe(expected);
  });

  it("is below the path of PUBLIC_URL, and so are the cookies", async () => {
    const publicUrl = "https://acme.example/parley";
    const room = signInRoom({ ...both, baseUrl: "http://127.0.0.1:3000", publicUrl, trustedProxy: ["10.0.0.0/8"] });

    const response = await room.login(token, {}, "/docs/deploy.md");

    expect(response.headers.get("location")).toBe("/parley/docs/deploy.md");
    for (const cookie of response.headers.getSetCookie()) expect(cookie).toContain("Path=/parley/");
  });
});
