/** An agent that is bound to another channel, on Discord: who reads its answer, who gets none, what completes. */
import { expect, it } from "vitest";
import { guildId, textOf } from "../fakes/discord/world.ts";
import { openParley } from "./parley.ts";
import { until } from "./room.ts";

async function open() {
  const agents = ["sales", "support", "guide"].map((name) => ({ name, tables: [], knowledgeBases: [] }));
  const listAgents = async (project: string) => agents.map((agent) => ({ ...agent, project }));
  const parley = await openParley({ service: { listAgents } });
  const place = (channel: string) => ({ platform: "discord", workspace: guildId, channel });
  await parley.bindings().setChannel(place("999"), { project: "mindsdb", agent: "sales" });
  await parley.bindings().setChannel(place(parley.general.id), { project: "mindsdb", agent: "support" });
  return parley;
}

it("answers whoever manages in a direct message, and opens no thread", async () => {
  const { discord, agents, alice, general, directAlice, own, shows } = await open();
  const result = alice.command(general, "ask", { question: "who earns most?", agent: "sales" });
  const run = await agents.run(0);
  run.answer("Bob earns most.");
  await shows(directAlice.id, "Bob earns most.");

  expect(run.agent).toBe("sales");
  expect(own(general.id)).toEqual([]);
  expect(own(directAlice.id)).toHaveLength(1);
  await until(() => result.answer !== undefined && textOf(result.answer).includes("you alone get its answer"));
  expect(result.answer?.seenBy).toBe(alice.person.id);
  expect(discord.violations).toEqual([]);
});

it("does so for a mention as well, and shows the question above the answer", async () => {
  const { agents, alice, general, directAlice, shows } = await open();
  alice.mention(general, "sales: who earns most?");
  (await agents.run(0)).answer("Bob earns most.");

  expect(textOf(await shows(directAlice.id, "Bob earns most."))).toContain("who earns most?");
});

it("tells a member privately, and asks nobody", async () => {
  const { agents, bob, general, own, idle } = await open();
  const result = bob.command(general, "ask", { question: "who earns most?", agent: "sales" });
  await until(() => result.answer !== undefined && textOf(result.answer).includes("You cannot ask “sales” here."));
  await idle();

  expect(result.answer?.seenBy).toBe(bob.person.id);
  expect(agents.runs).toEqual([]);
  expect(own(general.id)).toEqual([]);
});
