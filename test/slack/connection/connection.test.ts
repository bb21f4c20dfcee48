/**
 * The connection: what it survives, and how truthfully and how soon it says what is wrong.
 */
import { describe, expect, it } from "vitest";
import { until } from "../../doubles/until.ts";
import { botToken } from "../../fakes/slack/index.ts";
import { openRoom } from "../room.ts";

describe("the socket", () => {
  it("reports at once that it was lost, reconnects, and receives what was said meanwhile", async () => {
    const { slack, platform, seen } = await openRoom({}, { retryScale: 0.002 });
    expect(platform.health()).toEqual({ isConnected: true });

    for (const socket of slack.deliveries.sockets) socket.kill();
    await until("the loss of the connection", () => !platform.health().isConnected);
    const said = slack.person("U0ALICE").say("C0GENERAL", "are you there?");
    await until("the connection", () => platform.health().isConnected);
    await said.delivered;

    // Once from Slack's retry, perhaps once more from the channel's history: the same event to the bridge.
    expect(new Set(seen.map(({ eventKey }) => eventKey))).toEqual(new Set([`slack/T0ACME/C0GENERAL/${said.ts}`]));
  });

  it("follows Slack to another socket when asked to", async () => {
    const { slack, platform, seen } = await openRoom({}, { retryScale: 0.002 });
    const [old] = slack.deliveries.sockets;

    old?.send(JSON.stringify({ type: "disconnect", reason: "refresh_requested" }));
    await until(
      "the second connection",
      () => slack.callsTo("apps.connections.open").length === 2 && platform.health().isConnected,
    );
    await slack.person("U0ALICE").say("C0GENERAL", "still there?").delivered;

    expect(slack.deliveries.sockets.size).toBe(1);
    expect(new Set(seen.map(({ eventKey }) => eventKey)).size).toBe(1);
  });

  it("ends no process, and hears the next message, when an envelope holds nothing", async () => {
    const { slack, seen } = await openRoom();

    for (const socket of slack.deliveries.sockets) {
      for (const payload of [null, "words", [], { type: "event_callback" }]) {
        socket.send(JSON.stringify({ envelope_id: "e1", type: "interactive", payload }));
      }
    }
    await slack.person("U0ALICE").say("C0GENERAL", "hello").delivered;

    expect(seen.map(({ kind }) => kind)).toEqual(["message"]);
  });

  it("accepts nothing more after stopIntake", async () => {
    const { slack, platform, seen } = await openRoom({}, { ackTimeoutMs: 50 });

    await platform.stopIntake();
    const [delivery] = await slack.person("U0ALICE").say("C0GENERAL", "too late").delivered;

    expect(delivery?.isAcknowledged).toBe(false);
    expect(seen).toEqual([]);
    expect(platform.health().isConnected).toBe(false);
  });
});

describe("what is refused", () => {
  it("is reported once, with the remedy and without the token, and retried until it works", async () => {
    const { slack, platform, log } = await openRoom(
      {},
      { before: (slack) => slack.fail("auth.test", "invalid_auth", { times: 2 }) },
    );

    expect(platform.health().isConnected).toBe(false);
    expect(platform.health().reason).toContain("SLACK_BOT_TOKEN");
    await until("the connection", () => platform.health().isConnected);

    const warnings = log.filter(({ level }) => level === "warn");
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining("invalid_auth")]);
    expect(JSON.stringify(log)).not.toContain(botToken);
    expect(slack.callsTo("auth.test").length).toBe(3);
  });

  it("names the app-level token when it is that one", async () => {
    const { slack, platform } = await openRoom({}, { before: (slack) => slack.refuseSockets("missing_scope") });

    expect(platform.health()).toMatchObject({
      isConnected: false,
      reason: expect.stringContaining("connections:write"),
    });

    slack.refuseSockets(undefined);
    await until("the connection", () => platform.health().isConnected);
  });

  it("names the scopes that are missing, and works as far as it can", async () => {
    const scopes = [
      "app_mentions:read",
      "assistant:write",
      "channels:history",
      "chat:write",
      "commands",
      "files:write",
      "groups:history",
      "im:history",
      "reactions:read",
      "reactions:write",
      "users:read",
    ];

    const { platform, log } = await openRoom({}, { scopes });

    expect(platform.health()).toMatchObject({ isConnected: true, reason: expect.stringContaining("files:read") });
    expect(log.filter(({ level }) => level === "warn").length).toBe(1);
  });

  it("survives a token that is revoked while it reconnects", async () => {
    const { slack, platform } = await openRoom();

    slack.refuseSockets("account_inactive");
    for (const socket of slack.deliveries.sockets) socket.kill();
    await until("the reason in the health", () => platform.health().reason?.includes("account_inactive") === true);

    slack.refuseSockets(undefined);
    await until("the connection", () => platform.health().isConnected);
  });
});
