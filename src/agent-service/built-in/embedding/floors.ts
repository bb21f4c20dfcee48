/**
 * Finds out which score says that a passage answers: models score on scales of their own. The scores of questions about
 * other worlds are measured in each knowledge base, anew when its passages change.
 */
import type { Clock } from "../../../core/ports/clock.ts";
import type { Log } from "../../../core/ports/log.ts";

type FloorsOptions = {
  /** Changes with the passages of a knowledge base. */
  readonly version: (base: number) => string;
  /** The best score that a question has in a knowledge base. Undefined: nothing is scored. */
  readonly best: (base: number, question: string) => Promise<number | undefined>;
  readonly clock: Clock;
  readonly log: Log;
};

type Known = { readonly floor: number | undefined; readonly version: string; readonly atMs: number };

/** No team's documents answer most of them. */
export const unrelatedQuestions: readonly string[] = [
  "How many moons does the planet Jupiter have?",
  "Which queen ruled ancient Egypt before the Romans came?",
  "How do penguins keep their eggs warm in the Antarctic winter?",
  "What did Mozart compose in the last year of his life?",
  "Why do volcanoes on the sea floor build islands?",
  "Who won the chess championship in Reykjavik in 1972?",
  "Wie entsteht der Schweif eines Kometen?",
  "Welche Dinosaurier lebten in der Kreidezeit?",
  "Wie viele Saiten hat eine Harfe?",
  "Wer malte die Decke der Sixtinischen Kapelle?",
];
/** Fewer scores say nothing about their spread. */
const minScores = 5;
/** Passages that are added one by one must not cost a measurement each. */
const againMs = 600_000;

export function createFloors({ version, best, clock, log }: FloorsOptions) {
  const known = new Map<number, Known>();
  const measuring = new Map<number, Promise<void>>();

  async function measure(base: number): Promise<void> {
    const measured = version(base);
    const scores: number[] = [];
    try {
      for (const question of unrelatedQuestions) {
        const score = await best(base, question);
        if (score !== undefined) scores.push(score);
      }
    } catch (thrown) {
      log.debug({ err: thrown }, "The scores of unrelated questions can't be measured");
    }
    const floor = floorOf(scores) ?? known.get(base)?.floor;
    known.set(base, { floor, version: measured, atMs: clock.now() });
  }

  return {
    /** Measures in the background if needed. Undefined: not known yet. */
    of: (base: number): number | undefined => {
      const one = known.get(base);
      const isFresh = one !== undefined && (clock.now() - one.atMs < againMs || one.version === version(base));
      if (!isFresh && !measuring.has(base)) {
        const work = measure(base).finally(() => measuring.delete(base));
        measuring.set(base, work);
      }
      return one?.floor;
    },
    /** For knowledge bases that were measured. */
    known: (base: number): number | undefined => known.get(base)?.floor,
    /** Resolves when nothing is being measured. */
    measured: async (): Promise<void> => {
      await Promise.all(measuring.values());
    },
  };
}

/** One of the questions may be about the team's own world: the highest score isn't counted. */
export function floorOf(scores: readonly number[]): number | undefined {
  return scores.length < minScores ? undefined : scores.toSorted((a, b) => b - a)[1];
}
