/** Whom a message in Discord notifies. */
import { expect, it } from "vitest";
import type { Document } from "../../../src/core/document.ts";
import { guildId } from "../../fakes/discord/world.ts";
import { openRoom, type Room } from "../room.ts";

const final = { urgency: "final" } as const;

function toBob({ discord }: Room, notifies: boolean): Document {
  const { id } = discord.world.person("Bob");
  const bob = { text: "Bob", actorId: id, ...(notifies ? { notifies: true as const } : {}) };
  const text = [bob, { text: ": your answer is ready." }];
  return { tone: "info", blocks: [{ kind: "text", text }], actions: [], summary: "Your answer is ready." };
}

async function post({ platform, discord }: Room, document: Document): Promise<void> {
  const place = { platform: "discord", workspace: guildId, channel: discord.world.channel("general").id };
  for (const payload of platform.render(document)) {
    await platform.post(place, payload, { replyId: "turn1", part: 0, generation: 0 }, final);
  }
}

it("notifies the one person that a notice is for", async () => {
  const room = await openRoom();
  const { world } = room.discord;
  world.mayBePinged.add(world.person("Bob").id);

  await post(room, toBob(room, true));

  expect(world.pinged).toEqual([world.person("Bob").id]);
  expect(room.discord.violations).toEqual([]);
});

it("notifies nobody who is only named", async () => {
  const room = await openRoom();

  await post(room, toBob(room, false));

  expect(room.discord.world.pinged).toEqual([]);
  expect(room.discord.violations).toEqual([]);
});
