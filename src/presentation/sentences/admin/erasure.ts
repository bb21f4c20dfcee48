/** Sentences about what stays after a person was erased, and what they can do about it. */
import type { Erasure } from "../../../ports/content/privacy.ts";
import { countText, numberText } from "../quantities.ts";

/** Documents named one by one. */
const maxNamed = 20;

export const erasureSentences = {
  inFiles: "Copies can still be in the files of the storage, which were in use. They are overwritten within an hour.",
  inChat: (questions: number): string =>
    `${countText(questions, "question")} and the answers are still in the chat. Delete these messages there.`,
  documents: (documents: readonly { readonly knowledgeBase: string; readonly title: string }[]): string => {
    const named = documents.slice(0, maxNamed).map(({ knowledgeBase, title }) => `${title} (${knowledgeBase})`);
    const more = documents.length > maxNamed ? ` and ${countText(documents.length - maxNamed, "more", "more")}` : "";
    return `${countText(documents.length, "document")} in knowledge bases, because others rely on them: ${named.join(", ")}${more}. Remove them with /kb remove.`;
  },
  left: (questions: number): string =>
    `${countText(questions, "question")} in a conversation where an answer is still running or waits for approval. Start Parley if it isn't running, wait until the answer ends, and erase again.`,
  leftJobs: (jobs: number): string =>
    `${countText(jobs, "job")} that could not be cancelled yet. Erase again in a minute.`,
  howToName: (action: string): string =>
    `Name one person as platform:workspace/id, for example: npm run ${action} -- slack:T1/U123. docs/privacy.md says where to find the ids.`,
  noPlatform: (name: string, known: readonly string[]): string =>
    `Parley has no platform "${name}". It has ${known.join(", ")}.`,
  noData: (dataDir: string): string =>
    `There is no data of Parley in DATA_DIR (${dataDir}), so nothing was done. Set DATA_DIR, or REDIS_URL, as the running Parley has it.`,
  inUse: (dataDir: string) => ({
    what: `Another Parley is using DATA_DIR (${dataDir}) and doesn't answer, so nothing was done.`,
    hint: "If it is starting or shutting down, try again in a minute; otherwise stop it first.",
  }),
  nothing: (person: string): string =>
    `Parley keeps nothing about ${person}. If you expected something, check the id: docs/privacy.md says where to find it.`,
} as const;

/** The report of an erasure, as `npm run erase` prints it. */
export function erasureText(person: string, { kinds, stays, isComplete }: Erasure): string {
  const lines = kinds.map(({ kind, removed, renamed }) => {
    const parts = [
      removed > 0 ? `${numberText(removed)} removed` : "",
      renamed > 0 ? `${numberText(renamed)} without the name` : "",
    ];
    return `  ${kind}: ${parts.filter((part) => part !== "").join(", ")}`;
  });
  const first = kinds.length === 0 && stays.length === 0 ? erasureSentences.nothing(person) : `Erased ${person}:`;
  const last =
    stays.length === 0
      ? []
      : [isComplete ? "What stays:" : "Not finished. What stays:", ...stays.map((one) => `  ${one}`)];
  return [first, ...lines, ...last].join("\n");
}
