/**
 * The log: one JSON object a line for machines, coloured lines on a terminal. Every line goes through redaction here,
 * so that no room has to remember it. Lines are written at once, so that the last words before an exit are not lost.
 */
import { type DestinationStream, pino } from "pino";
import { build as prettyStream } from "pino-pretty";
import type { Log } from "../ports/log.ts";
import { createRedact } from "./redact.ts";

export type LogOptions = {
  readonly level: "debug" | "info" | "warn" | "error" | "silent";
  /** Whether a person is looking on: lines for eyes instead of JSON. */
  readonly isTerminal: boolean;
  /** Values that must not stand in any line. */
  readonly secrets?: readonly string[];
  /** Standard output when absent. */
  readonly destination?: DestinationStream;
};

/** Fields go beside the message; an Error in any of them is told with its causes. Never throws. */
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
    logger[level](tell(redact, fields), String(redact(message)));
  };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

/** A Log whose every line carries these fields too: a Turn's reference, a platform's name. */
export function withFields(log: Log, fields: Readonly<Record<string, unknown>>): Log {
  return {
    debug: (more, message) => log.debug({ ...fields, ...more }, message),
    info: (more, message) => log.info({ ...fields, ...more }, message),
    warn: (more, message) => log.warn({ ...fields, ...more }, message),
    error: (more, message) => log.error({ ...fields, ...more }, message),
  };
}

/** An object with a getter that throws must not take down whoever wanted to report it. */
function tell(redact: (value: unknown) => unknown, fields: object): object {
  try {
    const told = redact(fields);
    return typeof told === "object" && told !== null ? told : { value: told };
  } catch (thrown) {
    return { notLogged: String(thrown) };
  }
}

function destinationOf(options: LogOptions): DestinationStream {
  const destination = options.destination ?? pino.destination({ fd: 1, sync: true });
  if (!options.isTerminal) return destination;
  return prettyStream({ destination, sync: true, colorize: true, translateTime: "SYS:HH:MM:ss", singleLine: false });
}
