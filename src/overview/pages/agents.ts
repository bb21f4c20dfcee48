/** Who answers where: what is set for every channel on every platform, and what each agent looks in. */

import type { HeardCounts } from "../../commands/app.ts";
import type { Named } from "../../core/access.ts";
import { type Actor, type Binding, type Mode, type Place, workspaceKey } from "../../core/model/place.ts";
import type { Agent, KnowledgeBase } from "../../core/ports/agent-service.ts";
import { unfinishedJobStates } from "../../core/ports/state.ts";
import { nameIn, splitName } from "../../core/tools/split-name.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import { checkedAgent } from "../../knowledge/knowledge.ts";
import { cleanText } from "../../presentation/drawing.ts";
import type { OverviewApp } from "../app.ts";
import { projectsFor } from "../oversight.ts";
import type { Page } from "../page.ts";
import { answersAll, type PlaceName } from "../places.ts";
import { agentsIn, basesIn, placeOfProject, unwritten } from "../projects.ts";
import { type TokenMonth, tokenMonths } from "../token-months.ts";

/** Newest Jobs searched for the last check of each agent. */
const maxJobs = 200;
/** It is almost always known. */
const profileMs = 500;
const defaultMode: Mode = "thread";

export const agentsPage: Page = {
  name: "agents",
  least: "manage",
  get: { "": (app, { viewer }) => readAgents(app, viewer) },
};

/** A name as people write it. "gone": the service no longer has it. */
export type NamedThing = { readonly name: string; readonly isGone?: true };

export type ChannelLine = PlaceName & {
  /** `channel`: "" for the workspace as a whole. */
  readonly place: Place;
  /** One person's direct messages: nobody else changes them. */
  readonly isDirect: boolean;
  /** Parley is no longer connected to the platform; what is set there can only be removed. */
  readonly isOff?: true;
  /** Who answers there. Absent: nobody, or people choose each time. */
  readonly agent?: NamedThing;
  /** What decides that. Absent: nothing does. */
  readonly from?: "channel" | "workspace" | "settings" | "only-agent";
  readonly mode: Mode;
  readonly knowledgeBase?: NamedThing;
  /** What its agent gets before each question there. */
  readonly instructions?: string;
  /** Absent: nothing was said to nobody. */
  readonly heard?: HeardCounts;
};

export type CheckLine = {
  readonly platform: string;
  readonly workspace: string;
  /** Answered questions that can be asked again. */
  readonly questions: number;
  /** The last time. */
  readonly last?: {
    readonly jobId: string;
    readonly atMs: number;
    readonly isRunning: boolean;
    /** How many answers held, of how many that were asked. */
    readonly held: number;
    readonly asked: number;
    readonly failed: number;
  };
};

export type AgentLine = {
  readonly name: string;
  /** How commands name it, and where they are given. Without a place: on the page itself. */
  readonly command: { readonly name: string; readonly place?: Place };
  readonly model?: string;
  readonly knowledgeBases: readonly NamedThing[];
  readonly tables: readonly string[];
  readonly instructions?: string;
  /** Channels and workspaces that name it themselves. */
  readonly places: number;
  readonly checks: readonly CheckLine[];
};

export type AgentsAndChannels = {
  readonly channels: readonly ChannelLine[];
  readonly agents: readonly AgentLine[];
  /** Names to choose from. */
  readonly knowledgeBases: readonly string[];
  /** By month, the newest first. */
  readonly tokens: readonly TokenMonth[];
  /** AGENT_DAILY_TOKENS. */
  readonly dailyTokens?: number;
  /** Agents can be created, changed and deleted here, not only where the service is set up. */
  readonly canChange: boolean;
  /** The service could not say which agents there are. */
  readonly isServiceDown?: true;
};

/** What the service has now; undefined: it can't say. */
type Known = {
  readonly agents: readonly Agent[] | undefined;
  readonly bases: readonly KnowledgeBase[] | undefined;
};

async function readAgents(app: OverviewApp, viewer: Actor): Promise<AgentsAndChannels> {
  const projects = projectsFor(app, viewer);
  const [agents, bases, profile] = await Promise.all([
    agentsIn(projects, app).catch(() => undefined),
    basesIn(projects, app).catch(() => undefined),
    withTimeout(app.service.profile(), profileMs, app.clock).catch(() => undefined),
  ]);
  const known = { agents, bases };
  const [channels, last, tokens] = await Promise.all([
    channelLines(app, known, viewer),
    lastChecks(app),
    tokenMonths(app, projects),
  ]);
  return {
    channels: channels.sort(byPlace),
    agents: await Promise.all((agents ?? []).map((agent) => agentLine(app, agent, { known, channels, last }))),
    knowledgeBases: (bases ?? []).map((base) => cleanText(nameIn(base, unwritten(app)))),
    tokens,
    dailyTokens: app.settings.agentDailyTokens,
    canChange: profile?.offers.includes("agent-changes") ?? true,
    ...(agents === undefined ? { isServiceDown: true } : {}),
  };
}

async function channelLines(app: OverviewApp, known: Known, viewer: Actor): Promise<ChannelLine[]> {
  const [set, others] = await Promise.all([app.bindings.all(), app.places.all()]);
  const keyOf = ({ platform, workspace, channel }: Place) => JSON.stringify([platform, workspace, channel]);
  const all = new Map([
    ...others.map((place) => [keyOf(place), { place, binding: {} }] as const),
    ...set.map((one) => [keyOf(one.place), one] as const),
  ]);
  const seen = [...all.values()].filter(({ place }) => app.reach.oversees(viewer, place));
  return Promise.all(seen.map(({ place, binding }) => channelLine(app, place, binding, known)));
}

async function channelLine(
  app: OverviewApp,
  place: Place,
  own: Partial<Binding>,
  { agents, bases }: Known,
): Promise<ChannelLine> {
  const { bindings, places, heard } = app;
  const project = app.settings.projectOf(place);
  const inProject = <T extends Named>(all: readonly T[] | undefined) => all?.filter((one) => one.project === project);
  const [resolved, name, counts] = await Promise.all([
    bindings.resolve(place, { listAgents: async () => inProject(agents) ?? [] }),
    places.nameOf(place),
    place.channel === "" ? undefined : heard(place),
  ]);
  const isHeard = counts !== undefined && counts.answered + counts.quiet > 0;
  const bound = resolved.kind === "bound" ? resolved : undefined;
  const agent = bound && { project: bound.binding.project, name: bound.binding.agent };
  const base = own.knowledgeBase ?? bound?.binding.knowledgeBase;
  return {
    place,
    name: name.name,
    isGone: name.isGone,
    isOff: places.kindOf(place) === "unknown" ? (true as const) : undefined,
    isDirect: place.channel !== "" && places.kindOf(place) === "direct",
    mode: answersAll(places.kindOf(place)) ? "every" : (own.mode ?? bound?.binding.mode ?? defaultMode),
    agent: agent && namedThing(nameIn(agent, project), agent.project === project ? inProject(agents) : undefined),
    from: bound?.from,
    heard: isHeard ? counts : undefined,
    knowledgeBase: base === undefined ? undefined : namedThing(base, inProject(bases)),
    instructions: own.instructions === undefined || own.instructions === "" ? undefined : cleanText(own.instructions),
  };
}

/** The newest of each agent and workspace. */
async function lastChecks(app: OverviewApp): Promise<ReadonlyMap<string, CheckLine["last"]>> {
  const found = new Map<string, CheckLine["last"]>();
  for (const job of await app.state.jobs.recent(maxJobs)) {
    const agent = checkedAgent(job);
    const key = agent && `${workspaceKey(job.askedIn)} ${nameIn(agent, unwritten(app))}`;
    if (key === undefined || found.has(key)) continue;
    const asked = job.items.filter(({ checked }) => checked !== undefined && checked.result !== "gone");
    found.set(key, {
      jobId: job.id,
      atMs: job.endedAtMs ?? job.createdAtMs,
      isRunning: unfinishedJobStates.includes(job.state),
      held: asked.filter(({ checked }) => checked?.result === "held").length,
      asked: asked.length,
      failed: job.items.filter(({ state }) => state === "failed").length,
    });
  }
  return found;
}

async function agentLine(
  app: OverviewApp,
  agent: Agent,
  {
    known,
    channels,
    last,
  }: {
    readonly known: Known;
    readonly channels: readonly ChannelLine[];
    readonly last: ReadonlyMap<string, CheckLine["last"]>;
  },
): Promise<AgentLine> {
  const { insight } = app;
  const name = nameIn(agent, unwritten(app));
  const workspaces = new Map(channels.map(({ place }) => [workspaceKey(place), place]));
  const each = Array.from(workspaces, async ([key, { platform, workspace }]): Promise<CheckLine> => {
    const of = { project: agent.project, name: agent.name };
    const questions = await insight.checks.count({ platform, workspace, agent: of });
    return { platform, workspace, questions, last: last.get(`${key} ${name}`) };
  });
  const checks = (await Promise.all(each)).filter((line) => line.questions > 0 || line.last !== undefined);
  const place = placeOfProject(app, agent.project);
  return {
    name: cleanText(name),
    command: place === undefined ? { name: cleanText(name) } : { name: cleanText(agent.name), place },
    knowledgeBases: agent.knowledgeBases.map((entry) => {
      const base = splitName(entry, agent.project);
      const isElsewhere = base.name === "*" || base.project !== agent.project;
      const own = known.bases?.filter(({ project }) => project === base.project);
      const isGone = !isElsewhere && own?.some((one) => one.name === base.name) === false;
      return { name: cleanText(nameIn(base, unwritten(app))), isGone: isGone ? (true as const) : undefined };
    }),
    tables: agent.tables.map(cleanText),
    places: channels.filter(
      (line) => isOwn(line) && line.agent?.name === nameIn(agent, app.settings.projectOf(line.place)),
    ).length,
    checks,
    model: agent.model?.name === agent.name ? undefined : agent.model?.name && cleanText(agent.model.name),
    instructions: agent.promptTemplate && cleanText(agent.promptTemplate),
  };
}

/** Undefined `known`: nobody can tell whether it is gone. */
function namedThing(name: string, known: readonly { readonly name: string }[] | undefined): NamedThing {
  const isGone = known !== undefined && !known.some((one) => one.name === name);
  return { name: cleanText(name), ...(isGone ? { isGone: true as const } : {}) };
}

function isOwn({ from, place }: ChannelLine): boolean {
  return from === "channel" || (from === "workspace" && place.channel === "");
}

/** By platform and workspace, the workspace itself first, then channels by name. */
function byPlace(one: ChannelLine, other: ChannelLine): number {
  const sortOf = ({ place, name, isGone }: ChannelLine) => [
    place.platform,
    place.workspace,
    place.channel === "" ? "0" : isGone === true ? "2" : "1",
    name ?? place.channel,
  ];
  const [a, b] = [sortOf(one).join("\n"), sortOf(other).join("\n")];
  return a < b ? -1 : a > b ? 1 : 0;
}
