/** A whole Parley over a platform in memory, with people who give commands and press buttons. */
import { onTestFinished } from "vitest";
import type { Action, Document } from "../../../src/core/document.ts";
import type { Actor, Place } from "../../../src/core/model/place.ts";
import type { ChatPlatform, Inbound } from "../../../src/core/ports/chat-platform.ts";
import type { State } from "../../../src/core/ports/state.ts";
import { composeParley } from "../../../src/parley.ts";
import { documentText } from "../../../src/presentation/markdown/plain-text.ts";
import { openState } from "../../../src/state/open-state.ts";
import { readingFor, settingsWith } from "../../doubles/composition.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { createMemoryPlatform } from "../../doubles/memory-platform.ts";
import { noMetrics } from "../../doubles/nulls/no-metrics.ts";
import { alice, general } from "../../doubles/people.ts";
import { createAgents } from "../../doubles/service/agents.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";

/** `more`: what the platform tells besides. */
export async function openParley(more: Partial<ChatPlatform> = {}) {
  const clock = createFakeClock();
  const agents = createAgents();
  const memory = createMemoryPlatform({ clock });
  const platform = {
    ...memory,
    timeZone: async ({ id }: Actor) => (id === alice.id ? "Europe/Berlin" : "Mars/Olympus"),
    directPlace: () => ({ ...general, channel: "direct" }),
    ...(more as object),
  };
  const dataDir = await temporaryFolder("parley");
  let state: State = await openState({ dataDir, clock, log });
  let parley = await start();
  let events = 0;

  async function start() {
    const composed = await composeParley({
      ...{ settings: settingsWith({ recoveryIntervalMs: 0 }), state, service: agents, clock, log },
      platforms: [{ name: "memory", connect: async () => platform }],
      ...{ reading: readingFor(clock), metrics: noMetrics },
    });
    await composed.start();
    return composed;
  }

  async function stop() {
    const drained = parley.drain(0);
    await clock.advance(1_000);
    await drained;
    await parley.close();
    await state.close();
  }
  onTestFinished(stop);

  /** Another process over the same store and platform, for as long as the test takes. */
  async function second(): Promise<void> {
    const other = await start();
    onTestFinished(async () => {
      const drained = other.drain(0);
      await clock.advance(1_000);
      await drained;
    });
  }

  /** What that person alone was sent. */
  async function send(inbound: Record<string, unknown>, actor: Actor): Promise<Document | undefined> {
    events += 1;
    let sent: Document | undefined;
    const handled = memory.emit({
      ...{ eventKey: `memory/T1/${events}`, order: String(events).padStart(10, "0"), place: general, actor },
      conversation: { ...general, ...(inbound["place"] as object | undefined), thread: `asked-${events}` },
      attachments: [],
      ack: async () => undefined,
      reply: {
        send: async (document: Document) => {
          sent = document;
        },
      },
      ...inbound,
    } as unknown as Inbound);
    await clock.advance(100);
    await handled;
    return sent;
  }

  const textOf = (document: Document | undefined) => (document === undefined ? "" : documentText(document));
  const actionsOf = (document: Document | undefined): readonly Action[] => [
    ...(document?.blocks ?? []).flatMap((block) => (block.kind === "actions" ? block.actions : [])),
    ...(document?.actions ?? []),
  ];

  return {
    ...{ clock, agents, memory, dataDir, textOf, second },
    state: () => state,
    privacy: () => parley.privacy,
    say: (text: string, actor: Actor = alice, changes: Record<string, unknown> = {}) =>
      send({ kind: "command", input: { kind: "typed", text }, ...changes }, actor),
    press: (document: Document | undefined, label: string, actor: Actor = alice) => {
      const action = actionsOf(document).find((one) => one.label === label);
      if (action === undefined) throw new Error(`No button ${label}`);
      return send({ kind: "action", action: action.id, value: action.value }, actor);
    },
    act: (action: string, value: string, actor: Actor = alice) => send({ kind: "action", action, value }, actor),
    /** Plays the answer to that question. */
    answer: async (index: number, text: string) => {
      const run = await agents.run(index);
      run.answer(text);
      await clock.advance(1_000);
    },
    /** `downMs`: how long Parley is down. */
    restart: async (downMs = 0) => {
      await stop();
      await clock.advance(downMs);
      state = await openState({ dataDir, clock, log });
      parley = await start();
    },
    shown: (place: Place = general) => memory.thread(place).map(({ payload }) => payload.text),
  };
}
