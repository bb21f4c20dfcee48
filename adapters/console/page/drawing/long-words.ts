/** Letters of one word: more are no word, but data. */
const maxLetters = 1_000;

/**
 * A class for what holds the text: a browser that kerns looks at all of a word again for each of its lines, which took
 * 20 s for 50 kB of `A`.
 */
export const lookOfWords = (text: string): string =>
  text.split(/\s/).some(({ length }) => length > maxLetters) ? " has-long-word" : "";
