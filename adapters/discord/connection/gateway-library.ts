/** Loads discord.js's own copy of its gateway library: imported as an ES module, a second copy would take 3 MB. */
import { createRequire } from "node:module";
import type * as library from "@discordjs/ws";

const loaded = createRequire(import.meta.url)("@discordjs/ws") as typeof library;

export type WebSocketShard = library.WebSocketShard;
export type WebSocketShardEvents = library.WebSocketShardEvents;
export const { CloseCodes, WebSocketShard, WebSocketShardDestroyRecovery, WebSocketShardEvents, WebSocketShardStatus } =
  loaded;
