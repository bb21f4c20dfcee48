/** Who can read a channel in Discord, and whether a person is among them. */
import { expect, it } from "vitest";
import type { Actor, Place } from "../../../src/ports/model/place.ts";
import { adminRole, botRole, guildId, permissions } from "../../fakes/discord/world.ts";
import { openRoom } from "../room.ts";

const bob: Actor = {
  id: "100000000000000002",
  workspace: guildId,
  name: "Bob",
  isAdmin: false,
  isGuest: false,
  isExternal: false,
  isBot: false,
  roles: [],
};
const place = (channel: string, thread?: string): Place => ({
  ...{ platform: "discord", workspace: guildId, channel },
  ...(thread === undefined ? {} : { thread }),
});

const hr = "200000000000000050";
const general = "200000000000000001";
const openThread = "200000000000000051";
const closedThread = "200000000000000052";

const open = () =>
  openRoom(
    {},
    {
      before: ({ world }) => {
        const deniedToAll = permissions.viewChannel;
        world.addChannel({ id: hr, type: 0, name: "hr", deniedToAll, allowedRoles: [botRole] });
        world.addChannel({ id: openThread, type: 11, name: "open", parentId: general });
        world.addChannel({ id: closedThread, type: 12, name: "closed", parentId: general });
      },
    },
  );

it("a Discord channel is public if everyone may see it, and a private thread is one person's", async () => {
  const { platform } = await open();

  const found = await Promise.all(
    [place(general), place(hr), place(general, openThread), place(general, closedThread)].map(
      platform.visibility ?? none,
    ),
  );

  expect(found).toEqual(["public", "private", "public", "direct"]);
  expect(await platform.visibility?.({ platform: "discord", workspace: "dm", channel: "300000000000000001" })).toBe(
    "direct",
  );
});

it("who can read a Discord channel is unknown if the channel or the thread is", async () => {
  const { platform } = await open();

  expect(await platform.visibility?.(place("200000000000000099"))).toBeUndefined();
  expect(await platform.visibility?.(place(general, "200000000000000099"))).toBeUndefined();
  expect(await platform.isMember?.(bob, place("200000000000000099"))).toBeUndefined();
});

it("a person is in a private Discord channel by a role, as an admin or as the owner", async () => {
  const { platform } = await open();
  const isMember = (changes: Partial<Actor>) => platform.isMember?.({ ...bob, ...changes }, place(hr));

  expect(await isMember({})).toBe(false);
  expect(await isMember({ roles: [botRole] })).toBe(true);
  expect(await isMember({ roles: [adminRole] })).toBe(true);
  expect(await isMember({ id: "100000000000000001" })).toBe(true);
  expect(await platform.isMember?.(bob, place(general))).toBe(true);
});

it("Parley can speak in a Discord channel that it sees, not in one that is gone, and nobody knows of other servers", async () => {
  const { platform } = await open();

  expect(await platform.isIn?.(place(general))).toBe(true);
  expect(await platform.isIn?.(place("200000000000000099"))).toBe(false);
  expect(await platform.isIn?.({ ...place(general), workspace: "900000000000000009" })).toBeUndefined();
});

async function none(): Promise<undefined> {
  return undefined;
}
