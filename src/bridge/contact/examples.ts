/** Finds questions that an agent can answer, from the titles of what it can look up. */
import type { Named } from "../../ports/access.ts";
import type { AgentService, ListedDocument } from "../../ports/agent-service.ts";
import type { Clock } from "../../ports/clock.ts";
import { keepNewest } from "../../ports/tools/newest.ts";
import { cleanText } from "../../presentation/drawing.ts";
import { welcomeSentences } from "../../presentation/sentences.ts";

/** A button's value holds the whole question. */
const maxQuestionChars = 60;
const maxExamples = 3;
const maxBases = 3;
const maxDocuments = 60;
const keptMs = 10 * 60_000;
/** An empty knowledge base may be filled soon. */
const emptyKeptMs = 15_000;
const maxAgents = 500;

type Found = { readonly untilMs: number; readonly questions: Promise<readonly string[]> };

export type Examples = {
  /** At most three; empty when nothing is suitable. Rejects while the service is down. Cached. */
  readonly of: (agent: Named, bases: readonly Named[]) => Promise<readonly string[]>;
};

export function createExamples(deps: {
  readonly service: Pick<AgentService, "listDocuments" | "profile">;
  readonly clock: Pick<Clock, "now">;
}): Examples {
  const { service, clock } = deps;
  const cache = new Map<string, Found>();

  async function find(bases: readonly Named[]): Promise<readonly string[]> {
    const { generation } = await service.profile();
    const listed = await Promise.allSettled(
      bases.slice(0, maxBases).map(({ project, name }) => service.listDocuments(project, name, maxDocuments)),
    );
    const failure = listed.find((result) => result.status === "rejected");
    const documents = listed.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    if (documents.length === 0 && failure !== undefined) throw failure.reason;
    return inTurn(documents.map((list) => questionsIn(list, generation === "local"))).slice(0, maxExamples);
  }

  return {
    of: (agent, bases) => {
      if (bases.length === 0) return Promise.resolve([]);
      const key = [agent, ...bases].map(({ project, name }) => `${project}.${name}`).join(" ");
      const known = cache.get(key);
      if (known !== undefined && known.untilMs > clock.now()) return known.questions;
      const questions = find(bases);
      const keep = (untilMs: number) => cache.set(key, { untilMs, questions });
      keep(clock.now() + keptMs);
      keepNewest(cache, maxAgents);
      questions.then(
        (found) => {
          if (found.length === 0) keep(clock.now() + emptyKeptMs);
        },
        () => cache.delete(key),
      );
      return questions;
    },
  };
}

/** The most telling titles first: questions, then titles of several words, then single words. */
export function questionsIn(
  documents: readonly Pick<ListedDocument, "title">[],
  isBuiltIn: boolean,
): readonly string[] {
  const titles = documents.flatMap(({ title }) => (title === undefined ? [] : [plainTitle(title, isBuiltIn)]));
  const usable = [...new Set(titles)].filter(isTelling);
  const rank = (title: string) => (title.endsWith("?") ? 0 : title.includes(" ") ? 1 : 2);
  return usable
    .toSorted((one, other) => rank(one) - rank(other))
    .map((title) => (title.endsWith("?") ? title : welcomeSentences.whatDoesItSay(title)))
    .filter((question) => question.length <= maxQuestionChars);
}

/** The built-in service adds the document's name: "Refunds (Handbook)". */
function plainTitle(title: string, isBuiltIn: boolean): string {
  const said = cleanText(title).replace(/\s+/g, " ").trim();
  return isBuiltIn ? said.replace(/ \([^()]*\)$/, "") : said;
}

/** Not a URL, a path, a file's name or an id, and long enough to mean something. */
function isTelling(title: string): boolean {
  if ((title.match(/\p{L}/gu) ?? []).length < 2) return false;
  if (/:\/\/|^www\.|\.[A-Za-z][A-Za-z0-9]{1,4}$/.test(title)) return false;
  return title.includes(" ") || !/[\d_/\\:#]/.test(title);
}

/** One of each list, then the next of each, every question once. */
function inTurn(lists: readonly (readonly string[])[]): readonly string[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  const mixed = Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1)));
  return [...new Set(mixed.flat())];
}
