/**
 * Channels in which Parley may do everything but read the history: Discord lets it reply to nothing there.
 */
import { describe, expect, it } from "vitest";
import { openRoom } from "../../discord/room.ts";
import { only } from "../../doubles/room-parts.ts";
import { until } from "../../doubles/until.ts";
import { permissions } from "../../fakes/discord/world.ts";
import { openParley, type ParleyOptions, shown } from "./parley.ts";

/** `isKnown`: the bot's cache knows that the right is missing; else Discord says so. */
const withoutHistory = (isKnown: boolean, also = 0n): ParleyOptions => ({
  before: ({ world }) => {
    if (isKnown) world.channel("general").denied = permissions.readHistory | also;
  },
});

describe.each([true, false])("without Read Message History (known beforehand: %s)", (isKnown) => {
  const open = async (also = 0n) => {
    const parley = await openParley(withoutHistory(isKnown, also));
    // Taken away without a word: what the cache knows is older.
    parley.general.denied = permissions.readHistory | also;
    return parley;
  };
  const refusals = ({ discord }: Awaited<ReturnType<typeof open>>) =>
    discord.calls.filter(({ route, status }) => route === "POST /channels/:c/messages" && status === 400).length;

  it("two questions close together are both answered in their thread", async () => {
    const parley = await open();
    const { agents, alice, general, own, shows, threadOf, idle } = parley;
    const asked = alice.mention(general, "first?");
    const first = await agents.run(0);
    alice.mention(threadOf(asked), "second?");
    first.answer("First.");
    (await agents.run(1)).answer("Second.");
    await shows(asked.id, "First.");
    await shows(asked.id, "Second.");
    await idle();

    expect(own(asked.id).length).toBe(2);
    expect(own(general.id)).toEqual([]);
    expect(refusals(parley)).toBeLessThanOrEqual(isKnown ? 0 : 2);
  });

  it("an answer where no thread can be opened is in the channel, without its reference", async () => {
    const parley = await open(permissions.createThreads);
    const { agents, alice, general, own, shows, idle } = parley;
    alice.mention(general, "here?");
    (await agents.run(0)).answer("Here.");
    await shows(general.id, "Here.");
    await idle();

    expect(only(own(general.id)).referenceId).toBeUndefined();
  });

  it("the welcome card answers an empty mention in the channel, without a thread", async () => {
    const { alice, general, own } = await open();
    alice.mention(general, "");
    await until("a message from Parley", () => own(general.id).length > 0);

    expect(shown(own(general.id)[0])).toContain("I'm Parley.");
  });
});

describe("📌 in a direct message", () => {
  it("is heard", async () => {
    const { discord, seen } = await openRoom();
    const alice = discord.human("Alice");
    const said = alice.say(discord.world.direct(alice.person.id), "worth keeping");

    alice.react(said, "📌");
    await until("a reaction", () => seen.some(({ kind }) => kind === "reaction"));

    expect(seen.find(({ kind }) => kind === "reaction")).toMatchObject({
      emoji: "📌",
      messageId: said.id,
      place: { workspace: "dm" },
      actor: { id: alice.person.id, name: "Alice" },
    });
  });
});
