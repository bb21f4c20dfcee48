/** `/kb clear`: removes the knowledge base of a channel. */
import type { CommandContext, CommandResult } from "../../core/commands.ts";
import { infoDocument } from "../../presentation/drawing.ts";

import type { CommandApp } from "../app.ts";
import type { Command } from "../command.ts";
import { openly } from "../results.ts";

const knowledgeBaseSentences = {
  cleared: "This channel no longer has a knowledge base of its own.",
  nothingToClear: "This channel had no knowledge base of its own.",
} as const;

export const kbClear: Command = {
  path: "kb clear",
  summary: "Remove this channel's knowledge base",
  offer: "knowledge-bases",
  options: [],
  role: "manage",
  examples: ["kb clear"],
  run: (app, _options, context) => clearBase(app, context),
};

async function clearBase(app: CommandApp, context: CommandContext): Promise<CommandResult> {
  if (!(await app.bindings.clearKnowledgeBase(context.place))) {
    return openly(infoDocument(knowledgeBaseSentences.nothingToClear));
  }
  await app.audit.record(context, { role: "manage", action: "kb clear", about: {}, outcome: "done" });
  return openly(infoDocument(knowledgeBaseSentences.cleared, { tone: "done" }));
}
