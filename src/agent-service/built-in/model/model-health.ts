/** Remembers since when a model has failed, until it answers again. Of this process. */
import type { Clock } from "../../../core/ports/clock.ts";

const maxWordsChars = 300;

export type ModelHealth = ReturnType<typeof createModelHealth>;

/** `subject`: "The language model". */
export function createModelHealth(clock: Pick<Clock, "now">, subject: string) {
  let failing: { readonly sinceMs: number; readonly words: string } | undefined;
  return {
    answered: (): void => {
      failing = undefined;
    },
    failed: (failure: Error): void => {
      failing = { sinceMs: failing?.sinceMs ?? clock.now(), words: modelWords(failure) };
    },
    /** A sentence for managers. Undefined: it is well. */
    failing: (): string | undefined => {
      if (failing === undefined) return undefined;
      const since = `${new Date(failing.sinceMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
      return `${subject} hasn't answered since ${since}: ${failing.words}`;
    },
  };
}

/** What its endpoint said, as far as it is known: the innermost cause has the words. */
export function modelWords(failure: Error): string {
  let words = failure.message;
  let cause: unknown = failure.cause;
  for (let depth = 0; cause instanceof Error && depth < 5; depth += 1) {
    if (cause.message !== "") words = cause.message;
    cause = cause.cause;
  }
  return words.replace(/\s+/g, " ").trim().slice(0, maxWordsChars);
}
