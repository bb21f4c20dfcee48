/**
 * What a company has after an earlier version: its storage as a killed process left it, its Slack and Discord with their
 * messages, and an agent service that answers everything.
 */
import { once } from "node:events";
import { copyFile, readFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createClient } from "@redis/client";
import { createParleyProcess } from "../../doubles/processes/parley-process.ts";
import { type RedisServer, startRedisServer } from "../../doubles/processes/redis-server.ts";
import { startFeedingService } from "../../doubles/service/feeding-service.ts";
import { answers25 } from "../../doubles/service/scripted-answers.ts";
import { startScriptedService } from "../../doubles/service/scripted-service.ts";
import { startFakeDiscord, token } from "../../fakes/discord/index.ts";
import { type Channel, guildId, type Message } from "../../fakes/discord/world.ts";
import { appToken, botToken, startFakeSlack } from "../../fakes/slack/index.ts";
import type { StoredMessage } from "../../fakes/slack/world.ts";

export type OldStorage = "sqlite" | "redis";
/** The folders of test/fixtures with such storages. */
export type OldVersion = "0.1.0" | "before-quiet" | "before-gaps" | "before-responses";

export type Facts = {
  readonly madeAtMs: number;
  readonly turns: readonly {
    readonly id: string;
    readonly state: string;
    readonly question: string;
    readonly platform: string;
    readonly hasOutcome: boolean;
    readonly feedback: Readonly<Record<string, string>>;
    /** Ids of the messages of its Reply; null where the post was about to be made. */
    readonly parts: readonly (string | null)[];
  }[];
  readonly jobs: readonly { readonly id: string; readonly state: string }[];
  /** Keys by namespace. */
  readonly keyValues: Readonly<Record<string, readonly string[]>>;
};

type Chats = {
  readonly slack: readonly StoredMessage[];
  readonly discord: { readonly threads: readonly Channel[]; readonly messages: readonly Message[] };
};

type RedisEntry = { readonly key: string; readonly ttlMs?: number } & (
  | { readonly type: "string"; readonly value: string }
  | { readonly type: "hash"; readonly value: Readonly<Record<string, string>> }
  | { readonly type: "set"; readonly value: readonly string[] }
  | { readonly type: "zset"; readonly value: { value: string; score: number }[] }
);

const folderOf = (version: OldVersion) => new URL(`../../fixtures/${version}/`, import.meta.url).pathname;
const clockFile = join(folderOf("0.1.0"), "clock.mjs");

async function read<T>(version: OldVersion, storage: OldStorage, name: string): Promise<T> {
  return JSON.parse(await readFile(join(folderOf(version), storage, name), "utf8")) as T;
}

/** A redis-server that holds what that version left in one. */
export async function startOldRedis(version: OldVersion = "0.1.0"): Promise<RedisServer> {
  const server = await startRedisServer();
  const client = createClient({ url: server.url });
  await client.connect();
  for (const entry of await read<readonly RedisEntry[]>(version, "redis", "redis.json")) {
    if (entry.type === "string") await client.set(entry.key, entry.value);
    else if (entry.type === "hash") await client.hSet(entry.key, entry.value);
    else if (entry.type === "set") await client.sAdd(entry.key, [...entry.value]);
    else await client.zAdd(entry.key, entry.value);
    if (entry.ttlMs !== undefined) await client.pExpire(entry.key, entry.ttlMs);
  }
  client.destroy();
  return server;
}

/** The path of a copy of the old database goes there. */
const copyOldDatabase = (version: OldVersion, dataDir: string) =>
  copyFile(join(folderOf(version), "sqlite/parley.db"), join(dataDir, "parley.db"));

/** One address for two services: agents of the one, knowledge bases of the other. */
async function startFront(agents: string, knowledgeBases: string) {
  const server = createServer((incoming, response) => {
    const { url = "", method, headers } = incoming;
    const target = new URL(url, /knowledge_bases|sql\/query/.test(url) ? knowledgeBases : agents);
    // A kept connection could be closed by the server just when it is used again.
    const outgoing = request(target, { method, headers, agent: false });
    response.on("close", () => outgoing.destroy());
    outgoing.on("error", () => response.destroy());
    outgoing.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(outgoing);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** Everything but a running Parley: `start` is the upgrade. */
export async function openOldTown(version: OldVersion, storage: OldStorage) {
  const facts = await read<Facts>(version, storage, "facts.json");
  const chats = await read<Chats>(version, storage, "chats.json");
  const aheadMs = facts.madeAtMs + 5_000 - Date.now();
  const service = await startScriptedService(({ question }) =>
    answers25({ question, answer: `The new answer to: ${question}` }),
  );
  const feeding = await startFeedingService({ knowledgeBases: ["docs", "slow"] });
  const front = await startFront(service.url, feeding.url);
  const slack = await startFakeSlack({ rates: false });
  const discord = await startFakeDiscord();
  slack.advance(aheadMs);
  discord.advance(aheadMs);
  for (const message of chats.slack) slack.world.messages.set(message.ts, message);
  for (const thread of chats.discord.threads) discord.world.channels.set(thread.id, { ...thread, denied: 0n });
  for (const message of chats.discord.messages) discord.world.messages.set(message.id, message);
  const redis = storage === "redis" ? await startOldRedis(version) : undefined;
  const parley = await createParleyProcess({
    ...{ SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_API_URL: slack.apiUrl },
    ...{ DISCORD_TOKEN: token, DISCORD_API_URL: discord.apiUrl, DISCORD_GUILD_ID: guildId },
    ...{ DISCORD_MESSAGE_CONTENT: "true", CONSOLE: "on", AGENT_DEFAULT: "support", AGENT_SERVICE_URL: front.url },
    ...{ CLOCK_AHEAD_MS: String(aheadMs), NODE_OPTIONS: `--import ${clockFile}` },
    ...(redis === undefined ? {} : { REDIS_URL: redis.url }),
  });
  if (redis === undefined) await copyOldDatabase(version, parley.dataDir);
  return {
    facts,
    service,
    feeding,
    slack,
    discord,
    redis,
    parley,
    close: async () => {
      await parley.close();
      await slack.stop();
      await discord.stop();
      await front.close();
      await feeding.close();
      await service.close();
      await redis?.stop();
    },
  };
}
