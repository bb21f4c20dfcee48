/** `/agent delete`: asks for confirmation, shows which channels use the agent, then deletes it and its bindings. */
import type { CommandContext, CommandResult } from "../../core/commands.ts";
import type { Document, Inline } from "../../core/document.ts";
import { ParleyError } from "../../core/errors.ts";
import { bold, infoDocument, say, titledDocument } from "../../presentation/drawing.ts";
import { channelList, countText, labels, numberText } from "../../presentation/sentences.ts";
import type { CommandApp } from "../app.ts";
import { type Command, textOption } from "../command.ts";
import { elsewhereOf, findAgentAnywhere, writtenName } from "../names/find-by-name.ts";
import { nameOfRef, refOfName } from "../names/name-ref.ts";
import { privately } from "../results.ts";
import { agentName } from "./agent-words.ts";
import { replaceAgent, workspaceAgent } from "./write-agent.ts";

const deletionSentences = {
  ask: (name: string): Inline => say`Delete ${bold(name)}?`,
  bound: (channels: readonly string[]): Inline => say`It answers in ${channelList(channels)}.`,
  moreBound: (count: number): string => `And in ${numberText(count)} more.`,
  boundAfter: (count: number): string =>
    `${count === 1 ? "That channel" : "Those channels"} will then use the workspace default.`,
  notBound: "No channel in this workspace uses it.",
  elsewhere: (count: number): string =>
    `${countText(count, "place")} in other workspaces will then use another default.`,
  final: "This can't be undone.",
  deleted: (name: string): Inline => say`Deleted ${bold(name)}.`,
} as const;

const maxChannels = 10;

type Uses = { readonly channels: readonly string[]; readonly isDefault: boolean; readonly elsewhere: number };

export const agentDelete: Command = {
  path: "agent delete",
  summary: "Delete an agent (asks for confirmation)",
  options: [agentName(true, "The agent")],
  role: "manage",
  offer: "agent-changes",
  examples: ["agent delete sales"],
  run: (app, options, context) => askDelete(app, textOption(options, "name") ?? "", context),
  actions: { "confirm agent-delete": { role: "manage", offer: "agent-changes", press: deleteAgent } },
};

async function askDelete(app: CommandApp, given: string, { place }: CommandContext): Promise<CommandResult> {
  const agent = await findAgentAnywhere(app, given);
  const channels = await app.bindings.channelsOf(agent.project, agent.name, place);
  const standard = await workspaceAgent(app.bindings, place);
  const isDefault = standard?.project === agent.project && standard.name === agent.name;
  const elsewhere = (await app.bindings.places())(agent.project, agent.name).filter(
    ({ platform, workspace }) => platform !== place.platform || workspace !== place.workspace,
  );
  const uses = { channels, isDefault, elsewhere: elsewhere.length };
  return privately(question(writtenName(agent, app.settings.project), uses));
}

async function deleteAgent(app: CommandApp, ref: string, context: CommandContext): Promise<CommandResult> {
  const written = await nameOfRef(app, ref);
  const agent = elsewhereOf(app, written) ?? { project: app.settings.project, name: written };
  const about = { agent: written };
  try {
    await app.service.deleteAgent(agent.project, agent.name);
  } catch (failure) {
    const code = failure instanceof ParleyError ? failure.code : "internal";
    await app.audit.record(context, { role: "manage", action: "agent delete", about, outcome: "failed", code });
    throw failure;
  }
  app.names.dropAgent(agent);
  await replaceAgent(app, agent, undefined);
  await app.audit.record(context, { role: "manage", action: "agent delete", about, outcome: "done" });
  return privately(infoDocument(deletionSentences.deleted(written), { tone: "done" }));
}

function question(name: string, { channels, isDefault, elsewhere }: Uses): Document {
  const sentences = [usersOf(channels)];
  if (isDefault) sentences.push(say`It's the default for channels without their own agent.`);
  if (elsewhere > 0) sentences.push(say`${deletionSentences.elsewhere(elsewhere)}`);
  return titledDocument(
    deletionSentences.ask(name),
    sentences.map((text) => ({ kind: "text", text })),
    {
      tone: "waiting",
      quiet: [deletionSentences.final],
      actions: [
        { id: "confirm", label: labels.delete, value: `agent-delete ${refOfName(name)}`, style: "danger" },
        { id: "dismiss", label: labels.cancel, value: "agent-delete", style: "plain" },
      ],
    },
  );
}

function usersOf(channels: readonly string[]): Inline {
  if (channels.length === 0) return say`${deletionSentences.notBound}`;
  const more = channels.length - maxChannels;
  return say`${deletionSentences.bound(channels.slice(0, maxChannels))}${more > 0 ? ` ${deletionSentences.moreBound(more)}` : ""} ${deletionSentences.boundAfter(channels.length)}`;
}
