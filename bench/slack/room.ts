/** Opens a room for a bench with the strict local Slack. */
import type { FakeSlackOptions } from "../../test/fakes/slack/index.ts";
import { openRoom, type RoomOptions } from "../bots/room.ts";
import type { Order } from "./server.ts";

export function openSlackRoom(options: RoomOptions & { readonly slack?: FakeSlackOptions }) {
  return openRoom<Order>(options, {
    platform: "slack",
    server: new URL("server.ts", import.meta.url),
    start: { do: "start", options: options.slack ?? {} },
    probe: new URL("../bots/probe.ts", import.meta.url),
  });
}
