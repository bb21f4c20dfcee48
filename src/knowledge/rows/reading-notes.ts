/** Collects what was assumed to read a file, as one line for people. */
import { shorten } from "../../presentation/sentences.ts";

/** As many as fit into one line of a message. */
const maxNotes = 6;
const maxChars = 400;

export type ReadingNotes = ReturnType<typeof createReadingNotes>;

export function createReadingNotes() {
  const notes: string[] = [];
  return {
    /** Part of a sentence. */
    add: (note: string): void => {
      notes.push(note);
    },
    /** Undefined if nothing had to be assumed. */
    line: (): string | undefined => {
      if (notes.length === 0) return undefined;
      const shown = notes.slice(0, maxNotes).join("; ");
      return shorten(notes.length > maxNotes ? `${shown}; …` : shown, maxChars);
    },
  };
}
