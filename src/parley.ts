/**
 * Composes Parley: commands, knowledge, bridge, delivery and platforms over one state and one agent service. Used by the
 * program, the tests and the benches. It is one file, so that one place shows which part depends on which.
 */

import { createAudit } from "./access/audit.ts";
import { createBindings } from "./access/bindings.ts";
import { createContributions } from "./access/contributions.ts";
import { createReach } from "./access/reach.ts";
import { hasEntry } from "./access/roles.ts";
import { withVisitors } from "./access/visitors.ts";
import { createCircuit } from "./agent-service/circuit.ts";
import { withinProjects } from "./agent-service/within-projects.ts";
import { type App, type AppSettings, limits, type Runtime } from "./app.ts";
import { type Bridge, createBridge } from "./bridge/bridge.ts";
import { isQuestion } from "./bridge/contact/question-words.ts";
import { createConversations } from "./bridge/conversation/conversations.ts";
import { createRunOnce } from "./bridge/run-once.ts";
import { createTidying } from "./bridge/shown/tidying.ts";
import { createCommands } from "./commands/commands.ts";
import { createNameCache } from "./commands/names/name-cache.ts";
import { groupSummaries } from "./commands/words.ts";
import type { Settings } from "./config/settings.ts";
import { type Bindings, noProject } from "./core/access.ts";
import type { Asker } from "./core/commands.ts";
import type { Privacy } from "./core/content/privacy.ts";
import type { Forget } from "./core/conversations.ts";
import type { ChatPlatform } from "./core/ports/chat-platform.ts";
import type { PlatformModule, PlatformParts } from "./core/ports/platform-module.ts";
import { createDelivery } from "./delivery/delivery.ts";
import { withRewrites } from "./delivery/document-rewrites.ts";
import { createNotices } from "./delivery/notices.ts";
import type { Site } from "./delivery/types.ts";
import { createAnswerStore } from "./insight/answers/answer-store.ts";
import { createInsight } from "./insight/insight.ts";
import { createPrivacy } from "./insight/privacy/privacy.ts";
import { createSchedules } from "./insight/schedules/schedules.ts";
import { collections } from "./kept-collections.ts";
import {
  createBasesOf,
  createKnowledge,
  createSourceDates,
  createTextReading,
  type PageReading,
} from "./knowledge/knowledge.ts";
import { createPictures } from "./operations/charts/pictures.ts";
import { addressToOpen, withFields } from "./operations/operations.ts";
import type { Installation } from "./overview/installation.ts";
import { createBudgetWatch, createOverview, noInstallation } from "./overview/overview.ts";
import { createRetention } from "./state/retention.ts";

/** Interval of looking for unfinished Jobs of other instances. */
const recoveryIntervalMs = 5_000;

/** What the program gives; the rest of the settings is worked out here, or is a limit that only tests change. */
export type ParleySettings = Settings &
  Pick<AppSettings, "secrets" | "version" | "ownDocsBase"> &
  Partial<typeof limits>;

/** What the composition passes to a platform; the caller adds the HTTP server. */
export type SharedParts = Omit<PlatformParts, "http">;

export type ConnectPlatform = {
  readonly name: string;
  readonly connect: (parts: SharedParts) => Promise<ChatPlatform>;
};

export type ParleyParts = Omit<Runtime, "settings" | "sites"> & {
  readonly settings: ParleySettings;
  readonly platforms: readonly ConnectPlatform[];
  /** What platforms declare about themselves, also those that are off. Default: nothing. */
  readonly modules?: readonly Pick<PlatformModule, "name" | "isTrusted" | "checksWorkspaces">[];
  /** Reads web pages and files. */
  readonly reading: PageReading;
  /** Absent: the pages at /admin know nothing of the program. */
  readonly installation?: Installation;
};

export type Parley = {
  readonly bridge: Bridge;
  readonly bindings: Bindings;
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
  const { state, reading, metrics, clock, log } = parts;
  const sites = new Map<string, Site>();
  const settings = settingsOf(parts, sites);
  const { projects, projectOf } = settings;
  const serviceOf = (reached: readonly string[]) =>
    settings.workspaceProjects !== undefined
      ? withinProjects(parts.service, { reached, all: projects, only: parts.settings.project })
      : parts.service;
  const service = serviceOf(projects);
  const { keyValue, coordinator } = state;
  // Also those of platforms that are off: exporting, erasing and deleting go through all of them.
  for (const [name, definition] of Object.entries(collections)) state.collection(name, definition);
  const runtime: Runtime = { settings, state, service, sites, metrics, clock, log };

  const bindings = createBindings(runtime);
  const contributions = createContributions(runtime);
  /** Where workspaces have projects of their own, others have none. */
  const known = settings.workspaceProjects === undefined ? projects : [...projects, noProject];
  const inProject = perProject(known, (project) => {
    const service = serviceOf([project]);
    return { service, names: createNameCache({ service, clock, log }, project) };
  });
  const namesOf = (project: string) => inProject(project).names;
  const notices = createNotices({
    works: state.works,
    done: keyValue("notices"),
    coordinator,
    siteOf: (name) => sites.get(name),
    clock,
    log,
  });
  const app: App = {
    ...runtime,
    bindings,
    reach: createReach(runtime, { bindings, lists: (project) => namesOf(project).current, contributions }),
    audit: createAudit(runtime),
    notices,
  };

  const basesOf = createBasesOf({ service, namesOf, projects });
  const answerStore = createAnswerStore(state);
  const knowledge = createKnowledge(app, { reading, answers: answerStore });
  const dateSources = createSourceDates({ ledger: knowledge.ledger, answers: answerStore, basesOf, clock });
  const circuit = createCircuit(app);
  const insight = createInsight(app, {
    answerStore,
    answerRows: knowledge.answers,
    basesOf,
    runOnce: createRunOnce(app, { circuit, dateSources }),
    isQuestion,
  });
  const schedules = createSchedules(app);
  const conversations = createConversations(app);
  const tidying = createTidying(app);
  const commandsIn = perProject(known, (project) =>
    createCommands({
      ...app,
      ...insight,
      ...inProject(project),
      settings: { ...settings, project },
      contributions,
      conversations,
      knowledge,
      basesOf,
      schedules,
    }),
  );
  const commandsOf = ({ place, actor }: Asker) => commandsIn(projectOf(place, actor));
  const bridge = createBridge(app, {
    commandsIn: (who) => {
      const commands = commandsOf(who);
      return { commands, saving: commands.saving, adopting: commands.adopting, reading: commands.reading };
    },
    conversations,
    circuit,
    dateSources,
    tidying,
    readText: createTextReading(reading),
    isNews: schedules.isNews,
    notes: insight.notes,
    voting: insight.voting,
    openGaps: async (actor, place) =>
      insight.gapList.count(actor, place, await namesOf(projectOf(place, actor)).current.agents()),
  });
  const forget: Forget = async (...about) => {
    const forgotten = await bridge.forget(...about);
    // What fails here is done within the hour.
    await state.scrub().catch((err: unknown) => log.warn({ err }, "Forgotten words are still in the files"));
    return forgotten;
  };
  const { counts, heard } = bridge;
  for (const project of known) commandsIn(project).connect({ forget, counts, heard });
  knowledge.connect({
    whenAnswerAdded: insight.whenAnswerAdded,
    check: insight.checks.ask,
    offerReader: async (job) => commandsOf({ actor: job.actor, place: job.askedIn }).offerReader(job),
  });
  schedules.connect({
    ask: ({ schedule: { id, place, what }, actor, eventKey }) =>
      bridge.askBySchedule({ ...what, scheduleId: id, actor, place, eventKey }),
    postDigest: ({ schedule: { place, time }, actor, eventKey: key, dueAtMs }) =>
      insight.digests.post({ key, actor, place, timeZone: time.timeZone, when: time.text, dueAtMs }),
    readAgain: (run) => commandsOf({ actor: run.actor, place: run.schedule.place }).readAgain(run),
  });
  const privacy = createPrivacy(app, {
    forgetTurns: bridge.forgetTurns,
    cancelJob: knowledge.jobs.cancel,
    notes: insight.notes,
    derive: insight.derive,
    schedules,
  });
  const { retentionMs, auditMs } = settings;
  const beginRetention = createRetention({ ...state, pruneGaps: insight.prune, retentionMs, auditMs, clock, log });
  const budgets = createBudgetWatch();
  const overview = createOverview(app, {
    insight,
    knowledge,
    privacy,
    counts,
    heard,
    installation: parts.installation ?? noInstallation,
    budgets: budgets.read,
  });

  // Every project has the same commands.
  const { definitions, prefix, shown } = commandsIn(projects[0] ?? noProject).registry;
  const pictures = createPictures({ clock, log });
  const links = { baseUrl: addressToOpen(settings.host, settings.port), publicUrl: settings.publicUrl };
  const platforms: ChatPlatform[] = [];
  for (const { name, connect } of parts.platforms) {
    const measured = budgets.around(name, metrics.ofPlatform(name));
    const connected = await connect({
      keyValue,
      collection: state.collection,
      works: state.works,
      claims: state.claims,
      coordinator,
      forget,
      forgetWorkspace: (workspace) => privacy.forgetWorkspace({ platform: name, workspace }),
      checkAskedAlone: bridge.checkAskedAlone,
      unbind: bindings.removeChannel,
      commands: { definitions, shown, groups: groupSummaries, prefix },
      notifyAfterMs: settings.notifyAfterMs,
      firstView: bridge.firstView,
      ownVote: (id, conversation, voter) => insight.voting.own({ id, conversation }, voter),
      turnOf: state.turns.getByEventKey,
      readKnowledge: bridge.readKnowledge,
      pictures,
      overview,
      audit: app.audit,
      version: settings.version,
      metrics: measured,
      boundChannels: (workspace) => bindings.channelsIn({ platform: name, workspace }),
      retentionMs: settings.retentionMs,
      clock,
      log: withFields(log, { platform: name }),
    });
    const platform = withVisitors(withRewrites(connected, { commands: { definitions, prefix }, ...links }));
    const delivery = createDelivery({ platform, coordinator, clock, log, metrics: measured });
    sites.set(name, { platform, delivery });
    platforms.push(platform);
  }

  const ending = new AbortController();
  let overviewWork: Promise<void> | undefined;

  /** Resumes unfinished Jobs of this and other instances. */
  async function keepRecovering(): Promise<void> {
    for (let isStart = true; ; isStart = false) {
      await knowledge.jobs
        .recover(isStart)
        .catch((err: unknown) => log.warn({ err }, "Can't look for unfinished jobs"));
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
      await beginRetention();
      await bridge.recover(async () => {
        for (const platform of platforms) await platform.start(bridge);
      });
      await state.works.start();
      // It ends only with the signal.
      keepRecovering().catch(() => undefined);
      overviewWork = overview.work(ending.signal);
      for (const project of projects) namesOf(project).touch();
    },
    drain: async (graceMs) => {
      await Promise.all(platforms.map((platform) => platform.stopIntake()));
      ending.abort();
      await Promise.all([bridge.drain(graceMs), knowledge.jobs.drain(graceMs)]);
      await state.works.drain();
      await overviewWork;
      await insight.drain();
    },
    close: async () => {
      await Promise.all(platforms.map((platform) => platform.close()));
      await pictures.close();
    },
  };
}

/** The settings, with what the platforms declare. Without a workspace listed, all are served. */
function settingsOf({ settings, modules = [] }: ParleyParts, sites: Runtime["sites"]): AppSettings {
  const trustedPlatforms = modules.filter(({ isTrusted }) => isTrusted).map(({ name }) => name);
  const checkThemselves = modules.filter(({ checksWorkspaces }) => checksWorkspaces).map(({ name }) => name);
  const { workspaces = ["*"], redisUrl, project, workspaceProjects, ...others } = settings;
  const given = new Map(workspaceProjects?.map((entry) => [`${entry.platform}:${entry.id}`, entry.project]));
  const projectIn = (platform: string, workspace: string | undefined) =>
    given.get(`${platform}:${workspace}`) ?? noProject;
  return {
    ...limits,
    ...others,
    projects: workspaceProjects === undefined ? [project] : [...new Set(given.values())],
    workspaceProjects,
    projectOf: ({ platform, workspace }, { memberOf } = {}) => {
      if (workspaceProjects === undefined) return project;
      const isOutside = memberOf !== undefined && !memberOf.includes(workspace);
      return projectIn(platform, isOutside ? onlyOne(memberOf) : workspace);
    },
    roles: { ...settings.roles, trustedPlatforms, keepsApart: workspaceProjects !== undefined },
    serves: ({ platform, workspace }) =>
      sites.get(platform)?.platform.serves?.(workspace) ??
      (checkThemselves.includes(platform) || hasEntry(workspaces, platform, workspace)),
    isShared: redisUrl !== undefined,
  };
}

/** Builds it for each project. Throws for any other. */
function perProject<T>(projects: readonly string[], build: (project: string) => T): (project: string) => T {
  const built = new Map(projects.map((project) => [project, build(project)]));
  return (project) => {
    const found = built.get(project);
    if (found === undefined) throw new Error("No workspace has that project.");
    return found;
  };
}

/** Of several, nobody knows which one is meant. */
function onlyOne(workspaces: readonly string[]): string | undefined {
  return workspaces.length === 1 ? workspaces[0] : undefined;
}
