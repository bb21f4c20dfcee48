/**
 * One Discord, one agent service, and any number of real Parley processes between them. Every request to Discord goes
 * through a proxy that can hold it.
 */
import { startHeldRequests } from "../../doubles/network/held-requests.ts";
import { createParleyProcess, type ParleyProcess } from "../../doubles/processes/parley-process.ts";
import { type Script, startScriptedService } from "../../doubles/service/scripted-service.ts";
import { type FakeDiscordOptions, startFakeDiscord, token } from "../../fakes/discord/index.ts";
import { botId, guildId, type Message, textOf } from "../../fakes/discord/world.ts";
import { until } from "./slack-town.ts";

export type DiscordTown = Awaited<ReturnType<typeof openDiscordTown>>;

export function wordsOf(message: Message | undefined): string {
  return message === undefined ? "" : textOf(message);
}

export async function openDiscordTown(options: {
  readonly script: Script;
  readonly discord?: FakeDiscordOptions;
  readonly settings?: Readonly<Record<string, string>>;
}) {
  const service = await startScriptedService(options.script);
  const discord = await startFakeDiscord({ identifyIntervalMs: 0, ...options.discord });
  const way = await startHeldRequests(discord.apiUrl);
  const processes: ParleyProcess[] = [];

  /** One more process, not started yet. */
  const process = async (settings: Readonly<Record<string, string>> = {}): Promise<ParleyProcess> => {
    const parley = await createParleyProcess({
      ...{ DISCORD_TOKEN: token, DISCORD_API_URL: `${way.url}/api`, DISCORD_GUILD_ID: guildId },
      ...{ DISCORD_MESSAGE_CONTENT: "true", AGENT_SERVICE_URL: service.url, AGENT_DEFAULT: "support" },
      ...options.settings,
      ...settings,
    });
    processes.push(parley);
    return parley;
  };

  return {
    service,
    discord,
    way,
    processes,
    general: discord.world.channel("general"),
    alice: discord.human("Alice"),
    bob: discord.human("Bob"),
    process,
    /** Starts one more process, which is ready when this resolves. */
    parley: async (settings: Readonly<Record<string, string>> = {}): Promise<ParleyProcess> => {
      const parley = await process(settings);
      await parley.start();
      await until("the commands", () => discord.registrations.length > 0);
      return parley;
    },
    /** What Parley has said there for all to see, oldest first. */
    own: (channelId: string): readonly Message[] =>
      discord.world.inChannel(channelId).filter(({ authorId, seenBy }) => authorId === botId && seenBy === undefined),
    close: async () => {
      await Promise.all(processes.map((parley) => parley.close()));
      await way.stop();
      await discord.stop();
      await service.close();
    },
  };
}
