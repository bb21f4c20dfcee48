/** Finds questions that an agent can answer, from the titles of what it can look up. */
import { LRUCache } from "lru-cache";
import type { App } from "../../app.ts";
import type { Named } from "../../core/access.ts";
import { byClock } from "../../core/tools/cache-time.ts";
import { questionsFromTitles, titlesIn } from "../../presentation/drawing.ts";

const maxExamples = 3;
const maxBases = 3;
const maxDocuments = 60;
const keptMs = 10 * 60_000;
/** An empty knowledge base may be filled soon. */
const emptyKeptMs = 15_000;
const maxAgents = 500;

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
