/**
 * Which names fit what was typed so far, the best first.
 */
import type { Choice } from "../../ports/document.ts";

/** Discord's limit, the smallest of the platforms. */
const maxChoices = 25;
/** Discord's limit for a choice's value; a longer name cannot be chosen, and is not offered cut. */
const maxValueChars = 100;

/**
 * Names that begin so, then names with a word that begins so, then those that hold it, then those that hold its letters
 * in that order. O(names × their length).
 */
export function matching(typed: string, names: readonly string[]): readonly Choice[] {
  const wanted = typed.trim().toLowerCase();
  const ranks: string[][] = [[], [], [], []];
  for (const name of names) {
    if (name.length > maxValueChars || name === "") continue;
    const rank = rankOf(wanted, name.toLowerCase());
    if (rank === undefined) continue;
    const found = ranks[rank];
    if (found !== undefined && found.length < maxChoices) found.push(name);
    if (rank === 0 && found?.length === maxChoices) break;
  }
  return ranks
    .flat()
    .slice(0, maxChoices)
    .map((name) => ({ value: name, label: name }));
}

function rankOf(wanted: string, name: string): number | undefined {
  const at = name.indexOf(wanted);
  if (at === 0) return 0;
  if (at > 0) return name.split(/[_.\-\s/]/).some((word) => word.startsWith(wanted)) ? 1 : 2;
  return hasInOrder(wanted, name) ? 3 : undefined;
}

function hasInOrder(wanted: string, name: string): boolean {
  let from = 0;
  for (const char of wanted) {
    const at = name.indexOf(char, from);
    if (at < 0) return false;
    from = at + 1;
  }
  return true;
}
