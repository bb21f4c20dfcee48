/**
 * Whose name a message in Slack carries, whom it notifies, and what happens without the scope for it.
 */
import { describe, expect, it } from "vitest";
import { examineSlack } from "../../../adapters/slack/doctor-checks.ts";
import type { Document } from "../../../src/core/document.ts";
import { collectLines, notice, only } from "../../doubles/room-parts.ts";
import { allScopes, appToken, botToken } from "../../fakes/slack/index.ts";
import { answered, openRoom, type Room } from "../room.ts";

const place = { platform: "slack", workspace: "T0ACME", channel: "C0GENERAL" };
const final = { urgency: "final" } as const;
const withNames = [...allScopes, "chat:write.customize"];
const byGuide: Document = { ...answered("It is **42**."), byline: "guide" };

async function post({ platform }: Room, document: Document): Promise<string> {
  const [payload] = platform.render(document);
  if (payload === undefined) throw new Error("nothing was drawn");
  return platform.post(place, payload, { replyId: "turn1", part: 0, generation: 0 }, final);
}

describe("the author of an answer in Slack", () => {
  it("is the agent, beside Parley's own name, where the app may choose one", async () => {
    const room = await openRoom({}, { scopes: withNames });

    const ts = await post(room, byGuide);

    expect(room.slack.world.messages.get(ts)?.username).toBe("guide (Parley)");
    expect(await room.platform.findOwn({ ...place, thread: ts }, "turn1", 0)).toEqual([
      { part: 0, generation: 0, messageId: ts },
    ]);
  });

  it("is cut where the agent has an endless name", async () => {
    const room = await openRoom({}, { scopes: withNames });

    const ts = await post(room, { ...byGuide, byline: "👩‍👩‍👧".repeat(100) });

    expect(room.slack.world.messages.get(ts)?.username).toMatch(/^(👩‍👩‍👧)+… \(Parley\)$/u);
    expect(room.slack.world.messages.get(ts)?.username?.length).toBeLessThanOrEqual(80);
  });

  it("is Parley without the optional scope, which is no fault", async () => {
    const room = await openRoom();

    const ts = await post(room, byGuide);

    expect(room.slack.world.messages.get(ts)?.username).toBeUndefined();
    expect(room.platform.health()).toEqual({ isConnected: true });
    expect(only(room.log.filter(({ message }) => message.includes("chat:write.customize")))).toMatchObject({
      level: "info",
      message: expect.stringContaining("reinstall"),
    });
  });

  it("is Parley when the scope is taken away while Parley runs", async () => {
    const room = await openRoom({}, { scopes: withNames });
    room.slack.fail("chat.postMessage", "missing_scope");

    const ts = await post(room, byGuide);

    expect(room.slack.world.messages.get(ts)?.username).toBeUndefined();
  });

  it("is mentioned by the doctor as optional", async () => {
    const { slack } = await openRoom();
    const options = { botToken, apiUrl: slack.apiUrl, intake: { kind: "socket", appToken } as const };

    const found = await examineSlack({ ...options, log: collectLines([]) });

    expect(found.filter(({ isOk }) => !isOk)).toEqual([]);
    expect(found.map(({ says }) => says).join("\n")).toContain("chat:write.customize");
  });
});

describe("a notice in Slack", () => {
  const ready: Document = {
    ...notice("Your answer is ready."),
    blocks: [
      { kind: "text", text: [{ text: "bob", actorId: "U0BOB", notifies: true }, { text: ": your answer is ready." }] },
    ],
  };

  it.each(["modern", "classic"] as const)("notifies the one person it is for, on a %s workspace", async (profile) => {
    const room = await openRoom({}, { profile });
    room.slack.world.mayBePinged.add("U0BOB");

    await post(room, ready);

    expect(room.slack.world.pinged).toEqual(["U0BOB"]);
    expect(room.slack.violations).toEqual([]);
  });

  it("notifies nobody by a name alone", async () => {
    const room = await openRoom();

    await post(room, { ...ready, blocks: [{ kind: "text", text: [{ text: "bob", actorId: "U0BOB" }] }] });
    await post(room, { ...ready, blocks: [{ kind: "text", text: [{ text: "x", actorId: "!here", notifies: true }] }] });

    expect(room.slack.world.pinged).toEqual([]);
    expect(room.slack.violations).toEqual([]);
  });
});
