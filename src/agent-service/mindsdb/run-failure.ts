/**
 * Chooses the error code for a failed run from the service's text. A raw model error with URLs and sometimes keys is never
 * shown to people; it goes redacted into the cause. Other words are shown as far as they are safe.
 */
import { type ErrorCode, ParleyError } from "../../core/errors.ts";
import { redactInternals, safeWords } from "../http/redaction.ts";

const outOfStepsPattern = /maximum number of (?:exploratory queries|iterations|steps)|ran out of steps/i;
const modelPattern =
  /status_code: \d|model_name:|Error code: \d{3}|Connection error|rate limit|api key|context length|model_not_found/i;

/** The service's own words for any failure, which say nothing to people. */
const silentPattern = /^(?:error in completion event generator|agent streaming failed)\b/i;

/** The plain endpoint of 25.x sends a model's failure as if it were the answer, with status 200. */
const modelErrorAsAnswer = /^Error code: \d{3} - /;

export function runFailure(said: string): ParleyError {
  const cause = new Error(redactInternals(said).slice(0, 2000));
  const code = codeOf(said);
  const isTelling = code === "run_failed" && !silentPattern.test(said);
  return new ParleyError(code, { cause, said: isTelling ? safeWords(said) : undefined });
}

export function isModelErrorAsAnswer(text: string): boolean {
  return modelErrorAsAnswer.test(text);
}

function codeOf(said: string): ErrorCode {
  if (outOfStepsPattern.test(said)) return "answer_unusable";
  if (modelPattern.test(said)) return "model_unavailable";
  return "run_failed";
}
