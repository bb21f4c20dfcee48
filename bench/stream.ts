/** Starts the streaming service of a bench in its own process. */
import { fork } from "node:child_process";

export type StreamOptions = {
  readonly steps: number;
  readonly pauseMs: number;
  /** Between an action and its step. Default: half of the pause. */
  readonly toolMs?: number;
};

export async function startStream({ steps, pauseMs, toolMs = pauseMs / 2 }: StreamOptions) {
  const server = fork(new URL("stream-server.ts", import.meta.url), [steps, pauseMs, toolMs].map(String), {
    silent: true,
  });
  const baseUrl = await new Promise<string>((resolve) => {
    server.stdout?.once("data", (line: Buffer) => resolve(line.toString().trim()));
  });
  return {
    baseUrl,
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
