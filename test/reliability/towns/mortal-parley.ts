/**
 * A Parley in this process that dies at a chosen moment, as by kill -9. Every effect on the outside (a record, a
 * message, a question to the service) is counted, and before or after the chosen one nothing else happens. The next
 * start opens what is on disk. So a test can die at every single step, and not only at those somebody thought of.
 */
import { createBindings } from "../../../src/access/bindings.ts";
import { createCircuit } from "../../../src/agent-service/circuit.ts";
import type { AppSettings } from "../../../src/app.ts";
import { type Bridge, createBridge } from "../../../src/bridge/bridge.ts";
import { createConversations } from "../../../src/bridge/conversation/conversations.ts";
import { createTidying } from "../../../src/bridge/shown/tidying.ts";
import type { Conversation } from "../../../src/core/conversations.ts";
import type { AgentEvent, RunHandle } from "../../../src/core/model/agent-event.ts";
import type { Turn } from "../../../src/core/model/turn.ts";
import type { AgentService } from "../../../src/core/ports/agent-service.ts";
import type { Inbound } from "../../../src/core/ports/chat-platform.ts";
import type { ChangingKeyValue, ChangingKeyValueFactory, State } from "../../../src/core/ports/state.ts";
import { createDelivery } from "../../../src/delivery/delivery.ts";
import { createNotices, type DoneNotice } from "../../../src/delivery/notices.ts";
import { openState } from "../../../src/state/open-state.ts";
import { appOf } from "../../doubles/app.ts";
import { defaultSettings } from "../../doubles/composition.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { createMemoryPlatform, type MemoryPlatformOptions } from "../../doubles/memory-platform.ts";
import { noCommands } from "../../doubles/nulls/no-commands.ts";
import { alice, general, thread } from "../../doubles/people.ts";
import { reachOver } from "../../doubles/reach.ts";
import { readText } from "../../doubles/read-text.ts";
import { createAgents } from "../../doubles/service/agents.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";

/** `at`: the step of that number; `on`: the first step whose name begins so. */
export type Death = ({ readonly at: number } | { readonly on: string }) & { readonly side: "before" | "after" };

/** One process: what it does is counted until it dies; the dead neither act nor hear. */
type Life = {
  readonly step: <T>(name: string, act: () => Promise<T>) => Promise<T>;
  readonly alive: <T>(act: () => Promise<T>) => Promise<T>;
  readonly isDead: () => boolean;
  readonly names: readonly string[];
};

const never = new Promise<never>(() => {});

function createLife(death: Death | undefined): Life {
  const names: string[] = [];
  let isDead = false;
  const alive = async <T>(act: () => Promise<T>): Promise<T> => {
    if (isDead) return never;
    try {
      return await act();
    } finally {
      if (isDead) await never;
    }
  };
  return {
    names,
    isDead: () => isDead,
    alive,
    step: async (name, act) => {
      if (isDead) return never;
      names.push(name);
      const isMoment = death !== undefined && ("at" in death ? names.length === death.at : name.startsWith(death.on));
      if (isMoment && death?.side === "before") isDead = true;
      if (!isMoment || isDead) return alive(act);
      try {
        return await act();
      } finally {
        isDead = true;
        await never;
      }
    },
  };
}

/**
 * What the service does with the run of that number, counted from 1 over all lives. `resume`: it is to read this one on;
 * only a service that can do that gets it.
 */
export type Play = (run: number, question: string, resume?: RunHandle) => AsyncIterable<AgentEvent>;

export async function createMortalParley(
  play: Play,
  changes: Partial<AppSettings> = {},
  about: Pick<MemoryPlatformOptions, "limits" | "enforced"> & { readonly service?: Partial<AgentService> } = {},
) {
  const settings = { ...defaultSettings, ...changes };
  const clock = createFakeClock();
  const dataDir = await temporaryFolder("mortal");
  const platform = createMemoryPlatform({ clock, maxChars: 500, ...about });
  let state: State | undefined;
  let bridge: Bridge | undefined;
  let life = createLife(undefined);
  let asked = 0;
  let acknowledged = new Set<string>();

  function serviceOf(of: Life): AgentService {
    return {
      ...createAgents(),
      ...about.service,
      ask: async function* (_project, _agent, messages, options) {
        const question = messages.at(-1)?.question ?? "";
        await of.step(`ask ${question}`, async () => {
          asked += 1;
        });
        for await (const event of play(asked, question, options?.resume)) {
          if (options?.signal?.aborted) return;
          yield await of.alive(async () => event);
        }
      },
    };
  }

  function mortalState(opened: State, of: Life): State {
    const { turns, claims, keyValue, works } = opened;
    const mortalKeyValue: ChangingKeyValueFactory = <T>(namespace: string): ChangingKeyValue<T> => {
      const store = keyValue<T>(namespace);
      return {
        ...store,
        set: (key, value, ttlMs) => of.step(`set ${namespace}`, () => store.set(key, value, ttlMs)),
        change: (key, change, to) => of.step(`change ${namespace}`, () => store.change(key, change, to)),
        delete: (key) => of.step(`delete ${namespace}`, () => store.delete(key)),
      };
    };
    return {
      ...opened,
      keyValue: mortalKeyValue,
      works: {
        ...works,
        define: (kind, definition) => {
          const run: typeof definition.run = async (work, signal) => {
            const next = await of.alive(() => definition.run(work, signal));
            return await of.step(`end ${kind}`, async () => next);
          };
          works.define(kind, { ...definition, run });
        },
        add: (kind, ...work) => of.step(`add ${kind}`, () => works.add(kind, ...work)),
        cancel: (kind, key) => of.step(`cancel ${kind}`, () => works.cancel(kind, key)),
      },
      claims: { claim: (key, ttlMs) => of.step("claim", () => claims.claim(key, ttlMs)) },
      turns: {
        ...turns,
        create: (turn, limits) => of.step("create", () => turns.create(turn, limits)),
        transition: (id, from, to, patch, fence) =>
          of.step(`to ${to} ${Object.keys(patch ?? {})}`, () => turns.transition(id, from, to, patch, fence)),
      },
    };
  }

  /** Starts a process that will die then; resolves when it has taken up what it found. */
  async function start(death?: Death): Promise<void> {
    await state?.close();
    const of = createLife(death);
    life = of;
    state = await openState({ dataDir, clock, log: silentLog });
    const mortal = mortalState(state, of);
    const { coordinator, keyValue, works } = mortal;
    const service = serviceOf(of);
    const { replyPlaces } = platform;
    const mortalPlatform = {
      ...platform,
      ...(replyPlaces === undefined
        ? {}
        : {
            replyPlaces: {
              ...replyPlaces,
              prepare: (...args: Parameters<typeof replyPlaces.prepare>) =>
                of.step("prepare", () => replyPlaces.prepare(...args)),
            },
          }),
      post: (...args: Parameters<typeof platform.post>) => of.step("post", () => platform.post(...args)),
      edit: (...args: Parameters<typeof platform.edit>) => of.step("edit", () => platform.edit(...args)),
      remove: (...args: Parameters<typeof platform.remove>) => of.step("remove", () => platform.remove(...args)),
    };
    const runtime = { ...mortal, service, clock, settings };
    const bindings = createBindings(appOf(runtime));
    const { reach } = reachOver({ bindings, service, keyValue, clock, platform });
    const delivery = createDelivery({ platform: mortalPlatform, coordinator, clock, log: silentLog });
    const site = { platform: mortalPlatform, delivery };
    const notices = createNotices({
      done: keyValue<DoneNotice>("notices"),
      ...{ works, coordinator, siteOf: () => site, clock, log: silentLog },
    });
    const audit = { record: async () => undefined };
    const sites = new Map([["memory", site]]);
    const app = appOf({ ...runtime, bindings, reach, audit, notices, sites });
    const tidying = createTidying(app);
    bridge = createBridge(app, {
      ...{ readText, tidying, commandsIn: () => ({ commands: noCommands }) },
      ...{ conversations: createConversations(app), circuit: createCircuit(app) },
    });
    void bridge.recover();
    void works.start();
    await clock.advance(0);
  }

  /** Delivers an event as a platform does: again after the next start when it was not acknowledged. */
  function deliver(eventKey: string, event: Record<string, unknown>): void {
    const of = life;
    if (acknowledged.has(eventKey)) return;
    const inbound = {
      ...{ place: general, actor: alice, order: eventKey.padStart(10, "0"), eventKey },
      ack: () =>
        of.step("acknowledge", async () => {
          acknowledged.add(eventKey);
        }),
      reply: { send: async () => undefined },
      ...event,
    };
    void bridge?.handle(inbound as unknown as Inbound);
  }

  return {
    platform,
    start,
    isDead: () => life.isDead(),
    /** What the present process did, by name. */
    steps: () => life.names,
    asked: () => asked,
    /** Lets everything happen that is due within that time. */
    settle: (ms = 30_000) => clock.advance(ms),
    ask: (text: string, messageId = "101", conversation = thread) =>
      deliver(messageId, {
        ...{ kind: "message", messageId, text, attachments: [], conversation },
        ...{ mentionsParley: true, addressesOthers: false, isDirect: false },
      }),
    /** To nobody in particular, in a channel with mode `channel`. */
    ponder: async (text: string) => {
      await state?.keyValue("bindings").set("memory/T1/general", { mode: "channel", version: 2 });
      deliver("101", {
        ...{ kind: "message", messageId: "101", text, attachments: [], conversation: thread },
        ...{ mentionsParley: false, addressesOthers: false, isDirect: false },
      });
    },
    edit: (text: string, messageId = "101") =>
      deliver(`${messageId}-edited`, {
        ...{ kind: "message-edited", questionKey: messageId, messageId, text, attachments: [] },
        ...{ mentionsParley: true, addressesOthers: false, isDirect: false },
      }),
    press: async (action: string) => {
      const turn = await state?.turns.getByEventKey("101");
      deliver(`press-${action}`, { kind: "action", action, value: turn?.id ?? "" });
    },
    /** As on SIGTERM: what runs is left for the next start. */
    drain: async () => {
      const drained = bridge?.drain(1_000);
      await clock.advance(2_000);
      await drained;
    },
    /** As if the record had been written so. */
    change: async (messageId: string, changes: Record<string, unknown>) => {
      const turn = await state?.turns.getByEventKey(messageId);
      if (turn !== undefined) await state?.turns.transition(turn.id, [turn.state], turn.state, changes, turn.fence);
    },
    /** What is still to be removed beside answers. */
    untidied: async (): Promise<readonly string[]> => {
      const found: string[] = [];
      for await (const [key] of state?.works.entries("tidying") ?? []) found.push(key);
      return found;
    },
    turn: async (messageId = "101"): Promise<Turn | undefined> => state?.turns.getByEventKey(messageId),
    history: async () => {
      const conversations = state?.keyValue<Conversation>("conversations");
      for await (const [, conversation] of conversations?.entries("") ?? []) return conversation.entries;
      return [];
    },
    texts: () => platform.thread(thread).map((message) => message.payload.text),
    close: async () => {
      await state?.close();
      acknowledged = new Set();
    },
  };
}

export type MortalParley = Awaited<ReturnType<typeof createMortalParley>>;
