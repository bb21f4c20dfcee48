/** The type of a logger. Created by `createLog` in logging.ts (pino), or by a test that collects lines. */
type Write = (fields: Readonly<Record<string, unknown>>, message: string) => void;

export type Log = {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
};
