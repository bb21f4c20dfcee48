/**
 * Scenes of bench/discord/bench.ts. One alone, and without the naive bot:
 *
 *   node bench/discord/scenes.ts hundred alone
 */
import { setTimeout as sleep } from "node:timers/promises";
import { quantile } from "../bots/answers.ts";
import { atLeast, atMost, figures, inWords, measures, rhythms, short, shortTokens, tokens } from "../bots/pace.ts";
import type { Where } from "../bots/room.ts";
import type { Measure } from "../measure.ts";
import { playNamed, type Scenes } from "../scenes.ts";
import { openDiscordRoom } from "./room.ts";

/** No edit waits behind another of the same message: neither on its way nor in the library's queue. */
const unqueued = [atMost(1, figures.editsAtOnce), atMost(1, figures.editsInLibrary), figures.heldBack];

export const scenes = {
  acknowledgement: async () => {
    const room = await openDiscordRoom({ steps: 20, pauseMs: 1_000, toolMs: 50, people: 200 });
    await room.ask(0, 100, "own channels");
    await sleep(6_000);
    const acks: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      acks.push(...(await room.tell<readonly number[]>({ do: "command", from: 100 + round * 10, count: 10 })));
      await sleep(100);
    }
    await room.close();
    return [
      {
        name: "acknowledgement with 100 running answers, p99",
        value: quantile(acks, 0.99),
        target: { atMost: 500 },
        unit: "ms",
      },
    ];
  },

  one: () => one("quick"),
  oneSlow: () => one("slow"),
  ten: () => ten("quick", "one channel"),
  tenSlow: () => ten("slow", "one channel"),
  tenChannels: () => ten("quick", "own channels"),
  tenChannelsSlow: () => ten("slow", "own channels"),

  /** A Discord so slow that the next change comes while the last is on its way. */
  slow: () => {
    const stream = { steps: 20, pauseMs: 500, toolMs: 50 };
    const discord = { latencyMs: 400 };
    return measures(
      "10 answers, writes take 400 ms",
      {
        ...{ stream, count: 10, where: "one channel" },
        open: (bot) => openDiscordRoom({ ...stream, bot, people: 10, discord }),
      },
      [atMost(0, figures.limited), ...unqueued],
    );
  },

  hundred: () => hundred("one channel", 6.5),
  hundredChannels: () => hundred("own channels"),
  /** By commands, whose answers need no thread: they can be written with the commands' tokens. */
  hundredCommands: () =>
    measures(
      "100 answers of 5 s in one channel, by /ask",
      {
        ...{ stream: short, count: 100, where: "one channel", isParleyOnly: true },
        open: async (bot) => {
          const room = await openDiscordRoom({ ...short, bot, people: 100 });
          return { ...room, ask: (from, count, where) => room.tell({ do: "ask by command", from, count, where }) };
        },
      },
      hundredFigures(6.5),
    ),

  tokens: () =>
    measures(
      "1 answer of 10 s, 60 tokens a second",
      {
        ...{ stream: tokens, count: 1, where: "own channels", isParleyOnly: true },
        open: (bot) => openDiscordRoom({ ...tokens, bot, people: 1 }),
      },
      [
        // Its 4,500 characters fill two messages.
        figures.posts,
        figures.edits,
        atMost(150, figures.firstToken),
        figures.tokensMedian,
        figures.tokens,
        atMost(50, figures.lastFinal),
        atMost(0, figures.limited),
        ...unqueued,
      ],
    ),
  hundredTokens: () =>
    measures(
      "100 answers of 5 s, 60 tokens a second, in a hundred channels",
      {
        ...{ stream: shortTokens, count: 100, where: "own channels", isParleyOnly: true },
        open: (bot) => openDiscordRoom({ ...shortTokens, bot, people: 100 }),
      },
      [
        figures.shown,
        figures.final,
        figures.lastFinal,
        atMost(0, figures.limited),
        atMost(1, figures.answersEach),
        atMost(1, figures.editsAtOnce),
        figures.requests,
        atMost(250, figures.memory),
        atMost(20, figures.loop),
      ],
    ),
} satisfies Scenes;

const places: Readonly<Record<Where, string>> = { "one channel": "threads of one channel", "own channels": "channels" };

function one(rhythm: keyof typeof rhythms): Promise<readonly Measure[]> {
  const stream = rhythms[rhythm];
  return measures(
    `1 answer of 40 s, 20 steps, ${inWords[rhythm]}`,
    { stream, count: 1, where: "own channels", open: (bot) => openDiscordRoom({ ...stream, bot, people: 1 }) },
    [
      atMost(1, figures.posts),
      atMost(25, figures.edits),
      atLeast(20, figures.steps),
      figures.placeholder,
      figures.newStepsMedian,
      atMost(150, figures.newSteps),
      figures.all,
      atMost(50, figures.lastFinal),
      atMost(0, figures.limited),
      ...unqueued,
    ],
  );
}

function ten(rhythm: keyof typeof rhythms, where: Where): Promise<readonly Measure[]> {
  const stream = rhythms[rhythm];
  return measures(
    `10 answers in ten ${places[where]}, ${inWords[rhythm]}`,
    { stream, count: 10, where, open: (bot) => openDiscordRoom({ ...stream, bot, people: 10 }) },
    [
      figures.edits,
      atLeast(20, figures.steps),
      figures.newStepsMedian,
      atMost(150, figures.newSteps),
      figures.all,
      atMost(200, figures.lastFinal),
      atMost(0, figures.limited),
      ...unqueued,
    ],
  );
}

function hundred(where: Where, endedAfterS?: number): Promise<readonly Measure[]> {
  return measures(
    where === "one channel" ? "100 answers of 5 s in one channel" : "100 answers of 5 s in a hundred channels",
    { stream: short, count: 100, where, open: (bot) => openDiscordRoom({ ...short, bot, people: 100 }) },
    hundredFigures(endedAfterS),
  );
}

function hundredFigures(endedAfterS: number | undefined) {
  return [
    figures.shown,
    endedAfterS === undefined ? figures.ended : atMost(endedAfterS, figures.ended),
    figures.final,
    figures.lastFinal,
    atMost(0, figures.limited),
    atMost(1, figures.answersEach),
    atMost(1, figures.editsAtOnce),
    figures.requests,
    atMost(200, figures.memory),
    figures.loop,
  ];
}

if (import.meta.main) await playNamed(scenes);
