/** Defines the command that asks answered questions again. */
import type { CommandDefinition } from "../../ports/command-contract.ts";

export const checkDefinitions: readonly CommandDefinition[] = [
  {
    path: "agent check",
    summary: "Ask an agent's answered questions again, to see whether the added answers still hold",
    options: [{ name: "name", summary: "The agent", type: "text", isRequired: true, completes: "agent" }],
    role: "manage",
    examples: ["agent check support"],
  },
];
