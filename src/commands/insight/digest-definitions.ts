/** Defines the command about a channel's weekly digest. */
import type { CommandDefinition } from "../../ports/command-contract.ts";

const digestSwitches = ["on", "off", "now"] as const;
/** Sunday is 0, as in schedules. */
export const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;

export const digestDefinitions: readonly CommandDefinition[] = [
  {
    path: "parley digest",
    summary: "Post a digest in this channel each week: questions, votes, what is still open, what was added",
    options: [
      {
        name: "digest",
        summary: "on, off, or now: once, at once (default: show whether it is on)",
        type: "choice",
        isRequired: false,
        choices: digestSwitches,
      },
      {
        name: "weekday",
        summary: "On which day (default: Monday)",
        type: "choice",
        isRequired: false,
        choices: [...weekdays.slice(1), weekdays[0]],
      },
      {
        name: "time",
        summary: "At what time: 9:00 or 2pm (default: 9:00)",
        type: "text",
        isRequired: false,
        takesBareWord: true,
      },
    ],
    role: "manage",
    examples: ["parley digest", "parley digest on", "parley digest on friday 16:00", "parley digest now"],
  },
];
