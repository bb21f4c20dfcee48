/** `/kb use`: sets the knowledge base that a channel adds to. */
import type { CommandContext, CommandResult } from "../../core/commands.ts";
import type { Inline } from "../../core/document.ts";
import { bold, infoDocument, say } from "../../presentation/drawing.ts";
import { offerReaderTo } from "../adding/connect-base.ts";
import { refusalToAdd } from "../adding/destination.ts";
import type { CommandApp } from "../app.ts";
import { type Command, textOption } from "../command.ts";
import { findKnowledgeBase } from "../names/find-by-name.ts";
import { openly, withOffer } from "../results.ts";
import { knowledgeBaseOption } from "./kb-words.ts";

const knowledgeBaseSentences = {
  used: (name: string): Inline => say`From now on, this channel adds to ${bold(name)}.`,
} as const;

export const kbUse: Command = {
  path: "kb use",
  summary: "Set this channel's knowledge base",
  offer: "knowledge-bases",
  options: [knowledgeBaseOption("name", true, "The knowledge base")],
  role: "manage",
  examples: ["kb use docs"],
  run: (app, options, context) => useBase(app, textOption(options, "name") ?? "", context),
  actions: { "confirm kb-use": { role: "manage", press: useBase } },
};

async function useBase(app: CommandApp, given: string, context: CommandContext): Promise<CommandResult> {
  const { name } = await findKnowledgeBase(app, given);
  const refusal = await refusalToAdd(app, context, { project: app.settings.project, knowledgeBase: name });
  if (refusal !== undefined) return refusal;
  await app.bindings.setChannel(context.place, { knowledgeBase: name });
  await app.audit.record(context, {
    role: "manage",
    action: "kb use",
    about: { knowledgeBase: name },
    outcome: "done",
  });
  const used = openly(infoDocument(knowledgeBaseSentences.used(name), { tone: "done" }));
  return withOffer(used, await offerReaderTo(app, { project: app.settings.project, name }, context));
}
