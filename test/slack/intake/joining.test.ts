/**
 * Parley is invited to a channel: Slack says so once for each invitation, and sometimes again.
 */
import { describe, expect, it } from "vitest";
import { only } from "../../doubles/room-parts.ts";
import { allScopes } from "../../fakes/slack/index.ts";
import { openRoom, type Room } from "../room.ts";

const joins = ({ seen }: Room) => seen.filter(({ kind }) => kind === "joined");

describe("an invitation to a Slack channel", () => {
  it("is passed on with the channel and with who invited Parley", async () => {
    const room = await openRoom();

    await room.slack.person("U0ALICE").invite("C0NOBOT");

    expect(only(joins(room))).toMatchObject({
      place: { platform: "slack", workspace: "T0ACME", channel: "C0NOBOT" },
      actor: { id: "U0ALICE", name: "alice", isAdmin: true },
    });
    expect(room.seen.filter(({ kind }) => kind === "message")).toEqual([]);
  });

  it("has the same key when Slack sends it again", async () => {
    let times = 0;
    const room = await openRoom(
      {
        on: async (inbound) => {
          times += 1;
          if (times > 1) await inbound.ack({ kind: "none" });
        },
      },
      { ackTimeoutMs: 50 },
    );

    await room.slack.person("U0ALICE").invite("C0NOBOT");

    expect(joins(room).length).toBe(2);
    expect(new Set(joins(room).map(({ eventKey }) => eventKey)).size).toBe(1);
  });

  it("has another key when Parley is removed and invited again", async () => {
    const room = await openRoom();
    const alice = room.slack.person("U0ALICE");

    await alice.invite("C0NOBOT");
    alice.remove("C0NOBOT");
    await alice.invite("C0NOBOT");

    expect(new Set(joins(room).map(({ eventKey }) => eventKey)).size).toBe(2);
  });

  it("names Parley itself when the channel was created with it", async () => {
    const room = await openRoom();

    await room.slack.person("U0ALICE").createChannel("C0NEW");

    expect(only(joins(room))).toMatchObject({
      place: { channel: "C0NEW" },
      actor: { id: "U0BOT", isBot: true, isExternal: false },
    });
  });

  it("of someone else is no news", async () => {
    const room = await openRoom();

    await room.slack.person("U0ALICE").invite("C0GENERAL", "U0OTHER");

    expect(room.seen).toEqual([]);
  });

  it("is heard in private channels with groups:read, and in public ones without it", async () => {
    const room = await openRoom({}, { scopes: allScopes.filter((scope) => scope !== "groups:read") });
    const alice = room.slack.person("U0ALICE");

    await alice.invite("G0SECRET");
    await alice.invite("C0NOBOT");

    expect(joins(room).map(({ place }) => place.channel)).toEqual(["C0NOBOT"]);
  });
});
