/**
 * Looks a question up for an agent whose service has no knowledge bases. Each search is a step that people see, and the
 * best passages are put before the question.
 */

import type { Named } from "../../core/access.ts";
import { toParleyError } from "../../core/errors.ts";
import type { AgentEvent } from "../../core/model/agent-event.ts";
import type { Source } from "../../core/model/turn.ts";
import type { AgentService, Passage, ServiceMessage } from "../../core/ports/agent-service.ts";
import type { Log } from "../../core/ports/log.ts";
import { splitName } from "../../core/tools/split-name.ts";
import { quotePassages } from "./quoted-passages.ts";

export type Search = {
  readonly service: Pick<AgentService, "search" | "listKnowledgeBases">;
  /** What to search for, so that a follow-up finds what it means: it says only what is new. */
  readonly searchText: (messages: readonly ServiceMessage[]) => string;
};

export type FoundPassages = {
  /** The searches. */
  readonly steps: readonly AgentEvent[];
  /** With the passages before the question; as they were if nothing was found. */
  readonly messages: readonly ServiceMessage[];
  /** The numbers of the passages that were sent. Empty: none were. */
  readonly numbers: ReadonlySet<number>;
};

/** Of one search: nobody opens more sources. */
const maxPassages = 5;
/** More knowledge bases of one agent are not searched, and the log says so. */
const maxBases = 20;
/** Passages under this share of the best one's relevance are not sent, and not named: the same share as for sources. */
const minRelevanceShare = 0.5;
/** Sources below an answer. */
const maxSources = 8;
const maxShownChars = 300;
const tool = "kb_query_tool";

type Looked = { readonly base: Named; readonly passages: readonly Passage[]; readonly hasFailed: boolean };

/** Rejects only when `signal` aborts: a search that fails is a failed step, and the question is asked without it. */
export async function findPassages(
  { service, searchText }: Search,
  agent: { readonly project: string; readonly knowledgeBases: readonly string[] },
  messages: readonly ServiceMessage[],
  { signal, log }: { readonly signal: AbortSignal | undefined; readonly log: Log },
): Promise<FoundPassages> {
  const bases = await existingBases(service, agent, log);
  signal?.throwIfAborted();
  if (bases.length > maxBases) {
    log.warn({ bases: bases.length, searched: maxBases }, "An agent has more knowledge bases than are searched");
  }
  const words = searchText(messages);
  const looked = await Promise.all(
    bases.slice(0, maxBases).map(async (base): Promise<Looked> => {
      try {
        const passages = await service.search(base.project, base.name, words, maxPassages, signal);
        return { base, passages, hasFailed: false };
      } catch (failure) {
        signal?.throwIfAborted();
        log.warn({ err: toParleyError(failure), knowledgeBase: base.name }, "A knowledge base could not be searched");
        return { base, passages: [], hasFailed: true };
      }
    }),
  );
  const found = looked.flatMap(({ passages }) => passages);
  const sources = strongest(found.map(({ source }) => source));
  const quoted = quotePassages(found, sources.map(keyOf), ({ source }) => keyOf(source));
  const unsent = new Set(sources.map(keyOf).filter((key) => !quoted.keys.has(key)));
  const shown = shownQuestion(messages);
  const steps = looked.flatMap((look, index) => stepOf(look, `knowledge-${index + 1}`, shown, unsent));
  return {
    steps,
    messages: quoted.text === "" ? messages : withPassages(messages, quoted.text),
    numbers: new Set(sources.flatMap((source, index) => (quoted.keys.has(keyOf(source)) ? [index + 1] : []))),
  };
}

/** "*" stands for every knowledge base of a project. One that was deleted is left out. */
export async function existingBases(
  service: Search["service"],
  { project, knowledgeBases }: { readonly project: string; readonly knowledgeBases: readonly string[] },
  log: Log,
): Promise<readonly Named[]> {
  const wanted = knowledgeBases.map((entry) => splitName(entry, project));
  const projects = [...new Set(wanted.map((base) => base.project))];
  const lists = await Promise.all(
    projects.map(async (of): Promise<readonly Named[] | undefined> => {
      try {
        return await service.listKnowledgeBases(of);
      } catch (failure) {
        log.warn({ err: toParleyError(failure) }, "The knowledge bases could not be listed");
        return undefined;
      }
    }),
  );
  const known = new Map(projects.map((of, index) => [of, lists[index]]));
  const named = wanted.flatMap((base): readonly Named[] => {
    const listed = known.get(base.project);
    // If the list doesn't come, each search says itself what is wrong.
    if (listed === undefined) return base.name === "*" ? [] : [base];
    return listed.filter(({ name }) => base.name === "*" || name === base.name);
  });
  return [...new Map(named.map((base) => [`${base.project}.${base.name}`, base])).values()];
}

function keyOf(source: Source): string {
  return source.rowId ?? source.url ?? source.title;
}

/** One of each document, best first: numbered in the order in which an answer lists its sources. */
function strongest(found: readonly Source[]): readonly Source[] {
  const byKey = new Map<string, Source>();
  for (const source of found) {
    const known = byKey.get(keyOf(source));
    if (known === undefined || relevanceOf(source) > relevanceOf(known)) byKey.set(keyOf(source), source);
  }
  const sorted = [...byKey.values()].sort((a, b) => relevanceOf(b) - relevanceOf(a));
  const least = relevanceOf(sorted[0]) * minRelevanceShare;
  return sorted.filter(({ relevance }) => relevance === undefined || relevance >= least).slice(0, maxSources);
}

function relevanceOf(source: Source | undefined): number {
  return source?.relevance ?? 0;
}

/** `unsent`: strong enough to be sent, but there was no room, so the answer can't rest on them. */
function stepOf(
  { base, passages, hasFailed }: Looked,
  id: string,
  shown: string,
  unsent: ReadonlySet<string>,
): readonly AgentEvent[] {
  const query = `SELECT * FROM ${quoteName(base)} WHERE content = '${shown.replaceAll("'", "''")}' LIMIT ${maxPassages};`;
  const relevances = passages.flatMap(({ source }) => source.relevance ?? []);
  const bestRelevance = relevances.length === 0 ? undefined : Math.max(...relevances);
  return [
    { type: "step-started", id, tool, input: query },
    {
      type: "step-finished",
      id,
      tool,
      input: query,
      observation: passages.map(({ content, source }) => `${source.title}\n${content}`).join("\n\n"),
      outcome: hasFailed ? { kind: "failed" } : { kind: "passages", count: passages.length, bestRelevance },
      sources: passages.map(({ source }) => source).filter((source) => !unsent.has(keyOf(source))),
    },
  ];
}

/** As in SQL: what decides who sees a step in full reads the names in it. */
function quoteName({ project, name }: Named): string {
  return `\`${project}\`.\`${name.replaceAll("`", "")}\``;
}

/** The person's own words: a channel's instructions and a thread's messages stand before them. */
function shownQuestion(messages: readonly ServiceMessage[]): string {
  const question = messages.at(-1)?.question ?? "";
  const marked = question.lastIndexOf(questionMark);
  const own = marked < 0 ? question : question.slice(marked + questionMark.length);
  const plain = own
    .slice(0, maxShownChars * 2)
    .replace(/[\s\\]+/g, " ")
    .trim();
  return plain.length <= maxShownChars ? plain : `${plain.slice(0, maxShownChars - 1).toWellFormed()}…`;
}

/** What stands between the context of a question and the question itself. */
const questionMark = "\n\nQuestion:\n";

function withPassages(messages: readonly ServiceMessage[], passages: string): readonly ServiceMessage[] {
  return messages.map((message, index) => {
    if (index < messages.length - 1) return message;
    const { question } = message;
    const between = question.includes(questionMark) ? "\n\n" : questionMark;
    return { ...message, question: `${passages}${between}${question}` };
  });
}
