/** Defines the commands that show, refresh, remove and delete what is in a knowledge base. */
import type { CommandDefinition, OptionDefinition } from "../../ports/command-contract.ts";

const base: OptionDefinition = {
  name: "name",
  summary: "The knowledge base",
  type: "text",
  isRequired: true,
  completes: "knowledge-base",
};

const document = (isRequired: boolean, summary: string): OptionDefinition => ({
  name: "url",
  summary,
  type: "text",
  isRequired,
  // A URL is no option of its own, and a title may have several words.
  isList: true,
});

export const ledgerDefinitions: readonly CommandDefinition[] = [
  {
    path: "kb show",
    summary: "Show what was added to a knowledge base, and which agents read it",
    offer: "knowledge-bases",
    options: [
      base,
      {
        name: "page",
        summary: "Which page of the list",
        type: "integer",
        isRequired: false,
        minimum: 1,
        maximum: 10_000,
      },
    ],
    role: "ask",
    examples: ["kb show docs", "kb show docs page 2"],
  },
  {
    path: "kb refresh",
    summary: "Read pages of a knowledge base again",
    offer: "knowledge-bases",
    options: [base, document(false, "One page (default: all that you added; for managers, all)")],
    role: "ingest",
    examples: ["kb refresh docs", "kb refresh docs https://example.com/faq"],
  },
  {
    path: "kb remove",
    summary: "Remove a page or document from a knowledge base",
    offer: "knowledge-bases",
    options: [base, document(true, "Its URL, or its title as in /kb show")],
    role: "ingest",
    examples: ["kb remove docs https://example.com/faq"],
  },
  {
    path: "kb delete",
    summary: "Delete a knowledge base (asks for confirmation)",
    offer: "knowledge-bases",
    options: [base],
    role: "manage",
    examples: ["kb delete docs"],
  },
];
