/**
 * So many lines of a fault in a minute; the rest is counted. What strangers send can cause the same fault as often as
 * they like, each with its causes and its stack, and a full disk stops more than the log.
 */
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";

/** By the message, which is one for each place in the code. */
const maxLinesPerMinute = 60;
const minuteMs = 60_000;
/** Some messages hold words of others; those beyond so many kinds are counted together. */
const maxKinds = 500;
const otherKinds = "other lines";

type Minute = { lines: number };

/** Warnings, errors, and whatever else tells of an error. What says how things go has no limit: it follows people's pace. */
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
      if (leftOut > 0)
        log.warn({ leftOut, like: kind }, "Lines were left out: there were too many of one kind in a minute");
    });
    return begun;
  }

  const limited = (level: keyof Log) => (fields: Readonly<Record<string, unknown>>, message: string) => {
    const tellsOfError = level === "warn" || level === "error" || "err" in fields || "error" in fields;
    if (tellsOfError) {
      const minute = minuteOf(message);
      minute.lines += 1;
      if (minute.lines > maxLinesPerMinute) return;
    }
    log[level](fields, message);
  };
  return { debug: limited("debug"), info: limited("info"), warn: limited("warn"), error: limited("error") };
}
