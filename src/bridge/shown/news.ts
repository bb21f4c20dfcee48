/** Says what is new in a Turn's view. Pure: where edits are short, new steps go first. */

import type { TurnView } from "../../core/model/turn.ts";
import type { News } from "../../delivery/types.ts";

/** `before`: the view drawn last. Undefined when none was, or when the question is asked again. */
export function newsOf(before: TurnView | undefined, after: TurnView): News {
  if (before === undefined) return "first-step";
  const steps = [stepsOf(before), stepsOf(after)] as const;
  if (steps[1] > steps[0]) return steps[0] === 0 ? "first-step" : "step";
  // The wait may be over before a result would be shown.
  if (after.waitsUntilMs !== undefined && after.waitsUntilMs !== before.waitsUntilMs) return "step";
  if (after.isWriting !== undefined && lengthOf(after) !== lengthOf(before)) {
    return before.isWriting === undefined ? "first-text" : "text";
  }
  return isSame(before, after) ? "elapsed" : "result";
}

function stepsOf({ steps, omittedSteps = 0 }: TurnView): number {
  return steps.length + omittedSteps;
}

/** Views are never changed, so what is the same object shows the same. */
function isSame(before: TurnView, after: TurnView): boolean {
  if (before === after) return true;
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]) as ReadonlySet<keyof TurnView>;
  return [...fields].every((field) => before[field] === after[field]);
}

/** Comparing the texts themselves would read a long answer for each of its pieces. */
function lengthOf({ answer = "", answerOmittedChars = 0 }: TurnView): number {
  return answer.length + answerOmittedChars;
}
