/**
 * Adds content to knowledge bases over real parts: the built-in service, SQLite, delivery, the page
 * reader, and a chat platform in memory. A test injects faults into single calls.
 */

import { createAudit } from "../../src/access/audit.ts";
import { createBindings } from "../../src/access/bindings.ts";
import { rolesOf } from "../../src/access/roles.ts";
import { startLocalService } from "../../src/agent-service/built-in/local-service.ts";
import { createConversations } from "../../src/bridge/conversation/conversations.ts";
import type { CommandParts } from "../../src/commands/app.ts";
import { createCommands } from "../../src/commands/commands.ts";
import { createNameCache } from "../../src/commands/names/name-cache.ts";
import { settingsSchema } from "../../src/config/settings.ts";
import { type AuditEntry, auditEntriesIn } from "../../src/core/audit.ts";
import type { CommandContext, CommandResult } from "../../src/core/commands.ts";
import type { Checks } from "../../src/core/content/checks.ts";
import type { Document, FormValues } from "../../src/core/document.ts";
import type { GapScope } from "../../src/core/model/insight.ts";
import type { Job } from "../../src/core/model/job.ts";
import type { Actor, Place } from "../../src/core/model/place.ts";
import type { AgentService } from "../../src/core/ports/agent-service.ts";
import type { Clock } from "../../src/core/ports/clock.ts";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { createDelivery } from "../../src/delivery/delivery.ts";
import { createAnswerStore } from "../../src/insight/answers/answer-store.ts";
import { createSchedules } from "../../src/insight/schedules/schedules.ts";
import type { Resolve } from "../../src/knowledge/addresses/address-gate.ts";
import { createKnowledge, type IngestSettings } from "../../src/knowledge/knowledge.ts";
import { createPageReading } from "../../src/knowledge/pages/page-reading.ts";
import { createMetrics } from "../../src/operations/metrics.ts";
import { documentText } from "../../src/presentation/markdown/plain-text.ts";
import { openState } from "../../src/state/open-state.ts";
import { appOf } from "../doubles/app.ts";
import { defaultSettings } from "../doubles/composition.ts";
import { createMemoryPlatform, type MemoryPlatform } from "../doubles/memory-platform.ts";
import { keptNotices } from "../doubles/notices.ts";
import { admin, general, project } from "../doubles/people.ts";
import { reachOver } from "../doubles/reach.ts";
import { silentLog } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

/** Where that person alone reads. */
export const directPlace = ({ id, workspace }: Actor): Place => ({ ...general, workspace, channel: `direct-${id}` });

const { ingest, jobsPerPerson } = settingsSchema.parse({});
const defaults: IngestSettings = { ...ingest, maxPages: 100 };

export async function openRoom(
  options: {
    readonly settings?: Partial<IngestSettings>;
    readonly jobsPerPerson?: number;
    /** SYNC_FOLDERS */
    readonly folders?: string[];
    /** SYNC_GIT_TOKENS */
    readonly gitTokens?: { where: string; file: string }[];
    readonly clock?: Clock;
    readonly allowsPrivate?: boolean;
    readonly resolve?: Resolve;
    /** `address:port`. */
    readonly dnsServers?: readonly string[];
    readonly maxScratchBytes?: number;
    /** Answered questions of every agent, and what asking one again finds. */
    readonly checks?: Pick<Checks, "of" | "ask"> & Partial<Pick<Checks, "total">>;
  } = {},
) {
  const { clock = systemClock, allowsPrivate = true } = options;
  const log = silentLog;
  const dataDir = await temporaryFolder("knowledge");
  const newReading = () =>
    createPageReading({
      ...{ allowsPrivate, version: "1.2.3", clock, log, spacingMs: 0 },
      ...(options.resolve === undefined ? {} : { resolve: options.resolve }),
      ...(options.dnsServers === undefined ? {} : { dnsServers: options.dnsServers }),
      ...(options.maxScratchBytes === undefined ? {} : { maxScratchBytes: options.maxScratchBytes }),
    });
  let reading = newReading();
  const client = await startLocalService({
    dataDir,
    clock,
    log,
    stepDelayMs: 0,
    readPages: (request) => reading.readPages(request),
  });
  const faults: { -readonly [K in keyof AgentService]?: AgentService[K] } = {};
  const service = new Proxy(client, { get: (target, name: keyof AgentService) => faults[name] ?? target[name] });
  const platform: MemoryPlatform & { reacted: string[] } = Object.assign(createMemoryPlatform({ clock }), {
    reacted: [] as string[],
  });
  let attached: (() => AsyncIterable<Uint8Array>) | undefined;
  const withReactions: MemoryPlatform = {
    ...platform,
    openAttachment: async (...asked) => attached?.() ?? platform.openAttachment(...asked),
    directPlace: async (actor) => directPlace(actor),
    reactions: {
      add: async ({ messageId }, emoji) => {
        platform.reacted.push(`${messageId} ${emoji}`);
      },
      remove: async ({ messageId }, emoji) => {
        platform.reacted = platform.reacted.filter((one) => one !== `${messageId} ${emoji}`);
      },
    },
  };
  const metrics = createMetrics();
  let events = 0;

  async function start() {
    const state = await openState({ dataDir, clock, log });
    const { keyValue, coordinator } = state;
    const settings = {
      ...defaultSettings,
      version: "1.2.3",
      jobsPerPerson: options.jobsPerPerson ?? jobsPerPerson,
      sync: { folders: options.folders, gitTokens: options.gitTokens },
      ingest: { ...defaultSettings.ingest, ...defaults, allowsPrivate, ...options.settings },
    };
    const runtime = { ...state, service, settings, metrics, clock, log };
    const audit = createAudit(appOf(runtime));
    const names = createNameCache(appOf(runtime), project);
    const bindings = createBindings(appOf(runtime));
    const { reach, contributions } = reachOver({
      ...{ bindings, service, keyValue, clock, lists: names.current },
      platform: { isDirect: ({ channel }) => channel.startsWith("direct-") },
    });
    let isAlive = true;
    // A killed process neither writes nor hears the outcome of a write.
    const whileAlive = <T>(call: () => Promise<T>) => (isAlive ? call() : new Promise<never>(() => {}));
    const mortal: MemoryPlatform = {
      ...withReactions,
      post: (...args) => whileAlive(() => platform.post(...args)),
      edit: (...args) => whileAlive(() => platform.edit(...args)),
    };
    const delivery = createDelivery({ platform: mortal, coordinator, clock, log });
    const app = appOf({
      ...{ ...runtime, bindings, reach, audit, notices: keptNotices() },
      siteOf: (name) => (name === "memory" ? { platform: mortal, delivery } : undefined),
    });
    const knowledge = createKnowledge(app, { reading, answers: createAnswerStore(state) });
    const schedules = createSchedules(app);
    const parts = {
      ...{ ...app, contributions, names, knowledge, schedules, conversations: createConversations(app) },
      checks: {
        ...{ of: async () => [], total: async () => 0, ...options.checks },
        count: async (scope: GapScope) => (await options.checks?.of(scope))?.length ?? 0,
      },
    };
    const commands = createCommands(parts as unknown as CommandParts);
    commands.connect({
      forget: async () => 0,
      counts: () => ({ waiting: 0, running: 0 }),
      heard: async () => ({ answered: 0, quiet: 0, notForYou: 0, personBelow: 0 }),
    });
    schedules.connect({
      ...{ ask: async () => undefined, postDigest: async () => "nothing" },
      readAgain: commands.readAgain,
    });
    knowledge.connect({
      whenAnswerAdded: async () => undefined,
      check: options.checks?.ask ?? (async () => ({ checked: { result: "gone" } })),
      offerReader: commands.offerReader,
    });
    return {
      ...{ state, knowledge, commands, saving: commands.saving, names, bindings, schedules, notices: app.notices },
      die: () => {
        isAlive = false;
      },
    };
  }

  let parts = await start();

  function context(changes: Partial<CommandContext> = {}): CommandContext {
    events += 1;
    const actor = changes.actor ?? admin;
    const place = changes.place ?? general;
    return {
      ...{ actor, place, conversation: place, attachments: [], eventKey: `memory/T1/event/${events}` },
      roles: rolesOf(actor, place, { trustedPlatforms: [] }),
      ...changes,
    };
  }

  async function end(result: CommandResult): Promise<{ readonly text: string; readonly document: Document }> {
    if (result.kind === "working") return end(await result.result);
    if (result.kind !== "document") throw new Error(`A document was expected, not ${result.kind}`);
    return { text: documentText(result.document), document: result.document };
  }

  const newest = async (): Promise<Job> => {
    const [job] = await parts.knowledge.jobs.recent(general, 1);
    if (job === undefined) throw new Error("There is no job");
    return job;
  };

  return {
    ...{ clock, dataDir, service, client, faults, platform, context, end, newest },
    parts: () => parts,
    /** As /metrics tells it. */
    metrics: () => metrics.text(),
    say: async (text: string, changes: Partial<CommandContext> = {}) =>
      end(await parts.commands.run({ kind: "typed", text }, context(changes))),
    press: async (action: string, value: string, changes: Partial<CommandContext> = {}) =>
      end(await parts.commands.pressAction(action, value, context(changes))),
    submit: async (formId: string, values: FormValues, formContext: string, changes: Partial<CommandContext> = {}) =>
      end(await parts.commands.submitForm(formId, values, formContext, context(changes))),
    /** The newest Job, once it is over here. */
    over: async (): Promise<Job> => {
      const job = await newest();
      return (await parts.knowledge.jobs.ended(job.id)) ?? job;
    },
    /** What the platform sends as the content of any file from now on, whatever it announced. */
    attach: (content: () => AsyncIterable<Uint8Array>) => {
      attached = content;
    },
    /** What stands in the channel. */
    shown: () => platform.thread(general).map(({ payload }) => payload.text),
    audit: async (action: string) => {
      const entries: AuditEntry[] = [];
      for await (const { record } of auditEntriesIn(parts.state).entries())
        if (record.action === action) entries.push(record);
      return entries;
    },
    passages: async (base: string, words: string) => client.search(project, base, words, 20),
    makeBase: (name: string) => client.createKnowledgeBase(project, { name }),
    /** As after kill -9: what ran is left as it was stored, and a new process takes it up. */
    restart: async () => {
      parts.die();
      await parts.state.close();
      await reading.close();
      reading = newReading();
      parts = await start();
      await parts.knowledge.jobs.recover(true);
    },
    close: async () => {
      await parts.knowledge.jobs.drain(0);
      await reading.close();
      await client.close();
      await parts.state.close();
    },
  };
}

export type Room = Awaited<ReturnType<typeof openRoom>>;

/** A gate that a test opens: what waits at it goes on then. */
export function createGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return {
    open: () => open(),
    arrived,
    wait: () => {
      arrive();
      return opened;
    },
  };
}
