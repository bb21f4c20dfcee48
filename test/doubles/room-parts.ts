/** What the tests of every platform's adapter share: storage in memory, a quick clock, a log that keeps its lines. */

import type { Document } from "../../src/core/document.ts";
import type { Clock } from "../../src/core/ports/clock.ts";
import type { Log } from "../../src/core/ports/log.ts";
import type { KeyValue } from "../../src/core/ports/state.ts";
import { systemClock } from "../../src/core/tools/system-clock.ts";

export type LogLine = {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
};

/** Pauses between attempts are shortened; nothing else waits by `sleep`. */
export const quickClock: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 50, signal) };

export function memoryKeyValue(): KeyValue<string> {
  const entries = new Map<string, string>();
  return {
    get: async (key) => entries.get(key),
    set: async (key, value) => void entries.set(key, value),
    delete: async (key) => void entries.delete(key),
    entries: async function* (prefix) {
      for (const entry of entries) if (entry[0].startsWith(prefix)) yield entry;
    },
  };
}

/** A log that adds its lines to `lines`. */
export function collectLines(lines: LogLine[]): Log {
  const write = (level: string) => (fields: Readonly<Record<string, unknown>>, message: string) => {
    lines.push({ level, message, fields });
  };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

/** The one item of a list that must have exactly one. */
export function only<T>(list: readonly T[]): T {
  const [first] = list;
  if (first === undefined || list.length !== 1) throw new Error(`expected one, found ${list.length}`);
  return first;
}

export function notice(text: string): Document {
  return { tone: "info", blocks: [{ kind: "text", text: [{ text }] }], actions: [], summary: text };
}
