/**
 * Describes every command for the page's completion.
 */
import type { CommandDefinition } from "../../../src/ports/command-contract.ts";
import { present } from "../../../src/ports/tools/present.ts";
import type { CommandDescription } from "./routes.ts";

export function describeCommands(definitions: readonly CommandDefinition[], prefix: string): CommandDescription[] {
  return definitions.map(({ path, summary, options }) => ({
    name: `/${prefix}${path}`,
    description: summary,
    options: options
      // A file can't be typed.
      .filter((option) => option.type !== "file")
      .map(({ name, summary: description, isRequired, completes, choices }) =>
        present({ name, description, isRequired, completes, choices }),
      ),
  }));
}
