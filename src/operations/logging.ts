/**
 * The log: one JSON object per line. Every line is redacted here, so that callers needn't
 * do it. Lines are written synchronously, so that the last ones before an exit aren't lost.
 */
import { type DestinationStream, pino } from "pino";
import type { Log } from "../core/ports/log.ts";
import { createRedact } from "./redact.ts";

export type LogOptions = {
  readonly level: "debug" | "info" | "warn" | "error" | "silent";
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
    options.destination ?? standardOutput(),
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

function standardOutput(): DestinationStream {
  return pino.destination({ fd: 1, sync: true });
}

/** Coloured lines for people instead of JSON. Its library is loaded for terminals only. */
export async function linesForTerminal(destination = standardOutput()): Promise<DestinationStream> {
  const { build } = await import("pino-pretty");
  return build({ destination, sync: true, colorize: true, translateTime: "SYS:HH:MM:ss", singleLine: false });
}
