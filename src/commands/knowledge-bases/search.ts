/** `/kb search`: the passages that fit some words, with their sources. */

import type { CommandContext, CommandResult } from "../../core/commands.ts";
import type { Block, Document, Inline } from "../../core/document.ts";
import type { Passage } from "../../core/ports/agent-service.ts";
import { bold, cleanText, code, infoDocument, link, say, titledDocument } from "../../presentation/drawing.ts";
import { passageExcerpt } from "../../presentation/markdown.ts";
import { accessSentences, countText, shorten } from "../../presentation/sentences.ts";
import type { CommandApp } from "../app.ts";
import { type Command, type OptionValues, textOption } from "../command.ts";
import { baseInReach, defaultBaseInReach, manages } from "../names/in-reach.ts";
import { openly, privately } from "../results.ts";
import { knowledgeBaseSentences } from "../words.ts";
import { knowledgeBaseOption } from "./kb-words.ts";

const says = {
  found: (count: number, name: string): Inline => say`${countText(count, "passage")} in ${bold(name)}`,
  nothingFound: (name: string): Inline => say`Nothing found in ${bold(name)}.`,
} as const;

const maxPassages = 5;
/** Two lines of a message. */
const maxExcerptChars = 180;

export const kbSearch: Command = {
  path: "kb search",
  summary: "Search passages, with sources",
  offer: "knowledge-bases",
  options: [
    { name: "words", summary: "What to look for", type: "text", isRequired: true, isRest: true },
    knowledgeBaseOption("in", false, "The knowledge base (default: this channel's)"),
  ],
  role: "ask",
  examples: ["kb search refund policy", "kb search refund policy in:docs"],
  run: searchBase,
};

async function searchBase(app: CommandApp, options: OptionValues, context: CommandContext): Promise<CommandResult> {
  const words = textOption(options, "words") ?? "";
  const given = textOption(options, "in");
  const target =
    given === undefined ? await defaultBaseInReach(app, "search", context) : await baseInReach(app, given, context);
  if (target === undefined) {
    const isManager = manages(app, context);
    return openly(infoDocument(isManager ? knowledgeBaseSentences.none : accessSentences.noBaseHere));
  }
  const passages = await app.service.search(target.project, target.name, words, maxPassages);
  return privately(passagesDocument(target.name, passages));
}

function passagesDocument(name: string, passages: readonly Passage[]): Document {
  if (passages.length === 0) return infoDocument(says.nothingFound(name));
  const blocks: Block[] = passages.flatMap(({ content, source }, index): Block[] => {
    const title = shorten(cleanText(source.title), 120);
    const shown = source.url === undefined ? code(title) : link(title, source.url);
    const excerpt = passageExcerpt(content, maxExcerptChars);
    return [
      { kind: "text", text: say`${index + 1}. ${shown}` },
      ...(excerpt === "" ? [] : [{ kind: "text", text: say`“${excerpt}”` } as const]),
    ];
  });
  return titledDocument(says.found(passages.length, name), blocks);
}
