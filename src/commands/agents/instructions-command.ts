/** `/agent instructions`: a form with what the agent gets before each question of a channel. Empty removes it. */
import { type CommandHandler, type FormHandler, fieldText } from "../../ports/command-contract.ts";
import type { CommandContext, CommandResult } from "../../ports/commands.ts";
import type { FieldErrors, Form, FormValues } from "../../ports/document.ts";
import { ParleyError } from "../../ports/errors.ts";
import { maxChannelInstructionChars as maxChars, type Place } from "../../ports/model/place.ts";
import { infoDocument } from "../../presentation/drawing.ts";
import { agentFormTexts, instructionSentences as texts } from "../../presentation/sentences.ts";
import type { CommandPorts } from "../ports.ts";
import { formButton, privately } from "../results.ts";

const path = "agent instructions";

export function channelInstructions(ports: Pick<CommandPorts, "service" | "bindings" | "audit">): {
  readonly handlers: Readonly<Record<string, CommandHandler>>;
  readonly forms: Readonly<Record<string, FormHandler>>;
} {
  const { service, bindings, audit } = ports;

  async function formIn(place: Place): Promise<Form> {
    const initial = (await bindings.own(place))?.instructions ?? "";
    return {
      id: path,
      title: texts.title,
      submitLabel: agentFormTexts.save,
      fields: [
        {
          name: "instructions",
          label: texts.label,
          hint: texts.hint,
          type: "multiline",
          maxChars,
          isRequired: false,
          initial: initial === "" ? undefined : initial,
        },
      ],
      context: "",
    };
  }

  async function check(values: FormValues): Promise<FieldErrors | undefined> {
    return fieldText(values, "instructions").length > maxChars ? { instructions: texts.tooLong } : undefined;
  }

  async function submit(values: FormValues, _formContext: string, context: CommandContext): Promise<CommandResult> {
    const { place } = context;
    const instructions = fieldText(values, "instructions");
    if (values["instructions"] === undefined || instructions.length > maxChars) {
      throw new ParleyError("command_invalid");
    }
    const before = (await bindings.own(place))?.instructions ?? "";
    if (instructions === before) return privately(infoDocument(texts.unchanged(before !== "")));
    await bindings.setChannel(place, { instructions });
    const about = { chars: String(instructions.length) };
    await audit.record(context, { role: "manage", action: path, about, outcome: "done" });
    if (instructions === "") return privately(infoDocument(texts.removed, { tone: "done" }));
    const profile = await service.profile().catch(() => undefined);
    const isIgnored = profile?.ignores.includes("instructions") === true;
    return privately(infoDocument([texts.saved, ...(isIgnored ? [texts.ignored] : [])], { tone: "done" }));
  }

  return {
    handlers: {
      [path]: {
        formIn: (_options, { place }) => formIn(place),
        run: async () => privately(infoDocument(agentFormTexts.openHere, { actions: [formButton(texts.open, path)] })),
      },
    },
    forms: { [path]: { role: "manage", check, submit } },
  };
}
