/**
 * A room for a bench: a bot in a process of its own, between a strict local platform and a streaming service that have
 * processes of their own too.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type StreamOptions, startStream } from "../service/stream.ts";
import type { Asked, Report } from "./answers.ts";
import { type Bot, type BotName, startBot } from "./bots.ts";
import { startOrders } from "./orders.ts";

/** Where questions are asked: all in one channel, or each in its own. */
export type Where = "one channel" | "own channels";

export type CommonOrder =
  /** Resolves when the bot is there. */
  | { readonly do: "wait"; readonly bot: BotName }
  /** Mentions, all at once. */
  | { readonly do: "ask"; readonly from: number; readonly count: number; readonly where: Where }
  | { readonly do: "state" }
  | { readonly do: "report" };

/** How many questions have their answer, and when the bot last wrote. */
export type State = { readonly finals: number; readonly lastWriteAtMs: number };

/** What the platform's process says when it has started. */
export type Started = { readonly settings: Readonly<Record<string, string>> };

export type RoomOptions = StreamOptions & { readonly bot?: BotName };

type Parts<Start> = {
  readonly platform: "slack" | "discord";
  readonly server: URL;
  readonly start: Start;
  readonly probe: URL;
};

export type Room = Awaited<ReturnType<typeof openRoom>>;

export async function openRoom<Order extends { readonly do: string }>(
  { bot = "parley", ...options }: RoomOptions,
  { platform, server: file, start, probe }: Parts<Order>,
) {
  const server = startOrders<Order | CommonOrder>(file);
  const { tell } = server;
  const { settings } = await tell<Started>(start);
  const stream = await startStream(options);
  const running: Bot = await startBot({
    ...{ bot, platform, probe },
    settings: { ...settings, ...stream.settings },
  });
  await tell({ do: "wait", bot });

  return {
    tell,
    ask: <A extends Asked>(from: number, count: number, where: Where) =>
      tell<readonly A[]>({ do: "ask", from, count, where }),
    /** Resolves when so many questions have their answers, or the time is over. */
    finals: async (count: number, limitMs = Number.POSITIVE_INFINITY) => {
      const untilMs = Date.now() + limitMs;
      while (Date.now() < untilMs && (await tell<State>({ do: "state" })).finals < count) await sleep(50);
    },
    /** Resolves when the bot has written nothing for so long, or the time is over. */
    quiet: async (forMs: number, limitMs: number) => {
      const untilMs = Date.now() + limitMs;
      while (Date.now() < untilMs && Date.now() - (await tell<State>({ do: "state" })).lastWriteAtMs < forMs) {
        await sleep(100);
      }
    },
    report: () => tell<Report>({ do: "report" }),
    times: stream.times,
    output: running.output,
    peakMemory: running.peakMemory,
    /** Ends the bot in order, and gives what was counted inside. */
    end: running.end,
    close: async () => {
      await running.close();
      server.end();
      stream.close();
    },
  };
}
