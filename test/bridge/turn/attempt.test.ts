import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import type { BridgeApp } from "../../../src/bridge/app.ts";
import { askAgent } from "../../../src/bridge/turn/ask.ts";
import { createRecord, type TurnControl } from "../../../src/bridge/turn/record.ts";
import { type Living, openReply } from "../../../src/bridge/turn/reply.ts";
import type { Reach } from "../../../src/core/access.ts";
import type { Conversations } from "../../../src/core/conversations.ts";
import type { Actor } from "../../../src/core/model/place.ts";
import type { Turn } from "../../../src/core/model/turn.ts";
import type { TurnStore } from "../../../src/core/ports/state.ts";
import { createMemoryCoordinator } from "../../../src/state/memory/coordinator.ts";
import { appOf } from "../../doubles/app.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { createMemoryPlatform } from "../../doubles/memory-platform.ts";
import { keptNotices } from "../../doubles/notices.ts";
import { readText } from "../../doubles/read-text.ts";
import { createAgents } from "../../doubles/service/agents.ts";
import { storedTurn } from "../../doubles/stored-turn.ts";

/** One attempt alone, over stubs of what it asks. */
function start(signal = new AbortController().signal) {
  const clock = createFakeClock();
  const agents = createAgents();
  const startedAtMs = clock.now();
  const shownAtMs: number[] = [];
  const turn = storedTurn({ createdAtMs: startedAtMs });
  const turns = {
    get: async () => turn,
    transition: async (_id, _from, state, patch) => ({ ...turn, ...patch, state }) as Turn,
  } as Partial<TurnStore> as TurnStore;
  const reach: Partial<Reach> = {
    may: () => ({ allowed: true, isPrivate: false }),
    resolve: async () => ({
      kind: "bound",
      binding: { project: "mindsdb", agent: "guide", mode: "thread" },
      from: "channel",
    }),
  };
  const conversations: Partial<Conversations> = {
    get: async () => ({ version: 1, entries: [] }),
    update: async () => {},
  };
  const app = {
    ...appOf({
      ...{ service: agents, turns, coordinator: createMemoryCoordinator({ clock }), clock, reach },
      ...{ sites: new Map(), notices: keptNotices(), audit: { record: async () => {} } },
      bindings: { own: async () => undefined },
      settings: {
        heartbeatMs: 10_000,
        approvers: "asker",
        questionLimits: { questionsPerPersonPerMinute: 1, questionsPerChannelPerMinute: 1 },
      },
    }),
    readText,
    circuit: { check: () => {}, reached: () => {}, failed: () => {}, close: () => {} },
    conversations,
    people: { newest: (actor: Actor) => actor },
    talk: { noteAnswer: async () => {} },
    topics: { note: async () => {} },
    unasked: { mayPost: async () => true, count: async () => {}, noteQuiet: async () => {} },
  } as unknown as BridgeApp;
  const writer = {
    show: () => void shownAtMs.push(clock.now() - startedAtMs),
    finish: async () => {},
    cutShort: async () => "whole" as const,
    close: async () => {},
    current: () => turn.reply,
    writtenAtMs: () => 0,
  };
  const site = {
    platform: createMemoryPlatform({ clock }),
    delivery: {
      open: () => writer,
      refresh: async () => "same" as const,
      removeSuperseded: async () => "done" as const,
    },
  };
  const control: TurnControl = {
    signal: () => signal,
    renew: () => {},
    onRunning: () => {},
    onWaiting: () => {},
    interrupt: () => {},
  };
  const record = createRecord(turn, control, app);
  const living: Living = { record, control, site, isRecovered: false, lane: "" };
  living.reply = openReply(living, undefined, app);
  return { clock, agents, shownAtMs, ended: askAgent(living, app) };
}

it("removes its listeners from the signal: Node keeps a combined signal and all it holds alive while it has any", async () => {
  const signal = AbortSignal.any([new AbortController().signal, new AbortController().signal]);
  const { agents, ended } = start(signal);
  (await agents.run(0)).answer("At two.");

  expect(await ended).toMatchObject({ kind: "reached", end: { view: { answer: "At two." } } });
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});

it("is redrawn after ten seconds without an event, and not while events arrive", async () => {
  const { clock, agents, ended, shownAtMs } = start();
  const asked = await agents.run(0);
  shownAtMs.length = 0;
  for (let step = 0; step < 6; step += 1) {
    await clock.advance(4_000);
    asked.send({ type: "step-started", tool: "kb_list_tool", input: `${step}` });
  }
  await clock.advance(25_000);
  asked.answer("At two.");
  await ended;

  expect(shownAtMs).toEqual([4_000, 8_000, 12_000, 16_000, 20_000, 24_000, 34_000, 44_000]);
});
