/**
 * Child process that parses all untrusted content, one task at a time. Whatever a page or file does to a parser, it
 * does here. Exits when Parley does, however that ends.
 */
import { runInNewContext } from "node:vm";
import { ReadFailure } from "../pages/read-failure.ts";
import { performTask, type TaskOutcome, type TaskRequest } from "./foreign-tasks.ts";

const maxErrorChars = 500;

// Ctrl+C and a service manager's SIGTERM reach the whole process group. Parley first lets running tasks finish, then
// ends this process.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
process.on("disconnect", () => process.exit(0));

process.on("message", (request: TaskRequest) => {
  void answer(request).then((given) => process.send?.({ ...given, rssBytes: process.memoryUsage.rss() }));
});

async function answer(request: TaskRequest): Promise<TaskOutcome> {
  // The parent enforces the limit too, but not if it was killed.
  const bounded = <T>(work: () => T): T => runInNewContext("work()", { work }, { timeout: request.limitMs }) as T;
  try {
    return { outcome: "done", result: await performTask(request, bounded) };
  } catch (thrown) {
    if (thrown instanceof ReadFailure) return { outcome: "refused", reason: thrown.reason };
    if (isTimeout(thrown)) return { outcome: "late" };
    const error = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
    return { outcome: "failed", error: error.slice(0, maxErrorChars) };
  }
}

function isTimeout(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
