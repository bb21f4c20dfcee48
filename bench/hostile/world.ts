/**
 * Runs the strict local platform, the hostile service and the hostile site in one separate process, so that their work
 * isn't counted as Parley's. The parent orders what people do.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { startFakeDiscord, token } from "../../test/fakes/discord/index.ts";
import { botId } from "../../test/fakes/discord/world.ts";
import { appToken, botToken, startFakeSlack } from "../../test/fakes/slack/index.ts";
import { obey } from "../bots/orders.ts";
import { type Hostility, startHostileService } from "./service.ts";

export type PlatformName = "slack" | "discord";

export type Order =
  | { readonly do: "start"; readonly platform: PlatformName; readonly hostility: Hostility }
  /** Resolves when Parley is connected. */
  | { readonly do: "wait" }
  /** A mention of Parley by somebody who may do everything. */
  | { readonly do: "say"; readonly text: string; readonly file?: AttachedFile }
  /** How many messages Parley has shown, and the beginning of the newest. */
  | { readonly do: "look" };

export type Shown = { readonly messages: number; readonly newest: string };

/** So many bytes of rows with so many columns, each of so many characters: JSON where the name says so, else CSV. */
export type AttachedFile = {
  readonly name: string;
  readonly bytes: number;
  readonly columns: number;
  readonly cell: number;
};

export type World = { readonly serviceUrl: string; readonly settings: Readonly<Record<string, string>> };

const general = "C0GENERAL";

let slack: Awaited<ReturnType<typeof startFakeSlack>> | undefined;
let discord: Awaited<ReturnType<typeof startFakeDiscord>> | undefined;

async function start({ platform, hostility }: Extract<Order, { do: "start" }>): Promise<World> {
  const serviceUrl = await startHostileService(hostility);
  if (platform === "slack") {
    slack = await startFakeSlack();
    const settings = { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_API_URL: slack.apiUrl };
    return { serviceUrl, settings };
  }
  discord = await startFakeDiscord();
  return { serviceUrl, settings: { DISCORD_TOKEN: token, DISCORD_API_URL: discord.apiUrl } };
}

async function carryOut(order: Order): Promise<unknown> {
  switch (order.do) {
    case "start":
      return start(order);
    case "wait":
      while (slack?.deliveries.sockets.size === 0 || discord?.gateway.isOnline() === false) await sleep(10);
      return undefined;
    case "say":
      return say(order);
    case "look":
      return look();
    default:
      return order satisfies never;
  }
}

function say({ text, file }: Extract<Order, { do: "say" }>): void {
  if (discord !== undefined) {
    const { world, human } = discord;
    human("Alice").mention(world.channel("general"), text);
    return;
  }
  if (slack === undefined) throw new Error("not started");
  slack.person("U0ALICE").mention(general, text, file === undefined ? {} : { files: [attach(slack, file)] });
}

function look(): Shown {
  const all = [
    ...[...(slack?.world.messages.values() ?? [])].filter(({ bot_id }) => bot_id !== undefined),
    ...[...(discord?.world.messages.values() ?? [])].filter(({ authorId }) => authorId === botId),
  ];
  return { messages: all.length, newest: JSON.stringify(all.at(-1) ?? "").slice(0, maxNewestChars) };
}

const maxNewestChars = 1_500;

function attach(
  { world, base }: NonNullable<typeof slack>,
  { name, bytes, columns, cell }: AttachedFile,
): Readonly<Record<string, unknown>> {
  const names = Array.from({ length: columns }, (_, at) => `c${at}`);
  const cells = names.map((_name, at) => String(at % 10).repeat(cell));
  const isJson = name.endsWith(".json");
  const row = isJson ? JSON.stringify(Object.fromEntries(names.map((column, at) => [column, cells[at]]))) : `${cells}`;
  const head = isJson ? "[" : `${names}\n`;
  const between = isJson ? "," : "\n";
  const rows = Math.max(1, Math.floor((bytes - head.length) / (row.length + between.length)));
  const content = Buffer.from(`${head}${Array(rows).fill(row).join(between)}${isJson ? "]" : "\n"}`);
  world.files.set("F1", { name, content, type: isJson ? "application/json" : "text/csv" });
  const url = `${base}/files/F1`;
  return {
    id: "F1",
    name,
    mimetype: isJson ? "application/json" : "text/csv",
    size: content.length,
    url_private: url,
    url_private_download: url,
  };
}

obey(carryOut);
