/** Opens a room for a bench with the strict local Discord. */
import type { FakeDiscordOptions } from "../../test/fakes/discord/index.ts";
import { openRoom, type RoomOptions } from "../bots/room.ts";
import type { Order } from "./server.ts";

export type DiscordRoomOptions = RoomOptions & {
  /** Each with a channel. */
  readonly people: number;
  readonly discord?: FakeDiscordOptions;
};

export function openDiscordRoom(options: DiscordRoomOptions) {
  return openRoom<Order>(options, {
    platform: "discord",
    server: new URL("server.ts", import.meta.url),
    start: { do: "start", options: options.discord ?? {}, people: options.people },
    probe: new URL("probe.ts", import.meta.url),
  });
}
