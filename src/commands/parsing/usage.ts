/**
 * A command with its options as they are typed: "agent use name [scope]".
 */
import type { CommandDefinition } from "../../ports/command-contract.ts";

export function usageOf({ path, options }: CommandDefinition): string {
  const words = options.map(({ name, isRequired, isList }) => {
    const word = isList ? `${name}…` : name;
    return isRequired ? word : `[${word}]`;
  });
  return [path, ...words].join(" ");
}
