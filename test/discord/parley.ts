/**
 * Parley as a whole, with Discord as its only platform: the real adapter over the real discord.js, the real bridge,
 * commands, delivery and store against a strict local Discord; only the agents are in the test's hands.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createDiscord } from "../../adapters/discord/index.ts";
import type { NamedServers } from "../../adapters/discord/intake/servers.ts";
import { createBindings } from "../../src/bridge/access/bindings.ts";
import { type Bridge, createBridge } from "../../src/bridge/bridge.ts";
import { createConversations } from "../../src/bridge/conversation/conversations.ts";
import { type BridgeSettings, defaultSettings } from "../../src/bridge/settings.ts";
import { createCommands } from "../../src/commands/commands.ts";
import { commandDefinitions, groupSummaries } from "../../src/commands/definitions.ts";
import { createNameCache } from "../../src/commands/name-cache.ts";
import { createDelivery } from "../../src/delivery/delivery.ts";
import type { AgentService } from "../../src/ports/agent-service.ts";
import type { ChatPlatform } from "../../src/ports/chat-platform.ts";
import { noMetrics } from "../../src/ports/metrics.ts";
import type { Conversation } from "../../src/ports/words.ts";
import { openState } from "../../src/state/open-state.ts";
import { createAgents } from "../doubles/agents.ts";
import { reachOver } from "../doubles/reach.ts";
import { type FakeDiscord, type FakeDiscordOptions, startFakeDiscord, token } from "../fakes/discord/index.ts";
import { botId, buttonsOf, type Channel, type Message, textOf } from "../fakes/discord/world.ts";
import { silentLog as log } from "../state/silent-log.ts";
import { quickClock as clock, freeCoordinator, until } from "./room.ts";

export type ParleyOptions = FakeDiscordOptions & {
  readonly hasMessageContent?: boolean;
  readonly settings?: Partial<BridgeSettings>;
  readonly servers?: NamedServers;
  readonly service?: Partial<AgentService>;
  readonly before?: (discord: FakeDiscord) => void;
};

export async function openParley(options: ParleyOptions = {}) {
  const discord = await startFakeDiscord({ identifyIntervalMs: 0, ...options });
  options.before?.(discord);
  const dataDir = await mkdtemp(join(tmpdir(), "parley-discord-"));
  const agents = createAgents();
  const service: AgentService = { ...agents, ...options.service };
  const settings: BridgeSettings = { ...defaultSettings, recoveryIntervalMs: 0, ...options.settings };
  const retentionMs = 90 * 24 * 3_600_000;
  const state = await openState({ dataDir, clock, log });
  const { keyValue, turns, coordinator, claims } = state;

  const start = async () => {
    const platform = createDiscord({
      token,
      apiUrl: discord.apiUrl,
      hasMessageContent: options.hasMessageContent ?? true,
      ...(options.servers === undefined ? {} : { servers: options.servers }),
      commands: { definitions: commandDefinitions, groups: groupSummaries },
      ...{ log, clock },
      keyValue: keyValue("discord"),
      coordinator: freeCoordinator,
    }) as ChatPlatform;
    const bindings = createBindings({
      ...{ store: keyValue("bindings"), stamps: keyValue("binding-stamps"), service, settings, clock },
    });
    const conversations = createConversations({ store: keyValue<Conversation>("conversations"), retentionMs });
    const names = createNameCache({ service, project: settings.project, clock, log });
    await names.refresh();
    const { reach, contributions } = reachOver({
      ...{ bindings, service, keyValue, clock, settings, lists: names.current },
      platform: platform as ChatPlatform,
    });
    const commands = createCommands({
      ...{ service, bindings, conversations, coordinator, names, reach, contributions, clock, log },
      audit: { record: async () => undefined },
      counts: () => bridge.counts(),
      forget: (...about: Parameters<typeof bridge.forget>) => bridge.forget(...about),
      lacking: () => undefined,
      settings: { project: settings.project, commandPrefix: "", version: "test" },
    });
    const bridge: Bridge = createBridge({
      ...{ service, turns, coordinator, clock, settings, reach, conversations, retentionMs, log, commands, claims },
      sites: new Map([["discord", { platform, delivery: createDelivery({ platform, coordinator, clock, log }) }]]),
      metrics: noMetrics,
      latest: keyValue("latest"),
      botTurns: keyValue("bot-turns"),
      modeOf: bindings.modeOf,
    });
    await platform.start(bridge);
    await bridge.recover();
    return { platform, bridge, bindings };
  };

  const running = [await start()];
  onTestFinished(async () => {
    for (const { platform, bridge } of running) {
      await platform.close();
      await bridge.drain(0);
    }
    await state.close().catch(() => undefined);
    await discord.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  await until(() => discord.registrations.length > 0);

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
    platform: () => (running[0] as (typeof running)[number]).platform,
    bindings: () => (running[0] as (typeof running)[number]).bindings,
    own,
    /** Resolves when some message of Parley's there shows these words. */
    shows: async (channelId: string, words: string): Promise<Message> => {
      const find = () => own(channelId).find((message) => textOf(message).includes(words));
      await until(() => find() !== undefined);
      return find() as Message;
    },
    /** The thread that was opened from that message. */
    threadOf: ({ id }: Pick<Message, "id">): Channel => {
      const thread = discord.world.channels.get(id);
      if (thread === undefined) throw new Error("no thread");
      return thread;
    },
    /** Resolves when nothing is being answered. */
    idle: () => until(() => running.every(({ bridge }) => bridge.counts().running + bridge.counts().waiting === 0)),
    /** Another instance over the same store. */
    another: async () => {
      running.push(await start());
    },
    /** Ends all that runs and starts one anew, as after a deployment. */
    restart: async () => {
      for (const { platform, bridge } of running.splice(0)) {
        await bridge.drain(0);
        await platform.close();
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
