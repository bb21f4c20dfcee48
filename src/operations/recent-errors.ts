/** Remembers the latest errors of the log, without secrets, for people who run Parley. */

import type { Clock } from "../core/ports/clock.ts";
import type { Log } from "../core/ports/log.ts";
import type { Redact } from "./redact.ts";

const maxErrors = 100;
const maxChars = 300;

/** A line of the log, or a question that failed. Without secrets. */
export type RecentError = {
  readonly atMs: number;
  readonly message: string;
  /** Of the question it is about. */
  readonly ref?: string;
  readonly code?: string;
  /** What the error itself says. */
  readonly cause?: string;
  readonly platform?: string;
};

export type RecentErrors = { readonly log: Log; readonly newest: () => readonly RecentError[] };

/** Errors, and warnings that carry one. `inner` gets everything. */
export function withRecentErrors(inner: Log, redact: Redact, clock: Pick<Clock, "now">): RecentErrors {
  const errors: RecentError[] = [];

  function remember(fields: object, message: string): void {
    try {
      const { ref, code, platform, err } = redact(fields) as Readonly<Record<string, unknown>>;
      const error = typeof err === "object" && err !== null ? (err as Readonly<Record<string, unknown>>) : {};
      errors.unshift({
        atMs: clock.now(),
        message: cut(String(redact(message))),
        ref: textOf(ref),
        code: textOf(code) ?? textOf(error["code"]),
        cause: textOf(error["message"]),
        platform: textOf(platform),
      });
      errors.splice(maxErrors);
    } catch {
      // What can't be read can't be remembered; the log itself says so.
    }
  }

  return {
    log: {
      ...inner,
      warn: (fields, message) => {
        if ("err" in fields) remember(fields, message);
        inner.warn(fields, message);
      },
      error: (fields, message) => {
        remember(fields, message);
        inner.error(fields, message);
      },
    },
    newest: () => [...errors],
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? cut(value) : undefined;
}

function cut(text: string): string {
  return text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
}
