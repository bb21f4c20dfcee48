/** Ranks the names that match what was typed so far. */
import type { Choice } from "../../core/document.ts";

/** Discord's limit, the smallest of the platforms. */
const maxChoices = 25;
/** Discord's limit for a choice's value. A longer name can't be chosen, so it isn't offered. */
const maxValueChars = 100;

/**
 * Ranks names by prefix, then by the prefix of a word in them, then by substring, then by letters in order. O(names ×
 * their length).
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
