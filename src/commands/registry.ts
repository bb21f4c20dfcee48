/** Indexes the commands by name, with the configured prefix. */
import type { CommandDefinition } from "../ports/command-contract.ts";
import { allowedDistance, editDistance } from "./parsing/nearest.ts";

export type Registry = {
  readonly definitions: readonly CommandDefinition[];
  /** COMMAND_PREFIX, or "". */
  readonly prefix: string;
  readonly find: (path: string) => CommandDefinition | undefined;
  /** The first words: "ask", "agent", …. */
  readonly groups: readonly string[];
  /** Empty when there's no such group. */
  readonly ofGroup: (group: string) => readonly CommandDefinition[];
  /** The path or group that was probably meant by these words. */
  readonly nearestTo: (words: readonly string[]) => string | undefined;
  /** As typed: "/p-agent use". */
  readonly typed: (path: string) => string;
};

export function createRegistry(definitions: readonly CommandDefinition[], prefix = ""): Registry {
  const byPath = new Map(definitions.map((definition) => [definition.path, definition]));
  if (byPath.size !== definitions.length) throw new Error("Two commands have the same name.");
  const groups = [...new Set(definitions.map(({ path }) => groupOf(path)))];
  const names = [...groups.filter((group) => !byPath.has(group)), ...byPath.keys()];

  function nearestTo([first = "", second]: readonly string[]): string | undefined {
    let best: { readonly name: string; readonly score: number } | undefined;
    for (const name of names) {
      const score = scoreOf(name, first, second);
      if (score !== undefined && (best === undefined || score < best.score)) best = { name, score };
    }
    return best?.name;
  }

  return {
    definitions,
    prefix,
    find: (path) => byPath.get(path),
    groups,
    ofGroup: (group) => definitions.filter(({ path }) => groupOf(path) === group),
    nearestTo,
    typed: (path) => `/${prefix}${path}`,
  };
}

/** "agent use" -> "agent". */
export function groupOf(path: string): string {
  return path.split(" ")[0] ?? path;
}

/** The distance between typed words and a name; undefined when too far for "did you mean". */
function scoreOf(name: string, first: string, second: string | undefined): number | undefined {
  const [group = "", sub] = name.split(" ");
  const toGroup = distanceWithin(first, group);
  // A group alone leaves the second word unexplained, so a path that fits both words is better.
  if (sub === undefined) return toGroup === undefined || second === undefined ? toGroup : toGroup + 2;
  const toSub = second === undefined ? undefined : distanceWithin(second, sub);
  if (toGroup !== undefined && toSub !== undefined) return toGroup + toSub;
  // "/use sales": the group is missing.
  const skipped = distanceWithin(first, sub);
  return skipped === undefined ? undefined : skipped + 1;
}

function distanceWithin(typed: string, name: string): number | undefined {
  const distance = editDistance(typed, name);
  return distance <= allowedDistance(typed, name) ? distance : undefined;
}
