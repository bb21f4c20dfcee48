/**
 * Opens a client with the real server it talks to, closes both after each test, and reads the one failure a test
 * expects.
 */
import { inspect } from "node:util";
import { afterEach, expect } from "vitest";
import type { DialectOptions } from "../../src/agent-service/dialect.ts";
import { createMindsdbService } from "../../src/agent-service/mindsdb/request.ts";
import { ParleyError } from "../../src/core/errors.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";
import { type Answer, type RealServer, startServer } from "./real-server.ts";

export const question = [{ question: "When does the backup run?", answer: "" }];

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  // Servers first: a client waits for what still runs.
  for (const close of closers.splice(0)) await close();
});

export async function serve(answer: Answer): Promise<RealServer> {
  const server = await startServer(answer);
  closers.unshift(server.close);
  return server;
}

export async function open(answer: Answer, options: Partial<DialectOptions> = {}) {
  const server = await serve(answer);
  const clock = createFakeClock();
  const lines: string[] = [];
  const write = (fields: object, message: string) => lines.push(inspect({ fields, message }, { depth: null }));
  const log = { debug: write, info: write, warn: write, error: write };
  const service = createMindsdbService({ baseUrl: server.url, clock, log, ...options });
  closers.push(service.close);
  return { server, service, clock, lines };
}

export async function failure(work: Promise<unknown>): Promise<ParleyError> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof ParleyError)) expect.fail(`not a ParleyError: ${inspect(thrown)}`);
  return thrown;
}

/** The body of one request as JSON; the last one's when none is named. */
export function bodyOf(server: RealServer, index = -1): unknown {
  return JSON.parse(server.asked.at(index)?.body ?? "");
}

export function callOf(server: RealServer, index = -1): string {
  return `${server.asked.at(index)?.method} ${server.asked.at(index)?.path}`;
}
