import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { acquireRun } from "../../../src/bridge/turn/run.ts";
import { openReply } from "../../../src/bridge/turn/turn-picture.ts";
import { createRecord } from "../../../src/bridge/turn/turn-record.ts";
import { noMetrics } from "../../../src/ports/metrics.ts";
import type { Turn } from "../../../src/ports/model/turn.ts";
import type { TurnStore } from "../../../src/ports/state.ts";
import { createMemoryCoordinator } from "../../../src/state/memory/coordinator.ts";
import { createAgents } from "../../doubles/agents.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { createMemoryPlatform } from "../../doubles/memory-platform.ts";
import { alice, general } from "../../doubles/people.ts";
import { silentLog } from "../../doubles/silent-log.ts";

it("removes its listeners from the signal: Node keeps a combined signal and all it holds alive while it has any", async () => {
  const clock = createFakeClock();
  const agents = createAgents();
  const signal = AbortSignal.any([new AbortController().signal, new AbortController().signal]);
  const run = await acquireRun({ actor: alice, conversation: general }, signal, () => {}, {
    service: agents,
    coordinator: createMemoryCoordinator({ clock }),
    questionLimit: { wait: async () => {} },
    metrics: noMetrics,
    clock,
  });
  const events: string[] = [];
  const reading = (async () => {
    for await (const event of run.ask("mindsdb", "guide", [{ question: "When?", answer: "" }])) events.push(event.type);
  })();
  (await agents.run(0)).answer("At two.");
  await reading;
  run.release();

  expect(events).toContain("answer");
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});

it("is redrawn after ten seconds without a change, and not while there are changes", async () => {
  const clock = createFakeClock();
  const startedAtMs = clock.now();
  const shownAtMs: number[] = [];
  const turn: Turn = {
    version: 1,
    id: "t1",
    ref: "k3f9",
    eventKey: "memory/T1/1",
    askedIn: general,
    conversation: general,
    order: "100",
    actor: alice,
    question: "When?",
    attachments: [],
    via: "message",
    state: "queued",
    attempt: 1,
    reply: { place: general, parts: [] },
    feedback: {},
    createdAtMs: startedAtMs,
    fence: 0,
  };
  const writer = {
    show: () => void shownAtMs.push(clock.now() - startedAtMs),
    finish: async () => {},
    cutShort: async () => "whole" as const,
    close: async () => {},
    current: () => turn.reply,
  };
  const record = createRecord(turn, { turns: {} as TurnStore, clock, log: silentLog });
  const site = { platform: createMemoryPlatform({ clock }), delivery: { open: () => writer } };
  const { picture } = openReply(record, site, { isRecovered: false, mayShow: () => true }, clock);
  const stop = picture.keepMoving(10_000);
  for (let step = 0; step < 6; step += 1) {
    await clock.advance(4_000);
    picture.show({ ...picture.view(), status: `${step}` });
  }
  await clock.advance(25_000);
  stop();
  await clock.advance(25_000);

  expect(shownAtMs).toEqual([0, 4_000, 8_000, 12_000, 16_000, 20_000, 24_000, 34_000, 44_000]);
});
