/**
 * Composes Parley: commands, knowledge, bridge, delivery and platforms over one state and one agent service. Used by the
 * program, the tests and the benches. It is one file, so that one place shows which part depends on which.
 */

import { createBindings } from "./access/bindings.ts";
import { createContributions } from "./access/contributions.ts";
import { createReach } from "./access/reach.ts";
import { hasEntry } from "./access/roles.ts";
import { type Bridge, type BridgeLimits, type BridgeSettings, bridgeLimits, createBridge } from "./bridge/bridge.ts";
import { isQuestion } from "./bridge/contact/question-words.ts";
import { createConversations } from "./bridge/conversation/conversations.ts";
import { createTidying } from "./bridge/shown/tidying.ts";
import { groupSummaries } from "./commands/all-commands.ts";
import { createCommands } from "./commands/commands.ts";
import { createNameCache } from "./commands/names/name-cache.ts";
import type { Settings } from "./config/settings.ts";
import { auditCollection } from "./core/audit.ts";
import type { Privacy } from "./core/content/privacy.ts";
import type { Conversation, Forget } from "./core/conversations.ts";
import type { ParleyMetrics } from "./core/metrics.ts";
import type { Place } from "./core/model/place.ts";
import type { Installation } from "./core/overview/installation.ts";
import { questionLogCollection } from "./core/overview/question-log.ts";
import type { AgentService } from "./core/ports/agent-service.ts";
import type { ChatPlatform } from "./core/ports/chat-platform.ts";
import type { Clock } from "./core/ports/clock.ts";
import type { Log } from "./core/ports/log.ts";
import type { PlatformModule, PlatformParts } from "./core/ports/platform-module.ts";
import type { State } from "./core/ports/state.ts";
import { withLane } from "./core/tools/with-lane.ts";
import { createDelivery } from "./delivery/delivery.ts";
import { createNotices } from "./delivery/notices.ts";
import type { Site } from "./delivery/types.ts";
import { withRewrites } from "./document-rewrites.ts";
import { createAnswerStore } from "./insight/answers/answer-store.ts";
import { createInsight } from "./insight/insight.ts";
import { createPrivacy } from "./insight/privacy/privacy.ts";
import { createDueWork, createSchedules, timeZoneOf } from "./insight/schedules/schedules.ts";
import {
  createBasesOf,
  createKnowledge,
  createSourceDates,
  createTextReading,
  type PageReading,
} from "./knowledge/knowledge.ts";
import { createLedger } from "./knowledge/ledger/ledger.ts";
import { createPictures } from "./operations/charts/pictures.ts";
import { addressToOpen, createAudit, createRedact, withFields } from "./operations/operations.ts";
import { createBudgetWatch, createProjections, noInstallation } from "./overview/overview.ts";
import { composeOverview } from "./parley-overview.ts";
import { startRetention } from "./state/retention.ts";
import { withVisitors } from "./visitors.ts";

const dayMs = 86_400_000;
/** Interval of looking for unfinished Jobs and notices of other instances. */
const recoveryIntervalMs = 5_000;

export type ParleySettings = Settings &
  Partial<BridgeLimits> & {
    /** Are removed from what goes into the audit log. */
    readonly secrets: readonly string[];
    readonly version: string;
    /** The knowledge base of the built-in service that holds Parley's own manual. */
    readonly ownDocsBase?: string;
  };

/** What the composition passes to a platform; the caller adds the HTTP server. */
export type SharedParts = Omit<PlatformParts, "http">;

export type ConnectPlatform = {
  readonly name: string;
  readonly connect: (parts: SharedParts) => Promise<ChatPlatform>;
};

export type ParleyParts = {
  readonly settings: ParleySettings;
  readonly state: State;
  readonly service: AgentService;
  readonly platforms: readonly ConnectPlatform[];
  /** What platforms declare about themselves, also those that are off. Default: nothing. */
  readonly modules?: readonly Pick<PlatformModule, "name" | "isTrusted" | "checksWorkspaces">[];
  /** Reads web pages and files. */
  readonly reading: PageReading;
  readonly metrics: ParleyMetrics;
  /** Absent: the pages at /admin know nothing of the program. */
  readonly installation?: Installation;
  readonly clock: Clock;
  readonly log: Log;
};

export type Parley = {
  readonly bridge: Bridge;
  readonly bindings: ReturnType<typeof createBindings>;
  readonly privacy: Privacy;
  readonly platforms: readonly ChatPlatform[];
  /** Starts accepting events. Resumes unfinished work of earlier processes and other instances, now and from then on. */
  readonly start: () => Promise<void>;
  /** Stops accepting events and gives running work `graceMs` to finish. */
  readonly drain: (graceMs: number) => Promise<void>;
  /** Closes the platforms; the state and the service stay open. */
  readonly close: () => Promise<void>;
};

/** Connects the platforms. They deliver nothing before `start`. */
export async function composeParley(parts: ParleyParts): Promise<Parley> {
  const { settings, state, service, reading, metrics, clock, log } = parts;
  const { turns, jobs, coordinator, keyValue, claims } = state;
  const bridgeSettings = bridgeSettingsOf(parts);
  const { project, retentionDays } = settings;
  const retentionMs = retentionDays * dayMs;
  const links = { baseUrl: addressToOpen(settings.host, settings.port), publicUrl: settings.publicUrl };
  const sites = new Map<string, Site>();

  const bindings = createBindings({
    store: keyValue("bindings"),
    stamps: keyValue("binding-stamps"),
    inTurn: (key, work) => withLane(`bindings/${key}`, { coordinator, clock }, work),
    service,
    clock,
    settings,
  });
  const conversations = createConversations({ store: keyValue<Conversation>("conversations"), retentionMs });
  const contributions = createContributions({ store: keyValue("contributions"), clock });
  const names = createNameCache({ service, project, clock, log });
  const reach = createReach({
    bindings,
    lists: names.current,
    contributions,
    settings: bridgeSettings,
    platformOf: (name) => sites.get(name)?.platform,
  });
  const redact = createRedact(settings.secrets);
  const questionLog = state.collection("question-log", questionLogCollection);
  const auditEntries = state.collection("audit", auditCollection);
  const audit = createAudit({
    entries: auditEntries,
    redact: (text) => String(redact(text)),
    clock,
    log,
  });
  const basesOf = createBasesOf({ service, names, project });
  const answerStore = createAnswerStore(keyValue);
  const knowledge = createKnowledge({
    service,
    store: jobs,
    coordinator,
    reading,
    audit,
    metrics,
    clock,
    log,
    siteOf: (name) => sites.get(name),
    settings: settings.ingest,
    jobsPerPerson: settings.jobsPerPerson,
    ledger: createLedger({ documents: keyValue("ledger"), rows: keyValue("ledger-rows") }),
    ledgerCounts: keyValue("ledger-counts"),
    answers: answerStore,
    whenAnswerAdded: (added) => insight.whenAnswerAdded(added),
    offerReader: (job) => commands.offerReader(job),
    check: (...about) => insight.checks.ask(...about),
  });
  const notices = createNotices({
    open: keyValue("open-notices"),
    done: keyValue("notices"),
    coordinator,
    siteOf: (name) => sites.get(name),
    clock,
    log,
  });
  const siteOf = (name: string) => sites.get(name);
  const tidying = createTidying({ pointers: keyValue("tidying"), turns, coordinator, siteOf, clock, log });
  const dueWork = createDueWork({ rankings: state.rankings, claims, coordinator, clock, log });
  const insight = createInsight({
    ...state,
    dueWork,
    answerReviewMs: settings.answerReviewDays * dayMs,
    notices,
    answerStore,
    answerRows: knowledge.answers,
    basesOf,
    service,
    runOnce: (...asked) => bridge.runOnce(...asked),
    lists: names.current,
    reach,
    siteOf: (name) => sites.get(name),
    projections: createProjections({ ...state, questionLog, platformOf: (name) => sites.get(name)?.platform, clock }),
    isQuestion,
    metrics,
    project,
    logPrivate: settings.logPrivate,
    retentionMs,
    clock,
    log,
  });
  const forget: Forget = async (...about) => {
    const forgotten = await bridge.forget(...about);
    // What fails here is done within the hour.
    await state.scrub().catch((err: unknown) => log.warn({ err }, "Forgotten words are still in the files"));
    return forgotten;
  };
  const platformOf = (name: string) => sites.get(name)?.platform;
  const isOwnPage = (name: string) => platformOf(name)?.isOwnPage === true;
  const schedules = createSchedules({
    store: keyValue("schedules"),
    rankings: state.rankings,
    dueWork,
    notices,
    reach,
    platformOf,
    clock,
    log,
    ask: ({ schedule: { id, place, what }, actor, eventKey }) =>
      bridge.askBySchedule({ ...what, scheduleId: id, actor, place, eventKey }),
  });
  schedules.registerDigest(({ schedule: { place, time }, actor, eventKey: key, dueAtMs }) =>
    insight.digests.post({ key, actor, place, timeZone: time.timeZone, when: time.text, dueAtMs }),
  );
  const heard = (place: Place) => bridge.heard(place);
  const commands = createCommands({
    ...insight,
    service,
    bindings,
    conversations,
    forget,
    names,
    reach,
    contributions,
    audit,
    notices,
    coordinator,
    claims,
    turns,
    questionLog,
    knowledge,
    basesOf,
    schedules,
    pending: keyValue("pending"),
    pendingSchedules: keyValue("pending-schedules"),
    adoptions: keyValue("pending-adoptions"),
    offered: keyValue("offers"),
    feedback: keyValue("feedback"),
    whenRemoved: async ({ origin }, { place }) => {
      if (origin.kind === "answer") await insight.answering.removed(origin.answerId, place);
    },
    counts: () => bridge.counts(),
    heard,
    lacking: (name) => platformOf(name)?.health().reason,
    // Who has direct messages has colleagues.
    isRead: (name) => platformOf(name)?.directPlace !== undefined,
    isOwnPage,
    platformOf,
    permalink: async (ref) => platformOf(ref.place.platform)?.permalink(ref),
    visibility: async (place) => platformOf(place.platform)?.visibility?.(place),
    readThread: async (place, options) => (await platformOf(place.platform)?.readThread(place, options)) ?? [],
    timeZoneOf: (actor, place) => timeZoneOf(actor, platformOf(place.platform), settings.timeZone, clock),
    clock,
    log,
    settings,
  });
  const { definitions, prefix, shown } = commands.registry;

  const pictures = createPictures({ clock, log });
  const budgets = createBudgetWatch();
  const overview = composeOverview({
    settings,
    audit,
    bindings,
    names,
    heard,
    clock,
    log,
    isLogPrivate: settings.logPrivate,
    state,
    auditEntries,
    questionLog,
    knowledge,
    insight,
    privacy: { export: (person) => privacy.export(person), erase: (person) => privacy.erase(person) },
    counts: () => bridge.counts(),
    platforms: () => [...sites.values()].map(({ platform }) => platform),
    platformOf,
    installation: parts.installation ?? noInstallation,
    budgets: budgets.read,
  });
  const platforms: ChatPlatform[] = [];
  for (const { name, connect } of parts.platforms) {
    const measured = budgets.around(name, metrics.ofPlatform(name));
    const connected = await connect({
      keyValue,
      rankings: state.rankings,
      coordinator,
      forget,
      unbind: bindings.removeChannel,
      commands: { definitions, shown, groups: groupSummaries, prefix },
      notifyAfterMs: settings.notifyAfterMs,
      firstView: (actor, place) => bridge.firstView(actor, place),
      ownVote: (id, conversation, voter) => insight.voting.own({ id, conversation }, voter),
      pictures,
      overview,
      metrics: measured,
      boundChannels: (workspace) => bindings.channelsIn({ platform: name, workspace }),
      retentionMs,
      clock,
      log: withFields(log, { platform: name }),
    });
    const platform = withVisitors(withRewrites(connected, { commands: { definitions, prefix }, ...links }));
    const delivery = createDelivery({ platform, coordinator, clock, log, metrics: measured });
    sites.set(name, { platform, delivery });
    platforms.push(platform);
  }
  const bridge = createBridge({
    readText: createTextReading(reading),
    service,
    turns,
    jobs,
    coordinator,
    claims,
    sites,
    commands,
    saving: commands.saving,
    adopting: commands.adopting,
    reach,
    conversations,
    notices,
    tidying,
    isNews: schedules.isNews,
    dateSources: createSourceDates({ ledger: knowledge.ledger, answers: answerStore, basesOf, clock }),
    notes: insight.notes,
    voting: insight.voting,
    latest: keyValue("latest-questions"),
    botTurns: keyValue("bot-turns"),
    goneQuestions: keyValue("gone-questions"),
    welcomes: keyValue("welcomes"),
    typed: keyValue("typed"),
    ...(settings.saveEmoji === "off" ? {} : { saveEmoji: settings.saveEmoji }),
    threadTalk: keyValue("thread-talk"),
    overheard: keyValue("overheard"),
    approvals: keyValue("approvals"),
    audit,
    topicRecords: keyValue("topics"),
    modeOf: bindings.modeOf,
    openGaps: async (actor, place) => insight.gapList.count(actor, place, await names.current.agents()),
    instructionsFor: async (place) => (await bindings.own(place))?.instructions,
    settings: bridgeSettings,
    retentionMs,
    metrics,
    clock,
    log,
  });

  const privacy = createPrivacy({
    keyValue,
    turns,
    jobs,
    coordinator,
    collections: state.collections,
    log,
    forgetTurns: bridge.forgetTurns,
    cancelJob: knowledge.jobs.cancel,
    notes: insight.notes,
    derive: insight.derive,
    schedules,
    clock,
    ownPageOf: (name) => (isOwnPage(name) ? platformOf(name) : undefined),
    scrub: state.scrub,
  });

  const ending = new AbortController();
  let stopRetention = () => {};
  let overviewWork: Promise<void> | undefined;

  /** Resumes unfinished Jobs and notices of this and other instances. */
  async function keepRecovering(): Promise<void> {
    for (let isStart = true; ; isStart = false) {
      await knowledge.jobs
        .recover(isStart)
        .catch((err: unknown) => log.warn({ err }, "Can't look for unfinished jobs"));
      await notices.recover();
      await tidying.recover();
      await insight.recover();
      await clock.sleep(recoveryIntervalMs, ending.signal);
    }
  }

  return {
    bridge,
    bindings,
    privacy,
    platforms,
    start: async () => {
      stopRetention = startRetention({
        turns,
        jobs,
        pruneGaps: insight.prune,
        collections: state.collections,
        scrub: state.scrub,
        retentionDays,
        auditDays: settings.auditDays,
        clock,
        log,
      });
      for (const platform of platforms) await platform.start(bridge);
      await bridge.recover();
      // It ends only with the signal.
      keepRecovering().catch(() => undefined);
      overviewWork = overview.work(ending.signal);
      dueWork.start();
      names.touch();
    },
    drain: async (graceMs) => {
      await Promise.all(platforms.map((platform) => platform.stopIntake()));
      ending.abort();
      await Promise.all([dueWork.drain(), bridge.drain(graceMs), knowledge.jobs.drain(graceMs)]);
      await overviewWork;
      await insight.drain();
      await notices.drain();
      await tidying.drain();
      stopRetention();
    },
    close: async () => {
      await Promise.all(platforms.map((platform) => platform.close()));
      await pictures.close();
    },
  };
}

/** The settings, with what the platforms declare. Without a workspace listed, all are served. */
function bridgeSettingsOf({ settings, modules = [] }: ParleyParts): BridgeSettings {
  const trustedPlatforms = modules.filter(({ isTrusted }) => isTrusted).map(({ name }) => name);
  const checkThemselves = modules.filter(({ checksWorkspaces }) => checksWorkspaces).map(({ name }) => name);
  const { workspaces = ["*"], redisUrl } = settings;
  return {
    ...bridgeLimits,
    ...settings,
    roles: { ...settings.roles, trustedPlatforms },
    serves: ({ platform, workspace }) =>
      checkThemselves.includes(platform) || hasEntry(workspaces, platform, workspace),
    isShared: redisUrl !== undefined,
  };
}
