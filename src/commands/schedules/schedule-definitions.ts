/** Defines the commands of schedules. */
import type { CommandDefinition, OptionDefinition } from "../../ports/command-contract.ts";

const schedule: OptionDefinition = {
  name: "id",
  summary: "The schedule",
  type: "text",
  isRequired: true,
  completes: "schedule",
};

const about = (verb: string, summary: string): CommandDefinition => ({
  path: `schedule ${verb}`,
  summary,
  options: [schedule],
  role: "ask",
  examples: [`schedule ${verb} k3f9`],
});

export const scheduleDefinitions: readonly CommandDefinition[] = [
  {
    path: "schedule list",
    summary: "List your schedules, and as a manager those of this channel",
    options: [],
    role: "ask",
    examples: ["schedule list"],
  },
  about("pause", "Pause a schedule"),
  about("resume", "Resume a paused schedule"),
  about("run", "Ask a schedule's question now"),
  about("delete", "Delete a schedule"),
];
