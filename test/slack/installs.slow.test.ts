/** Installing the app by OAuth in many workspaces: what people see, what counts, and what never gets out. */
import { setTimeout } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { placeOf } from "../../adapters/slack/ids.ts";
import { createInstallations } from "../../adapters/slack/installations/stored.ts";
import { hasRedisServer, startRedisServer } from "../doubles/processes/redis-server.ts";
import { only } from "../doubles/room-parts.ts";
import { silentLog } from "../doubles/silent-log.ts";
import { until } from "../doubles/until.ts";
import { signingSecret } from "../fakes/slack/index.ts";
import { beginInstall, comeBack, install, stateSecret } from "../fakes/slack/installing.ts";
import { clientSecret } from "../fakes/slack/oauth.ts";
import { openInstance, openSlack, openStore, storedIn, wrongClock } from "./installed-room.ts";
import { answered, running } from "./room.ts";

const minuteMs = 60_000;
const mark = (turnId: string) => ({ replyId: turnId, generation: 0, part: 0 });
const urgent = { urgency: "final" } as const;

describe("the pages that install the app", () => {
  it("lead to Slack with every scope, and back", async () => {
    const [slack, state] = [await openSlack(), await openStore()];
    const { url } = await openInstance(slack, state, { listed: "*" });

    const { page, cookie } = await beginInstall(url);
    const back = await comeBack(slack.oauth.authorize(page, { team: "T1" }), cookie);

    const asked = new URL(page).searchParams;
    expect(asked.get("redirect_uri")).toBe(`${url}/slack/oauth_redirect`);
    expect(asked.get("scope")?.split(",")).toContain("chat:write");
    expect(back).toEqual({ status: 200, text: expect.stringContaining("Parley is installed in Team T1.") });
    expect(await storedIn(state)).toEqual(["T1"]);
  });

  it("say in one sentence that someone cancelled, and that a link isn't complete", async () => {
    const [slack, state] = [await openSlack(), await openStore()];
    const { url } = await openInstance(slack, state, { listed: "*" });

    const cancelled = await install(slack, url, { team: "T1", isCancelled: true });
    const bare = await comeBack(`${url}/slack/oauth_redirect`, "");
    const withoutState = await comeBack(`${url}/slack/oauth_redirect?code=abc`, "");

    expect(cancelled).toEqual({ status: 400, text: "The installation was cancelled, and nothing was installed." });
    expect([bare, withoutState].map(({ status }) => status)).toEqual([400, 400]);
    expect(bare.text).toBe("This link isn't complete. Open /slack/install to begin again.");
    expect(await storedIn(state)).toEqual([]);
  });

  it("lead to Slack and back below a path of PUBLIC_URL, and name it", async () => {
    const [slack, state] = [await openSlack(), await openStore()];
    const { url } = await openInstance(slack, state, { listed: "*", path: "/parley" });

    const done = await install(slack, url, { team: "T1" });
    const bare = await comeBack(`${url}/slack/oauth_redirect`, "");

    expect(url).toMatch(/\/parley$/);
    expect(done).toEqual({ status: 200, text: expect.stringContaining("Parley is installed in Team T1.") });
    expect(bare.text).toBe("This link isn't complete. Open /parley/slack/install to begin again.");
  });

  it("make a network wait that begins twenty in a minute, and no other one", async () => {
    const [slack, state, clock] = [await openSlack(), await openStore(), wrongClock()];
    const { url } = await openInstance(slack, state, { clock, trustedProxy: ["127.0.0.1/32"] });
    const begin = (from: string) =>
      fetch(`${url}/slack/install`, { redirect: "manual", headers: { "x-forwarded-for": from } });

    const begun = [];
    for (let count = 0; count < 20; count += 1) begun.push((await begin(`2001:db8::${count + 1}`)).status);
    const refused = await begin("2001:db8::99");
    const other = await begin("203.0.113.9");
    clock.offsetMs += minuteMs;
    const later = await begin("2001:db8::99");

    expect(new Set(begun)).toEqual(new Set([302]));
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    expect(await refused.text()).toContain("Too many installations were begun from your network.");
    expect([other.status, later.status]).toEqual([302, 302]);
  });

  it("refuse a state that is forged, of another browser, late, or used before, also at another instance", async () => {
    const [slack, state, clock] = [await openSlack(), await openStore(), wrongClock()];
    const one = await openInstance(slack, state, { listed: "*", clock });
    const other = await openInstance(slack, state, { listed: "*", clock });
    const first = await beginInstall(one.url);
    const there = slack.oauth.authorize(first.page, { team: "T1" });
    const forged = new URL(there);
    forged.searchParams.set("state", `${forged.searchParams.get("state")}x`);

    const refused = [
      await comeBack(forged.href, `slack-app-oauth-state=${forged.searchParams.get("state")}`),
      await comeBack(there, ""),
    ];
    const good = await comeBack(there, first.cookie);
    refused.push(await comeBack(there, first.cookie), await comeBack(there.replace(one.url, other.url), first.cookie));
    const late = await beginInstall(one.url);
    clock.offsetMs += 11 * minuteMs;
    refused.push(await comeBack(slack.oauth.authorize(late.page, { team: "T2" }), late.cookie));

    expect(good.status).toBe(200);
    for (const page of refused) {
      expect(page).toEqual({ status: 400, text: expect.stringContaining("Open /slack/install to begin again.") });
    }
    expect(slack.callsTo("oauth.v2.access")).toHaveLength(1);
    expect(await storedIn(state)).toEqual(["T1"]);
  });

  it("accept a state of an instance whose clock differs by 30 s, either way", async () => {
    const [slack, state] = [await openSlack(), await openStore()];
    const ahead = await openInstance(slack, state, { listed: "*", clock: wrongClock(30_000) });
    const behind = await openInstance(slack, state, { listed: "*" });

    const [begun, alsoBegun] = [await beginInstall(ahead.url), await beginInstall(behind.url)];
    const pages = [
      await comeBack(slack.oauth.authorize(begun.page, { team: "T1" }).replace(ahead.url, behind.url), begun.cookie),
      await comeBack(
        slack.oauth.authorize(alsoBegun.page, { team: "T2" }).replace(behind.url, ahead.url),
        alsoBegun.cookie,
      ),
    ];

    // Slack wants the address that it was told at first.
    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
  });

  it("refuse an install without a scope that Parley needs, and name it", async () => {
    const [slack, state] = [await openSlack(), await openStore()];
    const { url } = await openInstance(slack, state, { listed: "*" });

    const page = await install(slack, url, { team: "T1", withoutScope: "chat:write" });

    expect(page.status).toBe(400);
    expect(page.text).toContain("lacks a scope: chat:write (to answer at all)");
    expect(await storedIn(state)).toEqual([]);
  });

  it("say that Slack can't be reached, or refuses the code, and the next install works", async () => {
    const [slack, state] = [await openSlack(), await openStore()];
    const { url } = await openInstance(slack, state, { listed: "*" });
    slack.fail("oauth.v2.access", "503");
    slack.fail("oauth.v2.access", "invalid_code");

    const pages = [];
    for (const team of ["T1", "T1", "T1"]) pages.push(await install(slack, url, { team }));

    expect(pages.map(({ status }) => status)).toEqual([502, 400, 200]);
    expect(pages[0]?.text).toBe("Slack can't be reached, so nothing was installed. Try again in a minute.");
  });
});

describe("a workspace that isn't listed", () => {
  it("gets no answer until someone approves it, and then does, at every instance", async () => {
    const [slack, state] = [await openSlack(), await openStore()];
    const other = await openInstance(slack, state, { listed: ["T1"] });
    const { platform, url, seen } = await openInstance(slack, state, { listed: ["T1"] });
    const alice = slack.team("T2").person("U0ALICE");

    const pages = [await install(slack, url, { team: "T1" }), await install(slack, url, { team: "T2" })];
    const [said] = await alice.mention("C0GENERAL", "anyone?").delivered;

    expect(pages.map(({ text }) => text.includes("once an admin of Parley has approved"))).toEqual([false, true]);
    expect([said?.isAcknowledged, seen.length]).toEqual([true, 0]);
    expect(await platform.installs?.list()).toMatchObject([
      { workspace: "T2", isServed: false, installedBy: "U0ALICE" },
      { workspace: "T1", isServed: true },
    ]);
    await expect(
      platform.post(placeOf("T2", "C0GENERAL"), only(platform.render(answered("No"))), mark("a"), urgent),
    ).rejects.toThrow("not_permitted");

    expect(await platform.installs?.approve("T2")).toBe(true);
    await alice.mention("C0GENERAL", "and now?").delivered;
    await until("the other instance knows", () => other.platform.serves?.("T2") === true);

    expect(seen.map(({ place }) => place.workspace)).toContain("T2");
  });

  it("is uninstalled at Slack when it is refused, and nothing of it stays", async () => {
    const [slack, state] = [await openSlack(), await openStore()];
    const { platform, url, forgotten } = await openInstance(slack, state);
    await install(slack, url, { team: "T2" });

    expect(await platform.installs?.remove("T2")).toBe(true);
    await until("it was forgotten", () => forgotten.includes("T2"));

    expect(slack.callsTo("apps.uninstall")).toHaveLength(1);
    expect(slack.oauth.alive("T2")).toEqual([]);
    expect(await storedIn(state)).toEqual([]);
    expect(await platform.installs?.approve("T2")).toBe(false);
  });
});

describe("tokens", () => {
  it("that are revoked in the middle of an answer end the workspace, and no other one", async () => {
    const [slack, state] = [await openSlack(), await openStore()];
    const { platform, url, forgotten } = await openInstance(slack, state, { listed: "*" });
    for (const team of ["T1", "T2"]) await install(slack, url, { team });
    const [here, there] = [placeOf("T1", "C0GENERAL"), placeOf("T2", "C0GENERAL")];
    const messageId = await platform.post(here, only(platform.render(running("looking"))), mark("a"), urgent);

    slack.oauth.revoke("T1", "token_revoked");
    const edit = platform.edit({ place: here, messageId }, only(platform.render(answered("42"))), urgent);
    await expect(edit).rejects.toThrow("not_permitted");
    await until("T1 is forgotten", () => forgotten.includes("T1"));
    await platform.post(there, only(platform.render(answered("7"))), mark("b"), urgent);

    expect(await storedIn(state)).toEqual(["T2"]);
    expect([platform.serves?.("T1"), platform.serves?.("T2")]).toEqual([false, true]);
  });

  it("that rotate are renewed once, by one of two instances, before they expire", async () => {
    const [slack, state, clock] = [await openSlack({ rotates: true }), await openStore(), wrongClock()];
    const one = await openInstance(slack, state, { listed: "*", clock });
    const other = await openInstance(slack, state, { listed: "*", clock });
    await install(slack, one.url, { team: "T1" });
    await until("the other instance knows", () => other.platform.serves?.("T1") === true);
    const place = placeOf("T1", "C0GENERAL");
    const post = (name: string, { platform }: typeof one) =>
      platform.post(place, only(platform.render(answered(name))), mark(name), urgent);

    // Both the app's and Slack's.
    clock.offsetMs = 13 * 3_600_000;
    slack.advance(13 * 3_600_000);
    await Promise.all([post("a", one), post("b", other), post("c", one)]);
    await Promise.all([post("d", one), post("e", other)]);

    const refreshes = slack.callsTo("oauth.v2.access").filter(({ body }) => body["grant_type"] === "refresh_token");
    expect(refreshes.map(({ error }) => error)).toEqual([undefined]);
    expect(slack.callsTo("chat.postMessage").map(({ error }) => error)).toEqual(Array(5).fill(undefined));
  });

  it("that expired by Slack's clock alone are renewed at the next call", async () => {
    const [slack, state] = [await openSlack({ rotates: true }), await openStore()];
    const { platform, url } = await openInstance(slack, state, { listed: "*" });
    await install(slack, url, { team: "T1" });
    const post = (name: string) =>
      platform.post(placeOf("T1", "C0GENERAL"), only(platform.render(answered(name))), mark(name), urgent);

    slack.advance(13 * 3_600_000);
    await expect(post("a")).rejects.toThrow("platform_unreachable");
    await post("b");

    expect(await storedIn(state)).toEqual(["T1"]);
  });

  it("are never in the store, in the log or on a page, and neither is a secret", async () => {
    const [slack, state, clock] = [await openSlack({ rotates: true }), await openStore(), wrongClock()];
    const { platform, url, log } = await openInstance(slack, state, { listed: "*", clock });
    const page = await install(slack, url, { team: "T1" });
    slack.fail("oauth.v2.access", "invalid_code");
    const failed = await install(slack, url, { team: "T2" });
    clock.offsetMs = 11 * 3_600_000;
    await platform.post(placeOf("T1", "C0GENERAL"), only(platform.render(answered("x"))), mark("a"), urgent);

    const stored = [];
    for (const collection of state.collections()) stored.push(...(await Array.fromAsync(collection.entries())));
    const all = JSON.stringify([stored, log, page, failed, await platform.installs?.list()]);
    const secrets = [
      clientSecret,
      stateSecret,
      signingSecret,
      ...slack.oauth.tokens.keys(),
      ...slack.oauth.refreshTokens.keys(),
    ];
    expect(secrets.filter((secret) => all.includes(secret))).toEqual([]);
    expect(all).not.toMatch(/xox[bep]/);
  });

  it("that were encrypted with another secret aren't used, and the log says what to do", async () => {
    const [slack, state] = [await openSlack(), await openStore()];
    const { url } = await openInstance(slack, state, { listed: "*" });
    await install(slack, url, { team: "T1" });

    const later = await openInstance(slack, state, { listed: "*", secret: `${stateSecret}-changed` });
    await slack.team("T1").person("U0ALICE").mention("C0GENERAL", "anyone?").delivered;

    expect(later.seen).toEqual([]);
    expect(await later.platform.installs?.list()).toEqual([
      {
        ...{ workspace: "T1", name: "Team T1", installedBy: "U0ALICE", installedAtMs: expect.any(Number) },
        ...{ isServed: false, isLost: true, problem: expect.stringContaining("was SLACK_STATE_SECRET changed?") },
      },
    ]);
    expect(later.log.filter(({ message }) => message.includes("SLACK_STATE_SECRET"))).toHaveLength(1);
  });
});

describe("a workspace whose token can't be decrypted", () => {
  it("can be removed by an admin: nothing of it stays here, and Slack isn't asked", async () => {
    const [slack, state] = [await openSlack(), await openStore()];
    const { url } = await openInstance(slack, state, { listed: "*" });
    await install(slack, url, { team: "T1" });
    const later = await openInstance(slack, state, { secret: `${stateSecret}-changed` });

    expect(await later.platform.installs?.remove("T1")).toBe(true);
    await until("it was forgotten", () => later.forgotten.includes("T1"));

    expect(slack.callsTo("apps.uninstall")).toEqual([]);
    expect(await storedIn(state)).toEqual([]);
  });

  it("is served once it was installed again, and then no longer with the earlier secret", async () => {
    const [slack, state] = [await openSlack(), await openStore()];
    const { url } = await openInstance(slack, state, { listed: "*" });
    await install(slack, url, { team: "T1" });

    const later = await openInstance(slack, state, { listed: "*", secret: `${stateSecret}-changed` });
    await install(slack, later.url, { team: "T1" });
    const earlier = await openInstance(slack, state, { listed: "*" });

    const served = [await later.platform.installs?.list(), await earlier.platform.installs?.list()];
    expect(served).toMatchObject([[{ isServed: true }], [{ isServed: false, isLost: true }]]);
  });
});

describe("the app's removal", () => {
  it("that Slack tells late, after a new install, changes nothing", async () => {
    const [slack, state] = [await openSlack(), await openStore()];
    const { platform, url, forgotten } = await openInstance(slack, state, { listed: "*" });
    await install(slack, url, { team: "T1" });

    const told = await slack.team("T1").send({ type: "app_uninstalled", event_ts: "1700000000.000100" });

    expect(told.isAcknowledged).toBe(true);
    expect([platform.serves?.("T1"), forgotten]).toEqual([true, []]);
  });
});

describe("the app's removal by Slack", () => {
  it("of a workspace that is installed again while Slack is asked about the old token changes nothing", async () => {
    const [slack, state] = [await openSlack(), await openStore()];
    const { url, forgotten } = await openInstance(slack, state, { listed: "*" });
    await install(slack, url, { team: "T1" });
    slack.oauth.revoke("T1", "token_revoked");
    slack.slow("auth.test", 1_500);
    const before = slack.callsTo("auth.test").length;

    const told = slack.team("T1").send({ type: "app_uninstalled", event_ts: "1700000000.000100" });
    await until("Slack is asked", () => slack.callsTo("auth.test").length > before);
    slack.slow("auth.test", 0);
    await install(slack, url, { team: "T1" });
    await told;
    await setTimeout(500);

    expect([forgotten, await storedIn(state)]).toEqual([[], ["T1"]]);
  });

  it("deletes nothing where the token was encrypted with another secret", async () => {
    const [slack, state] = [await openSlack(), await openStore()];
    const { url } = await openInstance(slack, state, { listed: "*" });
    await install(slack, url, { team: "T1" });
    const later = await openInstance(slack, state, { listed: "*", secret: `${stateSecret}-changed` });

    await slack.team("T1").send({ type: "app_uninstalled", event_ts: "1700000000.000100" });
    await setTimeout(500);

    expect([later.forgotten, await storedIn(state)]).toEqual([[], ["T1"]]);
  });

  it("from a whole organisation deletes what is stored of its teams, also when Slack tells it twice", async () => {
    const [slack, state] = [await openSlack(), await openStore()];
    const installations = createInstallations({ ...state, stateSecret, log: silentLog });
    const credentials = { token: "xoxb-gone", botId: "B0BOT", botUserId: "U0BOT", scopes: [] };
    await installations.put({
      ...{ platform: "slack", workspace: "E1", name: "Acme", enterpriseId: "E1", isOrganisation: true },
      ...{ teams: ["T6", "T7"], actorId: "U0ALICE", installedAtMs: Date.now(), credentials },
    });
    const { forgotten } = await openInstance(slack, state, { listed: ["E1"] });
    const told = () =>
      slack.deliveries.deliver("events_api", {
        ...{ type: "event_callback", team_id: "E1", enterprise_id: "E1", event: { type: "app_uninstalled" } },
        authorizations: [
          { enterprise_id: "E1", team_id: null, user_id: "U0BOT", is_bot: true, is_enterprise_install: true },
        ],
      });

    await Promise.all([told(), told()]);
    await until("all are forgotten", () => ["E1", "T6", "T7"].every((team) => forgotten.includes(team)));

    expect(await storedIn(state)).toEqual([]);
  });
});

describe("a channel", () => {
  it("isn't taken for one that is gone before the installations are read", async () => {
    const [slack, state] = [await openSlack(), await openStore()];
    const first = await openInstance(slack, state, { listed: "*" });
    await install(slack, first.url, { team: "T1" });
    const there = placeOf("T1", "C0GENERAL");
    const elsewhere = placeOf("T9", "C0GENERAL");
    const told: unknown[] = [];

    const { platform } = await openInstance(slack, state, {
      listed: "*",
      before: async (early) => {
        told.push(await early.isIn?.(there), await early.channelName?.(there), await early.isIn?.(elsewhere));
      },
    });

    expect(told).toEqual([undefined, undefined, undefined]);
    expect([await platform.isIn?.(there), await platform.channelName?.(there)]).toEqual([true, { name: "c0general" }]);
    expect([await platform.isIn?.(elsewhere), await platform.channelName?.(elsewhere)]).toEqual([false, "gone"]);
  });
});

describe("an organisation that installed the app", () => {
  it("is served in each workspace from its first event on, and one workspace's removal leaves it alone", async () => {
    const [slack, state] = [await openSlack(), await openStore()];
    const installations = createInstallations({ ...state, stateSecret, log: silentLog });
    const scopes = ["app_mentions:read", "chat:write"];
    const credentials = { token: "xoxb-org", botId: "B0BOT", botUserId: "U0BOT", scopes };
    slack.oauth.tokens.set(credentials.token, { team: "T6", scopes });
    await installations.put({
      ...{ platform: "slack", workspace: "E1", name: "Acme", enterpriseId: "E1", isOrganisation: true, teams: [] },
      ...{ actorId: "U0ALICE", installedAtMs: Date.now(), credentials },
    });
    const { platform, seen, forgotten } = await openInstance(slack, state, { listed: ["E1"] });
    const told = (event: object) =>
      slack.deliveries.deliver("events_api", {
        ...{ type: "event_callback", team_id: "T6", enterprise_id: "E1", event },
        authorizations: [
          { enterprise_id: "E1", team_id: "T6", user_id: "U0BOT", is_bot: true, is_enterprise_install: true },
        ],
      });
    const ts = "1700000000.000100";

    await told({
      type: "app_mention",
      channel: "C0GENERAL",
      user: "U0ALICE",
      text: "<@U0BOT> hello",
      ts,
      event_ts: ts,
    });
    await platform.post(placeOf("T6", "C0GENERAL"), only(platform.render(answered("Yes"))), mark("a"), urgent);
    await told({ type: "app_uninstalled" });

    expect(seen.map(({ place }) => place.workspace)).toEqual(["T6"]);
    expect(only(slack.callsTo("chat.postMessage")).body["team_id"]).toBe("T6");
    expect([platform.serves?.("T6"), forgotten, await storedIn(state)]).toEqual([true, [], ["E1"]]);
  });
});

describe("two workspaces with the same ids", () => {
  it("have their own names of channels and people", async () => {
    const [slack, state] = [await openSlack(), await openStore()];
    const { platform, url } = await openInstance(slack, state, { listed: "*" });
    for (const team of ["T1", "T2"]) {
      await install(slack, url, { team });
      const { world } = slack.team(team);
      const channel = world.channels.get("C0GENERAL");
      if (channel !== undefined) channel.name = `lobby-${team}`;
      world.users.set("U0ALICE", { id: "U0ALICE", team_id: team, profile: { display_name: `alice of ${team}` } });
    }

    const names = await Promise.all(["T1", "T2"].map((team) => platform.channelName?.(placeOf(team, "C0GENERAL"))));
    const people = await Promise.all(
      ["T1", "T2"].map((team) => platform.nameOf?.("U0ALICE", placeOf(team, "C0GENERAL"))),
    );

    expect(names).toEqual([{ name: "lobby-T1" }, { name: "lobby-T2" }]);
    expect(people).toEqual(["alice of T1", "alice of T2"]);
  });
});

describe.skipIf(!hasRedisServer())("while Redis is away for 4 s", () => {
  it("a token that is renewed is used at once, and stored when Redis is back", async () => {
    const redis = await startRedisServer();
    onTestFinished(redis.stop);
    const [slack, clock] = [await openSlack({ rotates: true }), wrongClock()];
    const state = await openStore(redis.url);
    const { platform, url } = await openInstance(slack, state, { listed: "*", clock });
    await install(slack, url, { team: "T1" });
    const post = (name: string) =>
      platform.post(placeOf("T1", "C0GENERAL"), only(platform.render(answered(name))), mark(name), urgent);
    const refreshes = () =>
      slack.callsTo("oauth.v2.access").filter(({ body }) => body["grant_type"] === "refresh_token");

    slack.slow("oauth.v2.access", 500);
    slack.advance(11 * 3_600_000);
    clock.offsetMs = 11 * 3_600_000;
    await post("a");
    await until("the refresh", () => refreshes().length === 1);
    await redis.kill();
    await setTimeout(4_000);
    // The old one has expired.
    slack.advance(2 * 3_600_000);
    clock.offsetMs = 13 * 3_600_000;
    await post("b");
    await redis.restart();

    const later = await openStore(redis.url);
    const other = await openInstance(slack, later, { listed: "*", clock });
    await until("the other instance posts with the new token", async () => {
      const posted = other.platform.post(
        placeOf("T1", "C0GENERAL"),
        only(platform.render(answered("c"))),
        mark("c"),
        urgent,
      );
      return posted.then(
        () => true,
        () => false,
      );
    });
    expect(refreshes().map(({ error }) => error)).toEqual([undefined]);
  });
});
