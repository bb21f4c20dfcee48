/** Says in an answer why a language model didn't finish it. */
import type { FailureReason } from "./language-model.ts";

const reasons: Readonly<Record<FailureReason, string>> = {
  down: "The language model can't be reached or has failed.",
  busy: "The language model is busy.",
  refused: "The language model refused the request; your Parley admin can check its settings.",
  "too-long": "The question and the conversation before it are too long for the language model.",
  slow: "The language model took too long.",
  cut: "The connection to the language model broke.",
  filtered: "The language model's provider blocked its answer.",
  "missing-tool": "The language model tried to use a tool, and has none here.",
  "too-large": "The language model wrote far too much.",
  empty: "The language model wrote nothing.",
  searching: "The language model searched without finding an answer.",
  unusable: "The language model sent something that isn't an answer.",
};

/** Above quoted passages. `busyUntilMs`: if the model says it. */
export function insteadNote(reason: FailureReason, busyUntilMs?: number): string {
  const isNamed = reason === "busy" && busyUntilMs !== undefined;
  const why = isNamed ? `The language model is busy until ${minuteText(busyUntilMs)}.` : reasons[reason];
  return `_${why} This is what I found without it:_`;
}

/** Below a text that has sources. */
export function unfinishedNote(reason: FailureReason): string {
  return `_This answer isn't complete: ${reasons[reason].replace(/^The/, "the")}_`;
}

/** "10:42 UTC", not too early. */
function minuteText(ms: number): string {
  return `${new Date(Math.ceil(ms / 60_000) * 60_000).toISOString().slice(11, 16)} UTC`;
}
