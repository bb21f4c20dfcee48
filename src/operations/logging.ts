/**
 * The log: one JSON object per line, or coloured lines on a terminal. Every line is redacted here, so that callers needn't
 * do it. Lines are written synchronously, so that the last ones before an exit aren't lost.
 */
import { createRequire } from "node:module";
import { type DestinationStream, pino } from "pino";
import type { Log } from "../ports/log.ts";
import { createRedact } from "./redact.ts";

export type LogOptions = {
  readonly level: "debug" | "info" | "warn" | "error" | "silent";
  /** Writes coloured lines for people instead of JSON. */
  readonly isTerminal: boolean;
  /** Values that must not appear in any line. */
  readonly secrets?: readonly string[];
  /** Standard output when absent. */
  readonly destination?: DestinationStream;
};

/** Fields are written beside the message, Errors in them with all their causes. Never throws. */
export function createLog(options: LogOptions): Log {
  const redact = createRedact(options.secrets);
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    destinationOf(options),
  );
  const write = (level: "debug" | "info" | "warn" | "error") => (fields: object, message: string) => {
    if (!logger.isLevelEnabled(level)) return;
    logger[level](redactFields(redact, fields), String(redact(message)));
  };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

/** A Log that adds these fields to every line: a Turn's reference, a platform's name. */
export function withFields(log: Log, fields: Readonly<Record<string, unknown>>): Log {
  return {
    debug: (more, message) => log.debug({ ...fields, ...more }, message),
    info: (more, message) => log.info({ ...fields, ...more }, message),
    warn: (more, message) => log.warn({ ...fields, ...more }, message),
    error: (more, message) => log.error({ ...fields, ...more }, message),
  };
}

/** An object with a throwing getter must not fail the caller that logs it. */
function redactFields(redact: (value: unknown) => unknown, fields: object): object {
  try {
    const clean = redact(fields);
    return typeof clean === "object" && clean !== null ? clean : { value: clean };
  } catch (thrown) {
    return { notLogged: String(thrown) };
  }
}

function destinationOf(options: LogOptions): DestinationStream {
  const destination = options.destination ?? pino.destination({ fd: 1, sync: true });
  if (!options.isTerminal) return destination;
  // Loaded for terminals only.
  const { build: prettyStream } = createRequire(import.meta.url)("pino-pretty") as typeof import("pino-pretty");
  return prettyStream({ destination, sync: true, colorize: true, translateTime: "SYS:HH:MM:ss", singleLine: false });
}
