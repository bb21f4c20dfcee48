/** `/kb`: lists knowledge bases, sets and removes the channel's one, and searches passages. */
import type { Agent, KnowledgeBase, Passage } from "../../ports/agent-service.ts";
import { type CommandSet, type OptionValues, textOption } from "../../ports/command-contract.ts";
import type { CommandContext, CommandResult } from "../../ports/commands.ts";
import type { Block, Document } from "../../ports/document.ts";
import {
  bold,
  cleanText,
  code,
  dotted,
  infoDocument,
  inline,
  link,
  listDocument,
  titledDocument,
} from "../../presentation/drawing.ts";
import { plainText } from "../../presentation/markdown.ts";
import { accessSentences, knowledgeBaseSentences, readerSentences, shorten } from "../../presentation/sentences.ts";
import { findKnowledgeBase } from "../find-by-name.ts";
import { baseInReach, defaultBaseInReach, isSeenByAnyone, manages } from "../in-reach.ts";
import type { CommandPorts } from "../ports.ts";
import { readersOf } from "../readers.ts";
import { openly, privately } from "../results.ts";
import { knowledgeBaseForm } from "./create-form.ts";
import { refusalToAdd } from "./destination.ts";
import { knowledgeBaseDefinitions } from "./kb-definitions.ts";
import { createLetLook } from "./let-look.ts";

const maxListed = 50;
const maxPassages = 5;
/** Two lines of a message. */
const maxExcerptChars = 180;

export function knowledgeBaseCommands(ports: CommandPorts): CommandSet {
  const { service, bindings, names, reach, settings, audit, log } = ports;
  const letLook = createLetLook(ports);
  const form = knowledgeBaseForm(ports, letLook);

  async function list(context: CommandContext): Promise<CommandResult> {
    const { actor, place } = context;
    const isManager = manages(ports, context);
    const reached = isManager ? service.listKnowledgeBases(settings.project) : reach.bases(actor, place);
    const [bases, own] = await Promise.all([reached, bindings.own(place)]);
    if (isManager) for (const base of bases) names.keepKnowledgeBase(base);
    if (bases.length === 0) {
      return openly(infoDocument(isManager ? knowledgeBaseSentences.none : accessSentences.noBaseHere));
    }
    const agents = await readable(reach.agents(actor, place));
    const readers = (base: KnowledgeBase) => (agents === undefined ? undefined : readersOf(agents, base));
    const shown = bases.slice(0, maxListed);
    const items = shown.map((base) => baseLine(base, base.name === own?.knowledgeBase, readers(base)));
    const more = bases.length - items.length;
    const quiet = more > 0 ? { quiet: [knowledgeBaseSentences.more(more)] } : {};
    const list = listDocument(knowledgeBaseSentences.listTitle(bases.length), items, quiet);
    const named = shown.flatMap((base) => readers(base) ?? []);
    const [seesBases, seesReaders] = await Promise.all([
      isSeenByAnyone(reach.bases, bases, place),
      isSeenByAnyone(reach.agents, named, place),
    ]);
    return seesBases && seesReaders ? openly(list) : privately(list);
  }

  /** Undefined if the agents can't be listed now: the knowledge bases are shown without them. */
  async function readable(agents: Promise<readonly Agent[]>): Promise<readonly Agent[] | undefined> {
    return agents.catch((err: unknown) => {
      log.warn({ err }, "Could not find out which agents look in the knowledge bases");
      return undefined;
    });
  }

  async function use(given: string, context: CommandContext): Promise<CommandResult> {
    const { name } = await findKnowledgeBase(ports, given);
    const refusal = await refusalToAdd(ports, context, { project: settings.project, knowledgeBase: name });
    if (refusal !== undefined) return refusal;
    await bindings.setChannel(context.place, { knowledgeBase: name });
    await audit.record(context, { role: "manage", action: "kb use", about: { knowledgeBase: name }, outcome: "done" });
    return openly(infoDocument(knowledgeBaseSentences.used(name), { tone: "done" }));
  }

  async function clear(context: CommandContext): Promise<CommandResult> {
    if (!(await bindings.clearKnowledgeBase(context.place))) {
      return openly(infoDocument(knowledgeBaseSentences.nothingToClear));
    }
    await audit.record(context, { role: "manage", action: "kb clear", about: {}, outcome: "done" });
    return openly(infoDocument(knowledgeBaseSentences.cleared, { tone: "done" }));
  }

  async function search(options: OptionValues, context: CommandContext): Promise<CommandResult> {
    const words = textOption(options, "words") ?? "";
    const given = textOption(options, "in");
    const target =
      given === undefined
        ? await defaultBaseInReach(ports, "search", context)
        : await baseInReach(ports, given, context);
    if (target === undefined) {
      const isManager = manages(ports, context);
      return openly(infoDocument(isManager ? knowledgeBaseSentences.none : accessSentences.noBaseHere));
    }
    const passages = await service.search(target.project, target.name, words, maxPassages);
    return privately(passagesDocument(target.name, passages));
  }

  return {
    definitions: knowledgeBaseDefinitions,
    handlers: {
      "kb list": { run: (_options, context) => list(context) },
      "kb use": { run: (options, context) => use(textOption(options, "name") ?? "", context) },
      "kb clear": { run: (_options, context) => clear(context) },
      "kb search": { run: search },
      "kb create": form.handler,
    },
    forms: { "kb create": form.form },
    actions: { "confirm kb-use": { role: "manage", press: use }, ...letLook.actions },
  };
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

function passagesDocument(name: string, passages: readonly Passage[]): Document {
  if (passages.length === 0) return infoDocument(knowledgeBaseSentences.nothingFound(name));
  const blocks: Block[] = passages.flatMap(({ content, source }, index): Block[] => {
    const title = shorten(cleanText(source.title), 120);
    const shown = source.url === undefined ? code(title) : link(title, source.url);
    const excerpt = shorten(cleanText(plainText(content)), maxExcerptChars);
    return [
      { kind: "text", text: inline(`${index + 1}. `, shown) },
      ...(excerpt === "" ? [] : [{ kind: "text", text: inline(`“${excerpt}”`) } as const]),
    ];
  });
  return titledDocument(knowledgeBaseSentences.found(passages.length, name), blocks);
}
