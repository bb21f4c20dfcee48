/** Finds out who answers in a place: which agent, what it looks in, and questions that it can answer. */

import { LRUCache } from "lru-cache";
import type { App } from "../../app.ts";
import type { Named } from "../../core/access.ts";
import type { Asker } from "../../core/commands.ts";
import { toParleyError } from "../../core/errors.ts";
import type { Actor, Place } from "../../core/model/place.ts";
import type { Agent } from "../../core/ports/agent-service.ts";
import { byClock } from "../../core/tools/cache-time.ts";
import { splitName } from "../../core/tools/split-name.ts";
import { questionsFromTitles, titlesIn } from "../../presentation/drawing.ts";

/** Of example questions. */
const maxExamples = 3;
const maxBases = 3;
const maxDocuments = 60;
const keptMs = 10 * 60_000;
/** An empty knowledge base may be filled soon. */
const emptyKeptMs = 15_000;
const maxAgents = 500;

export type WhoAnswers =
  | { readonly kind: "agent"; readonly agent: Named; readonly bases: readonly Named[] }
  | { readonly kind: "gone"; readonly agent: Named }
  | { readonly kind: "choose" }
  | { readonly kind: "none" };

/** Undefined: it doesn't exist. */
async function agentOf(app: App, { actor, place }: Asker, { project, name }: Named): Promise<Agent | undefined> {
  const { reach, service, settings } = app;
  const own = settings.projectOf(place, actor);
  const lists = reach.lists(own);
  if (project !== own) {
    return service.getAgent(project, name).catch((failure: unknown) => {
      const { code } = toParleyError(failure);
      if (code === "agent_not_found" || code === "project_not_found") return undefined;
      throw failure;
    });
  }
  const listed = async () => (await lists.agents()).find((agent) => agent.name === name);
  const known = await listed();
  if (known !== undefined) return known;
  // It may be newer than the list.
  await lists.renew();
  return listed();
}

/** "*" stands for every knowledge base of a project. */
async function basesOf(
  { reach, service, settings }: App,
  { actor, place }: Asker,
  { knowledgeBases, project }: Agent,
): Promise<readonly Named[]> {
  const own = settings.projectOf(place, actor);
  const named = await Promise.all(
    knowledgeBases.map(async (entry): Promise<readonly Named[]> => {
      const base = splitName(entry, project);
      if (base.name !== "*") return [base];
      return base.project === own ? reach.lists(own).knowledgeBases() : service.listKnowledgeBases(base.project);
    }),
  );
  const all = named.flat().map((base): [string, Named] => [`${base.project}.${base.name}`, base]);
  return [...new Map(all).values()];
}

export async function findAnswerer(app: App, actor: Actor, place: Place): Promise<WhoAnswers> {
  const { reach } = app;
  const resolved = await reach.resolve(actor, place);
  if (resolved.kind !== "bound") return { kind: resolved.kind };
  const agent = { project: resolved.binding.project, name: resolved.binding.agent };
  try {
    const found = await agentOf(app, { actor, place }, agent);
    return found === undefined
      ? { kind: "gone", agent }
      : { kind: "agent", agent, bases: await basesOf(app, { actor, place }, found) };
  } catch {
    // The service is down, but the choice is known.
    return { kind: "agent", agent, bases: [] };
  }
}

export type Examples = {
  /** At most three; empty when nothing is suitable. Rejects while the service is down. Cached. */
  readonly of: (agent: Named, bases: readonly Named[]) => Promise<readonly string[]>;
};

export function createExamples(app: App): Examples {
  const { service, clock } = app;
  const cache = new LRUCache<string, readonly string[], readonly Named[]>({
    max: maxAgents,
    ttl: keptMs,
    ...byClock(clock),
    ignoreFetchAbort: true,
    fetchMethod: async (_key, _stale, { options, context: bases }) => {
      const questions = await find(bases);
      if (questions.length === 0) options.ttl = emptyKeptMs;
      return questions;
    },
  });

  async function find(bases: readonly Named[]): Promise<readonly string[]> {
    const { generation } = await service.profile();
    const listed = await Promise.allSettled(
      bases.slice(0, maxBases).map(({ project, name }) => service.listDocuments(project, name, maxDocuments)),
    );
    const failure = listed.find((result) => result.status === "rejected");
    const documents = listed.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    if (documents.length === 0 && failure !== undefined) throw failure.reason;
    const namesDocument = generation === "local";
    const made = documents.map((list) => questionsFromTitles(titlesIn(list), { namesDocument }));
    return inTurn(made).slice(0, maxExamples);
  }

  return {
    of: (agent, bases) => {
      if (bases.length === 0) return Promise.resolve([]);
      const key = [agent, ...bases].map(({ project, name }) => `${project}.${name}`).join(" ");
      return cache.forceFetch(key, { context: bases });
    },
  };
}

/** One of each list, then the next of each, every question once. */
function inTurn(lists: readonly (readonly string[])[]): readonly string[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  const mixed = Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1)));
  return [...new Set(mixed.flat())];
}
