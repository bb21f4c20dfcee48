/** Reads who answers where: what is set for every channel on every platform, and what each agent looks in. */

import type { App } from "../app.ts";
import type { OfBridge } from "../commands/app.ts";
import type { NameCache } from "../commands/names/name-cache.ts";
import type { Checks } from "../core/content/checks.ts";
import { type Binding, type Mode, type Place, workspaceKey } from "../core/model/place.ts";
import type {
  AgentLine,
  AgentsAndChannels,
  AgentsReader,
  ChannelLine,
  CheckLine,
  NamedThing,
} from "../core/overview/agents.ts";
import type { Places } from "../core/overview/places.ts";
import type { Agent, KnowledgeBase } from "../core/ports/agent-service.ts";
import { unfinishedJobStates } from "../core/ports/state.ts";
import { splitName } from "../core/tools/split-name.ts";
import { checkedAgent } from "../knowledge/knowledge.ts";
import { cleanText } from "../presentation/drawing.ts";
import { answersAll } from "./places.ts";

/** Newest Jobs searched for the last check of each agent. */
const maxJobs = 200;
const defaultMode: Mode = "thread";

export function createAgentsReader(
  app: App,
  {
    checks,
    names,
    places,
    heard,
  }: {
    readonly checks: Pick<Checks, "count">;
    readonly names: NameCache;
    readonly heard: OfBridge["heard"];
    readonly places: Places;
  },
): AgentsReader {
  const { bindings } = app;
  const { lists } = app.reach;
  const { project } = app.settings;
  const written = (of: { readonly project: string; readonly name: string }) =>
    of.project === project ? of.name : `${of.project}.${of.name}`;

  async function channelLine(
    place: Place,
    own: Partial<Binding>,
    agents: readonly Agent[] | undefined,
    bases: readonly KnowledgeBase[] | undefined,
  ): Promise<ChannelLine> {
    const listAgents = async () => agents ?? [];
    const [resolved, name, counts] = await Promise.all([
      bindings.resolve(place, { listAgents }),
      places.nameOf(place),
      place.channel === "" ? undefined : heard(place),
    ]);
    const isHeard = counts !== undefined && counts.answered + counts.quiet > 0;
    const bound = resolved.kind === "bound" ? resolved : undefined;
    const agentName = bound && written({ project: bound.binding.project, name: bound.binding.agent });
    const base = own.knowledgeBase ?? bound?.binding.knowledgeBase;
    const isForeign = bound !== undefined && bound.binding.project !== project;
    return {
      place,
      name: name.name,
      isGone: name.isGone,
      isOff: places.kindOf(place) === "unknown" ? (true as const) : undefined,
      isDirect: place.channel !== "" && places.kindOf(place) === "direct",
      mode: answersAll(places.kindOf(place)) ? "every" : (own.mode ?? bound?.binding.mode ?? defaultMode),
      agent: agentName === undefined ? undefined : namedThing(agentName, isForeign ? undefined : agents),
      from: bound?.from,
      heard: isHeard ? counts : undefined,
      knowledgeBase: base === undefined ? undefined : namedThing(base, bases),
      instructions: own.instructions === undefined || own.instructions === "" ? undefined : cleanText(own.instructions),
    };
  }

  async function channels(agents: readonly Agent[] | undefined, bases: readonly KnowledgeBase[] | undefined) {
    const [set, others] = await Promise.all([bindings.all(), places.all()]);
    const keyOf = ({ platform, workspace, channel }: Place) => JSON.stringify([platform, workspace, channel]);
    const all = new Map([
      ...others.map((place) => [keyOf(place), { place, binding: {} }] as const),
      ...set.map((one) => [keyOf(one.place), one] as const),
    ]);
    return Promise.all(Array.from(all.values(), ({ place, binding }) => channelLine(place, binding, agents, bases)));
  }

  /** The newest of each agent and workspace. */
  async function lastChecks(): Promise<ReadonlyMap<string, CheckLine["last"]>> {
    const found = new Map<string, CheckLine["last"]>();
    for (const job of await app.state.jobs.recent(maxJobs)) {
      const agent = checkedAgent(job);
      const key = agent && `${workspaceKey(job.askedIn)} ${written(agent)}`;
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

  return {
    read: async (): Promise<AgentsAndChannels> => {
      const [agents, bases] = await Promise.all([
        lists.agents().catch(() => undefined),
        lists.knowledgeBases().catch(() => undefined),
      ]);
      const [lines, last] = await Promise.all([channels(agents, bases), lastChecks()]);
      const workspaces = new Map(
        lines.map(({ place: { platform, workspace } }) => [
          workspaceKey({ platform, workspace }),
          { platform, workspace },
        ]),
      );
      const agentLine = async (agent: Agent): Promise<AgentLine> => {
        const name = written(agent);
        const each = [...workspaces.values()].map(async ({ platform, workspace }): Promise<CheckLine> => {
          const questions = await checks.count({
            platform,
            workspace,
            agent: { project: agent.project, name: agent.name },
          });
          const before = last.get(`${workspaceKey({ platform, workspace })} ${name}`);
          return { platform, workspace, questions, last: before };
        });
        const found = (await Promise.all(each)).filter((line) => line.questions > 0 || line.last !== undefined);
        return {
          name: cleanText(name),
          knowledgeBases: agent.knowledgeBases.map((entry) => baseOf(entry, agent, bases)),
          tables: agent.tables.map(cleanText),
          places: lines.filter((line) => line.agent?.name === name && isOwn(line)).length,
          checks: found,
          model: agent.model?.name === agent.name ? undefined : agent.model?.name && cleanText(agent.model.name),
          instructions: agent.promptTemplate && cleanText(agent.promptTemplate),
        };
      };
      return {
        channels: lines.sort(byPlace),
        agents: await Promise.all((agents ?? []).map(agentLine)),
        knowledgeBases: (bases ?? []).map(({ name }) => cleanText(name)),
        canChange: names.offers("agent-changes"),
        ...(agents === undefined ? { isServiceDown: true } : {}),
      };
    },
  };

  function baseOf(entry: string, agent: Agent, bases: readonly KnowledgeBase[] | undefined): NamedThing {
    const base = splitName(entry, agent.project);
    const isElsewhere = base.name === "*" || base.project !== project;
    return namedThing(written(base), isElsewhere ? undefined : bases);
  }
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
