/**
 * Defines the commands of knowledge bases: list, create, search and everything that adds to them.
 */
import type { CommandDefinition, OptionDefinition } from "../../ports/command-contract.ts";

/**
 * The name of a new agent or knowledge base. It takes all words, so that "Support Bot" gets the nearest valid name as a
 * suggestion.
 */
export const newName: OptionDefinition = {
  name: "name",
  summary: "Lower-case letters, digits and underscores",
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
    summary: "Which knowledge bases there are",
    options: [],
    role: "ask",
    visibility: "private",
    examples: ["kb list"],
  },
  {
    path: "kb create",
    summary: "Make a new knowledge base",
    options: [newName],
    role: "manage",
    visibility: "private",
    opensForm: true,
    examples: ["kb create docs"],
  },
  {
    path: "kb use",
    summary: "Choose where what is added in this channel goes",
    options: [knowledgeBaseOption("name", true, "The knowledge base")],
    role: "manage",
    visibility: "private",
    examples: ["kb use docs"],
  },
  {
    path: "kb search",
    summary: "The best passages for some words, with their sources",
    options: [
      { name: "words", summary: "What to look for", type: "text", isRequired: true, isRest: true },
      knowledgeBaseOption("in", false, "The knowledge base; without one, the one of this channel"),
    ],
    role: "ask",
    visibility: "private",
    examples: ["kb search refund policy", "kb search refund policy in:docs"],
  },
];

const intoOption = knowledgeBaseOption("into", false, "The knowledge base; without one, the one of this channel");

export const feedDefinitions: readonly CommandDefinition[] = [
  {
    path: "kb ingest",
    summary: "Add web pages to a knowledge base",
    options: [
      {
        name: "urls",
        summary: "Addresses of pages, with blanks between them",
        type: "text",
        isRequired: true,
        isList: true,
      },
      intoOption,
      {
        name: "limit",
        summary: "Pages to read from each address, at most",
        type: "integer",
        isRequired: false,
        minimum: 1,
        maximum: 10_000,
      },
      {
        name: "depth",
        summary: "How many links away from the address; 0 is the page alone",
        type: "integer",
        isRequired: false,
        minimum: 0,
        maximum: 20,
      },
      {
        name: "domains",
        summary: "Where links may lead besides the address's own host, with commas between them",
        type: "text",
        isRequired: false,
      },
      {
        name: "by",
        summary: "Who reads the pages: the agent service, Parley, or whoever keeps the sources",
        type: "choice",
        isRequired: false,
        choices: ["auto", "service", "parley"],
      },
    ],
    role: "ingest",
    visibility: "private",
    examples: ["kb ingest https://example.com/faq", "kb ingest https://example.com/docs into docs limit 20 depth 2"],
  },
  {
    path: "kb add",
    summary: "Add text, rows (JSON, JSON lines, CSV) or an attached file to a knowledge base",
    options: [
      {
        name: "text",
        summary: "Text or rows; or attach a file where the chat takes files",
        type: "text",
        isRequired: false,
        isRest: true,
      },
      { name: "file", summary: "Text, Markdown, JSON, CSV, PDF, a spreadsheet", type: "file", isRequired: false },
      intoOption,
    ],
    role: "ingest",
    visibility: "private",
    examples: ["kb add Refunds take five days. into:docs", "kb add into:docs"],
  },
  {
    path: "kb query",
    summary: "Add the rows of a query to a knowledge base; asks first",
    options: [{ name: "sql", summary: "A SELECT", type: "text", isRequired: true, isRest: true }, intoOption],
    role: "manage",
    visibility: "private",
    examples: ["kb query SELECT id, question, answer AS content FROM shop.faq into:docs"],
  },
  {
    path: "kb jobs",
    summary: "What is being added, and what became of it",
    options: [],
    role: "ask",
    visibility: "private",
    examples: ["kb jobs"],
  },
  {
    path: "kb cancel",
    summary: "Cancel a job that is adding something",
    options: [
      {
        name: "job",
        summary: "Its reference; without one, the only one that is running",
        type: "text",
        isRequired: false,
        completes: "job",
      },
    ],
    role: "ingest",
    visibility: "private",
    examples: ["kb cancel", "kb cancel k3x9"],
  },
];
