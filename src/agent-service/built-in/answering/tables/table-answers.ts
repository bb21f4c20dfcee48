/** Answers from tables: what is worked out from one, or the rows that a question chooses, with their heading row. */
import { kindAsked } from "../kind-asked.ts";
import type { FoundPassage, PassageSearch } from "../passage-search.ts";
import type { Search } from "../question.ts";
import { readWords } from "../words.ts";
import { askTable } from "./ask-table.ts";
import { composed } from "./follow-up.ts";
import { operationsIn } from "./request.ts";
import { markdownOf } from "./table.ts";
import { tablesAmong } from "./whole-tables.ts";

export type AnsweringTable = {
  readonly passage: FoundPassage;
  readonly text: string;
  /** The question wants it worked out; else its rows are quoted. */
  readonly isWorkedOut: boolean;
};

/** Of the tables that answer, the one from which something is worked out goes first. */
export function answeringTable(
  passages: PassageSearch,
  base: { readonly id: number; readonly name: string },
  { text, before }: Search,
  found: readonly FoundPassage[],
): AnsweringTable | undefined {
  const words = readWords(text).map(({ word }) => word);
  const kind = kindAsked(text)?.kind;
  const operations = operationsIn(words);
  const answers = tablesAmong(passages, base, found).flatMap(
    ({ table, passage, isPart }): readonly AnsweringTable[] => {
      const ask = (question: string) => askTable(table, question, `${base.name} ${passage.title}`);
      const alone = ask(text);
      const together = before.length === 0 ? undefined : ask(composed(table, [...before, text]));
      const isBegun = before.length === 0 || together !== undefined || (alone !== undefined && alone.said !== "");
      const answer = together !== undefined && together.said !== "" ? together : isBegun ? alone : undefined;
      // From one row nothing can be worked out about the others.
      if (answer === undefined || (isPart && (operations.length > 0 || kind === "amount"))) return [];
      const rows = markdownOf(table, answer.rows);
      return [
        {
          passage,
          isWorkedOut: answer.said !== "",
          text: [answer.said, rows].filter((part) => part !== "").join("\n\n"),
        },
      ];
    },
  );
  return answers.find(({ isWorkedOut }) => isWorkedOut) ?? answers[0];
}
