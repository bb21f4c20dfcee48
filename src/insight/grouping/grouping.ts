/** The face of grouping: which stored question means the same as a new one, without a model and the same everywhere. */

import { likeness } from "./likeness.ts";
import type { IndexedQuestion, QuestionForm } from "./question-index.ts";

export { questionForm } from "./form.ts";
export { boundsOf, likeness } from "./likeness.ts";

/** The one most like it, the smallest id first where several are; undefined if none means the same. */
export function mostAlike(form: QuestionForm, stored: Iterable<IndexedQuestion>): IndexedQuestion | undefined {
  let best: { readonly question: IndexedQuestion; readonly score: number } | undefined;
  for (const question of stored) {
    const score = likeness(form, question);
    if (score === 0) continue;
    const isBetter =
      best === undefined || score > best.score || (score === best.score && question.id < best.question.id);
    if (isBetter) best = { question, score };
  }
  return best?.question;
}
