/** `/agent clear`: removes the agent of a channel or workspace. */
import type { CommandContext, CommandResult } from "../../ports/commands.ts";
import { infoDocument } from "../../presentation/drawing.ts";
import { announcementSentences, bindingSentences } from "../../presentation/sentences.ts";
import { announce } from "../announce.ts";
import type { CommandApp } from "../app.ts";
import type { Command } from "../command.ts";
import { openly } from "../results.ts";
import { type Scope, scopeOf, scopeOption } from "./agent-words.ts";

export const agentClear: Command = {
  path: "agent clear",
  summary: "Remove the agent from this channel or workspace",
  options: [scopeOption],
  role: "manage",
  examples: ["agent clear", "agent clear scope workspace"],
  run: (app, options, context) => clearAgent(app, scopeOf(options), context),
};

async function clearAgent(app: CommandApp, scope: Scope, context: CommandContext): Promise<CommandResult> {
  const remove = scope === "channel" ? app.bindings.clearChannel : app.bindings.clearWorkspace;
  const wasSet = await remove(context.place);
  if (!wasSet) return openly(infoDocument(bindingSentences.nothingToClear(scope)));
  await app.audit.record(context, { role: "manage", action: "agent clear", about: { scope }, outcome: "done" });
  await announce(app, context, announcementSentences.cleared(context.actor, scope));
  return openly(infoDocument(bindingSentences.cleared(scope), { tone: "done" }));
}
