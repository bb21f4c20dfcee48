/** Finds the nearest name to what was typed, for "did you mean". */
import { distance } from "fastest-levenshtein";

/** The first of the nearest candidates. */
export function nearest(typed: string, candidates: readonly string[]): string | undefined {
  let best: { readonly name: string; readonly edits: number } | undefined;
  for (const name of candidates) {
    const edits = editsWithin(typed, name);
    if (edits !== undefined && (best === undefined || edits < best.edits)) best = { name, edits };
  }
  return best?.name;
}

/** Undefined when more than half of the longer word differs. */
export function editsWithin(typed: string, name: string): number | undefined {
  const most = Math.floor(Math.max(typed.length, name.length) / 2);
  // Nothing long is compared letter by letter.
  if (Math.abs(typed.length - name.length) > most) return undefined;
  const [given, wanted] = [typed.toLowerCase(), name.toLowerCase()];
  const edits = distance(given, wanted);
  // Two letters that changed places are one slip.
  const isSwap = edits === 2 && lettersOf(given) === lettersOf(wanted);
  return isSwap ? 1 : edits <= most ? edits : undefined;
}

function lettersOf(word: string): string {
  return [...word].sort().join("");
}
