/** Defines the commands about questions that were not answered well. */
import type { CommandDefinition } from "../../ports/command-contract.ts";

export const gapDefinitions: readonly CommandDefinition[] = [
  {
    path: "kb gaps",
    summary: "List questions that were not answered well",
    options: [
      {
        name: "agent",
        summary: "Only of this agent (default: all that you reach here)",
        type: "text",
        isRequired: false,
        completes: "agent",
      },
      {
        name: "page",
        summary: "Which page of the list",
        type: "integer",
        isRequired: false,
        minimum: 1,
        maximum: 200,
      },
    ],
    role: "ingest",
    examples: ["kb gaps", "kb gaps support"],
  },
];
