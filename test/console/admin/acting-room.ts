/** A whole Parley with a chat platform in memory, and the admin pages of a visitor who acts in its places. */
import { Hono } from "hono";
import { onTestFinished } from "vitest";
import type { AdminParts } from "../../../adapters/console/admin/admin-page.ts";
import { createAdminRoutes } from "../../../adapters/console/admin/routes.ts";
import { createChannels } from "../../../adapters/console/channels/channels.ts";
import { createAttachedFiles } from "../../../adapters/console/files/attached-files.ts";
import { createUploads } from "../../../adapters/console/files/uploads.ts";
import { localVisitor, type Visitor } from "../../../adapters/console/people/visitor.ts";
import type { SharedParts } from "../../../src/parley.ts";
import { composeParley } from "../../../src/parley.ts";
import type { AuditEntry } from "../../../src/ports/audit.ts";
import type { ChatPlatform } from "../../../src/ports/chat-platform.ts";
import type { Overview } from "../../../src/ports/overview/overview.ts";
import { systemClock as clock } from "../../../src/ports/tools/system-clock.ts";
import { openState } from "../../../src/state/open-state.ts";
import { createAgents } from "../../doubles/agents.ts";
import { readingFor, settingsWith } from "../../doubles/composition.ts";
import { createMemoryPlatform } from "../../doubles/memory-platform.ts";
import { noMetrics } from "../../doubles/no-metrics.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";

export type Line = {
  readonly kind: string;
  readonly form?: { readonly id: string; readonly fields: readonly { readonly name: string }[] };
  readonly errors?: Readonly<Record<string, string>>;
  readonly payloads?: readonly { readonly actions: readonly { readonly id: string; readonly value: string }[] }[];
};

export type Acted = { readonly status: number; readonly text: string; readonly lines: readonly Line[] };

export async function openActingRoom() {
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
    settings: settingsWith({ roles: { trustedPlatforms: [] }, commandsPerPersonPerMinute: 1_000 }),
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
  const uploads = createUploads({ ...state, clock });
  const parts: AdminParts = {
    overview,
    channels: createChannels({ ...state, clock }),
    attached: createAttachedFiles({ uploads, log }),
    port: () => parley.bridge,
    clock,
    log,
  };

  function pagesFor(visitor: Partial<Visitor>): Hono {
    const app = new Hono();
    app.use("*", async (context, next) => {
      context.set("visitor", { ...localVisitor, id: "ana", name: "Ana", ...visitor });
      await next();
    });
    app.route("/", createAdminRoutes(parts));
    return app;
  }

  let number = 0;
  async function act(visitor: Partial<Visitor>, request: object): Promise<Acted> {
    number += 1;
    const response = await pagesFor(visitor).request("/api/admin/act", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: `act-${number}`, ...request }),
    });
    const text = await response.text();
    const isStream = response.headers.get("content-type")?.startsWith("application/x-ndjson") === true;
    const lines = isStream ? text.split("\n").flatMap((line): Line[] => (line === "" ? [] : [JSON.parse(line)])) : [];
    return { status: response.status, text, lines };
  }

  return {
    ...{ state, agents, memory, parley, act, pagesFor, overview, uploads },
    get: async (visitor: Partial<Visitor>, path: string) => {
      const response = await pagesFor(visitor).request(path);
      return { status: response.status, body: JSON.parse(await response.text()) };
    },
    audit: async (): Promise<readonly AuditEntry[]> => {
      const found: AuditEntry[] = [];
      for await (const [, entry] of state.keyValue<AuditEntry>("audit").entries("")) found.push(entry);
      return found;
    },
  };
}

export type ActingRoom = Awaited<ReturnType<typeof openActingRoom>>;
