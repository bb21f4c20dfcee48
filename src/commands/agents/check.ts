/** `/agent check` and its button: begins a Job that asks the answered questions of an agent again. */

import type { Named } from "../../core/access.ts";
import type { CommandContext, CommandResult } from "../../core/commands.ts";
import { maxChecks } from "../../core/content/checks.ts";
import type { Job } from "../../core/model/job.ts";
import { type Place, workspaceKey } from "../../core/model/place.ts";
import { unfinishedJobStates } from "../../core/ports/state.ts";
import { checkedAgent } from "../../knowledge/knowledge.ts";
import { bold, infoDocument, say } from "../../presentation/drawing.ts";
import { countText, numberText } from "../../presentation/sentences.ts";
import type { CommandApp } from "../app.ts";
import { type Command, textOption } from "../command.ts";
import { writtenName } from "../names/find-by-name.ts";
import { agentInReach } from "../names/in-reach.ts";
import { nameOfRef } from "../names/name-ref.ts";
import { privately } from "../results.ts";

/** Recent Jobs searched for one that runs already. */
const maxLooked = 200;

export const agentCheck: Command = {
  path: "agent check",
  summary: "Ask an agent's answered questions again, to see whether the added answers still hold",
  options: [{ name: "name", summary: "The agent", type: "text", isRequired: true, completes: "agent" }],
  role: "manage",
  examples: ["agent check support"],
  run: (app, options, context) => check(app, textOption(options, "name") ?? "", context),
  actions: {
    "run-checks": {
      role: "manage",
      press: async (app, ref, context) => check(app, await nameOfRef(app, ref), context),
    },
  },
};

async function runningFor(app: CommandApp, { project, name }: Named, place: Place): Promise<Job | undefined> {
  const recent = await app.knowledge.jobs.recent(place, maxLooked);
  return recent.find((job) => {
    const agent = checkedAgent(job);
    return unfinishedJobStates.includes(job.state) && agent?.project === project && agent.name === name;
  });
}

/** Where people can't use that agent, its name and its results go to the person who asked for them alone. */
async function shownIn(app: CommandApp, agent: Named, { actor, place }: CommandContext): Promise<Place> {
  const verdict = await app.reach.mayAgent(actor, "see", place, agent, { isKnown: true });
  if (place.channel === "" || !verdict.allowed || !verdict.isPrivate || app.reach.isDirect(place)) return place;
  return (await app.sites.get(place.platform)?.platform.directPlace?.(actor, place)) ?? place;
}

async function check(app: CommandApp, given: string, context: CommandContext): Promise<CommandResult> {
  const { project, name } = await agentInReach(app, given, context);
  const agent = { project, name };
  const written = writtenName(agent, app.settings.project);
  const { platform, workspace } = context.place;
  const lease = await app.state.coordinator.lease(`check/${workspaceKey(context.place)}/${project}/${name}`);
  try {
    if ((await runningFor(app, agent, context.place)) !== undefined) {
      return privately(infoDocument(say`A check of ${bold(written)} is already running.`));
    }
    const gapIds = await app.checks.of({ platform, workspace, agent });
    if (gapIds.length === 0)
      return privately(
        infoDocument(say`There is nothing to check yet: no question to ${bold(written)} has an added answer.`),
      );
    const place = await shownIn(app, agent, context);
    await app.knowledge.jobs.begin({
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
    const total = gapIds.length < maxChecks ? gapIds.length : await app.checks.total({ platform, workspace, agent });
    const limited =
      total > gapIds.length
        ? [
            `That's the most one check can ask. There are ${numberText(total)}; I'm asking the ${numberText(gapIds.length)} that matter to most people.`,
          ]
        : [];
    const said = [
      say`Asking ${countText(gapIds.length, "question")} of ${bold(written)} again.`,
      ...limited,
      ...(place === context.place
        ? []
        : ["The result follows in a direct message, because not everyone here can use this agent."]),
    ];
    return privately(infoDocument(said, { tone: "running" }));
  } finally {
    await lease.release();
  }
}
