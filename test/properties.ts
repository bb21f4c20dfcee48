/**
 * How property tests run: with a fixed seed and their own number of runs, so that a failure repeats. To explore, set
 * `PROPERTY_SEED` to another seed or `random`, and `PROPERTY_RUNS` to a factor for the runs.
 */

/** Any number does; fast-check names the seed of a failure. */
const usualSeed = 20_261_121;
const usualRuns = 100;

/** How many times the usual number of runs. */
export const runsFactor = Number(process.env["PROPERTY_RUNS"] || 1);

/** The number of runs of a property that needs more or fewer than the usual ones. */
export function runs(usual: number): number {
  return Math.ceil(usual * runsFactor);
}

const seed = process.env["PROPERTY_SEED"] || String(usualSeed);

/** Of every property. Without a seed, fast-check takes a random one. */
export const propertyParameters = {
  numRuns: runs(usualRuns),
  ...(seed === "random" ? {} : { seed: Number(seed) }),
};
