/** Indexes the commands by name, with the configured prefix. */

import type { CommandDefinition } from "../core/commands.ts";
import type { ServiceOffer } from "../core/ports/agent-service.ts";
import { editsWithin } from "./names/nearest.ts";

export type Registry = ReturnType<typeof createRegistry>;

/** `prefix`: COMMAND_PREFIX, or "". `offers`: whether the service has that, as far as is known. */
export function createRegistry(
  definitions: readonly CommandDefinition[],
  prefix = "",
  offers: (offer: ServiceOffer) => boolean = () => true,
) {
  const byPath = new Map(definitions.map((definition) => [definition.path, definition]));
  if (byPath.size !== definitions.length) throw new Error("Two commands have the same name.");
  const groups = [...new Set(definitions.map(({ path }) => groupOf(path)))];
  const names = [...groups.filter((group) => !byPath.has(group)), ...byPath.keys()];

  /** The path or group that was probably meant by these words. */
  function nearestTo([first = "", second]: readonly string[]): string | undefined {
    let best: { readonly name: string; readonly score: number } | undefined;
    for (const name of names) {
      const score = scoreOf(name, first, second);
      if (score !== undefined && (best === undefined || score < best.score)) best = { name, score };
    }
    return best?.name;
  }

  /** The commands that the service has something for, with what each one can do there. */
  function shown(): readonly CommandDefinition[] {
    const has = (offer: ServiceOffer | undefined) => offer === undefined || offers(offer);
    return definitions
      .filter(({ offer }) => has(offer))
      .map((definition) => {
        const { moreExamples: more, ...shown } = definition;
        const { reduced, summary, options, examples } = shown;
        return {
          ...shown,
          examples: more !== undefined && has(more.offer) ? [...examples, ...more.examples] : examples,
          summary: reduced === undefined || has(reduced.without) ? summary : reduced.summary,
          options: options.filter(({ offer }) => has(offer)),
        };
      });
  }

  return {
    definitions,
    prefix,
    find: (path: string) => byPath.get(path),
    /** The first words: "ask", "agent", …. */
    groups,
    /** Empty when there's no such group. */
    ofGroup: (group: string) => definitions.filter(({ path }) => groupOf(path) === group),
    shown,
    shownOfGroup: (group: string) => shown().filter(({ path }) => groupOf(path) === group),
    nearestTo,
    /** As typed: "/p-agent use". */
    typed: (path: string) => `/${prefix}${path}`,
  };
}

/** "agent use" -> "agent". */
export function groupOf(path: string): string {
  return path.split(" ")[0] ?? path;
}

/** The distance between typed words and a name; undefined when too far for "did you mean". */
function scoreOf(name: string, first: string, second: string | undefined): number | undefined {
  const [group = "", sub] = name.split(" ");
  const toGroup = editsWithin(first, group);
  // A group alone leaves the second word unexplained, so a path that fits both words is better.
  if (sub === undefined) return toGroup === undefined || second === undefined ? toGroup : toGroup + 2;
  const toSub = second === undefined ? undefined : editsWithin(second, sub);
  if (toGroup !== undefined && toSub !== undefined) return toGroup + toSub;
  // "/use sales": the group is missing.
  const skipped = editsWithin(first, sub);
  return skipped === undefined ? undefined : skipped + 1;
}
