/** `/agent check` and its button: begins a Job that asks the answered questions of an agent again. */
import { checkedAgent, type Knowledge } from "../../knowledge/knowledge.ts";
import type { Named } from "../../ports/access.ts";
import type { ChatPlatform } from "../../ports/chat-platform.ts";
import { type CommandSet, textOption } from "../../ports/command-contract.ts";
import type { CommandContext, CommandResult } from "../../ports/commands.ts";
import { type Checks, maxChecks } from "../../ports/content/checks.ts";
import type { Job } from "../../ports/model/job.ts";
import { type Place, workspaceKey } from "../../ports/model/place.ts";
import { unfinishedJobStates } from "../../ports/state.ts";
import { infoDocument } from "../../presentation/drawing.ts";
import { checkSentences as says } from "../../presentation/sentences.ts";
import { nameOfRef } from "../agents/name-ref.ts";
import { writtenName } from "../find-by-name.ts";
import { agentInReach } from "../in-reach.ts";
import type { CommandPorts } from "../ports.ts";
import { privately } from "../results.ts";
import { checkDefinitions } from "./check-definitions.ts";

/** Recent Jobs searched for one that runs already. */
const maxLooked = 200;

export type CheckPorts = CommandPorts & {
  readonly knowledge: Pick<Knowledge, "jobs">;
  readonly checks: Pick<Checks, "of" | "total">;
  readonly platformOf: (name: string) => Pick<ChatPlatform, "directPlace"> | undefined;
};

export function checkCommands(ports: CheckPorts): CommandSet {
  const { knowledge, checks, reach, coordinator, settings, platformOf } = ports;

  async function runningFor({ project, name }: Named, place: Place): Promise<Job | undefined> {
    const recent = await knowledge.jobs.recent(place, maxLooked);
    return recent.find((job) => {
      const agent = checkedAgent(job);
      return unfinishedJobStates.includes(job.state) && agent?.project === project && agent.name === name;
    });
  }

  /** Where people can't use that agent, its name and its results go to the person who asked for them alone. */
  async function shownIn(agent: Named, { actor, place }: CommandContext): Promise<Place> {
    const verdict = await reach.mayAgent(actor, "see", place, agent, { isKnown: true });
    if (place.channel === "" || !verdict.allowed || !verdict.isPrivate || reach.isDirect(place)) return place;
    return (await platformOf(place.platform)?.directPlace?.(actor, place)) ?? place;
  }

  async function check(given: string, context: CommandContext): Promise<CommandResult> {
    const { project, name } = await agentInReach(ports, given, context);
    const agent = { project, name };
    const written = writtenName(agent, settings.project);
    const { platform, workspace } = context.place;
    const lease = await coordinator.lease(`check/${workspaceKey(context.place)}/${project}/${name}`);
    try {
      if ((await runningFor(agent, context.place)) !== undefined) {
        return privately(infoDocument(says.alreadyRunning(written)));
      }
      const gapIds = await checks.of({ platform, workspace, agent });
      if (gapIds.length === 0) return privately(infoDocument(says.none(written)));
      const place = await shownIn(agent, context);
      await knowledge.jobs.begin({
        context,
        shownIn: place,
        project,
        knowledgeBase: "",
        // One question at a time.
        way: "service",
        action: "agent check",
        checked: name,
        items: gapIds.map((gapId) => ({
          item: { label: gapId, kind: "check", state: "waiting" },
          payload: { kind: "check", gapId },
        })),
      });
      const total = gapIds.length < maxChecks ? gapIds.length : await checks.total({ platform, workspace, agent });
      const limited = total > gapIds.length ? [says.limited(gapIds.length, total)] : [];
      const said = [
        says.begun(gapIds.length, written),
        ...limited,
        ...(place === context.place ? [] : [says.shownDirectly]),
      ];
      return privately(infoDocument(said, { tone: "running" }));
    } finally {
      await lease.release();
    }
  }

  return {
    definitions: checkDefinitions,
    handlers: { "agent check": { run: (options, context) => check(textOption(options, "name") ?? "", context) } },
    actions: {
      "run-checks": { role: "manage", press: async (ref, context) => check(await nameOfRef(ports, ref), context) },
    },
  };
}
