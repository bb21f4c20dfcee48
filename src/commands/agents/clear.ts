/** `/agent clear`: removes the agent of a channel or workspace. */

import type { CommandContext, CommandResult } from "../../core/commands.ts";
import { infoDocument, person, say } from "../../presentation/drawing.ts";
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
  if (!wasSet)
    return openly(
      infoDocument(
        scope === "channel"
          ? "This channel already had no agent of its own."
          : "This workspace already had no agent of its own.",
      ),
    );
  await app.audit.record(context, { role: "manage", action: "agent clear", about: { scope }, outcome: "done" });
  await announce(
    app,
    context,
    scope === "channel"
      ? say`${person(context.actor.name, context.actor.id)} removed this channel's own agent.`
      : say`${person(context.actor.name, context.actor.id)} removed the agent that answered in channels without their own.`,
  );
  return openly(
    infoDocument(
      scope === "channel"
        ? "This channel no longer has an agent of its own."
        : "This workspace no longer has an agent of its own.",
      { tone: "done" },
    ),
  );
}
