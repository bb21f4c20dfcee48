/** A real log whose lines a test can read, parsed and as they were written. */
import { createLog, type LogOptions } from "../../src/operations/logging.ts";
import { watchForKeys } from "./planted-keys.ts";

export function createCollectedLog(options: Partial<LogOptions> = {}) {
  const written: string[] = [];
  const destination = {
    write: (line: string) => {
      watchForKeys("the log", line);
      written.push(line);
    },
  };
  const log = createLog({ level: "debug", destination, ...options });
  return {
    log,
    text: () => written.join(""),
    lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}
