/**
 * Limits the log lines per minute of each warning and error, and counts the rest. Strangers can cause the same error any
 * number of times, each with its stack, and a full disk stops more than the log.
 */
import type { Clock } from "../core/ports/clock.ts";
import type { Log } from "../core/ports/log.ts";

/** Per message, since every place in the code has its own. */
const maxLinesPerMinute = 60;
const minuteMs = 60_000;
/** Some messages contain text from outside. Messages beyond this many kinds are counted together. */
const maxKinds = 500;
const otherKinds = "other lines";

type Minute = { lines: number };

/** Limits warnings, errors and every line with an error in it. Other lines are as rare as people's actions. */
export function withLimit(log: Log, clock: Clock): Log {
  const minutes = new Map<string, Minute>();

  function minuteOf(message: string): Minute {
    const kind = minutes.has(message) || minutes.size < maxKinds ? message : otherKinds;
    const found = minutes.get(kind);
    if (found !== undefined) return found;
    const begun: Minute = { lines: 0 };
    minutes.set(kind, begun);
    clock.after(minuteMs, () => {
      minutes.delete(kind);
      const leftOut = begun.lines - maxLinesPerMinute;
      if (leftOut > 0) log.warn({ leftOut, like: kind }, "Dropped log lines: too many of one kind in a minute");
    });
    return begun;
  }

  const limited = (level: keyof Log) => (fields: Readonly<Record<string, unknown>>, message: string) => {
    const isAboutError = level === "warn" || level === "error" || "err" in fields || "error" in fields;
    if (isAboutError) {
      const minute = minuteOf(message);
      minute.lines += 1;
      if (minute.lines > maxLinesPerMinute) return;
    }
    log[level](fields, message);
  };
  return { debug: limited("debug"), info: limited("info"), warn: limited("warn"), error: limited("error") };
}
