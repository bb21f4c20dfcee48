/** Runs the made-up company's Parley in this process, with its Slack and Discord in memory, to look at its pages. */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ServerType, serve } from "@hono/node-server";
import { Hono } from "hono";
import { createConsole } from "../../adapters/console/index.ts";
import packageJson from "../../package.json" with { type: "json" };
import { startBuiltInService } from "../../src/agent-service/built-in/start-service.ts";
import { settingsSchema } from "../../src/config/settings.ts";
import { systemClock as clock } from "../../src/core/tools/system-clock.ts";
import { createPageReading, type PageReading } from "../../src/knowledge/knowledge.ts";
import { noInstallation } from "../../src/overview/overview.ts";
import { type ConnectPlatform, composeParley } from "../../src/parley.ts";
import { openState } from "../../src/state/open-state.ts";
import { createMemoryPlatform } from "../../test/doubles/memory-platform.ts";
import { noMetrics } from "../../test/doubles/nulls/no-metrics.ts";
import { noPictures } from "../../test/doubles/nulls/no-pictures.ts";
import { silentLog as log } from "../../test/doubles/silent-log.ts";
import { onPlatforms, project } from "./company.ts";
import { fill } from "./fill.ts";
import { fillService } from "./fill-service.ts";

const projectFolder = fileURLToPath(new URL("../..", import.meta.url));
const { version } = packageJson;
const dayMs = 86_400_000;

/** Knows the company's channels, and their names. */
function platformOf(name: string): ConnectPlatform {
  const own = onPlatforms.channels.filter(({ place }) => place.platform === name);
  const known = (channel: string) => own.find(({ place }) => place.channel === channel);
  return {
    name,
    connect: async () => ({
      ...createMemoryPlatform({ clock, name }),
      isDirect: ({ channel }) => channel.startsWith("D"),
      visibility: async ({ channel }) => known(channel)?.visibility ?? "private",
      channelName: async ({ channel }) => {
        const { name: title = channel, isGone } = known(channel) ?? {};
        return { name: title, ...(isGone === true ? { isGone } : {}) };
      },
      ownChannels: async () => own.filter(({ isGone }) => isGone !== true).map(({ place }) => place),
      directPlace: () => undefined,
    }),
  };
}

/** The company's pages don't exist: a job that reads them runs until it is stopped. */
function endless(reading: PageReading): PageReading {
  const crawl: PageReading["crawler"]["crawl"] = async function* (request) {
    await once(request.signal ?? AbortSignal.timeout(dayMs), "abort");
    yield* reading.crawler.crawl(request);
  };
  return { ...reading, crawler: { ...reading.crawler, crawl } };
}

export async function openDemo(): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-demo-"));
  const state = await openState({ dataDir, clock, log });
  const untilMs = clock.now();
  const month = { company: onPlatforms, seed: 18, untilMs, days: 30, questions: 1_300, moreChannels: 0 };
  await fill(state, month, clock, log);
  await fillService(dataDir, clock, log);
  const reading = createPageReading({ allowsPrivate: false, version, clock, log });
  const service = await startBuiltInService({ dataDir, project, readPages: reading.readPages, clock, log });
  const app = new Hono();
  const server = await new Promise<ServerType>((resolve) => {
    const started = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, () => resolve(started));
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  const url = `http://127.0.0.1:${address.port}`;
  const labels: Readonly<Record<string, string>> = { slack: "Slack", discord: "Discord", console: "page" };
  const parley = await composeParley({
    settings: { ...settingsSchema.parse({}), port: address.port, secrets: [], version },
    state,
    service,
    platforms: [
      platformOf("slack"),
      platformOf("discord"),
      {
        name: "console",
        connect: async (parts) => {
          const options = { ...parts, host: "127.0.0.1", baseUrl: url, commands: () => [], pictures: noPictures };
          const page = createConsole({ ...options, projectFolder });
          await page.mount(app);
          return page;
        },
      },
    ],
    reading: endless(reading),
    metrics: noMetrics,
    installation: {
      ...noInstallation,
      startedAtMs: untilMs - 12 * dayMs,
      labelOf: (platform) => labels[platform] ?? platform,
      service: async () => ({ isOk: true, latencyMs: 38 }),
      storage: async () => ({ kind: state.kind, isOk: true, bytes: await state.bytes() }),
    },
    clock,
    log,
  });
  await parley.start();
  return {
    url,
    close: async () => {
      await parley.drain(0);
      await parley.close();
      server.close();
      await reading.close();
      await service.close();
      await state.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
