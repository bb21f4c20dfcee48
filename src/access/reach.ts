/**
 * Gathers the facts for access decisions: bindings, the service's lists, a person's contributions. The single entry
 * point to access.ts.
 */

import type { Runtime } from "../app.ts";
import type {
  Bindings,
  BoundPlace,
  Contributions,
  Lists,
  Named,
  Reach,
  ResolvedBinding,
  ResolveOptions,
} from "../core/access.ts";
import type { Actor, Place, Workspace } from "../core/model/place.ts";
import { splitName } from "../core/tools/split-name.ts";
import { type AccessFacts, may, noTarget } from "./access.ts";
import { isFullMember, managesFromPage, rolesOf } from "./roles.ts";

type KnownAgents = {
  /** Default: the lists. */
  readonly known?: () => Promise<readonly Named[]>;
  /** For deciding which agent is the only one. Default: the lists. */
  readonly listAgents?: () => Promise<readonly Named[]>;
};

export function createReach(
  { sites, settings }: Runtime,
  facts: {
    readonly bindings: Bindings;
    /** Of a project. */
    readonly lists: (project: string) => Lists;
    readonly contributions: Pick<Contributions, "of">;
  },
): Reach {
  const { bindings, lists, contributions } = facts;
  const { projectOf, workspaceProjects, agentScope: scope, roles, ownDocsBase } = settings;
  const platformOf = (name: string) => sites.get(name)?.platform;
  const listsOf = (place: Workspace, actor?: Pick<Actor, "memberOf">) => lists(projectOf(place, actor));

  const isDirect = (place: Place) => platformOf(place.platform)?.isDirect?.(place) === true;
  const isServed = (actor: Actor, place: Place) =>
    settings.serves(place) && (platformOf(place.platform)?.memberships?.serves(place, actor) ?? true);
  const manages = (actor: Actor, place: Place) => rolesOf(actor, place, roles).manage.allowed;
  const factsOf = (actor: Actor, place: Place): AccessFacts => {
    const project = projectOf(place, actor);
    return {
      isServed: isServed(actor, place),
      isDirect: isDirect(place),
      roles,
      scope,
      project,
      isSeparate: workspaceProjects !== undefined,
      ownDocs: ownDocsBase === undefined ? undefined : { project, name: ownDocsBase },
    };
  };

  /** A direct message that belongs to no workspace uses the default of the person's only workspace. */
  function homeOf({ memberOf }: Actor, place: Place): { readonly workspace: string | undefined } {
    if (memberOf === undefined || memberOf.includes(place.workspace)) return place;
    return { workspace: memberOf.length === 1 ? memberOf[0] : undefined };
  }

  /** Bindings that restrict an agent to their places. A binding in a direct message restricts nobody else. */
  async function readConfining(): Promise<(agent: Named) => readonly BoundPlace[]> {
    const placesOf = await bindings.places();
    return (agent) => placesOf(agent.project, agent.name).filter((place) => !isDirect(place));
  }

  async function resolve(actor: Actor, place: Place, how: ResolveOptions = {}): Promise<ResolvedBinding> {
    const home = homeOf(actor, place);
    const project = projectOf(place, actor);
    const resolved = await bindings.resolve(place, { ...how, home, project });
    if (resolved.kind !== "bound" || resolved.from !== "channel" || !isDirect(place)) return resolved;
    if (scope === "open" || manages(actor, place)) return resolved;
    // A channel of the page where people sign in with a token only: it is for everyone, and so is its agent.
    if ((await platformOf(place.platform)?.visibility?.(place)) === "public") return resolved;
    // Set while the person was a manager; it gives nothing to a person who no longer is one.
    const confining = await readConfining();
    const isFree = isFullMember(actor) && confining(namedOf(resolved)).length === 0;
    return isFree ? resolved : bindings.resolve(place, { ...how, home, project, ignoresOwn: true });
  }

  /** From memory if the service was asked recently. */
  async function factsOfAgents(
    actor: Actor,
    place: Place,
    { known: listKnown = listsOf(place, actor).agents, listAgents = listsOf(place, actor).agents }: KnownAgents = {},
  ): Promise<(agent: Named) => AccessFacts> {
    const home = homeOf(actor, place);
    const project = projectOf(place, actor);
    const [known, confining, resolved, fallback] = await Promise.all([
      listKnown(),
      readConfining(),
      resolve(actor, place, { listAgents }),
      bindings.resolve(place, { home, project, ignoresOwn: true, listAgents }),
    ]);
    const names = new Set(known.map(({ name }) => name));
    return (agent) => {
      const bound = confining(agent);
      const isHere = bound.some(
        ({ platform, workspace, channel }) =>
          platform === place.platform &&
          (channel === "" ? workspace === home.workspace : workspace === place.workspace && channel === place.channel),
      );
      return {
        ...factsOf(actor, place),
        agent: {
          isKnown: agent.project === project && names.has(agent.name),
          answersHere: isBoundTo(resolved, agent),
          isDefaultHere: isBoundTo(fallback, agent),
          bound: bound.length === 0 ? "nowhere" : isHere ? "here" : "elsewhere",
        },
      };
    };
  }

  const mayAgent: Reach["mayAgent"] = async (actor, action, place, agent, { isKnown = false } = {}) => {
    const target = { kind: "agent", agent } as const;
    // Refuse without a lookup if that is possible.
    const alone = may(actor, action, place, noTarget, factsOf(actor, place));
    if (!alone.allowed || (scope === "open" && agent.project === projectOf(place, actor))) return alone;
    const known = isKnown ? async () => [agent] : listsOf(place, actor).agents;
    const about = await factsOfAgents(actor, place, { known });
    const verdict = may(actor, action, place, target, about(agent));
    if (verdict.allowed || isKnown || verdict.why === "guest") return verdict;
    // The agent may be newer than the list. Refresh for existing but unreachable agents too, so that nobody notices a
    // difference.
    await listsOf(place, actor).renew();
    return may(actor, action, place, target, (await factsOfAgents(actor, place))(agent));
  };

  const agents: Reach["agents"] = async (actor, place) => {
    const known = await listsOf(place, actor).agents();
    const alone = may(actor, "see", place, noTarget, factsOf(actor, place));
    if (!alone.allowed) return [];
    if (scope === "open" || manages(actor, place)) return known;
    const about = await factsOfAgents(actor, place);
    return known.filter((agent) => may(actor, "see", place, { kind: "agent", agent }, about(agent)).allowed);
  };

  const openAmong: Reach["openAmong"] = async (actor, place, names) => {
    const known = names.map((name) => ({ project: projectOf(place, actor), name }));
    const list = async () => known;
    const about = await factsOfAgents(actor, place, { known: list, listAgents: list });
    const isOpen = (agent: Named) => {
      const verdict = may(actor, "ask", place, { kind: "agent", agent }, about(agent));
      return verdict.allowed && !verdict.isPrivate;
    };
    return known.filter(isOpen).map(({ name }) => name);
  };

  async function factsOfBases(actor: Actor, place: Place): Promise<AccessFacts> {
    const facts = factsOf(actor, place);
    if (scope === "open" || manages(actor, place)) return facts;
    const [reached, resolved, own] = await Promise.all([
      agents(actor, place),
      resolve(actor, place),
      contributions.of(actor, place),
    ]);
    // A choice made in a direct message is the person's own, and they are not a manager now.
    const ofPlace = resolved.kind === "bound" ? resolved.binding.knowledgeBase : undefined;
    const name = isDirect(place) ? undefined : ((await bindings.own(place))?.knowledgeBase ?? ofPlace);
    const { project } = facts;
    const chosen = name === undefined ? undefined : { project, name };
    const here = resolved.kind === "bound" ? namedOf(resolved) : undefined;
    const isForeign = here !== undefined && here.project !== project;
    const foreign = isForeign ? await listsOf(place, actor).agentElsewhere(`${here.project}.${here.name}`) : undefined;
    const ofAgents = [...reached, ...(foreign === undefined ? [] : [foreign])].flatMap((agent) =>
      agent.knowledgeBases.map((entry) => splitName(entry, agent.project)),
    );
    return { ...facts, knowledge: { ofAgents, own, chosen } };
  }

  const bases: Reach["bases"] = async (actor, place, action = "search") => {
    const [known, facts] = await Promise.all([listsOf(place, actor).knowledgeBases(), factsOfBases(actor, place)]);
    return known.filter((base) => may(actor, action, place, { kind: "knowledge-base", base }, facts).allowed);
  };

  return {
    oversees: managesFromPage,
    isServed,
    isDirect,
    answersAll: (place) => isDirect(place) || platformOf(place.platform)?.isOwnPage === true,
    may: (actor, action, place) => may(actor, action, place, noTarget, factsOf(actor, place)),
    mayAgent,
    mayBase: async (actor, action, place, base) => {
      const target = { kind: "knowledge-base", base } as const;
      const alone = may(actor, action, place, noTarget, factsOf(actor, place));
      if (!alone.allowed) return alone;
      return may(actor, action, place, target, await factsOfBases(actor, place));
    },
    resolve: (actor, place) => resolve(actor, place),
    agents,
    openAmong,
    lists,
    bases,
    names: async (actor, place) => {
      if (manages(actor, place)) return undefined;
      const [ofAgents, ofBases] = await Promise.all([agents(actor, place), bases(actor, place)]);
      const nameOf = ({ name }: { readonly name: string }) => name;
      return { agents: ofAgents.map(nameOf), knowledgeBases: ofBases.map(nameOf) };
    },
  };
}

function namedOf({ binding }: Extract<ResolvedBinding, { kind: "bound" }>): Named {
  return { project: binding.project, name: binding.agent };
}

function isBoundTo(resolved: ResolvedBinding, agent: Named): boolean {
  if (resolved.kind !== "bound") return false;
  return resolved.binding.agent === agent.name && resolved.binding.project === agent.project;
}
