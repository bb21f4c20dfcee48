/** Who can read a channel in Discord, and whether a person is among them. */
import { expect, it } from "vitest";
import type { Actor, Place } from "../../../src/core/model/place.ts";
import { until } from "../../doubles/until.ts";
import { adminRole, botId, botRole, guildId, permissions } from "../../fakes/discord/world.ts";
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

it("Parley isn't connected before Discord has sent its servers, since nobody could say yet who reads what", async () => {
  const { platform } = await openRoom({}, { serversAfterMs: 300, isAway: true });

  expect(platform.health().isConnected).toBe(true);
  expect(await platform.visibility?.(place(general))).toBe("public");
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

it("Parley lists the channels of served Discord servers that it may write in, with their names, without a request", async () => {
  const { discord, platform } = await open();
  const nameOf = (id: string) => platform.channelName?.(place(id));
  const [silent, news] = ["200000000000000053", "200000000000000054"];
  const elsewhere = discord.invited("elsewhere", "Bob");
  discord.channelAdded({ id: silent, type: 0, name: "silent", deniedToAll: permissions.sendMessages });
  discord.channelAdded({ id: news, type: 5, name: "news" });
  await until("the last channel is known", async () => (await nameOf(news)) !== "gone");
  const requests = discord.calls.length;

  const own = await platform.ownChannels?.();

  const random = "200000000000000002";
  expect(new Set(own)).toEqual(new Set([general, random, hr, news].map((id) => place(id))));
  expect(await nameOf(silent)).toEqual({ name: "silent" });
  expect(JSON.stringify(own)).not.toContain(elsewhere.channel.id);
  expect(discord.calls.length).toBe(requests);
});

it("a Discord channel is gone when it is deleted, keeps its name while its server is away, and changes it with people", async () => {
  const { discord, platform } = await open();
  const nameOf = (id: string) => platform.channelName?.(place(id));
  const server = discord.world.servers.get(guildId);
  if (server === undefined) throw new Error("no server");

  Object.assign(discord.world.channel("general"), { name: "lobby" });
  discord.channelChanged("lobby");
  await until("the new name", async () => String(JSON.stringify(await nameOf(general))).includes("lobby"));
  discord.channelDeleted("hr");
  await until("the deleted channel is gone", async () => (await nameOf(hr)) === "gone");
  const back = discord.serverOutage(server);
  await until("nobody knows during the outage", async () => (await nameOf(general)) === undefined);
  expect((await platform.ownChannels?.())?.map(({ channel }) => channel)).toContain(general);
  back();

  await until("it is known again", async () => String(JSON.stringify(await nameOf(general))).includes("lobby"));
  expect(await platform.channelName?.({ ...place(general), workspace: "900000000000000009" })).toBe("gone");
});

it("Parley lists the channels of each Discord server that it serves, and those of one that removed it are gone", async () => {
  const { discord, platform } = await openRoom({}, { servers: "*" });
  const { server, channel } = discord.invited("elsewhere", "Bob");
  const there = { platform: "discord", workspace: server.id, channel: channel.id };
  await until("the second server", async () => JSON.stringify(await platform.ownChannels?.()).includes(channel.id));

  const own = await platform.ownChannels?.();
  expect(own).toContainEqual(there);
  expect(own).toContainEqual(place(general));
  expect(await platform.channelName?.(there)).toEqual({ name: "elsewhere" });
  expect(await platform.channelName?.({ ...there, workspace: guildId })).toBe("gone");
  discord.removed(server);
  await until("it is gone", async () => (await platform.channelName?.(there)) === "gone");
  expect(JSON.stringify(await platform.ownChannels?.())).not.toContain(channel.id);
  expect(await platform.channelName?.({ platform: "discord", workspace: "dm", channel: "1" })).toBeUndefined();
});

it("changes of roles, of Parley's own roles and of the owner decide at once who reads a Discord channel", async () => {
  const { discord, platform } = await open();
  const told = (event: string, d: Record<string, unknown>) =>
    discord.gateway.dispatch(event, { guild_id: guildId, ...d }, 1);
  const reads = (changes: Partial<Actor>) => platform.isMember?.({ ...bob, ...changes }, place(hr));
  const role = (id: string, rights: bigint) => ({ id, name: "Crew", permissions: String(rights), tags: null });
  const crew = "800000000000000009";

  told("GUILD_ROLE_CREATE", { role: role(crew, permissions.administrator) });
  await until("the new role", async () => (await reads({ roles: [crew] })) === true);
  told("GUILD_ROLE_UPDATE", { role: role(crew, permissions.sendMessages) });
  await until("the changed role", async () => (await reads({ roles: [crew] })) === false);
  expect(await reads({ roles: [adminRole] })).toBe(true);
  told("GUILD_ROLE_DELETE", { role_id: adminRole });
  await until("the deleted role", async () => (await reads({ roles: [adminRole] })) === false);
  told("GUILD_UPDATE", { id: guildId, owner_id: bob.id });
  await until("the new owner", async () => (await reads({})) === true);

  expect(await platform.isIn?.(place(hr))).toBe(true);
  told("GUILD_MEMBER_UPDATE", { user: { id: bob.id }, roles: [botRole] });
  told("GUILD_MEMBER_UPDATE", { user: { id: botId }, roles: [] });
  await until("Parley's roles", async () => (await platform.isIn?.(place(hr))) === false);
  expect(await platform.isIn?.(place(general))).toBe(true);
});

it("a Discord channel with odd permissions is nobody's, and its server keeps the others", async () => {
  const { discord, platform } = await open();
  const server = { id: guildId, unavailable: false, owner_id: "1", joined_at: null, roles: [], members: [] };
  const everyone = { id: guildId, name: "@everyone", permissions: String(permissions.viewChannel), tags: null };
  const channel = (id: string, deny: unknown) => ({
    ...{ id, type: 0, name: id, permission_overwrites: [{ id: guildId, type: 0, allow: "0", deny }] },
  });

  const channels = [channel(general, "0"), channel(hr, null), channel("200000000000000002", -1)];
  discord.gateway.dispatch("GUILD_CREATE", { ...server, roles: [everyone, { id: "2" }], channels }, 1);
  await until("the server", async () => (await platform.isMember?.(bob, place(hr))) === undefined);

  expect(await platform.visibility?.(place(general))).toBe("public");
  expect(await platform.visibility?.(place("200000000000000002"))).toBeUndefined();
});

it("a Discord thread that was closed, or whose channel was deleted, is asked for when it is needed", async () => {
  const { discord, platform } = await open();
  const asked = () => discord.callsTo("GET /channels/:c").length;
  const seen = (thread: string) => platform.visibility?.(place(general, thread));
  await seen(openThread);
  expect(asked()).toBe(0);

  const thread = { type: 11, name: "open", parent_id: general, guild_id: guildId };
  const listed = { ...thread, id: "7", type: 12, thread_metadata: { archived: false } };
  const closed = { ...thread, id: openThread, thread_metadata: { archived: true } };
  discord.gateway.dispatch("THREAD_LIST_SYNC", { guild_id: guildId, threads: [listed] }, 1);
  discord.gateway.dispatch("THREAD_UPDATE", closed, 1);
  await until("the closed thread is asked for", async () => (await seen(openThread)) === "public" && asked() === 1);
  expect(await seen("7")).toBe("direct");
  expect(asked()).toBe(1);
  discord.channelDeleted("general");
  await until("the other thread is asked for", async () => (await seen("7")) === undefined);
});

it("nobody knows Parley's Discord channels before Discord has told of its servers", async () => {
  const { platform } = await openRoom(
    {},
    { isAway: true, before: (discord) => discord.fault("GET /gateway/bot", "500", 1_000) },
  );

  expect(await platform.ownChannels?.()).toBeUndefined();
});

async function none(): Promise<undefined> {
  return undefined;
}
