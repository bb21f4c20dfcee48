/**
 * Runs two instances over one Redis, or one on SQLite, on Slack, on Discord and with the page, with every fault of a bad
 * year within minutes. The seed decides the faults and their order; the exact moments depend on the machine.
 */
import { readIntervalMs } from "../../adapters/slack/limits.ts";
import { answerJson } from "../doubles/service/scripted-moves.ts";
import { token as discordToken, startFakeDiscord } from "../fakes/discord/index.ts";
import { guildId } from "../fakes/discord/world.ts";
import { openTown, until } from "../reliability/towns/slack-town.ts";
import { createBook } from "./book.ts";
import { createChance } from "./chance.ts";
import { createDiscordAskers } from "./discord-askers.ts";
import { createFaults } from "./faults.ts";
import { type Ask, findTriedTooOften, findWrong, isLimit, mostAsks, noticesLeft } from "./findings.ts";
import { createFeeders } from "./hostile.ts";
import { findLeaks, residentBytes } from "./leaks.ts";
import { createPageAskers } from "./page-askers.ts";
import { createSlackAskers } from "./slack-askers.ts";
import { openChaosStore, type StoreKind } from "./stores.ts";
import { isPoison, playStory, tagOf } from "./stories.ts";

export type ChaosReport = {
  readonly seed: number;
  readonly wrong: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
  /** What the instances said. */
  readonly output: string;
};

/** Slack's own budget for edits lets about 48 answers a minute end, Discord's 35 writes in each channel and thread. */
const everyMs = { slack: 2_600, discord: 2_600, page: 2_600 };
const maxRuns = 4;
const settleLimitMs = 120_000;

export async function runChaos(options: {
  readonly seed: number;
  readonly seconds: number;
  /** Default: redis. */
  readonly store?: StoreKind;
}): Promise<ChaosReport> {
  const chance = createChance(options.seed);
  const store = await openChaosStore(options.store ?? "redis");
  // Heartbeats come soon, so that a gateway that went silent is noticed within the run.
  const discord = await startFakeDiscord({ heartbeatMs: 2_000 });
  const asks: Ask[] = [];
  const closing: (() => Promise<unknown>)[] = [];
  let poison = () => {};
  const town = await openTown({
    service: { routes: { "PUT /api/projects/mindsdb/knowledge_bases/docs": answerJson(200, {}) } },
    script: (run) => {
      const tag = tagOf(run.question);
      if (!run.isPlain) asks.push({ tag, atMs: Date.now() });
      if (isPoison(tag)) poison();
      return playStory(run, chance);
    },
    slack: { ackTimeoutMs: 1_500, retryScale: 1 / 60 },
    settings: {
      ...store.settings,
      ...{ AGENT_MAX_RUNS: String(maxRuns), CONSOLE: "on", LOG_LEVEL: "warn" },
      ...{ INGEST_ALLOW_PRIVATE: "true", JOBS_PER_PERSON: "1000" },
      ...{ DISCORD_TOKEN: discordToken, DISCORD_API_URL: discord.apiUrl, DISCORD_GUILD_ID: guildId },
    },
  });
  try {
    const steady = await town.parley();
    // Only one process can have the folder of SQLite: it dies, too.
    const mortal = store.redis === undefined ? steady : await town.parley();
    const instances = [...new Set([steady, mortal])];
    await until("Discord's commands", () => discord.registrations.length > 0);
    const book = createBook();
    const slackers = createSlackAskers(town, book, chance);
    const discorders = createDiscordAskers(discord, book, chance);
    const pagers = createPageAskers(
      instances.map(({ url }) => url),
      book,
      chance,
    );
    const faults = createFaults({ town, discord, redis: store.redis, steady, mortal, chance });
    const feeders = await createFeeders(
      instances.map(({ url }) => url),
      chance,
    );
    closing.push(feeders.close);
    poison = faults.kill;
    const memory: number[] = [];

    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    const startedMs = Date.now();
    const untilMs = startedMs + options.seconds * 1_000;
    const every = (ms: number, act: () => void) => {
      let dueMs = startedMs + chance.between(0, ms);
      return () => {
        if (Date.now() < dueMs) return;
        dueMs += ms * chance.between(0.5, 1.5);
        act();
      };
    };
    const happenings = [
      every(everyMs.slack, slackers.ask),
      every(everyMs.discord, discorders.ask),
      every(everyMs.page, pagers.ask),
      every(3_000, () => chance.pick([slackers, discorders]).press(chance.pick(["Stop", "Try again"]))),
      every(1_500, () => chance.pick([slackers, discorders, pagers]).repeat()),
      every(3_000, faults.strike),
      every(6_000, feeders.feed),
      // Whether memory is flat shows only on who lives long.
      ...(steady === mortal ? [] : [every(1_000, () => memory.push(residentBytes(steady)))]),
    ];
    while (Date.now() < untilMs) {
      for (const happening of happenings) happening();
      await pause(50);
    }

    await faults.over();
    await Promise.all(book.asked.map(({ settled }) => settled));
    const reader = await store.read(steady.dataDir);
    const isQuiet = async () => (await reader.open()).length === 0 && town.service.runs.atOnce === 0;
    /** What was said to a Discord that nobody heard is read some seconds later; a press may still be on its way. */
    const isOver = async () => {
      if (!(await isQuiet())) return false;
      const stored = new Set((await reader.turns()).map(({ eventKey }) => eventKey));
      if (book.asked.some(({ eventKey, isTaken }) => isTaken() && !stored.has(eventKey))) return false;
      await pause(1_500);
      return isQuiet();
    };
    const wrong: string[] = [];
    // After the last fault, every thread on Slack may have to be read once.
    const threads = book.asked.filter(({ platform }) => platform === "slack").length;
    await until("quiet after the storm", isOver, settleLimitMs + threads * readIntervalMs).catch((failure: unknown) =>
      wrong.push(String(failure)),
    );

    const places = { town, discord, pageUrl: steady.url };
    const turns = await reader.turns();
    const jobs = await reader.jobs();
    wrong.push(...(await reader.open()).map((open) => `still open: ${open}`));
    wrong.push(...(await findWrong({ places, book, asks, turns })));
    const { kills = 0, deathsInOutages = 0 } = faults.counts;
    const deaths = kills + deathsInOutages;
    wrong.push(...findTriedTooOften({ book, asks, turns, jobs, fetched: feeders.fetched(), deaths }));
    wrong.push(...(await findLeaks(instances, memory)));
    const left = noticesLeft(places, turns);
    if (deaths === 0) wrong.push(...left);
    const asked = (platform: string) => book.asked.filter((question) => question.platform === platform).length;
    const figures = {
      ...{ onSlack: asked("slack"), onDiscord: asked("discord"), onPage: asked("console") },
      notTaken: book.asked.filter(({ isTaken }) => !isTaken()).length,
      runs: town.service.runs.started,
      mostRunsAtOnce: town.service.runs.most,
      ...book.counts,
      ...faults.counts,
      jobs: jobs.length,
      gaveUp: turns.filter(({ outcome }) => outcome?.error?.code === "gave_up").length,
      mostAsks: Math.max(0, ...mostAsks(asks, book)),
      noticesLeft: left.length,
      discordLimits: discord.violations.filter(isLimit).length,
      memoryMb: Math.round(residentBytes(steady) / 2 ** 20),
      seconds: Math.round((Date.now() - startedMs) / 1_000),
    };
    if (figures.mostRunsAtOnce > maxRuns) wrong.push(`${figures.mostRunsAtOnce} runs at once`);
    const exits = await Promise.all(instances.map((instance) => instance.end()));
    if (exits.some((code) => code !== 0)) wrong.push(`ended with ${exits}`);
    await reader.close();
    const output = instances.map((instance) => instance.output()).join("\n");
    return { seed: options.seed, wrong, figures, output };
  } finally {
    // Whatever went wrong, no process is left behind.
    await town.close();
    for (const close of closing) await close();
    await discord.stop();
    await store.stop();
  }
}
