/** A whole Parley with a chat platform in memory, and the admin pages of a visitor who acts in its places. */
import { onTestFinished } from "vitest";
import type { ChatPlatform } from "../../../src/core/ports/chat-platform.ts";
import type { Overview } from "../../../src/core/ports/overview.ts";
import { systemClock as clock } from "../../../src/core/tools/system-clock.ts";
import type { ParleySettings, SharedParts } from "../../../src/parley.ts";
import { composeParley } from "../../../src/parley.ts";
import { openState } from "../../../src/state/open-state.ts";
import { readingFor, settingsWith } from "../../doubles/composition.ts";
import { createMemoryPlatform } from "../../doubles/memory-platform.ts";
import { noMetrics } from "../../doubles/nulls/no-metrics.ts";
import { createAgents } from "../../doubles/service/agents.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { visiting } from "./visiting.ts";

export async function openActingRoom(changes: Partial<ParleySettings> = {}) {
  const state = await openState({ dataDir: await temporaryFolder("acting"), clock, log });
  const agents = createAgents();
  agents.set({ agents: [{ name: "sales", knowledgeBases: ["handbook"] }, "support"], knowledgeBases: ["handbook"] });
  const memory = createMemoryPlatform({ clock });
  /** Channels that begin with D are direct messages, and with G private ones. */
  const platform: ChatPlatform = {
    ...memory,
    isDirect: ({ channel }) => channel.startsWith("D"),
    visibility: async ({ channel }) =>
      channel.startsWith("D") ? "direct" : channel.startsWith("G") ? "private" : "public",
    isMember: async ({ id }) => id.startsWith("U"),
    directPlace: ({ id, workspace }) => ({ platform: "memory", workspace, channel: `D${id}` }),
    channelName: async ({ channel }) => (channel === "gone" ? "gone" : { name: `${channel}-named` }),
  };
  let overview: Overview | undefined;
  const parley = await composeParley({
    settings: settingsWith({ commandsPerPersonPerMinute: 1_000, ...changes }),
    state,
    service: agents,
    platforms: [
      {
        name: "memory",
        connect: async (parts: SharedParts) => {
          overview = parts.overview;
          return platform;
        },
      },
    ],
    reading: readingFor(clock),
    metrics: noMetrics,
    clock,
    log,
  });
  await parley.start();
  onTestFinished(async () => {
    await parley.close();
    await parley.drain(0);
    await state.close();
  });
  if (overview === undefined) throw new Error("The platform was not connected.");
  const visited = visiting({ state, overview, port: () => parley.bridge, clock, log });
  return { state, agents, memory, parley, overview, ...visited };
}

export type ActingRoom = Awaited<ReturnType<typeof openActingRoom>>;
