/**
 * Finds agents and knowledge bases within a person's reach. Anything out of reach gets the same reply as a name that
 * doesn't exist, so that nobody can discover names by guessing.
 */
import { refusalError } from "../../access/refusal.ts";
import type { AccessAction, Named, Reach, ResolvedBinding } from "../../core/access.ts";
import type { CommandContext } from "../../core/commands.ts";
import { ParleyError } from "../../core/errors.ts";
import type { Place } from "../../core/model/place.ts";
import type { Agent } from "../../core/ports/agent-service.ts";
import { splitName } from "../../core/tools/split-name.ts";
import { inlineText } from "../../presentation/drawing.ts";
import { accessSentences } from "../../presentation/sentences.ts";
import type { CommandApp } from "../app.ts";
import { elsewhereOf, findAgentAnywhere, findKnowledgeBase, nearHint, sameName } from "./find-by-name.ts";

type Who = Pick<CommandContext, "actor" | "place">;

export function manages({ reach }: Pick<CommandApp, "reach">, { actor, place }: Who): boolean {
  return reach.may(actor, "manage", place).allowed;
}

/**
 * Whether every ordinary member sees all of `named` there, so that a list of them tells the channel nothing new. False
 * if that can't be found out.
 */
export async function isSeenByAnyone(
  lists: Reach["agents"] | Reach["bases"],
  named: readonly { readonly name: string }[],
  place: Place,
): Promise<boolean> {
  const { workspace } = place;
  const member = { isAdmin: false, isGuest: false, isExternal: false, isBot: false, roles: [] };
  const listed: readonly { readonly name: string }[] = await lists(
    { ...member, id: "", workspace, name: "" },
    place,
  ).catch(() => []);
  const seen = new Set(listed.map(({ name }) => name));
  return named.every(({ name }) => seen.has(name));
}

/** Throws agent_not_here, or agent_not_found for managers. */
export async function agentInReach(app: CommandApp, given: string, who: Who): Promise<Agent> {
  const { reach, settings } = app;
  if (manages(app, who)) return findAgentAnywhere(app, given);
  const { actor, place } = who;
  const reached = await reach.agents(actor, place);
  const names = reached.map(({ name }) => name);
  const name = sameName(given, names);
  const agent = elsewhereOf(app, given) ?? { project: settings.project, name };
  const verdict = await reach.mayAgent(actor, "see", place, agent);
  if (verdict.allowed) return findAgentAnywhere(app, name);
  const { what, hint, code } = refusalError(actor, verdict, name);
  throw new ParleyError(code, { what, hint: nearHint(given, names) ?? hint });
}

/** `given`: "docs", or "shop.docs" for another project. Throws knowledge_base_not_found. */
export async function baseInReach(app: CommandApp, given: string, who: Who): Promise<Named> {
  const { reach, settings } = app;
  const wanted = splitName(given.trim(), settings.project);
  const isOwn = wanted.project === settings.project;
  if (manages(app, who)) {
    const found = await findKnowledgeBase({ ...app, settings: { ...settings, project: wanted.project } }, wanted.name);
    return { project: wanted.project, name: found.name };
  }
  const names = (await reach.bases(who.actor, who.place)).map(({ name }) => name);
  const name = sameName(wanted.name, names);
  if (isOwn && names.includes(name)) return { project: wanted.project, name };
  throw new ParleyError("knowledge_base_not_found", {
    what: inlineText(accessSentences.baseNotHere(given)),
    hint: nearHint(wanted.name, names) ?? accessSentences.basesFollow,
  });
}

/** The default knowledge base; undefined when there is none within reach. */
export async function defaultBaseInReach(app: CommandApp, action: AccessAction, who: Who): Promise<Named | undefined> {
  const { reach, service, settings } = app;
  const { actor, place } = who;
  const listBases = () =>
    manages(app, who) ? service.listKnowledgeBases(settings.project) : reach.bases(actor, place);
  const target = await defaultBase(app, place, await reach.resolve(actor, place), listBases, action);
  if (target === undefined) return undefined;
  // No fallback to another one: content would end up where nobody looks for it.
  return (await reach.mayBase(actor, action, place, target)).allowed ? target : undefined;
}

/**
 * The default knowledge base of a place: the channel's, else the agent's first, else the first that exists. `resolved`:
 * who answers there; `listBases`: the knowledge bases within the person's reach. Undefined when there are none.
 */
async function defaultBase(
  app: CommandApp,
  place: Place,
  resolved: ResolvedBinding,
  listBases: () => Promise<readonly Named[]>,
  /** Whether it is to be added to. Nobody can add to Parley's own manual. */
  action: AccessAction,
): Promise<Named | undefined> {
  const { service, bindings, names, settings } = app;
  const { project } = settings;
  const isSuitable = (base: Named) =>
    action !== "ingest" || base.project !== project || base.name !== settings.ownDocsBase;
  const own = await bindings.own(place);
  const chosen = own?.knowledgeBase ?? (resolved.kind === "bound" ? resolved.binding.knowledgeBase : undefined);
  if (chosen !== undefined && isSuitable({ project, name: chosen })) return { project, name: chosen };
  if (resolved.kind === "bound") {
    const agent =
      names.agent(resolved.binding.agent) ?? (await agentOf(resolved.binding.project, resolved.binding.agent));
    const own = agent?.knowledgeBases.filter((name) => !name.endsWith("*")).map((name) => splitName(name, project));
    const first = own?.find(isSuitable);
    if (first !== undefined) return first;
  }
  const first = (await listBases()).find(isSuitable);
  return first === undefined ? undefined : { project: first.project, name: first.name };

  async function agentOf(agentProject: string, name: string) {
    // A deleted agent is reported when it is asked; here any knowledge base will do.
    return service.getAgent(agentProject, name).catch(() => undefined);
  }
}
