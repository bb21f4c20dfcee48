/** `/agent show`: an agent's setup. The key itself never gets here, only whether one is set. */

import type { CommandContext, CommandResult } from "../../core/commands.ts";
import type { Block, Document, Inline } from "../../core/document.ts";
import type { Agent } from "../../core/ports/agent-service.ts";
import { bold, cleanText, code, say } from "../../presentation/drawing.ts";
import { agentSentences, numberText, shorten } from "../../presentation/sentences.ts";
import type { CommandApp } from "../app.ts";
import { type Command, type OptionValues, textOption } from "../command.ts";
import { agentInReach } from "../names/in-reach.ts";
import { privately } from "../results.ts";
import { agentName, channelsText, writtenBinding } from "./agent-words.ts";
import { showWhich } from "./which.ts";

/** Names shown per list; services hold hundreds of tables. */
const maxNames = 40;
const maxInstructionChars = 6_000;

const { labels } = agentSentences;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

export const agentShow: Command = {
  path: "agent show",
  summary: "Show an agent's setup",
  options: [agentName(false, "The agent (default: this channel's)")],
  role: "ask",
  examples: ["agent show sales"],
  run: showAgent,
};

async function showAgent(app: CommandApp, options: OptionValues, context: CommandContext): Promise<CommandResult> {
  const name = textOption(options, "name") ?? (await agentHere(app, context));
  if (name === undefined) return showWhich(app, context);
  const agent = await agentInReach(app, name, context);
  // Instructions and other channels are shown only to people who can change them.
  if (!app.reach.may(context.actor, "instructions", context.place).allowed) {
    const { promptTemplate: _instructions, ...shown } = agent;
    return privately(agentDocument(shown, [], isSetUpHere(app)));
  }
  return privately(
    agentDocument(agent, await app.bindings.channelsOf(agent.project, agent.name, context.place), isSetUpHere(app)),
  );
}

function isSetUpHere(app: CommandApp): boolean {
  return app.names.offers("agent-changes");
}

async function agentHere(app: CommandApp, { actor, place }: CommandContext): Promise<string | undefined> {
  const resolved = await app.reach.resolve(actor, place);
  return resolved.kind === "bound" ? writtenBinding(app, resolved.binding) : undefined;
}

/** `isSetUpHere`: else Parley knows only what the service says about its own agents. */
function agentDocument(agent: Agent, channels: readonly string[], isSetUpHere = true): Document {
  const { model, promptTemplate } = agent;
  const key = say`${bold(labels.key)}${model?.hasKey === true ? "set" : "uses the service's"}`;
  const lines: Inline[] = [
    ...(isSetUpHere || model?.name !== undefined ? [say`${bold(labels.model)}${modelText(agent)}`] : []),
    ...(isSetUpHere ? [key] : []),
    say`${bold(labels.knowledgeBases)}${namesText(agent.knowledgeBases)}`,
    ...(isSetUpHere ? [say`${bold(labels.tables)}${namesText(agent.tables)}`] : []),
    ...(channels.length === 0 ? [] : [say`${bold(labels.channels)}${channelsText(channels) ?? ""}`]),
  ];
  const blocks: Block[] = [
    { kind: "headline", text: say`${agent.name}` },
    { kind: "list", items: lines.map((text) => ({ text })) },
  ];
  if (promptTemplate !== undefined && promptTemplate.trim() !== "") {
    const isLong = promptTemplate.length > maxInstructionChars;
    blocks.push(
      { kind: "text", text: say`${bold(labels.instructions)}` },
      { kind: "code", text: isLong ? cut(promptTemplate) : promptTemplate },
    );
    if (isLong)
      blocks.push({
        kind: "quiet",
        text: say`Shortened (${numberText(promptTemplate.length)} characters in total).`,
      });
  }
  const changed = agent.updatedAt ?? agent.createdAt;
  if (changed !== undefined) blocks.push({ kind: "quiet", text: say`${labels.changed}${changed.slice(0, 16)} UTC` });
  return { tone: "info", blocks, actions: [], summary: shorten(cleanText(`About ${agent.name}`), 150) };
}

/** Keeps the lines, and never cuts inside a character. */
function cut(text: string): string {
  const last = graphemes.segment(text).containing(maxInstructionChars - 1);
  const end = last === undefined ? maxInstructionChars : last.index;
  return `${text.slice(0, end)}…`;
}

function modelText({ model }: Agent): string {
  const parts = [model?.provider, model?.name].filter((part) => part !== undefined);
  return parts.length === 0 ? agentSentences.defaultModel : parts.join(" · ");
}

function namesText(names: readonly string[]): Inline {
  if (names.length === 0) return say`none`;
  const shown = names.slice(0, maxNames).flatMap((name, index) => [index === 0 ? "" : ", ", code(name)]);
  const more = names.length - maxNames;
  return say`${shown}${more > 0 ? ` and ${numberText(more)} more` : ""}`;
}
