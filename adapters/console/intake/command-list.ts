/** Describes every command for the page's completion. */
import type { CommandDefinition } from "../../../src/core/commands.ts";
import type { Completion } from "../../../src/core/document.ts";

/** A command as the page completes it. */
export type CommandDescription = {
  /** With slash and prefix: "/agent use". */
  readonly name: string;
  readonly description: string;
  /** What the commands with the same first word are about. */
  readonly group: string;
  readonly options: readonly {
    readonly name: string;
    readonly description: string;
    readonly isRequired: boolean;
    readonly completes?: Completion;
    /** Fixed values, where there are any. */
    readonly choices?: readonly string[];
    /** It is attached, never typed. */
    readonly isFile?: true;
  }[];
};

/** `groups`: one line about the commands with the same first word. */
export function describeCommands(
  definitions: readonly CommandDefinition[],
  groups: Readonly<Record<string, string>>,
  prefix: string,
): CommandDescription[] {
  return definitions.map(({ path, summary, options }) => ({
    name: `/${prefix}${path}`,
    description: summary,
    group: groups[path.split(" ")[0] ?? path] ?? summary,
    options: options.map(({ name, summary: description, isRequired, completes, choices, type }) => ({
      name,
      description,
      isRequired,
      completes,
      choices,
      isFile: type === "file" ? (true as const) : undefined,
    })),
  }));
}
