/**
 * Runs a limited number of tasks at once, round-robin over queues. A long queue therefore doesn't delay the others. A
 * queue exists while something runs or waits in it.
 */

export type FairTurns = {
  /** Starts on the queue's turn; settles as `work` does. */
  readonly run: <T>(line: string, work: () => Promise<T>) => Promise<T>;
};

type Line = { running: number; readonly waiting: (() => void)[] };

export function createFairTurns(limits: { readonly atOnce: number; readonly perLine: number }): FairTurns {
  /** In round-robin order: a queue that has just started something moves to the end. */
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
