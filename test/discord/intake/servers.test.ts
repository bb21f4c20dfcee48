/** Which servers a person belongs to, also before Parley knows which ones it serves. */
import { expect, it } from "vitest";
import { createServers } from "../../../adapters/discord/intake/servers.ts";
import type { DiscordParts } from "../../../adapters/discord/parts.ts";
import { memoryKeyValue, quickClock } from "../../doubles/room-parts.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { guildId } from "../../fakes/discord/world.ts";

const user = { id: "100000000000000002", username: "bob" };

function open() {
  let sayServers = (_: readonly object[]) => {};
  const listed = new Promise<readonly object[]>((resolve) => {
    sayServers = resolve;
  });
  const call = async (_: string, path: string) =>
    path === "/users/@me/guilds" ? listed : { user, roles: [], flags: 0, nick: null };
  const servers = createServers({
    ...{ clock: quickClock, keyValue: memoryKeyValue(), log: silentLog },
    rest: { call } as unknown as DiscordParts["rest"],
    joined: () => [guildId],
  } as Parameters<typeof createServers>[0]);
  return { servers, sayServers };
}

it("are looked up once Parley knows which ones it serves", async () => {
  const { servers, sayServers } = open();
  void servers.learn("100000000000000001");
  const asked = servers.membershipsOf(user.id, 60_000);
  sayServers([{ id: guildId, name: "Acme" }]);

  expect((await asked)?.map(({ serverId }) => serverId)).toEqual([guildId]);
});

it("are unknown, not none, while Parley doesn't know which ones it serves", async () => {
  const { servers } = open();
  void servers.learn("100000000000000001");

  expect(await servers.membershipsOf(user.id, 1_000)).toBeUndefined();
});
