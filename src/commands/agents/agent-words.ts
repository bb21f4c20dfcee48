/** What several commands about agents share: options, checks of a name, sentences. */

import type { CommandContext, CommandResult, OptionDefinition } from "../../core/commands.ts";
import type { FieldErrors, Inline } from "../../core/document.ts";
import { infoDocument, say } from "../../presentation/drawing.ts";
import { bindingSentences, channelList, countText, elsewhereSentences } from "../../presentation/sentences.ts";
import type { CommandApp } from "../app.ts";
import type { OptionValues } from "../command.ts";
import { writtenName } from "../names/find-by-name.ts";
import { isSafeName, safeName } from "../names/safe-name.ts";
import { formButton, privately } from "../results.ts";
import { agentFormTexts, nameSentences } from "../words.ts";
import type { WriteResult } from "./write-agent.ts";

const says = {
  channels: channelList,
};

export const scopeOption: OptionDefinition = {
  name: "scope",
  summary: "This channel, or the default for all",
  type: "choice",
  isRequired: false,
  choices: ["channel", "workspace"],
  default: "channel",
};

export type Scope = "channel" | "workspace";

const maxChannels = 10;

export const agentName = (isRequired: boolean, summary: string): OptionDefinition => ({
  name: "name",
  summary,
  type: "text",
  isRequired,
  completes: "agent",
});

export function scopeOf(options: OptionValues): Scope {
  return options["scope"] === "workspace" ? "workspace" : "channel";
}

export function noAgentDocument(app: CommandApp) {
  const makes = app.names.offers("agent-changes");
  const how = makes ? bindingSentences.makeOne(app.registry.typed("agent create")) : elsewhereSentences.addThere;
  return infoDocument([bindingSentences.none, how]);
}

export function writtenBinding(
  app: CommandApp,
  { project: of, agent }: { readonly project: string; readonly agent: string },
): string {
  return writtenName({ project: of, name: agent }, app.settings.project);
}

/** "#a, #b"; undefined when no channel uses it. */
export function channelsText(channels: readonly string[]): Inline | undefined {
  if (channels.length === 0) return undefined;
  const more = channels.length - maxChannels;
  return say`${says.channels(channels.slice(0, maxChannels))}${more > 0 ? ` and ${countText(more, "more channel")}` : ""}`;
}

export const nameFallback = "agent";

/**
 * A platform shows a form as broken when its check takes longer than 3 s. Whatever isn't known by then is checked after
 * submission.
 */
export const checkMs = 1_500;
/** The form is closed by now, so the service gets the time that one of its lists may take. */
export const submitCheckMs = 20_000;

/** In the audit log. */
const codes: Readonly<Record<string, string | undefined>> = { taken: "name_taken", changed: "changed_meanwhile" };

export function nameError(name: string, taken: readonly string[]): FieldErrors | undefined {
  if (name === "") return { name: nameSentences.missing };
  if (!isSafeName(name)) return { name: nameSentences.notAllowed(safeName(name, nameFallback, taken)) };
  return undefined;
}

/** Some inputs can't open a form (a message, or an agent that isn't cached yet). A button opens it instead. */
export function openButton(label: string, value: string): CommandResult {
  return privately(infoDocument(agentFormTexts.openHere, { actions: [formButton(label, value)] }));
}

export async function recordChange(
  app: CommandApp,
  action: string,
  about: Readonly<Record<string, string>>,
  result: WriteResult | { readonly kind: "changed" },
  context: CommandContext,
) {
  const isDone = result.kind === "saved" || result.kind === "already-there";
  const code = result.kind === "failed" ? result.error.code : codes[result.kind];
  await app.audit.record(context, {
    role: "manage",
    action,
    about,
    outcome: isDone ? "done" : "failed",
    code,
  });
}
