/** An agent that is bound to another channel, on Slack: who reads its answer, and who gets none. */
import { expect, it } from "vitest";
import { only } from "../../doubles/room-parts.ts";
import { until } from "../../doubles/until.ts";
import { openParley, saidBy, wordsOf } from "./parley.ts";

async function open() {
  const parley = await openParley();
  parley.agents.set({ agents: ["sales", "support"] });
  const place = (channel: string) => ({ platform: "slack", workspace: "T0ACME", channel });
  await parley.bindings().setChannel(place("C0OTHER"), { project: "mindsdb", agent: "sales" });
  await parley.bindings().setChannel(place("C0GENERAL"), { project: "mindsdb", agent: "support" });
  return parley;
}

it("answers managers in a direct message, in one message that is edited to the end", async () => {
  const { slack, agents, alice, seenOnlyBy, idle } = await open();
  await alice.command("/ask", "who earns most? agent:sales", "C0GENERAL");
  const run = await agents.run(0);
  const inDirect = () => [...slack.world.messages.values()].filter(({ channel }) => channel === "D0ALICE");
  await until("a direct message", () => inDirect().length === 1);
  run.answer("Bob earns most.");
  await until("a direct message", () => inDirect().some((message) => wordsOf(message).includes("Bob earns most.")));
  await idle();

  expect(run.agent).toBe("sales");
  expect(inDirect()).toHaveLength(1);
  expect(wordsOf(only(inDirect()))).toContain("who earns most?");
  expect(only(seenOnlyBy("U0ALICE"))).toContain("only you get its answer, in a direct message");
  expect(saidBy(slack).filter(({ channel }) => channel !== "D0ALICE")).toEqual([]);
});

it("tells a member privately, and doesn't ask the agent", async () => {
  const { slack, agents, bob, seenOnlyBy, idle } = await open();
  await bob.command("/ask", "who earns most? agent:sales", "C0GENERAL");
  await until("a private message", () => seenOnlyBy("U0BOB").length > 0);
  await idle();

  expect(only(seenOnlyBy("U0BOB"))).toContain("You can't ask “sales” here.");
  expect(agents.runs).toEqual([]);
  expect(saidBy(slack)).toEqual([]);
});

it("answers a guest by the channel's agent, whichever one they name", async () => {
  const { slack, agents } = await open();
  const guest = slack.person("U0GUEST");
  guest.mention("C0GENERAL", "sales: who earns most?");

  expect(await agents.run(0)).toMatchObject({ agent: "support", question: "sales: who earns most?" });
});
