/** `/kb list`: the knowledge bases that a person reaches, and which agents look in them. */

import type { CommandContext, CommandResult } from "../../core/commands.ts";
import type { Inline } from "../../core/document.ts";
import type { Agent, KnowledgeBase } from "../../core/ports/agent-service.ts";
import { bold, dotted, infoDocument, listDocument, say } from "../../presentation/drawing.ts";
import { accessSentences, countText, numberText } from "../../presentation/sentences.ts";
import type { CommandApp } from "../app.ts";
import type { Command } from "../command.ts";
import { isSeenByAnyone, manages } from "../names/in-reach.ts";
import { readersOf } from "../names/readers.ts";
import { openly, privately } from "../results.ts";
import { knowledgeBaseSentences } from "../words.ts";

const says = {
  listTitle: (count: number): string => countText(count, "knowledge base"),
  more: (count: number): string => `${countText(count, "more knowledge base")}: start typing to find them.`,
  embedding: (model: string): string => `embedding ${model}`,
  reranking: (model: string): string => `reranking ${model}`,
  defaultHere: "default for this channel",
} as const;

/** Which agents look in a knowledge base, and letting another one look. */
const readerSentences = {
  /** Stands behind a knowledge base in a list. */
  readBy: (agents: readonly string[]): Inline =>
    agents.length === 0 ? say`no agent reads it` : say`read by ${listed(agents)}`,
} as const;

const maxListed = 50;

export const kbList: Command = {
  path: "kb list",
  summary: "List knowledge bases",
  offer: "knowledge-bases",
  options: [],
  role: "ask",
  examples: ["kb list"],
  run: (app, _options, context) => listBases(app, context),
};

async function listBases(app: CommandApp, context: CommandContext): Promise<CommandResult> {
  const { actor, place } = context;
  const isManager = manages(app, context);
  const reached = isManager ? app.service.listKnowledgeBases(app.settings.project) : app.reach.bases(actor, place);
  const [bases, own] = await Promise.all([reached, app.bindings.own(place)]);
  if (isManager) for (const base of bases) app.names.keepKnowledgeBase(base);
  if (bases.length === 0) {
    return openly(infoDocument(isManager ? knowledgeBaseSentences.none : accessSentences.noBaseHere));
  }
  const agents = await readable(app, app.reach.agents(actor, place));
  const readers = (base: KnowledgeBase) => (agents === undefined ? undefined : readersOf(agents, base));
  const shown = bases.slice(0, maxListed);
  const items = shown.map((base) => baseLine(base, base.name === own?.knowledgeBase, readers(base)));
  const more = bases.length - items.length;
  const quiet = more > 0 ? { quiet: [says.more(more)] } : {};
  const list = listDocument(says.listTitle(bases.length), items, quiet);
  const named = shown.flatMap((base) => readers(base) ?? []);
  const [seesBases, seesReaders] = await Promise.all([
    isSeenByAnyone(app.reach.bases, bases, place),
    isSeenByAnyone(app.reach.agents, named, place),
  ]);
  return seesBases && seesReaders ? openly(list) : privately(list);
}

/** Undefined if the agents can't be listed now: the knowledge bases are shown without them. */
async function readable(app: CommandApp, agents: Promise<readonly Agent[]>): Promise<readonly Agent[] | undefined> {
  return agents.catch((err: unknown) => {
    app.log.warn({ err }, "Could not find out which agents look in the knowledge bases");
    return undefined;
  });
}

function baseLine(base: KnowledgeBase, isDefault: boolean, readers: readonly Agent[] | undefined) {
  return dotted(
    bold(base.name),
    readers === undefined ? undefined : readerSentences.readBy(readers.map(({ name }) => name)),
    base.embeddingModel === undefined ? undefined : says.embedding(base.embeddingModel),
    base.rerankingModel === undefined ? undefined : says.reranking(base.rerankingModel),
    isDefault ? says.defaultHere : undefined,
  );
}

function listed(agents: readonly string[]): Inline {
  const named = agents.slice(0, maxNamed);
  const more = agents.length - named.length;
  const spans = named.flatMap((name, index) => (index === 0 ? [bold(name)] : [...say`, `, bold(name)]));
  return say`${spans}${more === 0 ? "" : ` and ${numberText(more)} more`}`;
}

const maxNamed = 3;
