/** An agent that is bound to another channel, on Discord: who reads its answer, who gets none, what completes. */
import { expect, it } from "vitest";
import { ParleyError } from "../../../src/core/errors.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { until } from "../../doubles/until.ts";
import { adminRole, guildId, textOf } from "../../fakes/discord/world.ts";
import { openParley } from "./parley.ts";

async function open() {
  const agents = ["sales", "support", "guide"].map((name) => ({ name, tables: [], knowledgeBases: [] }));
  const listAgents = async (project: string) => agents.map((agent) => ({ ...agent, project }));
  // With a quick clock the limits of looking people up are too short for a busy machine.
  const parley = await openParley({ service: { listAgents }, clock: systemClock });
  const place = (channel: string) => ({ platform: "discord", workspace: guildId, channel });
  await parley.bindings().setChannel(place("999"), { project: "mindsdb", agent: "sales" });
  await parley.bindings().setChannel(place(parley.general.id), { project: "mindsdb", agent: "support" });
  return parley;
}

it("answers managers in a direct message, and opens no thread", async () => {
  const { discord, agents, alice, general, directAlice, own, shows } = await open();
  const result = alice.command(general, "ask", { question: "who earns most?", agent: "sales" });
  const run = await agents.run(0);
  run.answer("Bob earns most.");
  await shows(directAlice.id, "Bob earns most.");

  expect(run.agent).toBe("sales");
  expect(own(general.id)).toEqual([]);
  expect(own(directAlice.id)).toHaveLength(1);
  await until(
    "the reply to the command",
    () => result.answer !== undefined && textOf(result.answer).includes("only you get its answer"),
  );
  expect(result.answer?.seenBy).toBe(alice.person.id);
  expect(discord.violations).toEqual([]);
});

it.each(["at once", "after a restart"])("no longer asks it for someone who no longer manages: %s", async (when) => {
  const { discord, agents, bob, idle, general, directBob, restart } = await open();
  const is = (...roles: string[]) => discord.world.people.set(bob.person.id, { ...bob.person, roles });
  const failed = () =>
    discord.world.inChannel(directBob.id).find(({ components }) => JSON.stringify(components).includes("Try again"));
  is(adminRole);
  discord.human("Bob").command(general, "ask", { question: "who earns most?", agent: "sales" });
  (await agents.run(0)).fail(new ParleyError("service_unreachable"));
  await until("the failure", () => failed() !== undefined);
  await idle();

  is();
  if (when === "after a restart") await restart();
  const message = failed();
  if (message === undefined) throw new Error("there is nothing to press");
  bob.press(message, "Try again");
  const said = () => discord.world.inChannel(directBob.id).map(textOf).join();
  await until("the message", () => said().includes("You can't ask “sales” here."));

  expect(agents.runs).toHaveLength(1);
});

it("does so for a mention as well, and shows the question above the answer", async () => {
  const { agents, alice, general, directAlice, shows } = await open();
  alice.mention(general, "sales: who earns most?");
  (await agents.run(0)).answer("Bob earns most.");

  expect(textOf(await shows(directAlice.id, "Bob earns most."))).toContain("who earns most?");
});

it("tells a member privately, and doesn't ask the agent", async () => {
  const { agents, bob, general, own, idle } = await open();
  const result = bob.command(general, "ask", { question: "who earns most?", agent: "sales" });
  await until(
    "the reply to the command",
    () => result.answer !== undefined && textOf(result.answer).includes("You can't ask “sales” here."),
  );
  await idle();

  expect(result.answer?.seenBy).toBe(bob.person.id);
  expect(agents.runs).toEqual([]);
  expect(own(general.id)).toEqual([]);
});
