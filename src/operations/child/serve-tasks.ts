/** The child's side of a task child: performs one task after the other, and exits when Parley does, however that ends. */
import { runInNewContext } from "node:vm";

export type ChildRequest = { readonly kind: string; readonly task: unknown; readonly limitMs: number };

export type ChildOutcome =
  | { readonly outcome: "done"; readonly result: unknown }
  /** `reason`: a sentence for people. */
  | { readonly outcome: "refused"; readonly reason: string }
  | { readonly outcome: "late" }
  /** `error`: what was thrown, for the log. */
  | { readonly outcome: "failed"; readonly error: string };

/** `rssBytes`: the child's memory after the task. */
export type ChildAnswer = ChildOutcome & { readonly rssBytes: number };

/** Runs synchronous work, and throws when it exceeds the time limit of the task. */
export type Bounded = <T>(work: () => T) => T;

const maxErrorChars = 500;

export function serveTasks(options: {
  readonly perform: (request: ChildRequest, bounded: Bounded) => Promise<unknown>;
  /** A sentence for people, where that is why the task failed. */
  readonly reasonOf?: (thrown: unknown) => string | undefined;
}): void {
  const { perform, reasonOf } = options;

  async function answer(request: ChildRequest): Promise<ChildOutcome> {
    // The parent enforces the limit too, but not if it was killed.
    const bounded: Bounded = (work) =>
      runInNewContext("work()", { work }, { timeout: request.limitMs }) as ReturnType<typeof work>;
    try {
      return { outcome: "done", result: await perform(request, bounded) };
    } catch (thrown) {
      const reason = reasonOf?.(thrown);
      if (reason !== undefined) return { outcome: "refused", reason };
      if (isTimeout(thrown)) return { outcome: "late" };
      const error = Error.isError(thrown) ? `${thrown.name}: ${thrown.message}` : String(thrown);
      return { outcome: "failed", error: error.slice(0, maxErrorChars) };
    }
  }

  // Ctrl+C and a service manager's SIGTERM reach the whole process group. Parley first lets running tasks finish, then
  // ends this process.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
  process.on("disconnect", () => process.exit(0));
  process.on("message", (request: ChildRequest) => {
    void answer(request).then((given) => process.send?.({ ...given, rssBytes: process.memoryUsage.rss() }));
  });
}

/** It is an Error of the work's own context, which `instanceof` doesn't know. */
function isTimeout(thrown: unknown): boolean {
  return Error.isError(thrown) && "code" in thrown && thrown.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
