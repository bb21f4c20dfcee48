/**
 * Runs Parley in Discord for a bench, in a process started as by `npm start`. The local Discord and the streaming
 * service have their own processes too.
 */
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createParleyProcess } from "../../test/doubles/processes/parley-process.ts";
import type { FakeDiscordOptions } from "../../test/fakes/discord/index.ts";
import type { Asked } from "../answers.ts";
import { startOrders } from "../orders.ts";
import { type StreamOptions, startStream } from "../stream.ts";
import type { Probed } from "./probe.ts";
import type { Order, Report } from "./server.ts";

export type RoomOptions = StreamOptions & {
  /** Each with a channel. */
  readonly people: number;
  readonly discord?: FakeDiscordOptions;
};

export async function openRoom(options: RoomOptions) {
  const server = startOrders<Order>(new URL("server.ts", import.meta.url));
  const { tell } = server;
  const { apiUrl, token } = await tell<{ apiUrl: string; token: string }>({
    do: "start",
    options: options.discord ?? {},
    people: options.people,
  });
  const stream = await startStream(options);
  const parley = await createParleyProcess({
    DISCORD_TOKEN: token,
    DISCORD_API_URL: apiUrl,
    DISCORD_MESSAGE_CONTENT: "true",
    AGENT_SERVICE_URL: stream.baseUrl,
    AGENT_MAX_RUNS: "1000",
    NODE_OPTIONS: `--import=${new URL("probe.ts", import.meta.url).href}`,
  });
  await parley.start();
  await tell({ do: "wait" });

  return {
    ask: (from: number, count: number, isOneChannel: boolean) =>
      tell<readonly Asked[]>({ do: "ask", from, count, isOneChannel }),
    /** How long each acknowledgement took, in ms. */
    command: (from: number, count: number) => tell<readonly number[]>({ do: "command", from, count }),
    /** Resolves when so many answers have come to their end. */
    finals: async (count: number) => {
      while ((await tell<number>({ do: "finals" })) < count) await sleep(50);
    },
    report: () => tell<Report>({ do: "report" }),
    times: stream.times,
    /** The most that Parley's process has held, in bytes. */
    peakMemory: async () => {
      const status = await readFile(`/proc/${parley.pid()}/status`, "utf8");
      return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1_024;
    },
    /** Ends Parley in order, and gives what was counted inside. */
    end: async () => {
      await parley.end();
      const line = /^probed (.*)$/m.exec(parley.output())?.[1];
      if (line === undefined) throw new Error(`Parley did not end in order: ${parley.output()}`);
      return JSON.parse(line) as Probed;
    },
    close: async () => {
      await parley.close();
      server.end();
      stream.close();
    },
  };
}
