/** The options that several commands about knowledge bases share. */
import type { OptionDefinition } from "../../core/commands.ts";

/**
 * The name of a new agent or knowledge base. It takes all words, so that "Support Bot" gets the nearest valid name as a
 * suggestion.
 */
export const newName: OptionDefinition = {
  name: "name",
  summary: "Lowercase letters, digits and underscores",
  type: "text",
  isRequired: false,
  isRest: true,
};

export const intoOption = knowledgeBaseOption("into", false, "The knowledge base (default: this channel's)");

export function knowledgeBaseOption(name: string, isRequired: boolean, summary: string): OptionDefinition {
  return {
    name,
    summary,
    type: "text",
    isRequired,
    completes: "knowledge-base",
  };
}
