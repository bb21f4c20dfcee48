/** Draws an agent's setup. The key itself never gets here, only whether one is set. */
import type { Agent } from "../../ports/agent-service.ts";
import type { Block, Document, Inline } from "../../ports/document.ts";
import { bold, cleanText, code, inline } from "../../presentation/drawing.ts";
import { agentSentences, shorten } from "../../presentation/sentences.ts";

const maxChannels = 10;
/** Names shown per list; services hold hundreds of tables. */
const maxNames = 40;
const maxInstructionChars = 6_000;

const { labels } = agentSentences;

/** `isSetUpHere`: else Parley knows only what the service says about its own agents. */
export function agentDocument(agent: Agent, channels: readonly string[], isSetUpHere = true): Document {
  const { model, promptTemplate } = agent;
  const key = inline(bold(labels.key), model?.hasKey === true ? agentSentences.keySet : agentSentences.keyNotSet);
  const lines: Inline[] = [
    ...(isSetUpHere || model?.name !== undefined ? [inline(bold(labels.model), modelText(agent))] : []),
    ...(isSetUpHere ? [key] : []),
    inline(bold(labels.knowledgeBases), namesText(agent.knowledgeBases)),
    ...(isSetUpHere ? [inline(bold(labels.tables), namesText(agent.tables))] : []),
    ...(channels.length === 0 ? [] : [inline(bold(labels.channels), channelsText(channels) ?? "")]),
  ];
  const blocks: Block[] = [
    { kind: "headline", text: inline(agent.name) },
    { kind: "list", items: lines.map((text) => ({ text })) },
  ];
  if (promptTemplate !== undefined && promptTemplate.trim() !== "") {
    const isLong = promptTemplate.length > maxInstructionChars;
    blocks.push(
      { kind: "text", text: inline(bold(labels.instructions)) },
      { kind: "code", text: isLong ? cut(promptTemplate) : promptTemplate },
    );
    if (isLong) blocks.push({ kind: "quiet", text: inline(agentSentences.cut(promptTemplate.length)) });
  }
  const changed = agent.updatedAt ?? agent.createdAt;
  if (changed !== undefined) blocks.push({ kind: "quiet", text: inline(labels.changed, changed.slice(0, 16), " UTC") });
  return { tone: "info", blocks, actions: [], summary: shorten(cleanText(agentSentences.summary(agent.name)), 150) };
}

/** Keeps the lines, and never cuts inside a character. */
function cut(text: string): string {
  const last = graphemes.segment(text).containing(maxInstructionChars - 1);
  const end = last === undefined ? maxInstructionChars : last.index;
  return `${text.slice(0, end)}…`;
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

function modelText({ model }: Agent): string {
  const parts = [model?.provider, model?.name].filter((part) => part !== undefined);
  return parts.length === 0 ? agentSentences.defaultModel : parts.join(" · ");
}

function namesText(names: readonly string[]): Inline {
  if (names.length === 0) return inline(agentSentences.none);
  const shown = names.slice(0, maxNames).flatMap((name, index) => [index === 0 ? "" : ", ", code(name)]);
  const more = names.length - maxNames;
  return inline(...shown, more > 0 ? agentSentences.moreNames(more) : "");
}

/** "#a, #b"; undefined when no channel uses it. */
export function channelsText(channels: readonly string[]): Inline | undefined {
  if (channels.length === 0) return undefined;
  const more = channels.length - maxChannels;
  return inline(
    agentSentences.channels(channels.slice(0, maxChannels)),
    more > 0 ? agentSentences.moreChannels(more) : "",
  );
}
