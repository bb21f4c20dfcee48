/** `/agent use`: sets the agent of a channel or workspace. */

import type { Named } from "../../core/access.ts";
import type { CommandContext, CommandResult } from "../../core/commands.ts";
import { ParleyError } from "../../core/errors.ts";
import { bold, infoDocument, person, say } from "../../presentation/drawing.ts";
import { announce } from "../announce.ts";
import type { CommandApp } from "../app.ts";
import { type Command, textOption } from "../command.ts";
import { findAgentAnywhere, writtenName } from "../names/find-by-name.ts";
import { nameOfRef } from "../names/name-ref.ts";
import { openly } from "../results.ts";
import { agentName, type Scope, scopeOf, scopeOption, writtenBinding } from "./agent-words.ts";

export const agentUse: Command = {
  path: "agent use",
  summary: "Set the agent for this channel or workspace",
  options: [agentName(true, "The agent"), scopeOption],
  role: "manage",
  examples: ["agent use sales", "agent use sales scope workspace"],
  moreExamples: { offer: "projects", examples: ["agent use shop.helper"] },
  run: (app, options, context) => useAgent(app, textOption(options, "name") ?? "", scopeOf(options), context),
  actions: {
    "use-agent": {
      role: "manage",
      press: async (app, ref, context) => useAgent(app, await nameOfRef(app, ref), "channel", context),
    },
  },
};

async function useAgent(app: CommandApp, name: string, scope: Scope, context: CommandContext): Promise<CommandResult> {
  const found = await findAgentOrKnown(app, name);
  const agent = writtenName(found, app.settings.project);
  const set = scope === "channel" ? app.bindings.setChannel : app.bindings.setWorkspace;
  const before = await agentSetIn(app, scope, context);
  await set(context.place, { project: found.project, agent: found.name });
  await app.audit.record(context, { role: "manage", action: "agent use", about: { agent, scope }, outcome: "done" });
  if (before !== agent)
    await announce(
      app,
      context,
      scope === "channel"
        ? say`${person(context.actor.name, context.actor.id)} set ${bold(agent)} to answer here.`
        : say`${person(context.actor.name, context.actor.id)} set ${bold(agent)} to answer in channels without their own agent.`,
    );
  return openly(
    infoDocument(
      scope === "channel"
        ? say`${bold(agent)} now answers in this channel.`
        : say`${bold(agent)} is now the default for channels without their own agent.`,
      { tone: "done" },
    ),
  );
}

async function agentSetIn(app: CommandApp, scope: Scope, { place }: CommandContext): Promise<string | undefined> {
  if (scope === "workspace") {
    // No channel has an empty name, so this resolves to the workspace's binding.
    const resolved = await app.bindings.resolve({ ...place, channel: "" }).catch(() => undefined);
    const isSet = resolved?.kind === "bound" && resolved.from === "workspace";
    return isSet ? writtenBinding(app, resolved.binding) : undefined;
  }
  const { project: of = app.settings.project, agent } = (await app.bindings.own(place)) ?? {};
  return agent === undefined ? undefined : writtenBinding(app, { project: of, agent });
}

/** A known agent can still be chosen while the service is down. */
async function findAgentOrKnown(app: CommandApp, name: string): Promise<Named> {
  try {
    return await findAgentAnywhere(app, name);
  } catch (failure) {
    const isGone = failure instanceof ParleyError && failure.code === "agent_not_found";
    if (isGone || app.names.agent(name) === undefined) throw failure;
    return { project: app.settings.project, name };
  }
}
