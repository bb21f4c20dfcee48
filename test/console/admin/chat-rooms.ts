/** A whole Parley in Slack or in Discord, with the built-in agent service, for tests of the admin pages. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { startBuiltInService } from "../../../src/agent-service/built-in/start-service.ts";
import type { Place } from "../../../src/core/model/place.ts";
import type { AgentService } from "../../../src/core/ports/agent-service.ts";
import { systemClock as clock } from "../../../src/core/tools/system-clock.ts";
import { readingFor } from "../../doubles/composition.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { until } from "../../doubles/until.ts";
import { botId, guildId, permissions, textOf } from "../../fakes/discord/world.ts";
import { openParley as openInDiscord } from "../../journeys/discord/parley.ts";
import { openParley as openInSlack, textOf as textOfBlocks } from "../../journeys/slack/parley.ts";
import type { visiting } from "./visiting.ts";

const project = "mindsdb";

export type ChatRoom = {
  readonly service: AgentService;
  readonly admin: ReturnType<typeof visiting>;
  readonly general: Place;
  readonly secret: Place;
  /** Someone asks there with a mention. */
  readonly ask: (question: string) => void;
  /** An admin of the chat adds that page there. */
  readonly ingest: (url: string) => Promise<void>;
  /** The member asks for a schedule there and confirms it. */
  readonly schedule: (words: string) => Promise<void>;
  /** Who asks; may be notified. */
  readonly memberId: string;
  /** All that Parley wrote, wherever and to whomever, as text; and everything that it sent. */
  readonly said: () => readonly string[];
  readonly sent: () => string;
  readonly saidIn: (place: Place) => readonly string[];
  /** Against the platform's rules. */
  readonly violations: () => readonly string[];
  /** Ids of people, as often as they were notified. */
  readonly pinged: () => readonly string[];
  /** Direct messages that Parley opened or wrote. */
  readonly direct: () => number;
};

async function openService(): Promise<AgentService> {
  const dataDir = await temporaryFolder("chat-room");
  const reading = readingFor(clock);
  const { readPages } = reading;
  const service = await startBuiltInService({ dataDir, project, readPages, insertMs: 3_000, clock, log });
  onTestFinished(service.close);
  await service.createKnowledgeBase(project, { name: "handbook" });
  for (const name of ["support", "sales"]) await service.createAgent(project, { name, knowledgeBases: ["handbook"] });
  return service;
}

async function slackRoom(): Promise<ChatRoom> {
  const service = await openService();
  const { slack, alice, bob, admin } = await openInSlack({ service });
  slack.world.mayBePinged.add("U0BOB");
  const place = (channel: string) => ({ platform: "slack", workspace: "T0ACME", channel });
  const own = () => [...slack.world.messages.values()].filter((one) => one.bot_id !== undefined);
  return {
    service,
    admin: admin(),
    general: place("C0GENERAL"),
    secret: place("G0SECRET"),
    ask: (question) => void bob.mention("C0GENERAL", question),
    ingest: async (url) => void (await alice.command("/kb", `ingest ${url} into handbook`, "C0GENERAL")),
    schedule: async (words) => {
      await bob.command("/ask", words, "C0GENERAL");
      const offer = () => own().find(({ blocks }) => JSON.stringify(blocks).includes("schedule-confirm"));
      await until("the offer", () => offer() !== undefined);
      await bob.click(offer()?.ts ?? "", "Confirm");
    },
    memberId: "U0BOB",
    pinged: () => slack.world.pinged,
    said: () => own().map(({ blocks }) => textOfBlocks(blocks)),
    sent: () => JSON.stringify(slack.calls.map(({ method, body }) => [method, body])),
    saidIn: ({ channel }) =>
      own()
        .filter((one) => one.channel === channel && one.visibleTo === undefined)
        .map(({ blocks }) => textOfBlocks(blocks)),
    violations: () => [
      ...slack.violations,
      ...slack.calls.flatMap(({ method, error }) => (error === undefined ? [] : [`${method}: ${error}`])),
    ],
    direct: () =>
      slack.callsTo("conversations.open").length + own().filter(({ channel }) => channel.startsWith("D")).length,
  };
}

async function discordRoom(): Promise<ChatRoom> {
  const service = await openService();
  const secretId = "200000000000000050";
  const parley = await openInDiscord({
    service,
    before: ({ world }) => {
      const deniedToAll = permissions.viewChannel;
      world.addChannel({ id: secretId, type: 0, name: "secret", deniedToAll, allowedRoles: ["800000000000000003"] });
    },
  });
  const { discord, alice, bob, admin, general, platform } = parley;
  discord.world.mayBePinged.add(bob.person.id);
  await until("the server is served", async () => ((await platform().ownChannels?.()) ?? []).length > 0);
  const place = (channel: string) => ({ platform: "discord", workspace: guildId, channel });
  const own = () => [...discord.world.messages.values()].filter(({ authorId }) => authorId === botId);
  const isDirect = (id: string) => discord.world.channels.get(id)?.type === 1;
  return {
    service,
    admin: admin(),
    general: place(general.id),
    secret: place(secretId),
    ask: (question) => void bob.mention(general, question),
    ingest: async (url) => void alice.command(general, "kb ingest", { urls: url, into: "handbook" }),
    schedule: async (words) => {
      bob.command(general, "ask", { question: words });
      const offer = () => own().find(({ components }) => JSON.stringify(components).includes("schedule-confirm"));
      await until("the offer", () => offer() !== undefined);
      bob.press(offer() as NonNullable<ReturnType<typeof offer>>, "Confirm");
    },
    memberId: bob.person.id,
    pinged: () => discord.world.pinged,
    said: () => own().map(wordsOf),
    sent: () => JSON.stringify(discord.calls.map(({ route, body }) => [route, body])),
    saidIn: ({ channel }) =>
      own()
        .filter(({ channelId, seenBy }) => channelId === channel && seenBy === undefined)
        .map(wordsOf),
    violations: () => [
      ...discord.violations,
      ...discord.calls.flatMap(({ route, status }) => (status >= 400 ? [`${route}: ${status}`] : [])),
    ],
    direct: () =>
      discord.callsTo("POST /users/@me/channels").length + own().filter(({ channelId }) => isDirect(channelId)).length,
  };
}

/** Without the marks of bold words, which Slack has as properties of their own. */
function wordsOf(message: Parameters<typeof textOf>[0]): string {
  return textOf(message).replaceAll("**", "");
}

export const chatRooms = { slack: slackRoom, discord: discordRoom };

/** Pages to read: they fail, hang or answer, as the test says. */
export async function startSite() {
  let mode: "fails" | "hangs" | "answers" = "fails";
  const server = createServer((_request, response) => {
    if (mode === "hangs") return;
    if (mode === "fails") {
      response.writeHead(404, { "content-type": "text/plain" }).end("Nothing here.\n");
      return;
    }
    const text = "The breakfast room is opened by the night porter at half past six, on Sundays at eight.";
    response
      .writeHead(200, { "content-type": "text/html; charset=utf-8" })
      .end(
        `<!doctype html><html lang="en"><head><title>Breakfast</title></head><body><main><h1>Breakfast</h1><p>${text}</p></main></body></html>`,
      );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/breakfast`;
  const now = (next: typeof mode) => {
    mode = next;
  };
  return { url, now };
}

/** Resolves when Parley has said these words there to everyone. */
export function hearing(room: ChatRoom, place: Place, words: string): Promise<void> {
  return until(`“${words}” in the channel`, () => room.saidIn(place).some((text) => text.includes(words)));
}
