/** Formats a command's usage line: "agent use name [scope]". */
import type { CommandDefinition } from "../../ports/command-contract.ts";

export function usageOf({ path, options }: CommandDefinition): string {
  const words = options.map(({ name, isRequired, isList }) => {
    const word = isList ? `${name}…` : name;
    return isRequired ? word : `[${word}]`;
  });
  return [path, ...words].join(" ");
}
