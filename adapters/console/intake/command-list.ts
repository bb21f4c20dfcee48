/** Describes every command for the page's completion. */
import type { CommandDefinition } from "../../../src/ports/command-contract.ts";
import type { Completion } from "../../../src/ports/document.ts";
import { present } from "../../../src/ports/tools/present.ts";

/** A command as the page completes it. */
export type CommandDescription = {
  /** With slash and prefix: "/agent use". */
  readonly name: string;
  readonly description: string;
  readonly options: readonly {
    readonly name: string;
    readonly description: string;
    readonly isRequired: boolean;
    readonly completes?: Completion;
    /** Fixed values, where there are any. */
    readonly choices?: readonly string[];
  }[];
};

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
