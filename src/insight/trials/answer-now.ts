/** Compares a proof with the answer that is in the knowledge base now: it may have been removed or replaced. */
import type { AnswerStore } from "../../core/content/answering.ts";
import { proofSentences as says } from "../../presentation/sentences.ts";
import { baseOf } from "../answers/answer-store.ts";
import type { Trial } from "./trial.ts";

export type AnswerNow = ReturnType<typeof createAnswerNow>;

export function createAnswerNow(store: Pick<AnswerStore, "get">) {
  const newestOf = ({ answer }: Trial) => store.get(baseOf(answer), answer.id);

  /** When that answer was given. */
  const atMs = async (trial: Trial): Promise<number | undefined> => (await newestOf(trial))?.atMs;

  return {
    atMs,

    /** Why what was found out says nothing about the answer that is there now. Undefined: it does. */
    outdated: async (trial: Trial) => {
      if (trial.result?.kind !== "used") return undefined;
      const now = await atMs(trial);
      if (now === undefined) return says.removedMeanwhile;
      return now === (trial.result.answerAtMs ?? trial.answer.atMs) ? undefined : says.replacedMeanwhile;
    },

    /** Says whose answer is asked for: someone else may have replaced it before it was its turn. */
    renewed: async (trial: Trial): Promise<Trial> => {
      const newest = await newestOf(trial);
      if (newest === undefined) return trial;
      const { question, by, atMs: givenAtMs } = newest;
      return { ...trial, answer: { ...trial.answer, question, by, atMs: givenAtMs } };
    },
  };
}
