/** Opens a client of the Responses shape with the server it talks to, closes both after each test, and reads its events. */
import { inspect } from "node:util";
import { afterEach } from "vitest";
import type { DialectOptions } from "../../../src/agent-service/dialect.ts";
import { createResponsesService } from "../../../src/agent-service/responses/request.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { type CoworkOptions, startCowork } from "../../fakes/cowork/index.ts";
import { type ModelServerOptions, startModelServer } from "../../fakes/model-server/index.ts";

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  // Servers first: a client waits for what still runs.
  for (const close of closers.splice(0)) await close();
});

export function openClient(options: Pick<DialectOptions, "baseUrl" | "server" | "token">) {
  const clock = createFakeClock();
  const lines: string[] = [];
  const write = (fields: object, message: string) => lines.push(inspect({ fields, message }, { depth: null }));
  const log = { debug: write, info: write, warn: write, error: write };
  const service = createResponsesService({ ...options, clock, log });
  closers.push(service.close);
  return { service, clock, lines };
}

export async function openCowork(options: CoworkOptions = {}) {
  const server = await startCowork(options);
  closers.unshift(server.close);
  const found = { generation: "cowork", version: "2.26" } as const;
  const token = options.key === undefined ? {} : { token: options.key };
  return { server, ...openClient({ baseUrl: server.api, server: found, ...token }) };
}

export async function openStandard(options: ModelServerOptions = {}) {
  const server = await startModelServer(options);
  closers.unshift(server.close);
  const generation = options.as ?? "openai";
  return { server, ...openClient({ baseUrl: server.url, token: server.key, server: { generation, version: "" } }) };
}

export type Seen = {
  readonly events: AgentEvent[];
  /** What the events add up to. */
  readonly answer: () => string;
  readonly last: <T extends AgentEvent["type"]>(type: T) => Extract<AgentEvent, { type: T }> | undefined;
  /** What the run threw in the end. */
  error?: ParleyError;
};

/** Reads a run to its end; `stopAt` leaves it there. */
export async function read(
  events: AsyncIterable<AgentEvent>,
  stopAt: (event: AgentEvent, seen: Seen) => boolean = () => false,
): Promise<Seen> {
  const seen: Seen = {
    events: [],
    answer: () => {
      let text = "";
      for (const event of seen.events) {
        if (event.type === "answer") text = event.text;
        else if (event.type === "answer-delta") text += event.text;
      }
      return text;
    },
    last: (type) => seen.events.findLast((event) => event.type === type) as never,
  };
  try {
    for await (const event of events) {
      seen.events.push(event);
      if (stopAt(event, seen)) break;
    }
  } catch (thrown) {
    if (!(thrown instanceof ParleyError)) throw thrown;
    seen.error = thrown;
  }
  return seen;
}

export const backupAnswer = "The backup runs every night at two o'clock and keeps thirty copies.";
