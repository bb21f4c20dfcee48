/** Starts the streaming service of a bench in its own process. */
import { fork } from "node:child_process";

/** Steps, then the answer whole. */
export type StepOptions = {
  readonly steps: number;
  readonly pauseMs: number;
  /** Between an action and its step. Default: half of the pause. */
  readonly toolMs?: number;
};

/** An answer that grows, in the shape of Chat Completions. */
export type TokenOptions = { readonly tokens: number; readonly perSecond: number };

export type StreamOptions = StepOptions | TokenOptions;

export async function startStream(options: StreamOptions) {
  const server = "tokens" in options ? tokenServer(options) : stepServer(options);
  const baseUrl = await new Promise<string>((resolve) => {
    server.stdout?.once("data", (line: Buffer) => resolve(line.toString().trim()));
  });
  const kind: Record<string, string> = "tokens" in options ? { AGENT_SERVICE_KIND: "chat" } : {};
  return {
    baseUrl,
    /** By which the bot finds it. */
    settings: { AGENT_SERVICE_URL: baseUrl, ...kind },
    /** When each chunk of the question was written, by the question's number. */
    times: async (): Promise<ReadonlyMap<number, readonly number[]>> => {
      const all = (await (await fetch(`${baseUrl}/times`)).json()) as Record<string, number[]>;
      return new Map(
        Object.entries(all).map(([question, times]) => [Number(/question (\d+)/.exec(question)?.[1]), times]),
      );
    },
    close: () => server.disconnect(),
  };
}

/** How long an answer takes. */
export function durationMs(options: StreamOptions): number {
  if ("tokens" in options) return (options.tokens / options.perSecond) * 1_000;
  return (options.steps + 1) * options.pauseMs;
}

function stepServer({ steps, pauseMs, toolMs = pauseMs / 2 }: StepOptions) {
  return start("stream-server.ts", [steps, pauseMs, toolMs]);
}

function tokenServer({ tokens, perSecond }: TokenOptions) {
  return start("token-server.ts", [tokens, perSecond]);
}

function start(file: string, numbers: readonly number[]) {
  return fork(new URL(file, import.meta.url), numbers.map(String), { silent: true });
}
