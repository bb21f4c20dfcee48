/** `/agent instructions`: a form with what the agent gets before each question of a channel. Empty removes it. */
import { z } from "zod";
import type { CommandContext, CommandResult } from "../../core/commands.ts";
import type { Form } from "../../core/document.ts";
import { ParleyError } from "../../core/errors.ts";
import { maxChannelInstructionChars as maxChars, type Place } from "../../core/model/place.ts";
import { infoDocument } from "../../presentation/drawing.ts";

import type { CommandApp } from "../app.ts";
import type { Command } from "../command.ts";
import { drawForm, field, formHandler } from "../form.ts";
import { formButton, privately } from "../results.ts";
import { agentFormTexts } from "../words.ts";

/** What an agent gets before each question of a channel. */
const texts = {
  title: "Channel instructions",
  label: "Instructions for this channel",
  hint: "Sent to the agent before each question asked here. Leave empty to remove them.",
  open: "Edit instructions",
  tooLong: "At most 2,000 characters.",
  saved: "From now on, the agent gets these instructions before each question asked here.",
  ignored: "The built-in agent only quotes your documents, so it doesn't follow them.",
  removed: "This channel no longer has instructions.",
  unchanged: (hasSome: boolean): string =>
    hasSome ? "The instructions are unchanged." : "This channel has no instructions.",
} as const;

const path = "agent instructions";

const fields = z.object({
  instructions: field(z.string().trim().max(maxChars, texts.tooLong).optional(), {
    type: "multiline",
    label: texts.label,
    hint: texts.hint,
    maxChars,
    isRequired: false,
  }),
});

export const agentInstructions: Command = {
  path,
  summary: "Set the instructions that go with each question of this channel",
  options: [],
  role: "manage",
  opensForm: true,
  examples: ["agent instructions"],
  formIn: (app, _options, { place }) => formIn(app, place),
  run: async () => privately(infoDocument(agentFormTexts.openHere, { actions: [formButton(texts.open, path)] })),
  forms: { [path]: formHandler(fields, { role: "manage", submit }) },
};

async function formIn(app: CommandApp, place: Place): Promise<Form> {
  const initial = (await app.bindings.own(place))?.instructions ?? "";
  const form = { id: path, title: texts.title, submitLabel: agentFormTexts.save, context: "" };
  return drawForm(fields, form, { instructions: { initial: initial === "" ? undefined : initial } });
}

async function submit(
  app: CommandApp,
  { instructions }: z.output<typeof fields>,
  _formContext: string,
  context: CommandContext,
): Promise<CommandResult> {
  const { place } = context;
  // Empty removes them; a field that the platform left out must not.
  if (instructions === undefined) throw new ParleyError("command_invalid");
  const before = (await app.bindings.own(place))?.instructions ?? "";
  if (instructions === before) return privately(infoDocument(texts.unchanged(before !== "")));
  await app.bindings.setChannel(place, { instructions });
  const about = { chars: String(instructions.length) };
  await app.audit.record(context, { role: "manage", action: path, about, outcome: "done" });
  if (instructions === "") return privately(infoDocument(texts.removed, { tone: "done" }));
  const profile = await app.service.profile().catch(() => undefined);
  const isIgnored = profile?.ignores.includes("instructions") === true;
  return privately(infoDocument([texts.saved, ...(isIgnored ? [texts.ignored] : [])], { tone: "done" }));
}
