/**
 * Parley as a whole, with Discord as its only platform: the real adapter over the real discord.js, the real bridge,
 * commands, delivery and store; only the agents are in the test's hands.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiscord } from "../../adapters/discord/index.ts";
import { createBindings } from "../../src/bridge/bindings.ts";
import { type Bridge, createBridge } from "../../src/bridge/bridge.ts";
import { createConversations } from "../../src/bridge/conversations.ts";
import type { ChatPlatform } from "../../src/bridge/ports/chat-platform.ts";
import type { Clock } from "../../src/bridge/ports/clock.ts";
import { noMetrics } from "../../src/bridge/ports/metrics.ts";
import { type BridgeSettings, defaultSettings } from "../../src/bridge/settings.ts";
import type { Conversation } from "../../src/bridge/words.ts";
import { createCommands } from "../../src/commands/commands.ts";
import { commandDefinitions, groupSummaries } from "../../src/commands/definitions.ts";
import { createNameCache } from "../../src/commands/name-cache.ts";
import { createDelivery } from "../../src/delivery/delivery.ts";
import type { Log } from "../../src/operations/log.ts";
import { systemClock } from "../../src/operations/system-clock.ts";
import { openState } from "../../src/state/open-state.ts";
import { createAgents } from "../doubles/agents.ts";
import { silentLog } from "../state/silent-log.ts";

export type ParleyOptions = {
  readonly token: string;
  readonly apiUrl: string;
  readonly guildId?: string;
  readonly hasMessageContent?: boolean;
  readonly settings?: Partial<BridgeSettings>;
  readonly clock?: Clock;
  readonly log?: Log;
};

export async function startParley(options: ParleyOptions) {
  const { clock = systemClock, log = silentLog } = options;
  const dataDir = await mkdtemp(join(tmpdir(), "parley-discord-"));
  const agents = createAgents();
  const settings: BridgeSettings = { ...defaultSettings, recoveryIntervalMs: 0, ...options.settings };
  const retentionMs = 90 * 24 * 3_600_000;

  const start = async () => {
    const state = await openState({ dataDir, clock, log });
    const { keyValue, turns, coordinator, claims } = state;
    const platform = createDiscord({
      token: options.token,
      apiUrl: options.apiUrl,
      ...(options.guildId === undefined ? {} : { guildId: options.guildId }),
      hasMessageContent: options.hasMessageContent ?? true,
      commands: { definitions: commandDefinitions, groups: groupSummaries },
      log,
      clock,
      keyValue: keyValue("discord"),
    }) as ChatPlatform;
    const bindings = createBindings({ store: keyValue("bindings"), service: agents, settings });
    const conversations = createConversations({ store: keyValue<Conversation>("conversations"), retentionMs });
    const names = createNameCache({ service: agents, project: settings.project, clock, log });
    await names.refresh();
    const commands = createCommands({
      ...{ service: agents, bindings, conversations, coordinator, names, clock, log },
      audit: { record: async () => undefined },
      counts: () => bridge.counts(),
      settings: { project: settings.project, commandPrefix: "", version: "test" },
    });
    const bridge: Bridge = createBridge({
      ...{ service: agents, turns, coordinator, clock, settings, bindings, conversations, retentionMs, log, commands },
      sites: new Map([["discord", { platform, delivery: createDelivery({ platform, coordinator, clock, log }) }]]),
      metrics: noMetrics,
      claims,
      latest: keyValue("latest"),
      botTurns: keyValue("bot-turns"),
      modeOf: bindings.modeOf,
    });
    await platform.start(bridge);
    await bridge.recover();
    return { platform, bridge, state };
  };

  const running = await start();
  return {
    agents,
    platform: () => running.platform,
    bridge: () => running.bridge,
    stop: async () => {
      await running.platform.close();
      await running.state.close().catch(() => undefined);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
