/** ❌ on an answer in Discord: its asker removes it, and one of two instances does so. */
import { expect, it } from "vitest";
import { until } from "../../../doubles/until.ts";
import { openParley } from "../parley.ts";

it("goes when the person who asked reacts with ❌, and nothing else is said", async () => {
  const { discord, agents, bob, general, shows, threadOf, own, another } = await openParley();
  await another();
  const asked = bob.mention(general, "Is the lamp lit?");
  (await agents.run(0)).answer("It is lit at dusk.");
  await until("a thread", () => discord.world.channels.has(asked.id));
  const thread = threadOf(asked);
  const answer = await shows(thread.id, "It is lit at dusk.");

  bob.react(answer, "❌");

  await until("the answer is gone", () => own(thread.id).length === 0);
  expect(own(general.id)).toEqual([]);
  expect(discord.violations).toEqual([]);
});
