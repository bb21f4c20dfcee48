/** Starts the longest test files first, so that none of them runs alone at the end. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * They wait for leases and outages; most take one to two minutes, and all others less than one. The last two are short
 * files that wait for half a minute: they would begin when all others have ended. Others that start many processes stay
 * where they are: all of them at once would only wait for each other.
 */
const longest = [
  "test/reliability/instances/",
  "test/chaos/",
  "test/reliability/killed/cowork.test.ts",
  "test/reliability/discord-alone.test.ts",
];

const isLongest = ({ moduleId }: TestSpecification) => longest.some((folder) => moduleId.includes(folder));

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
  }
}
