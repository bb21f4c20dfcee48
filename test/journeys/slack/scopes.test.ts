/**
 * A scope too few: everything else works, and whoever can add it is told which one, what for, and how.
 */
import { describe, expect, it } from "vitest";
import { examineSlack } from "../../../adapters/slack/doctor-checks.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { until } from "../../doubles/until.ts";
import { allScopes, appToken, botToken, startFakeSlack } from "../../fakes/slack/index.ts";
import { openRoom } from "../../slack/room.ts";
import { openParley } from "./parley.ts";

const without = (...missing: readonly string[]) => allScopes.filter((scope) => !missing.includes(scope));

describe("a missing scope", () => {
  it.each(allScopes.filter((scope) => scope !== "chat:write"))("leaves the rest as it is: %s", async (scope) => {
    const { slack, agents, alice, shows, idle } = await openParley({ slack: { scopes: without(scope) } });

    const asked = alice.mention("C0GENERAL", "what is it?");
    (await agents.run(0)).answer("It is 42.");
    await shows(asked.ts, "It is 42.");
    await idle();

    expect(slack.violations).toEqual([]);
  });

  it("is named with its purpose and the remedy, in one line of the log and on /readyz", async () => {
    const { platform, log: lines } = await openRoom({}, { scopes: without("mpim:history", "channels:read") });

    const { isConnected, reason } = platform.health();

    expect(isConnected).toBe(true);
    expect(reason).toContain("lacks 2 scopes");
    expect(reason).toContain("mpim:history (to hear group direct messages)");
    expect(reason).toContain(
      "channels:read (to introduce itself in public channels, to know that a channel is public, and to find all of them after an outage",
    );
    expect(reason).toContain("Paste the manifest");
    expect(reason).toContain("reinstall the app");
    expect(lines.filter(({ level }) => level === "warn").map(({ message }) => message)).toEqual([reason]);
  });

  it("is no longer missed after the app was installed again", async () => {
    const { slack, platform, log: lines } = await openRoom({}, { scopes: without("files:read") });
    expect(platform.health().reason).toContain("files:read");

    slack.grant("files:read");
    for (const socket of slack.deliveries.sockets) socket.kill();
    await until("a healthy connection", () => platform.health().isConnected && platform.health().reason === undefined);

    expect(lines.filter(({ level }) => level === "warn").length).toBe(1);
  });

  it("is reported by /parley status, and to managers only", async () => {
    const { alice, bob, seenOnlyBy } = await openParley({ slack: { scopes: without("mpim:read") } });

    for (const person of [alice, bob]) {
      await person.command("/parley", "status", "C0GENERAL");
      await until("a private message", () => seenOnlyBy(person.id).some((text) => text.includes("Agent service: OK")));
    }

    expect(seenOnlyBy("U0ALICE").join()).toContain("mpim:read (to find all group direct messages");
    expect(seenOnlyBy("U0BOB").join()).not.toContain("mpim:read");
  });
});

describe("the doctor", () => {
  const look = async (scopes: readonly string[], token = botToken) => {
    const slack = await startFakeSlack({ scopes });
    try {
      return await examineSlack({ botToken: token, apiUrl: slack.apiUrl, intake: { kind: "socket", appToken }, log });
    } finally {
      await slack.stop();
    }
  };

  it("finds an app well that has all its scopes", async () => {
    const found = await look(allScopes);

    expect(found.every(({ isOk }) => isOk)).toBe(true);
    expect(found[0]?.says).toContain("works in");
    expect(found[0]?.says).toContain("Socket Mode");
  });

  it("says what is missing, and that only some channels are caught up after an outage", async () => {
    const wrong = (await look(without("groups:read"))).filter(({ isOk }) => !isOk).map(({ says }) => says);

    expect(wrong).toEqual([
      expect.stringContaining(
        "groups:read (to introduce itself in private channels, to know who is in them, and to find all of them after an outage",
      ),
      expect.stringContaining("are read only where an agent is bound or Parley heard something before"),
    ]);
  });

  it("says that a token is refused, without the token", async () => {
    const found = await look(allScopes, "xoxb-wrong");

    expect(found).toEqual([{ isOk: false, says: expect.stringContaining("invalid_auth") }]);
    expect(JSON.stringify(found)).not.toContain("xoxb-wrong");
  });
});
