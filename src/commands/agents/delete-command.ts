/** `/agent delete`: asks for confirmation, shows which channels use the agent, then deletes it and its bindings. */
import { type ActionHandler, type CommandHandler, textOption } from "../../ports/command-contract.ts";
import type { CommandContext, CommandResult } from "../../ports/commands.ts";
import type { Document, Inline } from "../../ports/document.ts";
import { ParleyError } from "../../ports/errors.ts";
import { infoDocument, inline, titledDocument } from "../../presentation/drawing.ts";
import { bindingSentences, deletionSentences, labels } from "../../presentation/sentences.ts";
import { elsewhereOf, findAgentAnywhere, writtenName } from "../find-by-name.ts";
import type { CommandPorts } from "../ports.ts";
import { privately } from "../results.ts";
import { nameOfRef, refOfName } from "./name-ref.ts";
import { replaceAgent, workspaceAgent } from "./replace-agent.ts";

const maxChannels = 10;

export function agentDeletion(ports: CommandPorts): {
  readonly handlers: Readonly<Record<string, CommandHandler>>;
  readonly actions: Readonly<Record<string, ActionHandler>>;
} {
  const { service, bindings, names, settings, audit } = ports;
  const { project } = settings;

  async function ask(given: string, { place }: CommandContext): Promise<CommandResult> {
    const agent = await findAgentAnywhere(ports, given);
    const channels = await bindings.channelsOf(agent.project, agent.name, place);
    const standard = await workspaceAgent(bindings, place);
    const isDefault = standard?.project === agent.project && standard.name === agent.name;
    const elsewhere = (await bindings.places())(agent.project, agent.name).filter(
      ({ platform, workspace }) => platform !== place.platform || workspace !== place.workspace,
    );
    const uses = { channels, isDefault, elsewhere: elsewhere.length };
    return privately(question(writtenName(agent, project), uses));
  }

  async function remove(ref: string, context: CommandContext): Promise<CommandResult> {
    const written = await nameOfRef(ports, ref);
    const agent = elsewhereOf(ports, written) ?? { project, name: written };
    const about = { agent: written };
    try {
      await service.deleteAgent(agent.project, agent.name);
    } catch (failure) {
      const code = failure instanceof ParleyError ? failure.code : "internal";
      await audit.record(context, { role: "manage", action: "agent delete", about, outcome: "failed", code });
      throw failure;
    }
    names.dropAgent(agent);
    await replaceAgent(ports, agent, undefined);
    await audit.record(context, { role: "manage", action: "agent delete", about, outcome: "done" });
    return privately(infoDocument(deletionSentences.deleted(written), { tone: "done" }));
  }

  return {
    handlers: { "agent delete": { run: (options, context) => ask(textOption(options, "name") ?? "", context) } },
    actions: { "confirm agent-delete": { role: "manage", offer: "agent-changes", press: remove } },
  };
}

type Uses = { readonly channels: readonly string[]; readonly isDefault: boolean; readonly elsewhere: number };

function question(name: string, { channels, isDefault, elsewhere }: Uses): Document {
  const sentences = [usersOf(channels)];
  if (isDefault) sentences.push(inline(bindingSentences.isWorkspaceDefault));
  if (elsewhere > 0) sentences.push(inline(deletionSentences.elsewhere(elsewhere)));
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
  if (channels.length === 0) return inline(deletionSentences.notBound);
  const more = channels.length - maxChannels;
  return inline(
    deletionSentences.bound(channels.slice(0, maxChannels)),
    more > 0 ? ` ${deletionSentences.moreBound(more)}` : "",
    ` ${deletionSentences.boundAfter(channels.length)}`,
  );
}
