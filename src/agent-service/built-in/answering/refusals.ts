/** The one line that is answered where nothing can be quoted. */

const nothing = "I found nothing about that";
const noDocuments = "I have no documents";
const noQuestion = "Ask me something";

export const refusals = {
  /** `canBeAdded`: people can add to one of the knowledge bases. */
  nothingFound: (baseNames: readonly string[], canBeAdded: boolean): string =>
    `${nothing} in ${listOf(baseNames)}.${canBeAdded ? " People who may add knowledge can add it with `/kb add`." : ""}`,
  empty: (baseNames: readonly string[]): string => `${nothing}: nothing has been added to ${listOf(baseNames)} yet.`,
  noKnowledgeBase: (missing: readonly string[]): string =>
    missing.length === 0
      ? `${noDocuments}: no knowledge base is connected.`
      : `${noDocuments}: there is no knowledge base ${listOf(missing)}.`,
  noQuestion: `${noQuestion} and I'll quote the matching passages.`,
};

/** Whether an earlier answer was one of these. */
export function isRefusal(answer: string): boolean {
  return [nothing, noDocuments, noQuestion].some((words) => answer.startsWith(words));
}

function listOf(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  const last = quoted.at(-1) ?? "";
  return quoted.length <= 1 ? last : `${quoted.slice(0, -1).join(", ")} and ${last}`;
}
