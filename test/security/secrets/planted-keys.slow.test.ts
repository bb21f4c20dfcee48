/**
 * That a key which came out is noticed, at each way out: a net that has never caught anything may have a hole. What is
 * caught here is taken out again, so that test/setup.ts finds nothing after these tests, and would after any other.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@redis/client";
import { afterEach, describe, expect, it } from "vitest";
import type { Place } from "../../../src/core/model/place.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { openState } from "../../../src/state/open-state.ts";
import { createCollectedLog } from "../../doubles/collected-log.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { createMemoryPlatform } from "../../doubles/memory-platform.ts";
import { startSite } from "../../doubles/network/site.ts";
import { keyIn, takeLeaks, watchFolder } from "../../doubles/planted-keys.ts";
import { createParleyProcess } from "../../doubles/processes/parley-process.ts";
import { hasRedisServer, startRedisServer } from "../../doubles/processes/redis-server.ts";
import { startScriptedService } from "../../doubles/service/scripted-service.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { token as discordToken, startFakeDiscord } from "../../fakes/discord/index.ts";
import {
  appToken as slackAppToken,
  botToken as slackBotToken,
  signingSecret as slackSigningSecret,
  startFakeSlack,
} from "../../fakes/slack/index.ts";

/** Looks like nothing that a log would take out by itself. */
const key = "planted-for-this-secret";
const json = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  await work(await temporaryFolder("leaks"));
}

const waysOut: Readonly<Record<string, () => Promise<void>>> = {
  "Slack's chat.postMessage": async () => {
    const slack = await startFakeSlack();
    await fetch(`${slack.apiUrl}chat.postMessage`, json({ channel: "C1", blocks: [{ text: key }] }));
    await slack.stop();
  },
  "Slack's upload": async () => {
    const slack = await startFakeSlack();
    await fetch(`${slack.base}/upload/F1`, { method: "POST", body: `a,b\n1,${key}` });
    await slack.stop();
  },
  "Slack's response_url": async () => {
    const slack = await startFakeSlack();
    await fetch(`${slack.base}/T0ACME/response/1`, json({ text: key }));
    await slack.stop();
  },
  "Discord's POST /channels/1/messages": async () => {
    const discord = await startFakeDiscord();
    await fetch(`${discord.apiUrl}/v10/channels/1/messages`, json({ embeds: [{ description: key }] }));
    await discord.stop();
  },
  "a message": async () => {
    const platform = createMemoryPlatform({ clock: createFakeClock() });
    const place: Place = { platform: "memory", workspace: "T1", channel: "general" };
    const payload = { text: "The key:", tone: "info", actions: [], summary: key } as const;
    await platform.post(place, payload, { replyId: "1", part: 0, generation: 0 }, { urgency: "final" });
  },
  "a request to the service": async () => {
    const service = await startScriptedService([]);
    await fetch(`${service.url}/api/projects/mindsdb/agents`, { headers: { "x-note": key } });
    await service.close();
  },
  "a request to a web site": async () => {
    const site = await startSite();
    await fetch(`${site.url}/?q=${key}`);
    await site.close();
  },
  "the log": async () => createCollectedLog().log.info({ name: key }, "A line"),
  "the log of silence": async () => silentLog.debug({ deep: { in: [key] } }, "A line"),
  "the database": () =>
    inFolder(async (dataDir) => {
      const state = await openState({ dataDir, clock: systemClock, log: silentLog });
      await state.keyValue<string>("bindings").set("slack/T1/C1", key);
      await state.close();
    }),
  "the file": () =>
    inFolder(async (folder) => {
      await writeFile(join(folder, "parley.db-wal"), Buffer.from(`\0\xff${key}`, "latin1"));
      await watchFolder(folder);
    }),
  "a process": async () => {
    const says = `data:text/javascript,console.log(${JSON.stringify(key)})`;
    const parley = await createParleyProcess({ NODE_OPTIONS: `--import=${encodeURI(says)}` });
    await parley.start("/healthz");
    await parley.close();
  },
};

afterEach(() => takeLeaks());

describe("a key that comes out", () => {
  it.for(Object.keys(waysOut))("is noticed in %s", async (way) => {
    await waysOut[way]?.();

    const leaks = takeLeaks();
    expect(leaks.length).toBeGreaterThan(0);
    expect(leaks.every((leak) => leak.startsWith(way.replace(" of silence", "")))).toBe(true);
    expect(leaks[0]).toContain(` let ${key} out: `);
  });

  it.skipIf(!hasRedisServer())("is noticed in Redis", async () => {
    const server = await startRedisServer();
    const client = createClient({ url: server.url });
    await client.connect();
    await client.set("parley:bindings:slack/T1/C1", key);
    client.destroy();
    await server.stop();

    expect(takeLeaks()).toEqual([expect.stringContaining(key)]);
  });

  it.for(["sk-live-0123456789abcdef", "hunter2", slackBotToken, slackAppToken, slackSigningSecret, discordToken])(
    "is any of those that tests plant: %s",
    (planted) => {
      expect(keyIn(`before ${planted} after`)).toBe(planted);
    },
  );
});
