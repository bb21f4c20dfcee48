/** Finds out what an agent can look up, and asks about one of its titles: the test question of a new agent. */
import type { Agent, AgentService } from "../../ports/agent-service.ts";
import type { Clock } from "../../ports/clock.ts";
import { splitName } from "../../ports/tools/split-name.ts";
import { withTimeout } from "../../ports/tools/timeout.ts";
import { questionsFromTitles, titlesIn } from "../../presentation/drawing.ts";
import type { NameCache } from "../name-cache.ts";

export type Knowledge =
  | { readonly kind: "none"; readonly why: "no-base" | "empty" }
  | { readonly kind: "question"; readonly question: string }
  /** It has tables, untitled documents, or a list that didn't come in time. */
  | { readonly kind: "unknown" };

const maxBases = 3;
const maxPassages = 60;
const listMs = 10_000;

type Ports = {
  readonly service: Pick<AgentService, "listDocuments" | "listKnowledgeBases" | "profile">;
  readonly names: Pick<NameCache, "knowledgeBases">;
  readonly settings: { readonly project: string };
  readonly clock: Clock;
};

/** Never throws. Bases are listed one after the other: 26.x refuses two calls on one base at once. */
export async function knowledgeOf(ports: Ports, agent: Agent): Promise<Knowledge> {
  const { service, clock } = ports;
  if (agent.knowledgeBases.length === 0) {
    return agent.tables.length === 0 ? { kind: "none", why: "no-base" } : { kind: "unknown" };
  }
  const bases = await withTimeout(basesOf(ports, agent), listMs, clock);
  const namesDocument = (await withTimeout(service.profile(), listMs, clock))?.generation === "local";
  let isSure = bases !== undefined && agent.tables.length === 0;
  for (const { project, name } of (bases ?? []).slice(0, maxBases)) {
    const documents = await withTimeout(service.listDocuments(project, name, maxPassages), listMs, clock);
    const [question] = questionsFromTitles(titlesIn(documents ?? []), { namesDocument });
    if (question !== undefined) return { kind: "question", question };
    if (documents?.length !== 0) isSure = false;
  }
  const isAll = (bases?.length ?? 0) <= maxBases;
  return isSure && isAll ? { kind: "none", why: "empty" } : { kind: "unknown" };
}

async function basesOf({ service, names, settings }: Ports, agent: Agent) {
  const lists = agent.knowledgeBases.map(async (entry) => {
    const base = splitName(entry, agent.project);
    if (base.name !== "*") return [base];
    const own = base.project === settings.project;
    const all = own ? names.knowledgeBases() : await service.listKnowledgeBases(base.project);
    return all.map(({ name }) => ({ project: base.project, name }));
  });
  return (await Promise.all(lists)).flat();
}
