/** What grouping knows about the words of one language, and how the tables are read. */

/** Texts are lists with commas; a phrase has spaces. Accents may be missing in a question, so they don't matter. */
export type WordTable = {
  /** Words that say nothing about the subject: "how do I", "please". */
  readonly empty: string;
  /** Words that most questions have in some form. They count a little. */
  readonly weak: string;
  /** Words that turn the meaning round. */
  readonly negation: string;
  readonly without: string;
  /** Phrases without meaning of their own, although their words have one: "I don't know". */
  readonly frames: string;
  /** One line per concept: its name, a colon, and what is said for it. "^" is the beginning of the question. */
  readonly same: string;
  /** Like `same`: what is done. Questions about two different ones differ, however alike they are otherwise. */
  readonly actions: string;
  /** Words before what something comes from, and before what it goes to. */
  readonly from?: string;
  readonly to?: string;
  /** Verbs' beginnings that can be the last word of a sentence: "setze … zurück". */
  readonly separable?: string;
};

export function listed(text: string): readonly string[] {
  return text
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

export function concepts(text: string): readonly (readonly [name: string, phrases: readonly string[]])[] {
  const lines = text.split("\n").filter((line) => line.includes(":"));
  return lines.map((line) => {
    const at = line.indexOf(":");
    return [line.slice(0, at).trim(), listed(line.slice(at + 1))] as const;
  });
}
