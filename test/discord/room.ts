/**
 * Discord's adapter over the real libraries of discord.js and a strict local Discord, with a scripted bridge that records its
 * events.
 */
import { onTestFinished } from "vitest";
import { createDiscord, type DiscordPayload } from "../../adapters/discord/index.ts";
import type { NamedServers } from "../../adapters/discord/intake/servers.ts";
import { allCommands } from "../../src/commands/all-commands.ts";
import { groupSummaries } from "../../src/commands/words.ts";
import type { Choice } from "../../src/core/document.ts";
import type { ChartPictures } from "../../src/core/model/chart.ts";
import type { ChatPlatform, CompletionQuery, Inbound } from "../../src/core/ports/chat-platform.ts";
import type { Clock } from "../../src/core/ports/clock.ts";
import type { Coordinator, KeyValue } from "../../src/core/ports/state.ts";
import { noPictures } from "../doubles/nulls/no-pictures.ts";
import { collectLines, type LogLine, memoryKeyValue, quickClock } from "../doubles/room-parts.ts";
import { until } from "../doubles/until.ts";
import { type FakeDiscord, type FakeDiscordOptions, startFakeDiscord, token } from "../fakes/discord/index.ts";
import { guildId } from "../fakes/discord/world.ts";

type DiscordPlatform = ChatPlatform<DiscordPayload>;

export type Script = {
  /** What the bridge does with an event; by default it acknowledges. */
  readonly on?: (inbound: Inbound, platform: DiscordPlatform) => Promise<void>;
  readonly complete?: (query: CompletionQuery) => Promise<readonly Choice[]>;
};

export type Room = {
  readonly discord: FakeDiscord;
  readonly platform: DiscordPlatform;
  readonly seen: readonly Inbound[];
  readonly log: readonly LogLine[];
  readonly keyValue: KeyValue<string>;
};

type InstanceOptions = {
  readonly hasMessageContent?: boolean;
  /** Registers its commands everywhere and not in one server. */
  readonly isEverywhere?: boolean;
  readonly clock?: Clock;
  readonly coordinator?: Pick<Coordinator, "takeToken" | "lease">;
  readonly pictures?: ChartPictures;
  /** Default: the server that the bot was in at its first start. */
  readonly servers?: NamedServers;
};

type RoomOptions = FakeDiscordOptions &
  InstanceOptions & {
    readonly before?: (discord: FakeDiscord) => void;
    /** Does not wait until the commands are known. */
    readonly isAway?: boolean;
  };

/** IDENTIFYs wait for no 5 s here, and nobody else holds a shard; where that matters, a test has its own coordinator. */
export const freeCoordinator: Pick<Coordinator, "takeToken" | "lease"> = {
  takeToken: async () => ({ taken: true }),
  lease: async () => ({ fence: 1, lost: new AbortController().signal, isCurrent: () => true, release: async () => {} }),
};

export async function openRoom(script: Script = {}, options: RoomOptions = {}): Promise<Room> {
  const discord = await startFakeDiscord({ identifyIntervalMs: 0, ...options });
  options.before?.(discord);
  onTestFinished(discord.stop);
  const room = await join(discord, memoryKeyValue(), script, options);
  if (options.isAway !== true) await until("the registration of the commands", () => discord.registrations.length > 0);
  return room;
}

/** One more instance over the same storage, or the next one. */
export function joinRoom(
  { discord, keyValue }: Room,
  script: Script = {},
  options: InstanceOptions = {},
): Promise<Room> {
  return join(discord, keyValue, script, options);
}

async function join(
  discord: FakeDiscord,
  keyValue: KeyValue<string>,
  script: Script,
  {
    hasMessageContent = true,
    isEverywhere = false,
    clock = quickClock,
    coordinator = freeCoordinator,
    pictures = noPictures,
    servers,
  }: InstanceOptions,
): Promise<Room> {
  const lines: LogLine[] = [];
  const platform = createDiscord({
    token,
    apiUrl: discord.apiUrl,
    ...(isEverywhere ? {} : { guildId }),
    ...(servers === undefined ? {} : { servers }),
    hasMessageContent,
    commands: { definitions: allCommands, groups: groupSummaries },
    log: collectLines(lines),
    ...{ clock, keyValue, coordinator, pictures },
  });
  const seen: Inbound[] = [];
  onTestFinished(platform.close);
  await platform.start({
    handle: async (inbound) => {
      seen.push(inbound);
      await (script.on ?? ((event) => event.ack({ kind: "none" })))(inbound, platform);
    },
    complete: script.complete ?? (async () => []),
  });
  return { discord, platform, seen, log: lines, keyValue };
}
