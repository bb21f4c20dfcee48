/**
 * A bridge for tests, with real parts below it (SQLite, delivery, presentation) and a controlled outside: an in-memory
 * platform, scripted agents and a fake clock.
 */
import { createBindings } from "../../src/access/bindings.ts";
import { createCircuit } from "../../src/agent-service/circuit.ts";
import type { AppSettings } from "../../src/app.ts";
import type { BridgeParts } from "../../src/bridge/app.ts";
import { type Bridge, createBridge } from "../../src/bridge/bridge.ts";
import { createConversations } from "../../src/bridge/conversation/conversations.ts";
import { createRunOnce } from "../../src/bridge/run-once.ts";
import type { Saving } from "../../src/commands/adding/save.ts";
import type { Commands } from "../../src/commands/contract.ts";
import type { Adopting } from "../../src/commands/insight/adoption.ts";
import type { Audit, AuditEntry } from "../../src/core/audit.ts";
import type { TurnNotes } from "../../src/core/content/gaps.ts";
import type { Document } from "../../src/core/document.ts";
import type { Place } from "../../src/core/model/place.ts";
import type { AgentService } from "../../src/core/ports/agent-service.ts";
import type { Acknowledgement, Inbound } from "../../src/core/ports/chat-platform.ts";
import type { Clock } from "../../src/core/ports/clock.ts";
import type { Log } from "../../src/core/ports/log.ts";
import type { Claims, State } from "../../src/core/ports/state.ts";
import { createDelivery } from "../../src/delivery/delivery.ts";
import type { RunOnce } from "../../src/insight/app.ts";
import { createVotes } from "../../src/insight/votes.ts";
import { openState } from "../../src/state/open-state.ts";
import { appOf } from "../doubles/app.ts";
import { defaultSettings } from "../doubles/composition.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";
import { createMemoryPlatform, type MemoryPlatform } from "../doubles/memory-platform.ts";
import { keptNotices } from "../doubles/notices.ts";
import { noCommands } from "../doubles/nulls/no-commands.ts";
import { alice, general, thread } from "../doubles/people.ts";
import { reachOver } from "../doubles/reach.ts";
import { readText } from "../doubles/read-text.ts";
import { createAgents } from "../doubles/service/agents.ts";
import { silentLog } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

export type Sent = { readonly document: Document; readonly visibility: "private" | "public" };

export type Event = {
  readonly acks: Acknowledgement[];
  readonly sent: Sent[];
  readonly done: Promise<void>;
};

const harnessCommands: Commands = {
  ...noCommands,
  plan: () => ({ acknowledgement: { kind: "defer-private" }, role: "ask" }),
  addressee: (text, agents = ["sales", "support", "guide"]) => {
    const [, agent = "", rest] = /^(\w+): (.*)$/.exec(text) ?? [];
    return !agents.includes(agent) || rest === undefined ? undefined : { agent, text: rest };
  },
};

/** What a test says of plans is true of names too, unless it says more. */
function namedAsPlanned(commands: Commands): Commands {
  if (commands.named !== noCommands.named) return commands;
  const named: Commands["named"] = (input) => {
    const { role, question } = commands.plan(input);
    return question === undefined ? { role } : { role, asks: true };
  };
  return { ...commands, named };
}

export async function createHarness(
  options: {
    readonly settings?: Partial<AppSettings>;
    readonly commands?: Partial<Commands>;
    readonly saving?: Saving;
    readonly adopting?: Adopting;
    readonly platform?: Partial<MemoryPlatform>;
    readonly service?: Partial<AgentService>;
    readonly log?: Log;
    readonly openGaps?: () => Promise<number>;
    readonly dateSources?: BridgeParts["dateSources"];
    /** Notes answers over the state of each start. */
    readonly notes?: (state: State, clock: Clock) => TurnNotes;
  } = {},
) {
  const clock = createFakeClock();
  const agents = { ...createAgents(), ...options.service };
  const dataDir = await temporaryFolder("bridge");
  const platform = { ...createMemoryPlatform({ clock }), ...options.platform };
  const settings = { ...defaultSettings, ...options.settings };
  const log = options.log ?? silentLog;
  let state: State;
  let bridge: Bridge;
  let bindings: ReturnType<typeof createBindings>;
  let notices = keptNotices();
  let runOnce: RunOnce;
  const signals: string[] = [];
  const audited: (Pick<AuditEntry, "action" | "about" | "outcome"> & { readonly by: string })[] = [];
  let order = 100;

  let kill = () => {};

  async function openBridge(): Promise<Bridge> {
    const process = mortal(platform);
    kill = process.kill;
    state = await openState({ dataDir, clock, log: silentLog });
    return bridgeOver(process.platform);
  }

  function bridgeOver(platform: MemoryPlatform): Bridge {
    const stores = { ...state, claims: memoryClaims() };
    const { coordinator } = stores;
    const delivery = createDelivery({ platform, coordinator, clock, log: silentLog });
    const runtime = { ...stores, service: agents, clock, settings, log };
    bindings = createBindings(appOf(runtime));
    const { reach } = reachOver({ ...runtime, bindings, platform });
    notices = keptNotices();
    const audit: Audit = {
      record: async ({ actor }, entry) => {
        const about = JSON.parse(JSON.stringify(entry.about)) as AuditEntry["about"];
        audited.push({ ...entry, about, by: actor.name });
      },
    };
    const sites = new Map([["memory", { platform, delivery }]]);
    const app = appOf({ ...runtime, sites, bindings, reach, notices, audit });
    const circuit = createCircuit(app);
    runOnce = createRunOnce(app, { circuit });
    return createBridge(app, {
      ...{ circuit, readText, conversations: createConversations(app) },
      commandsIn: () => ({
        commands: namedAsPlanned({ ...harnessCommands, ...options.commands }),
        ...(options.saving === undefined ? {} : { saving: options.saving }),
        ...(options.adopting === undefined ? {} : { adopting: options.adopting }),
      }),
      ...(options.notes === undefined ? {} : { notes: options.notes(state, clock) }),
      voting: createVotes(app, {
        notes: {
          noteSignal:
            async ({ id }) =>
            () =>
              void signals.push(`${id} is bad`),
          withdrawSignal:
            async ({ id }) =>
            () =>
              void signals.push(`${id} may be good`),
        },
      }),
      ...(options.openGaps === undefined ? {} : { openGaps: options.openGaps }),
      ...(options.dateSources === undefined ? {} : { dateSources: options.dateSources }),
    });
  }

  bridge = await openBridge();
  await platform.start(bridge);

  function send(inbound: Record<string, unknown>, to: Bridge = bridge): Event {
    const acks: Acknowledgement[] = [];
    const sent: Sent[] = [];
    const event = {
      place: general,
      actor: alice,
      ack: async (how: Acknowledgement) => {
        acks.push(how);
      },
      reply: {
        send: async (document: Document, visibility: "private" | "public") => {
          sent.push({ document, visibility });
        },
      },
      ...inbound,
    } as unknown as Inbound;
    return { acks, sent, done: to.handle(event) };
  }

  return {
    clock,
    agents,
    platform,
    bridge: () => bridge,
    runOnce: (...asked: Parameters<RunOnce>) => runOnce(...asked),
    bindings: () => bindings,
    /** What would be posted as notices. */
    notices: () => notices.kept,
    /** What votes have said about answers, in order. */
    signals,
    /** What the audit log has. */
    audited,
    /** Another instance over the same storage and platform. */
    neighbour: () => bridgeOver(platform),
    state: () => state,
    /** A mention in a fresh thread, unless told otherwise. */
    say: (text: string, changes: Record<string, unknown> = {}, to?: Bridge) => {
      order += 1;
      const messageId = String(order);
      const inbound = {
        kind: "message",
        eventKey: `memory/T1/general/${messageId}`,
        order: messageId.padStart(10, "0"),
        messageId,
        text,
        attachments: [],
        mentionsParley: true,
        addressesOthers: false,
        isDirect: false,
        conversation: thread,
        ...changes,
      };
      return send(inbound, to);
    },
    send,
    press: (action: string, value: string, changes: Record<string, unknown> = {}) => {
      order += 1;
      return send({
        kind: "action",
        eventKey: `memory/T1/press/${order}`,
        order: String(order),
        action,
        value,
        ...changes,
      });
    },
    /** Lets everything that is due happen, disk and all. */
    settle: (ms = 0) => clock.advance(ms),
    texts: (place: Place = thread) => platform.thread(place).map((message) => message.payload.text),
    last: (place: Place = thread) => platform.thread(place).at(-1),
    /**
     * As after kill -9: the old process writes nothing more anywhere, a new one opens what is on disk. `whileStarting`: what
     * comes in before all platforms have started.
     */
    restart: async (downMs = 0, whileStarting = async () => {}) => {
      kill();
      await state.close();
      if (downMs > 0) await clock.advance(downMs);
      bridge = await openBridge();
      await bridge.recover(async () => {
        await platform.start(bridge);
        await whileStarting();
      });
    },
    stop: async () => {
      await state.close().catch(() => undefined);
    },
  };
}

export type Harness = Awaited<ReturnType<typeof createHarness>>;
export type { MemoryPlatform };

/** The platform as one process sees it; a killed process neither writes nor hears the outcome of a write. */
function mortal(platform: MemoryPlatform): { platform: MemoryPlatform; kill: () => void } {
  let isAlive = true;
  const never = new Promise<never>(() => {});
  const whileAlive = <T>(call: () => Promise<T>) =>
    isAlive ? call().finally(() => (isAlive ? undefined : never)) : never;
  return {
    platform: {
      ...platform,
      post: (...args) => whileAlive(() => platform.post(...args)),
      edit: (...args) => whileAlive(() => platform.edit(...args)),
      remove: (...args) => whileAlive(() => platform.remove(...args)),
      findOwn: (...args) => whileAlive(() => platform.findOwn(...args)),
    },
    kill: () => {
      isAlive = false;
    },
  };
}

function memoryClaims(): Claims {
  const claimed = new Set<string>();
  return {
    claim: async (key) => {
      if (claimed.has(key)) return false;
      claimed.add(key);
      return true;
    },
  };
}
