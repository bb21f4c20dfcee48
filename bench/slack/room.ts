/**
 * Runs Parley in Slack for a bench: the real adapter, Bolt, bridge, delivery and SQLite in this process; the local
 * Slack and the streaming service in their own.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createSlack, type SlackPlatform } from "../../adapters/slack/index.ts";
import { createAgentService } from "../../src/agent-service/mindsdb/client.ts";
import type { ChatPlatform } from "../../src/ports/chat-platform.ts";
import { systemClock as clock } from "../../src/ports/tools/system-clock.ts";
import { createMemoryCoordinator } from "../../src/state/memory/coordinator.ts";
import { memoryKeyValue } from "../../test/doubles/room-parts.ts";
import { silentLog as log } from "../../test/doubles/silent-log.ts";
import { appToken, botToken, type FakeSlackOptions } from "../../test/fakes/slack/index.ts";
import type { Write } from "../answers.ts";
import { startOrders } from "../orders.ts";
import { openParley } from "../parley.ts";
import { type StreamOptions, startStream } from "../stream.ts";
import type { Acknowledged, Order } from "./server.ts";

export type RoomOptions = StreamOptions & {
  readonly slack?: FakeSlackOptions;
  /** The adapter's own budget is left out too. */
  readonly isUnlimited?: boolean;
};

export type Room = Awaited<ReturnType<typeof openRoom>>;

export async function openRoom(options: RoomOptions) {
  const server = startOrders<Order>(new URL("server.ts", import.meta.url));
  const { tell } = server;
  const { apiUrl } = await tell<{ apiUrl: string }>({ do: "start", options: options.slack ?? {} });
  const stream = await startStream(options);
  const service = createAgentService({ baseUrl: stream.baseUrl, maxRuns: 1_000, clock, log });
  const slack = createSlack({
    ...{ botToken, apiUrl, clock, log, keyValue: memoryKeyValue() },
    intake: { kind: "socket", appToken },
    coordinator: createMemoryCoordinator({ clock }),
    boundChannels: async () => [],
  });
  const platform = (options.isUnlimited === true ? unlimited(slack) : slack) as ChatPlatform;
  const parley = await openParley(service, platform);

  return {
    ask: (from: number, count: number, isOneChannel: boolean) =>
      tell<readonly Acknowledged[]>({ do: "ask", from, count, isOneChannel }),
    fail: (method: string, times: number, retryAfterS: number) =>
      tell<unknown>({ do: "fail", method, times, retryAfterS }),
    writes: () => tell<readonly Write[]>({ do: "report" }),
    times: stream.times,
    /** Resolves when nothing is unfinished; `look` is called meanwhile. */
    idle: async (look: () => void = () => {}) => {
      while (parley.unfinished() > 0) {
        look();
        await sleep(20);
      }
    },
    close: async () => {
      await slack.close();
      await service.close();
      await parley.close();
      server.end();
      stream.close();
    },
  };
}

function unlimited(slack: SlackPlatform): SlackPlatform {
  return { ...slack, limits: { ...slack.limits, writes: { keptForFinals: 0 } } };
}
