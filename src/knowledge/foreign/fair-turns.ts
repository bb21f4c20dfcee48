/**
 * A few things at once, and fewer for each line: what one line queues up does not hold up the others, because lines take
 * turns. A line exists as long as something runs or waits in it.
 */

export type FairTurns = {
  /** Begins when it is the line's turn; resolves or rejects as the work does. */
  readonly run: <T>(line: string, work: () => Promise<T>) => Promise<T>;
};

type Line = { running: number; readonly waiting: (() => void)[] };

export function createFairTurns(limits: { readonly atOnce: number; readonly perLine: number }): FairTurns {
  /** In the order in which they take turns: who has just begun something goes to the end. */
  const lines = new Map<string, Line>();
  let running = 0;

  function beginNext(): void {
    for (const [key, line] of lines) {
      if (running >= limits.atOnce) return;
      if (line.running >= limits.perLine) continue;
      const begin = line.waiting.shift();
      if (begin === undefined) continue;
      lines.delete(key);
      lines.set(key, line);
      running += 1;
      line.running += 1;
      begin();
    }
  }

  function end(key: string, line: Line): void {
    running -= 1;
    line.running -= 1;
    if (line.running === 0 && line.waiting.length === 0) lines.delete(key);
    beginNext();
  }

  return {
    run: async (key, work) => {
      const line: Line = lines.get(key) ?? { running: 0, waiting: [] };
      lines.set(key, line);
      await new Promise<void>((resolve) => {
        line.waiting.push(resolve);
        beginNext();
      });
      try {
        return await work();
      } finally {
        end(key, line);
      }
    },
  };
}
