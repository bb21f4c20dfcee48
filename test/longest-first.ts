/** Starts the longest test files first, so that none of them runs alone at the end. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** In their order; each takes half a minute to two minutes, and all others less than 35 seconds. */
const longest = [
  // They wait for leases and outages.
  "test/reliability/instances/",
  "test/chaos/",
  // They start many processes, one after the other.
  "test/reliability/killed/",
  "test/reliability/hostile/",
  "test/journeys/service-faults",
  "test/journeys/discord/faults",
  // They compute.
  "test/knowledge/foreign/hostile-content",
  "test/security/content/hostile-markdown",
];

function rankOf({ moduleId }: TestSpecification): number {
  const rank = longest.findIndex((path) => moduleId.includes(path));
  return rank < 0 ? longest.length : rank;
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
