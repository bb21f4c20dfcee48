/**
 * HTTP mode: Slack's requests on Parley's own server, and who else may send them (nobody).
 */
import { describe, expect, it } from "vitest";
import { notice } from "../../doubles/room-parts.ts";
import { until } from "../../doubles/until.ts";
import { post } from "../../fakes/slack/deliveries.ts";
import { openRoom } from "../room.ts";

const http = { http: true } as const;

function request(url: string, body: string, sign: (body: string, seconds: number) => string, ageS = 0) {
  const seconds = Math.floor(Date.now() / 1000) - ageS;
  const headers = {
    "content-type": "application/json",
    "x-slack-request-timestamp": String(seconds),
    "x-slack-signature": sign(body, seconds),
  };
  return { url, body, headers };
}

const event = JSON.stringify({
  type: "event_callback",
  team_id: "T0ACME",
  event: { type: "message", channel: "C0GENERAL", user: "U0ALICE", text: "hello", ts: "1700000000.000100" },
});

describe("requests", () => {
  it("accept events, commands and interactions on one path", async () => {
    const { slack, seen } = await openRoom(
      {
        on: async (inbound) => {
          await inbound.ack({ kind: "none" });
          if (inbound.kind === "command") await inbound.reply.send(notice("Two agents"), "private");
        },
      },
      http,
    );
    const alice = slack.person("U0ALICE");

    const [said] = await alice.say("C0GENERAL", "hello").delivered;
    const command = await alice.command("/agent", "list", "C0GENERAL");
    await until("a response", () => slack.responses.length === 1);

    expect(seen.map((inbound) => inbound.kind)).toEqual(["message", "command"]);
    expect([said?.isAcknowledged, command.isAcknowledged]).toEqual([true, true]);
  });

  it("count as connected once Slack knows the token", async () => {
    const { platform } = await openRoom({}, http);

    expect(platform.health()).toEqual({ isConnected: true });
  });

  it.each(["GET", "PUT", "DELETE", "HEAD", "OPTIONS"])("with another method are refused: %s", async (method) => {
    const { url } = await openRoom({}, http);

    const answer = await fetch(url, { method });

    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
  });

  it("answer Slack's verification of the URL", async () => {
    const { slack, url } = await openRoom({}, http);

    const body = JSON.stringify({ type: "url_verification", challenge: "abc" });
    const answer = await post(request(url, body, slack.deliveries.sign));

    expect(answer).toMatchObject({ status: 200, text: expect.stringContaining("abc") });
  });

  it("do nothing when they are forged, stale or unsigned", async () => {
    const { slack, url, seen } = await openRoom({}, http);
    const { sign } = slack.deliveries;
    const genuine = request(url, event, sign);

    const answers = await Promise.all([
      post({ ...genuine, headers: { ...genuine.headers, "x-slack-signature": "v0=00" } }),
      post({ ...genuine, body: event.replace("hello", "delete everything") }),
      post(request(url, event, sign, 6 * 60)),
      post({ ...genuine, headers: { "content-type": "application/json" } }),
    ]);

    expect(answers.map((answer) => answer?.status)).toEqual([401, 401, 401, 401]);
    expect(seen).toEqual([]);
  });

  it.each(["null", "1", '"words"', "[]", "{", '{"type":"event_callback","event":null}'])(
    "that are signed but odd end no process: %s",
    async (body) => {
      const { slack, url, seen } = await openRoom({}, http);

      const answer = await post(request(url, body, slack.deliveries.sign));
      const [said] = await slack.person("U0ALICE").say("C0GENERAL", "hello").delivered;

      expect(answer?.status).toBeLessThan(600);
      expect(said?.isAcknowledged).toBe(true);
      expect(seen.length).toBe(1);
    },
  );

  it("do nothing when they are copies of an earlier one", async () => {
    const { slack, seen } = await openRoom({}, http);
    await slack.person("U0ALICE").command("/agent", "delete sales", "C0GENERAL");
    const [sent] = slack.deliveries.requests;
    if (sent === undefined) throw new Error("nothing was sent");

    const again = await post(sent);

    expect(again?.status).toBe(200);
    expect(seen.length).toBe(1);
  });

  it("come again when they were not journaled, and are known for it", async () => {
    let attempts = 0;
    const { slack, seen } = await openRoom(
      {
        on: async (inbound) => {
          attempts += 1;
          if (attempts > 1) await inbound.ack({ kind: "none" });
        },
      },
      // Another second makes another signature, as with Slack's own redeliveries.
      { ...http, ackTimeoutMs: 100, retryScale: 1_100 / 60_000 },
    );

    const [delivery] = await slack.person("U0ALICE").say("C0GENERAL", "hello").delivered;

    expect(delivery).toMatchObject({ attempts: 2, isAcknowledged: true });
    expect(seen.map((inbound) => inbound.kind === "message" && inbound.isRepeated === true)).toEqual([false, true]);
  });
});
