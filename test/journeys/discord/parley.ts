/**
 * A whole Parley with Discord as its only platform: the real adapter over the real libraries of discord.js, the real bridge,
 * commands, delivery and store, against a strict local Discord. The test controls only the agents.
 */
import { onTestFinished } from "vitest";
import { createDiscord } from "../../../adapters/discord/index.ts";
import type { NamedServers } from "../../../adapters/discord/intake/servers.ts";
import type { ChartPictures } from "../../../src/core/model/chart.ts";
import type { AgentService } from "../../../src/core/ports/agent-service.ts";
import type { ChatPlatform } from "../../../src/core/ports/chat-platform.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { Overview } from "../../../src/core/ports/overview.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { type Parley as ComposedParley, composeParley, type ParleySettings } from "../../../src/parley.ts";
import { openState } from "../../../src/state/open-state.ts";
import { visiting } from "../../console/admin/visiting.ts";
import { freeCoordinator } from "../../discord/room.ts";
import { readingFor, settingsWith } from "../../doubles/composition.ts";
import { noMetrics } from "../../doubles/nulls/no-metrics.ts";
import { createAgents } from "../../doubles/service/agents.ts";

import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { until } from "../../doubles/until.ts";
import { type FakeDiscord, type FakeDiscordOptions, startFakeDiscord, token } from "../../fakes/discord/index.ts";
import { botId, buttonsOf, type Channel, type Message, textOf } from "../../fakes/discord/world.ts";

export type ParleyOptions = FakeDiscordOptions & {
  readonly hasMessageContent?: boolean;
  readonly settings?: Partial<ParleySettings>;
  readonly servers?: NamedServers;
  readonly service?: Partial<AgentService>;
  readonly before?: (discord: FakeDiscord) => void;
  readonly clock?: Clock;
  /** Default: drawn in the child process. */
  readonly pictures?: ChartPictures;
};

export async function openParley(options: ParleyOptions = {}) {
  const { clock = systemClock } = options;
  const discord = await startFakeDiscord({ identifyIntervalMs: 0, ...options });
  options.before?.(discord);
  const dataDir = await temporaryFolder("discord");
  const agents = createAgents();
  const service: AgentService = { ...agents, ...options.service };
  const state = await openState({ dataDir, clock, log });

  let overview: Overview | undefined;
  const start = async () => {
    const parley = await composeParley({
      ...{ settings: settingsWith(options.settings), state, service, metrics: noMetrics, clock, log },
      reading: readingFor(clock),
      platforms: [
        {
          name: "discord",
          connect: async ({ keyValue, commands, pictures, ...shared }) => {
            overview = shared.overview;
            return createDiscord({
              token,
              apiUrl: discord.apiUrl,
              hasMessageContent: options.hasMessageContent ?? true,
              ...(options.servers === undefined ? {} : { servers: options.servers }),
              ...{ commands, pictures: options.pictures ?? pictures, log, clock },
              keyValue: keyValue("discord"),
              coordinator: freeCoordinator,
            }) as ChatPlatform;
          },
        },
      ],
    });
    await parley.start();
    return parley;
  };

  const running = [await start()];
  onTestFinished(async () => {
    for (const parley of running) {
      await parley.close();
      await parley.drain(0);
    }
    await state.close().catch(() => undefined);
    await discord.stop();
  });
  await until("the registration of the commands", () => discord.registrations.length > 0);

  /** What Parley said there for all to see, oldest first. */
  const own = (channelId: string) =>
    discord.world.inChannel(channelId).filter(({ authorId, seenBy }) => authorId === botId && seenBy === undefined);
  const alice = discord.human("Alice");
  const bob = discord.human("Bob");
  return {
    discord,
    agents,
    alice,
    bob,
    general: discord.world.channel("general"),
    /** Direct messages with Parley. */
    directAlice: discord.world.direct(alice.person.id),
    directBob: discord.world.direct(bob.person.id),
    platform: () => (running[0] as ComposedParley).platforms[0] as ChatPlatform,
    bindings: () => (running[0] as ComposedParley).bindings,
    keyValue: state.keyValue,
    collection: state.collection,
    /** The admin pages of this Parley. */
    admin: () => {
      if (overview === undefined) throw new Error("Discord was not connected.");
      return visiting({ state, overview, port: () => running[0]?.bridge, clock, log });
    },
    own,
    /** Resolves when some message of Parley's there shows these words. */
    shows: async (channelId: string, words: string, limitMs?: number): Promise<Message> => {
      const find = () => own(channelId).find((message) => textOf(message).includes(words));
      await until(`a message with “${words}”`, () => find() !== undefined, limitMs);
      return find() as Message;
    },
    /** The thread that was opened from that message. */
    threadOf: ({ id }: Pick<Message, "id">): Channel => {
      const thread = discord.world.channels.get(id);
      if (thread === undefined) throw new Error("no thread");
      return thread;
    },
    /** Resolves when nothing is being answered. */
    idle: (limitMs?: number) =>
      until(
        "the end of all questions",
        () => running.every(({ bridge }) => bridge.counts().running + bridge.counts().waiting === 0),
        limitMs,
      ),
    /** Another instance over the same store. */
    another: async () => {
      running.push(await start());
    },
    /** Ends all that runs and starts one anew, as after a deployment. */
    restart: async () => {
      for (const parley of running.splice(0)) {
        await parley.drain(0);
        await parley.close();
      }
      running.push(await start());
    },
  };
}

/** The words of a message that may not be there yet. */
export function shown(message: Message | undefined): string {
  return message === undefined ? "" : textOf(message);
}

/** Buttons under a message, by their labels. */
export function labelsOf(message: Pick<Message, "components">): readonly string[] {
  return buttonsOf(message.components).map((button) =>
    String(button["label"] ?? (button["emoji"] as { readonly name: string }).name),
  );
}
