/** The word with which a model says that an overheard message isn't for it. People never see it. */

export const silenceToken = "NO_ANSWER_HERE";

/** Models escape underscores, change the case, and put marks around it. */
const written = /NO[\\_*\s]{1,4}ANSWER[\\_*\s]{1,4}HERE/i;

/** Wherever it stands: an answer that has it is none. */
export function hasSilenceToken(answer: string): boolean {
  return written.test(answer);
}
