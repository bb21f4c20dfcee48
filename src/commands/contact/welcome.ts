/** The buttons of the welcome card: Choose an agent, and Add pages with its form. */
import { z } from "zod";
import type { CommandInput } from "../../core/ports/chat-platform.ts";
import { infoDocument } from "../../presentation/drawing.ts";
import { bindingSentences, elsewhereSentences } from "../../presentation/sentences.ts";
import type { Interactions } from "../command.ts";
import { drawForm, formHandler, multiline, select } from "../form.ts";
import { formButton, openly } from "../results.ts";
import { agentFormTexts } from "../words.ts";

/** The form behind Add pages. */
const addPagesTexts = {
  title: "Add pages",
  submitLabel: "Add",
  fields: {
    urls: { label: "Page URLs", hint: "One on each line." },
    into: { label: "Knowledge base", hint: "Leave empty for this channel's default." },
  },
  noUrls: "Add the URL of at least one page.",
} as const;

const addPagesForm = "kb ingest";
const choose: CommandInput = { kind: "structured", path: "agent use", options: {} };

const { title, submitLabel, fields, noUrls } = addPagesTexts;
const pages = z.object({
  urls: multiline({ ...fields.urls, maxChars: 3_000, missing: noUrls }),
  into: select({ ...fields.into, completes: "knowledge-base" }),
});

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
      acknowledge: () => ({
        kind: "form",
        form: drawForm(pages, { id: addPagesForm, title, submitLabel, context: "" }),
      }),
      press: async () => ({ kind: "nothing" }),
    },
  },
  forms: {
    [addPagesForm]: formHandler(pages, {
      role: "ingest",
      submit: async ({ commands }, { urls, into }, _formContext, context) => {
        const options = { urls: urls.split(/\s+/).join(" "), into };
        return commands.run({ kind: "structured", path: "kb ingest", options }, context);
      },
    }),
  },
};
