/** `/agent list`: the agents that a person reaches, and where they answer. */

import type { CommandContext, CommandResult } from "../../core/commands.ts";
import { ParleyError } from "../../core/errors.ts";
import type { Agent } from "../../core/ports/agent-service.ts";
import { bold, cleanText, dotted, infoDocument, listDocument, say } from "../../presentation/drawing.ts";
import { accessSentences, agentSentences, countText, shorten } from "../../presentation/sentences.ts";
import type { CommandApp } from "../app.ts";
import { type Command, type OptionValues, textOption } from "../command.ts";
import { nearHint, writtenName } from "../names/find-by-name.ts";
import { isSeenByAnyone, manages } from "../names/in-reach.ts";
import { openly, privately } from "../results.ts";
import { nameSentences } from "../words.ts";
import { channelsText, noAgentDocument } from "./agent-words.ts";

/** Agents listed; the rest are only counted. */
const maxAgents = 50;

export const agentList: Command = {
  path: "agent list",
  summary: "List agents and where they answer",
  options: [
    {
      name: "project",
      summary: "Another project of the agent service",
      type: "text",
      isRequired: false,
      completes: "project",
      offer: "projects",
    },
  ],
  role: "ask",
  examples: ["agent list"],
  moreExamples: { offer: "projects", examples: ["agent list project:shop"] },
  run: listAgents,
};

async function agentsIn(
  app: CommandApp,
  of: string,
  { actor, place }: CommandContext,
  isManager: boolean,
): Promise<readonly Agent[]> {
  if (of === app.settings.project)
    return isManager ? app.service.listAgents(app.settings.project) : app.reach.agents(actor, place);
  const isThere = app.names.projects().includes(of);
  const agents = isThere ? await app.names.elsewhere.agentsOf(of) : [];
  if (isManager && !isThere) throw noProject(app, of);
  if (isManager) return agents;
  const verdicts = await Promise.all(agents.map((agent) => app.reach.mayAgent(actor, "see", place, agent)));
  return agents.filter((_agent, index) => verdicts[index]?.allowed === true);
}

function noProject(app: CommandApp, given: string): ParleyError {
  const what = nameSentences.noProject(cleanText(given));
  return new ParleyError("project_not_found", {
    what,
    hint: nearHint(given, app.names.projects()) ?? `Projects: ${shorten(app.names.projects().join(", "), 200)}.`,
  });
}

async function listAgents(app: CommandApp, options: OptionValues, context: CommandContext): Promise<CommandResult> {
  const isManager = manages(app, context);
  const of = textOption(options, "project")?.trim() ?? app.settings.project;
  const agents = await agentsIn(app, of, context, isManager);
  const shown = agents.slice(0, maxAgents);
  let tellsMore = false;
  const items = await Promise.all(
    shown.map(async (agent) => {
      const channels = isManager ? await app.bindings.channelsOf(of, agent.name, context.place) : [];
      const where = channelsText(channels);
      tellsMore ||= where !== undefined;
      return dotted(
        bold(writtenName(agent, app.settings.project)),
        modelShort(agent, app.names.offers("agent-changes")),
        where === undefined ? undefined : say`answers in ${where}`,
      );
    }),
  );
  const more = agents.length - shown.length;
  const quiet = more > 0 ? { quiet: [`${countText(more, "more agent")}: start typing to find them.`] } : {};
  if (agents.length === 0) return openly(isManager ? noAgentDocument(app) : noneInReachDocument());
  const list = listDocument(countText(agents.length, "agent"), items, quiet);
  // Managers see all agents, and the other channels where each one answers.
  const isOpen =
    of === app.settings.project && !tellsMore && (await isSeenByAnyone(app.reach.agents, agents, context.place));
  return isOpen ? openly(list) : privately(list);
}

/** Of agents that are set up elsewhere, Parley knows the model only if the service names it; some agents are models. */
function modelShort({ name, model }: Agent, isSetUpHere: boolean): string | undefined {
  if (isSetUpHere) return model?.name ?? agentSentences.defaultModel;
  return model?.name === name ? undefined : model?.name;
}

function noneInReachDocument() {
  const { what, hint } = accessSentences.noneInReach;
  return infoDocument([what, hint]);
}
