/** The buttons of the welcome card: Choose an agent, and Add pages with its form. */
import type { CommandInput } from "../../ports/chat-platform.ts";
import type { Form } from "../../ports/document.ts";
import { infoDocument } from "../../presentation/drawing.ts";
import { addPagesTexts, agentFormTexts, bindingSentences, elsewhereSentences } from "../../presentation/sentences.ts";
import { fieldText, type Interactions } from "../command.ts";
import { formButton, openly } from "../results.ts";

const addPagesForm = "kb ingest";
const choose: CommandInput = { kind: "structured", path: "agent use", options: {} };

export const welcomeButtons: Interactions = {
  actions: {
    "choose-here": {
      role: "manage",
      acknowledge: ({ names, commands }) => {
        names.touch();
        return names.agents().length === 0 ? { kind: "defer-private" } : commands.plan(choose).acknowledgement;
      },
      press: async ({ names, registry }) => {
        if (!names.offers("agent-changes")) {
          return openly(infoDocument([bindingSentences.none, elsewhereSentences.addThere]));
        }
        const said = [bindingSentences.none, bindingSentences.makeOne(registry.typed("agent create"))];
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
      check: async (_app, values) => (fieldText(values, "urls") === "" ? { urls: addPagesTexts.noUrls } : undefined),
      submit: async ({ commands }, values, _formContext, context) => {
        const options = { urls: fieldText(values, "urls").split(/\s+/).join(" "), into: fieldText(values, "into") };
        return commands.run({ kind: "structured", path: "kb ingest", options }, context);
      },
    },
  },
};

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
