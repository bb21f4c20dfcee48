/**
 * What is for one person alone, where they wrote a plain message: nobody else reads it.
 */
import { describe, expect, it } from "vitest";
import { openRoom } from "../../discord/room.ts";
import { notice, only } from "../../doubles/room-parts.ts";
import { until } from "../../doubles/until.ts";
import { botId } from "../../fakes/discord/world.ts";
import { labelsOf, openParley, shown } from "./parley.ts";

const covered = (id: string) => `Only <@${id}> can open this reply.`;

describe("a private answer to a plain message", () => {
  async function asked() {
    const parley = await openParley();
    const { alice, general, shows } = parley;
    const said = alice.mention(general, "/agent list");
    return { ...parley, said, cover: await shows(general.id, covered(alice.person.id)) };
  }

  it("waits behind a button, is shown to whom it is for alone, and leaves nothing behind", async () => {
    const { discord, alice, general, own, said, cover } = await asked();
    expect(cover.referenceId).toBe(said.id);
    expect(labelsOf(cover)).toEqual(["Open"]);

    const press = alice.press(cover, "Open");
    await until("an empty channel", () => own(general.id).length === 0);

    expect(press.answer?.seenBy).toBe(alice.person.id);
    expect(shown(press.answer)).toContain("guide");
    expect(discord.violations).toEqual([]);
  });

  it("isn't shown to anyone else, and keeps waiting", async () => {
    const { bob, general, own, cover } = await asked();

    const press = bob.press(cover, "Open");
    await until("the reply to the button", () => press.answer !== undefined);

    expect(shown(press.answer)).toContain("That reply is for someone else.");
    expect(press.answer?.seenBy).toBe(bob.person.id);
    expect(own(general.id)).toEqual([cover]);
  });

  it("is shown by another process too, and once by two of them", async () => {
    const { discord, alice, general, own, cover, restart, another } = await asked();
    await restart();
    await another();

    const press = alice.press(cover, "Open");
    await until("an empty channel", () => own(general.id).length === 0);

    expect(shown(press.answer)).toContain("guide");
    expect(press.followUps).toEqual([]);
    expect(discord.violations).toEqual([]);
  });

  it("that has expired says so, and disappears", async () => {
    const { discord, alice, general, own, cover, restart } = await asked();
    alice.press(cover, "Open");
    await until("an empty channel", () => own(general.id).length === 0);
    const late = discord.world.addMessage({ ...cover, id: discord.world.snowflake(), isDeleted: false });
    await restart();

    const press = alice.press(late, "Open");
    await until("an empty channel", () => own(general.id).length === 0);

    expect(shown(press.answer)).toContain("That reply has expired.");
  });

  it("is shown openly in a direct message, where nobody else reads", async () => {
    const { alice, directAlice, shows } = await openParley();

    alice.say(directAlice, "/agent list");

    expect(labelsOf(await shows(directAlice.id, "guide"))).not.toContain("Open");
  });
});

describe("what is said first, privately, and then replaced", () => {
  it("is behind one button, and behind another when the first was pressed already", async () => {
    const { promise: pressed, resolve: goOn } = Promise.withResolvers<void>();
    let said = 0;
    const { discord } = await openRoom({
      on: async ({ kind, reply }) => {
        if (kind !== "message") return;
        await reply.send(notice("Begun."), "private");
        await reply.send(notice("Half done."), "private");
        said = 2;
        await pressed;
        await reply.send(notice("Done."), "private");
      },
    });
    const alice = discord.human("Alice");
    const general = discord.world.channel("general");
    const covers = () =>
      discord.world.inChannel(general.id).filter(({ authorId, seenBy }) => authorId === botId && seenBy === undefined);
    alice.say(general, `<@${botId}> go`);
    await until("the message", () => said === 2);

    const first = alice.press(only(covers()), "Open");
    await until("the end of the cover message", () => covers().length === 0);
    goOn();
    await until("a cover message", () => covers().length > 0);
    const second = alice.press(only(covers()), "Open");
    await until("the end of the cover message", () => covers().length === 0);

    expect([shown(first.answer), shown(second.answer)]).toEqual(["Half done.", "Done."]);
  });
});
