/** `/kb list`: the knowledge bases that a person reaches, and which agents look in them. */
import type { Agent, KnowledgeBase } from "../../ports/agent-service.ts";
import type { CommandContext, CommandResult } from "../../ports/commands.ts";
import { bold, dotted, infoDocument, listDocument } from "../../presentation/drawing.ts";
import { accessSentences, knowledgeBaseSentences, readerSentences } from "../../presentation/sentences.ts";
import type { CommandApp } from "../app.ts";
import type { Command } from "../command.ts";
import { isSeenByAnyone, manages } from "../names/in-reach.ts";
import { readersOf } from "../names/readers.ts";
import { openly, privately } from "../results.ts";

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
  const quiet = more > 0 ? { quiet: [knowledgeBaseSentences.more(more)] } : {};
  const list = listDocument(knowledgeBaseSentences.listTitle(bases.length), items, quiet);
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
    base.embeddingModel === undefined ? undefined : knowledgeBaseSentences.embedding(base.embeddingModel),
    base.rerankingModel === undefined ? undefined : knowledgeBaseSentences.reranking(base.rerankingModel),
    isDefault ? knowledgeBaseSentences.defaultHere : undefined,
  );
}
