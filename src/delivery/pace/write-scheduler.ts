/**
 * Decides whose write is next within a platform's rate limits, and pauses a channel after a 429. All Replies of a
 * workspace share the platform's budget: a busy answer must not starve another one, progress must never use up what
 * ends need, nor what is shown already the edits that new steps need.
 *
 * One loop per budget (a workspace, or a channel where only channels have one). It runs only while something waits. Writes
 * start one by one, for some milliseconds of each turn of the event loop: ten ends of the same moment are sent before
 * what follows the first of them blocks the process, and a hundred answers that change at once block nothing else. The
 * last one still picks its newest content.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Budgets, type Countable, createWriteBudget, type WriteBudgetOptions } from "./write-budget.ts";
import { type Candidate, createWriteRanking, type WriteRanking } from "./write-ranking.ts";

export type WriteScheduler = {
  /** Announces a Reply that will end, until it is forgotten. */
  readonly expect: (candidate: Candidate) => void;
  /** Announces that the candidate may have a wish. Cheap; can be called at any time. */
  readonly wake: (candidate: Candidate) => void;
  readonly forget: (candidate: Candidate) => void;
  /** How long the budgets there need to earn one more such edit for each Reply that shares them. */
  readonly earnMs: (budgets: Budgets, rank: "text" | "result") => number;
  /** The platform returned 429 for a write there: nothing is sent for `forMs`. */
  readonly penalise: (budgets: Budgets, what: Countable, forMs: number) => Promise<void>;
};

type Chosen = Extract<ReturnType<WriteRanking["choose"]>, { readonly kind: "write" }>;

type Loop = {
  readonly ranking: WriteRanking;
  /** Set while the loop sleeps until there may be a token. */
  interrupt: (() => void) | undefined;
};

export function createWriteScheduler(options: WriteBudgetOptions): WriteScheduler {
  const { clock } = options;
  const budget = createWriteBudget(options);
  const loops = new Map<string, Loop>();

  async function run(key: string, loop: Loop): Promise<void> {
    for (;;) {
      await nextTurn();
      const choice = loop.ranking.choose();
      switch (choice.kind) {
        case "write":
          await serve(loop.ranking, choice);
          break;
        case "wait":
          await sleep(loop, choice.waitMs);
          break;
        case "nothing":
          loops.delete(key);
          return;
      }
    }
  }

  async function serve(ranking: WriteRanking, { candidate, rank, isAnew }: Chosen): Promise<void> {
    const budgets = candidate.budgets();
    const countsAs = countsOf(candidate, isAnew);
    if (countsAs === undefined) return ranking.remove(candidate);
    const verdict = await budget.take(budgets, rank, countsAs);
    if (!verdict.taken) return ranking.block(rank, verdict.key, Math.max(1, verdict.waitMs));
    // By now it may want something else, or nothing.
    const write = ranking.has(candidate) && candidate.wish() !== undefined ? candidate.next(isAnew) : undefined;
    if (write?.countsAs !== countsAs) {
      budget.giveBack(budgets, countsAs);
      return ranking.rankAgain();
    }
    ranking.remove(candidate);
    void write.start();
  }

  /** What is certain to be a first post isn't drawn before its turn: the newest content may be another one by then. */
  function countsOf(candidate: Candidate, isAnew: boolean): Countable | undefined {
    const wish = candidate.wish();
    if (wish?.rank === "first-post" && wish.countsAs !== undefined) return wish.countsAs;
    return candidate.next(isAnew)?.countsAs;
  }

  function sleep(loop: Loop, forMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wakeUp = () => {
        cancel();
        loop.interrupt = undefined;
        resolve();
      };
      const cancel = clock.after(forMs, wakeUp);
      loop.interrupt = wakeUp;
    });
  }

  return {
    expect: budget.expect,
    wake: (candidate) => {
      budget.follow(candidate);
      const key = budget.keyOf(candidate.budgets());
      const running = loops.get(key);
      if (running !== undefined) {
        running.ranking.add(candidate);
        if (running.interrupt !== undefined && running.ranking.isSooner(candidate)) running.interrupt();
        return;
      }
      const loop: Loop = { ranking: createWriteRanking(clock, budget), interrupt: undefined };
      loop.ranking.add(candidate);
      loops.set(key, loop);
      void run(key, loop);
    },
    forget: (candidate) => {
      budget.forget(candidate);
      const loop = loops.get(budget.keyOf(candidate.budgets()));
      loop?.ranking.remove(candidate);
      loop?.interrupt?.();
    },
    earnMs: budget.earnMs,
    penalise: budget.penalise,
  };
}
