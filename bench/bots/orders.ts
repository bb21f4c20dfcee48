/**
 * Runs a process that carries out its parent's orders, so that its work isn't counted as the parent's. It ends with the
 * parent.
 */
import { fork } from "node:child_process";

type Asked<Order> = { readonly id: number; readonly order: Order };
type Answered = { readonly id: number; readonly result: unknown };

export type Orders<Order> = {
  /** Rejects when the process has ended. */
  readonly tell: <T>(order: Order) => Promise<T>;
  readonly end: () => void;
};

/** `file` calls `obey`. */
export function startOrders<Order>(file: URL): Orders<Order> {
  const child = fork(file);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  child.on("message", ({ id, result }: Answered) => {
    waiting.get(id)?.resolve(result);
    waiting.delete(id);
  });
  let isGone = false;
  child.on("exit", (code, signal) => {
    isGone = true;
    for (const { reject } of waiting.values()) reject(new Error(`${file.pathname} ended with ${code ?? signal}`));
    waiting.clear();
  });
  let orders = 0;
  return {
    tell: <T>(order: Order) => {
      orders += 1;
      const id = orders;
      const answered = Promise.withResolvers<unknown>();
      if (isGone) answered.reject(new Error(`${file.pathname} has ended`));
      else {
        waiting.set(id, answered);
        child.send({ id, order } satisfies Asked<Order>);
      }
      // What the process answers to this order.
      return answered.promise as Promise<T>;
    },
    end: () => child.disconnect(),
  };
}

export function obey<Order>(carryOut: (order: Order) => unknown): void {
  process.on("message", ({ id, order }: Asked<Order>) => {
    void Promise.resolve(carryOut(order)).then((result) => process.send?.({ id, result } satisfies Answered));
  });
  process.on("disconnect", () => process.exit(0));
}
