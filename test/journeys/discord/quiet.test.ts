/** What people say to each other in Discord costs Parley no call, to the agents or to Discord. */
import { expect, it } from "vitest";
import { until } from "../../doubles/until.ts";
import { guildId } from "../../fakes/discord/world.ts";
import { openParley } from "./parley.ts";

type Parley = Awaited<ReturnType<typeof openParley>>;

async function answered({ agents, alice, general, shows, threadOf }: Parley) {
  const asked = alice.mention(general, "How late can a guest check in?");
  (await agents.run(0)).answer("Until 23:00.");
  await shows(asked.id, "Until 23:00.");
  return threadOf(asked);
}

/** Whatever a message causes has begun by then: Discord doesn't hear when one was handled. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 200));

/** A person's roles are looked up when they write directly for the first time. */
async function saidDirectly({ agents, alice, directAlice, shows }: Parley): Promise<void> {
  const run = agents.runs.length;
  alice.say(directAlice, "Hello in private");
  (await agents.run(run)).answer("Hello in return.");
  await shows(directAlice.id, "Hello in return.");
}

/** What Discord was asked for while that went on, and while a direct message after it was answered. */
async function routesOf(parley: Parley, happens: () => void | Promise<void>): Promise<readonly string[]> {
  const { discord, agents, alice, directAlice, shows, idle } = parley;
  await saidDirectly(parley);
  await idle();
  const before = discord.calls.length;
  const run = agents.runs.length;
  await happens();
  alice.say(directAlice, "Have you heard all this?");
  (await agents.run(run)).answer(`Yes, after ${run}.`);
  await shows(directAlice.id, `Yes, after ${run}.`);
  await idle();
  await settled();
  expect(agents.runs).toHaveLength(run + 1);
  return discord.calls
    .slice(before)
    .filter(({ path }) => !path.includes(directAlice.id))
    .map(({ route }) => route);
}

it("twenty messages around an answer cost no call, thanks costs one reaction, and “thanks, but how?” is asked", async () => {
  const parley = await openParley();
  const { discord, agents, alice, bob, shows } = parley;
  const thread = await answered(parley);

  const routes = await routesOf(parley, () => {
    for (let index = 0; index < 20; index += 1) bob.say(thread, `Message ${index} to all of you`);
    alice.say(thread, "ok cool");
    bob.say(thread, "👍");
  });
  expect(routes).toEqual([]);

  alice.say(thread, "thanks, that helped!");
  const isReaction = ({ route }: { readonly route: string }) => route.includes("reactions");
  await until("the reaction", () => discord.calls.some(isReaction));
  expect(discord.calls.filter(isReaction)).toHaveLength(1);

  const runs = agents.runs.length;
  alice.say(thread, "thanks, but how?");
  (await agents.run(runs)).answer("With the door code.");
  await shows(thread.id, "With the door code.");
  expect(discord.violations).toEqual([]);
});

it("a thread of 300 messages in which Parley was asked once stays with the people, but for a question that it can answer", async () => {
  const parley = await openParley();
  const { agents, alice, bob, own, shows, keyValue } = parley;
  const thread = await answered(parley);
  const counted = async () => {
    let count = 0;
    for await (const [key] of keyValue("thread-talk").entries("")) if (key.includes("/said/")) count += 1;
    return count;
  };

  const routes = await routesOf(parley, async () => {
    for (let index = 0; index < 300; index += 1) bob.say(thread, `Message ${index}`);
    await until("the twenty that are counted", async () => (await counted()) >= 20);
  });
  expect(routes).toEqual([]);
  expect(own(thread.id)).toHaveLength(1);

  const runs = agents.runs.length;
  alice.say(thread, "and on Sundays?");
  (await agents.run(runs)).answer("Until 22:00.");
  await shows(thread.id, "Until 22:00.");
});

it("in mode channel, what asks nothing costs no call, and an answer without a source opens no thread", async () => {
  const parley = await openParley();
  const { discord, agents, bob, general, own, bindings, idle } = parley;
  await bindings().setChannel({ platform: "discord", workspace: guildId, channel: general.id }, { mode: "channel" });

  const routes = await routesOf(parley, () => {
    for (let index = 0; index < 20; index += 1) bob.say(general, `Deploy ${index} is done`);
  });
  expect(routes).toEqual([]);

  const before = discord.calls.length;
  const runs = agents.runs.length;
  bob.say(general, "How late can a guest check in?");
  (await agents.run(runs)).answer("I found nothing.");
  await until("the end of the run", () => agents.runs[runs]?.isOver() === true);
  await idle();
  expect(discord.calls.slice(before)).toEqual([]);
  expect(own(general.id)).toEqual([]);
});
