/** The buttons of the welcome card: Choose an agent, and Add pages with its form. */
import type { Acknowledgement, CommandInput } from "../../ports/chat-platform.ts";
import { type ActionHandler, type FormHandler, fieldText } from "../../ports/command-contract.ts";
import type { CommandContext, CommandResult } from "../../ports/commands.ts";
import type { Form } from "../../ports/document.ts";
import { infoDocument } from "../../presentation/drawing.ts";
import { addPagesTexts, agentFormTexts, bindingSentences, elsewhereSentences } from "../../presentation/sentences.ts";
import type { NameCache } from "../name-cache.ts";
import type { Registry } from "../registry.ts";
import { formButton, openly } from "../results.ts";

const addPagesForm = "kb ingest";

export function welcomeActions(deps: {
  readonly names: Pick<NameCache, "agents" | "offers" | "touch">;
  readonly registry: () => Registry;
  readonly plan: (input: CommandInput) => { readonly acknowledgement: Acknowledgement };
  readonly run: (input: CommandInput, context: CommandContext) => Promise<CommandResult>;
}): {
  readonly actions: Readonly<Record<string, ActionHandler>>;
  readonly forms: Readonly<Record<string, FormHandler>>;
} {
  const { names, registry, plan, run } = deps;
  const choose: CommandInput = { kind: "structured", path: "agent use", options: {} };

  return {
    actions: {
      "choose-here": {
        role: "manage",
        acknowledge: () => {
          names.touch();
          return names.agents().length === 0 ? { kind: "defer-private" } : plan(choose).acknowledgement;
        },
        press: async () => {
          if (!names.offers("agent-changes")) {
            return openly(infoDocument([bindingSentences.none, elsewhereSentences.addThere]));
          }
          const create = registry().typed("agent create");
          const said = [bindingSentences.none, bindingSentences.makeOne(create)];
          const actions = [formButton(agentFormTexts.createTitle, "agent create")];
          return openly(infoDocument(said, { actions }));
        },
      },
      "add-pages": {
        role: "ingest",
        acknowledge: () => ({ kind: "form", form: pagesForm() }),
        press: async () => ({ kind: "nothing" }),
      },
    },
    forms: {
      [addPagesForm]: {
        role: "ingest",
        check: async (values) => (fieldText(values, "urls") === "" ? { urls: addPagesTexts.noUrls } : undefined),
        submit: async (values, _formContext, context) => {
          const urls = fieldText(values, "urls").split(/\s+/).join(" ");
          return run(
            { kind: "structured", path: "kb ingest", options: { urls, into: fieldText(values, "into") } },
            context,
          );
        },
      },
    },
  };
}

function pagesForm(): Form {
  const { title, submitLabel, fields } = addPagesTexts;
  return {
    id: addPagesForm,
    title,
    submitLabel,
    fields: [
      { name: "urls", ...fields.urls, type: "multiline", maxChars: 3_000, isRequired: true },
      { name: "into", ...fields.into, type: "select", choices: [], completes: "knowledge-base", isRequired: false },
    ],
    context: "",
  };
}
