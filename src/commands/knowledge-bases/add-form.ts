/** The form of `/kb add`: files, text or page URLs, and the knowledge base that they go to. */

import { type FormHandler, fieldText, type OptionValues, textOption } from "../../ports/command-contract.ts";
import type { Asker, CommandContext, CommandResult } from "../../ports/commands.ts";
import { allShown, type FieldErrors, type Form, type FormValues } from "../../ports/document.ts";
import { trimEnd } from "../../ports/tools/trim-end.ts";
import { infoDocument } from "../../presentation/drawing.ts";
import { addFormTexts as texts } from "../../presentation/sentences.ts";
import { formButton, privately } from "../results.ts";
import { createBaseChoices } from "./base-choices.ts";
import type { FeedPorts } from "./feed-ports.ts";
import { recentBases } from "./recent-bases.ts";

export const addFormId = "kb add";
/** Slack's and Discord's limit for a field. */
const maxFiles = 10;
const maxTextChars = 3_000;

/** What a person gave to be added. */
export type Given = {
  readonly text: string;
  /** Page URLs; then there is no text. */
  readonly urls: readonly string[];
  readonly into?: string | undefined;
};

/** `add`: does the work, also of the typed command. */
export function createAddForm(
  ports: FeedPorts,
  add: (given: Given, context: CommandContext) => Promise<CommandResult>,
): {
  readonly open: (options: OptionValues) => Form | undefined;
  readonly openFor: (options: OptionValues, who: Asker) => Promise<Form | undefined>;
  readonly handler: FormHandler;
  /** For a message, which can't open the form itself. */
  readonly button: () => CommandResult;
} {
  const choices = createBaseChoices(ports);

  /** What was typed is added without asking. */
  const hasText = (options: OptionValues) => (textOption(options, "text") ?? "").trim() !== "";

  /** People create a knowledge base to fill it, so theirs is chosen, unless the channel has one of its own. */
  async function justCreated({ actor, place }: Asker): Promise<string | undefined> {
    const { names, bindings, contributions, settings, clock } = ports;
    const recent = recentBases(names, clock.now());
    if (recent.length === 0 || (await bindings.own(place))?.knowledgeBase !== undefined) return undefined;
    const theirs = (await contributions.of(actor, place)).filter(({ project }) => project === settings.project);
    return recent.find((name) => theirs.some((base) => base.name === name));
  }

  return {
    open: (options) => (hasText(options) ? undefined : formOf([], textOption(options, "into"))),

    openFor: async (options, who) => {
      if (hasText(options)) return undefined;
      const into = textOption(options, "into");
      const [bases, created] = await Promise.all([
        choices.of(who, into),
        into === undefined ? choices.inTime(justCreated(who)) : undefined,
      ]);
      // Without any, the command says how to get one.
      if (bases?.length === 0) return undefined;
      const chosen = created !== undefined && bases?.includes(created) ? created : (into ?? bases?.[0]);
      return formOf(bases ?? [], chosen);
    },

    handler: {
      role: "ingest",
      check: async (values: FormValues, _formContext: string, context): Promise<FieldErrors | undefined> => {
        const isEmpty = fieldText(values, "text") === "" && context.attachments.length === 0;
        return isEmpty ? { text: texts.nothing } : undefined;
      },
      submit: async (values: FormValues, _formContext: string, context: CommandContext): Promise<CommandResult> => {
        return add(givenOf(fieldText(values, "text"), fieldText(values, "into") || undefined), context);
      },
    },

    button: () => privately(infoDocument(texts.openHere, { actions: [formButton(texts.open, addFormId)] })),
  };
}

/** Text is page URLs only if it is nothing else: a note that quotes one is still a note, and isn't split into words. */
export function givenOf(text: string, into: string | undefined): Given {
  if (!/^[\s,]*https?:\/\//i.test(text)) return { text, urls: [], into };
  const words = text
    .split(/\s|,(?=https?:)/i)
    .map((word) => trimEnd(word, ","))
    .filter((word) => word !== "");
  const arePages = words.length > 0 && words.every((word) => /^https?:\/\/\S+$/i.test(word));
  return { text: arePages ? "" : text, urls: arePages ? words : [], into };
}

function formOf(bases: readonly string[], initial: string | undefined): Form {
  const { title, submitLabel, fields } = texts;
  const choices = bases.map((name) => ({ value: name, label: name }));
  const shown = allShown("select", choices);
  return {
    id: addFormId,
    title,
    submitLabel,
    context: "",
    fields: [
      { name: "files", ...fields.files, type: "file", maxFiles, isRequired: false },
      { name: "text", ...fields.text, type: "multiline", maxChars: maxTextChars, isRequired: false },
      {
        name: "into",
        label: fields.into.label,
        type: "select",
        choices,
        ...shown,
        completes: "knowledge-base",
        isRequired: false,
        // One of the radio buttons is chosen from the start, and stays so.
        initial,
        hint: shown.showsAll === true ? undefined : fields.into.hint,
      },
    ],
  };
}
