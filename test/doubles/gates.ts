/** Gates that a test opens. The first caller waits; a gate that was opened before lets the next caller through. */
export type Gates = {
  /** Resolves when released; rejects with the signal's reason. */
  readonly pass: (name: string, left: AbortSignal) => Promise<void>;
  readonly release: (name?: string, count?: number) => void;
};

export function createGates(): Gates {
  const open = new Map<string, number>();
  const waiting = new Map<string, (() => void)[]>();
  return {
    pass: (name: string, left: AbortSignal): Promise<void> => {
      const passes = open.get(name) ?? 0;
      if (passes > 0) {
        open.set(name, passes - 1);
        return Promise.resolve();
      }
      return new Promise((resolve, reject) => {
        const line = waiting.get(name) ?? [];
        waiting.set(name, line);
        line.push(resolve);
        left.addEventListener("abort", () => {
          const at = line.indexOf(resolve);
          if (at >= 0) line.splice(at, 1);
          reject(left.reason);
        });
      });
    },
    release: (name = "", count = 1): void => {
      for (let n = 0; n < count; n += 1) {
        const next = waiting.get(name)?.shift();
        if (next === undefined) open.set(name, (open.get(name) ?? 0) + 1);
        else next();
      }
    },
  };
}
