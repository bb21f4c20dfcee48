/**
 * Runs a limited number of tasks at once, round-robin over queues. A long queue therefore doesn't delay the others. A
 * queue exists while something runs or waits in it.
 */

type Queue = { running: number; readonly waiting: (() => void)[] };

export function createFairTurns(limits: { readonly atOnce: number; readonly perQueue: number }) {
  /** In round-robin order: a queue that has just started something moves to the end. */
  const queues = new Map<string, Queue>();
  let running = 0;

  function beginNext(): void {
    for (const [key, queue] of queues) {
      if (running >= limits.atOnce) return;
      if (queue.running >= limits.perQueue) continue;
      const begin = queue.waiting.shift();
      if (begin === undefined) continue;
      queues.delete(key);
      queues.set(key, queue);
      running += 1;
      queue.running += 1;
      begin();
    }
  }

  function end(key: string, queue: Queue): void {
    running -= 1;
    queue.running -= 1;
    if (queue.running === 0 && queue.waiting.length === 0) queues.delete(key);
    beginNext();
  }

  return {
    /** Starts on the queue's turn; settles as `work` does. */
    run: async <T>(key: string, work: () => Promise<T>): Promise<T> => {
      const queue: Queue = queues.get(key) ?? { running: 0, waiting: [] };
      queues.set(key, queue);
      await new Promise<void>((resolve) => {
        queue.waiting.push(resolve);
        beginNext();
      });
      try {
        return await work();
      } finally {
        end(key, queue);
      }
    },
  };
}
