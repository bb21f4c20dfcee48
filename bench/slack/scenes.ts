/**
 * Scenes of bench/slack/bench.ts. One alone, and without the naive bot:
 *
 *   node bench/slack/scenes.ts hundred alone
 */
import { setTimeout as sleep } from "node:timers/promises";
import { isFinal, quantile } from "../bots/answers.ts";
import { atLeast, atMost, figures, inWords, measures, rhythms, short, shortTokens, tokens } from "../bots/pace.ts";
import type { Where } from "../bots/room.ts";
import type { Measure } from "../measure.ts";
import { playNamed, type Scenes } from "../scenes.ts";
import { openSlackRoom } from "./room.ts";
import type { Acknowledged } from "./server.ts";

export const scenes = {
  acknowledgement: async () => {
    const room = await openSlackRoom({ steps: 20, pauseMs: 800, toolMs: 50 });
    await room.ask(0, 100, "own channels");
    await sleep(4_000);
    const acks: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      const asked = await room.ask<Acknowledged>(100 + round * 10, 10, "own channels");
      acks.push(...asked.map(({ ackMs }) => ackMs));
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
  ten: () => ten("quick", "own channels"),
  tenSlow: () => ten("slow", "own channels"),
  tenInOne: () => ten("quick", "one channel"),

  hundred: () =>
    measures(
      "100 answers of 5 s in a hundred channels",
      { stream: short, count: 100, where: "own channels", open: (bot) => openSlackRoom({ ...short, bot }) },
      [
        atLeast(100, figures.inTime),
        figures.final,
        atMost(10_000, figures.lastFinal),
        atMost(0, figures.limited),
        figures.tooEarly,
        atMost(1, figures.answersEach),
        figures.messagesEach,
        figures.requests,
        atMost(190, figures.memory),
        atMost(10, figures.loop),
      ],
    ),

  tokens: () =>
    measures(
      "1 answer of 10 s, 60 tokens a second",
      {
        ...{ stream: tokens, count: 1, where: "own channels", isParleyOnly: true },
        open: (bot) => openSlackRoom({ ...tokens, bot }),
      },
      [
        atMost(1, figures.posts),
        figures.edits,
        atMost(150, figures.firstToken),
        figures.tokensMedian,
        figures.tokens,
        atMost(50, figures.lastFinal),
        atMost(0, figures.limited),
      ],
    ),
  hundredTokens: () =>
    measures(
      "100 answers of 5 s, 60 tokens a second, in a hundred channels",
      {
        ...{ stream: shortTokens, count: 100, where: "own channels", isParleyOnly: true },
        open: (bot) => openSlackRoom({ ...shortTokens, bot }),
      },
      [
        atLeast(100, figures.inTime),
        figures.final,
        atMost(10_000, figures.lastFinal),
        atMost(0, figures.limited),
        figures.tooEarly,
        atMost(1, figures.answersEach),
        figures.messagesEach,
        figures.requests,
        atMost(250, figures.memory),
        atMost(20, figures.loop),
      ],
    ),

  storm: async () => {
    const room = await openSlackRoom({ steps: 0, pauseMs: 2_000, toolMs: 0 });
    await room.ask(0, 1, "own channels");
    // So late that the answer's end is what meets it.
    await sleep(1_500);
    await room.tell({ do: "fail", method: "chat.update", times: 4, retryAfterS: 3 });
    await room.finals(1);
    const final = (await room.report()).writes.find(isFinal);
    await room.close();
    return [
      {
        name: "429 storm, four times 3 s: last byte to final",
        value: (final?.atMs ?? Number.NaN) - (final?.sentAtMs ?? Number.NaN),
        target: { atMost: 12_500 },
        unit: "ms",
      },
    ];
  },
} satisfies Scenes;

function one(rhythm: keyof typeof rhythms): Promise<readonly Measure[]> {
  const stream = rhythms[rhythm];
  return measures(
    `1 answer of 40 s, 20 steps, ${inWords[rhythm]}`,
    { stream, count: 1, where: "own channels", open: (bot) => openSlackRoom({ ...stream, bot }) },
    [
      atMost(1, figures.posts),
      atMost(25, figures.edits),
      atLeast(20, figures.steps),
      atMost(1_000, figures.placeholder),
      figures.newStepsMedian,
      atMost(100, figures.newSteps),
      figures.all,
      atMost(50, figures.lastFinal),
      atMost(0, figures.limited),
    ],
  );
}

function ten(rhythm: keyof typeof rhythms, where: Where): Promise<readonly Measure[]> {
  const stream = rhythms[rhythm];
  return measures(
    `10 answers in ${where}, ${inWords[rhythm]}`,
    { stream, count: 10, where, open: (bot) => openSlackRoom({ ...stream, bot }) },
    [
      figures.allEdits,
      figures.newStepsMedian,
      atMost(12_000, figures.newSteps),
      atMost(1_000, figures.withStatus),
      figures.all,
      figures.final,
      atMost(1_000, figures.lastFinal),
      atMost(0, figures.limited),
      figures.tooEarly,
      figures.messagesEach,
    ],
  );
}

if (import.meta.main) await playNamed(scenes);
