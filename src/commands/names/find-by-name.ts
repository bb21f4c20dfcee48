/** Finds an agent or knowledge base by the name someone typed, and suggests the nearest one when there is none. */

import type { Named } from "../../core/access.ts";
import type { Inline } from "../../core/document.ts";
import { ParleyError } from "../../core/errors.ts";
import type { Agent, KnowledgeBase } from "../../core/ports/agent-service.ts";
import { code, inlineText, say } from "../../presentation/drawing.ts";
import type { CommandApp } from "../app.ts";
import { knowledgeBaseSentences, problemSentences } from "../words.ts";
import { nearest } from "./nearest.ts";

const says = {
  noSuch: (name: string): Inline => say`There is no agent called ${code(name)}.`,
};

/** Reads the agent from the service. Throws agent_not_found with the nearest name as hint. */
async function findAgent(app: CommandApp, given: string): Promise<Agent> {
  const { service, names, settings } = app;
  const known = () => names.agents().map((agent) => agent.name);
  const name = sameName(given, known());
  try {
    const agent = await service.getAgent(settings.project, name);
    names.keepAgent(agent);
    return agent;
  } catch (failure) {
    if (!(failure instanceof ParleyError) || failure.code !== "agent_not_found") throw failure;
    names.dropAgent({ project: settings.project, name });
    await names.refresh();
    const what = inlineText(says.noSuch(given));
    throw new ParleyError("agent_not_found", { what, hint: nearHint(given, known()), cause: failure });
  }
}

/** Like findAgent, also for "shop.helper": an agent of another project. */
export async function findAgentAnywhere(app: CommandApp, given: string): Promise<Agent> {
  const { service, names } = app;
  const elsewhere = elsewhereOf(app, given);
  if (elsewhere === undefined) return findAgent(app, given);
  const { project, name } = elsewhere;
  const found = await names.elsewhere.find(given).catch(() => undefined);
  try {
    return await service.getAgent(project, found?.name ?? name);
  } catch (failure) {
    const codes = ["agent_not_found", "project_not_found"];
    if (!(failure instanceof ParleyError) || !codes.includes(failure.code)) throw failure;
    const written = await names.elsewhere.written(given).catch(() => []);
    const what = inlineText(says.noSuch(given));
    throw new ParleyError("agent_not_found", { what, hint: nearHint(given, written), cause: failure });
  }
}

/** Undefined for a name in AGENT_PROJECT, where a name may contain a dot too. */
export function elsewhereOf({ names }: Pick<CommandApp, "names">, given: string): Named | undefined {
  const own = names.agents().map(({ name }) => name);
  return own.includes(sameName(given, own)) ? undefined : names.elsewhere.split(given);
}

/** "helper", or "shop.helper" for an agent of another project. */
export function writtenName(agent: Named, own: string): string {
  return agent.project === own ? agent.name : `${agent.project}.${agent.name}`;
}

/** Searches the service's list. Throws knowledge_base_not_found with the nearest name as hint. */
export async function findKnowledgeBase(app: CommandApp, given: string): Promise<KnowledgeBase> {
  const { service, names, settings } = app;
  const bases = await service.listKnowledgeBases(settings.project);
  for (const base of bases) names.keepKnowledgeBase(base);
  const all = bases.map((base) => base.name);
  const name = sameName(given, all);
  const found = bases.find((base) => base.name === name);
  if (found !== undefined) return found;
  const what = inlineText(knowledgeBaseSentences.noSuch(given));
  throw new ParleyError("knowledge_base_not_found", { what, hint: nearHint(given, all) });
}

/** The exact name, otherwise the only one that differs just in case. */
export function sameName(given: string, names: readonly string[]): string {
  const name = given.trim();
  if (names.includes(name)) return name;
  const alike = names.filter((candidate) => candidate.toLowerCase() === name.toLowerCase());
  return alike.length === 1 ? (alike[0] ?? name) : name;
}

/** "Did you mean docs?" */
export function nearHint(given: string, names: readonly string[]): string | undefined {
  const near = nearest(given, names);
  return near === undefined ? undefined : inlineText(problemSentences.didYouMean(near));
}
