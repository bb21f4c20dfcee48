/** Defines the commands of knowledge bases: list, create, search and everything that adds to them. */
import type { CommandDefinition, OptionDefinition } from "../../ports/command-contract.ts";

/**
 * The name of a new agent or knowledge base. It takes all words, so that "Support Bot" gets the nearest valid name as a
 * suggestion.
 */
export const newName: OptionDefinition = {
  name: "name",
  summary: "Lowercase letters, digits and underscores",
  type: "text",
  isRequired: false,
  isRest: true,
};

const knowledgeBaseOption = (name: string, isRequired: boolean, summary: string): OptionDefinition => ({
  name,
  summary,
  type: "text",
  isRequired,
  completes: "knowledge-base",
});

export const knowledgeBaseDefinitions: readonly CommandDefinition[] = [
  {
    path: "kb list",
    summary: "List knowledge bases",
    offer: "knowledge-bases",
    options: [],
    role: "ask",
    examples: ["kb list"],
  },
  {
    path: "kb create",
    summary: "Create a knowledge base",
    offer: "knowledge-bases",
    options: [newName],
    role: "manage",
    opensForm: true,
    examples: ["kb create docs"],
  },
  {
    path: "kb use",
    summary: "Set this channel's knowledge base",
    offer: "knowledge-bases",
    options: [knowledgeBaseOption("name", true, "The knowledge base")],
    role: "manage",
    examples: ["kb use docs"],
  },
  {
    path: "kb clear",
    summary: "Remove this channel's knowledge base",
    offer: "knowledge-bases",
    options: [],
    role: "manage",
    examples: ["kb clear"],
  },
  {
    path: "kb search",
    summary: "Search passages, with sources",
    offer: "knowledge-bases",
    options: [
      { name: "words", summary: "What to look for", type: "text", isRequired: true, isRest: true },
      knowledgeBaseOption("in", false, "The knowledge base (default: this channel's)"),
    ],
    role: "ask",
    examples: ["kb search refund policy", "kb search refund policy in:docs"],
  },
];

const intoOption = knowledgeBaseOption("into", false, "The knowledge base (default: this channel's)");

export const feedDefinitions: readonly CommandDefinition[] = [
  {
    path: "kb ingest",
    summary: "Add web pages to a knowledge base",
    offer: "knowledge-bases",
    options: [
      {
        name: "urls",
        summary: "Page URLs, separated by spaces",
        type: "text",
        isRequired: true,
        isList: true,
      },
      intoOption,
      {
        name: "limit",
        summary: "Most pages to read per URL",
        type: "integer",
        isRequired: false,
        minimum: 1,
        maximum: 10_000,
      },
      {
        name: "depth",
        summary: "How many links deep to follow (0 = this page only)",
        type: "integer",
        isRequired: false,
        minimum: 0,
        maximum: 20,
      },
      {
        name: "domains",
        summary: "Other domains to follow, separated by commas",
        type: "text",
        isRequired: false,
      },
      {
        name: "by",
        summary: "Who reads the pages: the agent service, Parley, or automatic",
        type: "choice",
        isRequired: false,
        choices: ["auto", "service", "parley"],
      },
    ],
    role: "ingest",
    examples: ["kb ingest https://example.com/faq", "kb ingest https://example.com/docs into docs limit 20 depth 2"],
  },
  {
    path: "kb add",
    summary: "Add files, text, rows (JSON, JSON lines, CSV) or pages to a knowledge base",
    offer: "knowledge-bases",
    options: [
      {
        name: "text",
        summary: "Text or rows; leave it out to open a form",
        type: "text",
        isRequired: false,
        isRest: true,
        hasOwnLimit: true,
      },
      { name: "file", summary: "Text, Markdown, JSON, CSV, PDF or a spreadsheet", type: "file", isRequired: false },
      intoOption,
    ],
    role: "ingest",
    opensForm: true,
    examples: ["kb add Refunds take five days. into:docs", "kb add"],
  },
  {
    path: "kb query",
    summary: "Add a query's rows to a knowledge base (asks for confirmation)",
    offer: "sql",
    options: [{ name: "sql", summary: "A SELECT statement", type: "text", isRequired: true, isRest: true }, intoOption],
    role: "manage",
    examples: ["kb query SELECT id, question, answer AS content FROM shop.faq into:docs"],
  },
  {
    path: "kb jobs",
    summary: "Running and finished jobs",
    offer: "knowledge-bases",
    options: [],
    role: "ask",
    examples: ["kb jobs"],
  },
  {
    path: "kb cancel",
    summary: "Cancel a running job",
    offer: "knowledge-bases",
    options: [
      {
        name: "job",
        summary: "The job's reference (default: the only running one)",
        type: "text",
        isRequired: false,
        completes: "job",
      },
    ],
    role: "ingest",
    examples: ["kb cancel", "kb cancel k3x9"],
  },
];
