/**
 * Keeps Parley connected to Discord's gateway: one manager with one session per shard, and reports health.
 * The manager lives as long as the process, and Parley opens each socket itself (shards.ts). Only a refused token or
 * intent, which no reconnect can solve, ends it; it is destroyed before the next one is created.
 */
import { Client, GatewayIntentBits } from "@discordjs/core";
import { REST } from "@discordjs/rest";
import { WebSocketManager, WebSocketShardEvents } from "@discordjs/ws";
import type { Health } from "../../../src/core/ports/chat-platform.ts";
import type { Coordinator } from "../../../src/core/ports/state.ts";
import { withTimeout } from "../../../src/core/tools/timeout.ts";
import { requestRetries } from "../limits.ts";
import type { DiscordParts } from "../parts.ts";
import { requestOptions } from "./clients.ts";
import {
  type ConnectionProblem,
  closeProblem,
  lostReason,
  networkReason,
  problemOf,
  startingReason,
  waitingReason,
} from "./connection-problems.ts";
import type { MalformedPackets } from "./malformed-packets.ts";
import { createReconnectPolicy } from "./reconnect-policy.ts";
import type { SessionStarts } from "./session-starts.ts";
import { createShards } from "./shards.ts";

const maxStartMs = 10_000;
/** From a session's start. Discord may not send a server that it can't reach. */
const maxServersMs = 15_000;
/** After a refused token or intent: a person has to act first. */
const refusedPauseMs = 5 * 60_000;

export function intentsOf(hasMessageContent: boolean): readonly GatewayIntentBits[] {
  return [
    GatewayIntentBits.Guilds,
    GatewayIntentBits.GuildMessages,
    GatewayIntentBits.GuildMessageReactions,
    GatewayIntentBits.DirectMessages,
    GatewayIntentBits.DirectMessageReactions,
    ...(hasMessageContent ? [GatewayIntentBits.MessageContent] : []),
  ];
}

export function createConnection(
  options: DiscordParts & {
    readonly token: string;
    readonly apiUrl: string;
    readonly hasMessageContent: boolean;
    readonly starts: SessionStarts;
    readonly coordinator: Pick<Coordinator, "lease">;
    readonly malformed: MalformedPackets;
    /** Listens to the client of each new manager. */
    readonly listen: (client: Client) => void;
    /** Whether Discord has sent all servers of that shard. */
    readonly knowsServers: (shard: number) => boolean;
    /** Its servers are told to another instance from now on. */
    readonly onElsewhere: (shard: number) => void;
  },
) {
  const { token, apiUrl, hasMessageContent, starts, malformed, clock, log } = options;
  const closing = new AbortController();
  const policy = createReconnectPolicy(clock);
  /** Shards that aren't usable: without a session, or without their servers. */
  const lost = new Set<number>();
  /** Those of them that have a session. */
  const starting = new Set<number>();
  let reason: string | undefined = startingReason;
  let reported: string | undefined;
  const firstNews = Promise.withResolvers<void>();

  /** Logs each problem once, however often the connection is retried. */
  const report = (why: string) => {
    if (closing.signal.aborted) return;
    reason = why;
    firstNews.resolve();
    if (reported !== why) log.warn({ platform: "discord" }, why);
    reported = why;
  };
  const onWait = (untilMs: number | undefined) => report(untilMs === undefined ? lostReason : waitingReason(untilMs));

  const onElsewhere = (shard: number) => {
    options.onElsewhere(shard);
    if (lost.has(shard) || starting.has(shard)) onUsable(shard);
  };

  const onUsable = (shard: number) => {
    starting.delete(shard);
    lost.delete(shard);
    if (lost.size > 0 || closing.signal.aborted) return;
    reason = undefined;
    reported = undefined;
    firstNews.resolve();
    log.info({ platform: "discord" }, "Discord is connected");
  };

  const onDispatch = (event: string, shard: number) => {
    if (event === "READY") {
      starting.add(shard);
      clock.after(maxServersMs, () => {
        if (starting.has(shard)) onUsable(shard);
      });
    }
    // What was decided without the servers would be decided against people.
    if (event === "RESUMED" || (starting.has(shard) && options.knowsServers(shard))) onUsable(shard);
  };

  /** Runs one manager until it ends. Resolves with the reason, after it is destroyed. */
  const runManager = async (): Promise<ConnectionProblem> => {
    const { promise, resolve } = Promise.withResolvers<ConnectionProblem>();
    /** The manager requests the gateway's URL before it connects, and may have been given up by then. */
    const over = new AbortController();
    const rest = new REST({ ...requestOptions(apiUrl), retries: requestRetries }).setToken(token);
    const manager = new WebSocketManager({
      token,
      rest,
      intents: intentsOf(hasMessageContent).reduce<number>((all, one) => all | one, 0),
      buildStrategy: (own) =>
        createShards(own, {
          policy,
          starts,
          coordinator: options.coordinator,
          clock,
          onWait,
          onElsewhere,
          over: over.signal,
          onLost: (shard) => {
            lost.add(shard);
            starting.delete(shard);
            reason ??= lostReason;
          },
          onFatal: (code) => resolve(closeProblem(code, hasMessageContent)),
          onRefused: (shard, thrown) => {
            lost.add(shard);
            report(thrown === undefined ? networkReason : problemOf(thrown).reason);
          },
          onMalformed: malformed.skipped,
        }),
    });
    manager.on(WebSocketShardEvents.SocketError, (thrown) => log.debug({ err: thrown }, "A socket to Discord failed"));
    options.listen(new Client({ rest, gateway: manager }));
    manager.on(WebSocketShardEvents.Dispatch, ({ t }, shard) => onDispatch(t, shard));
    const stop = () => resolve({ reason: lostReason, isRefusal: false });
    closing.signal.addEventListener("abort", stop, { once: true });
    manager.connect().catch((thrown: unknown) => resolve(problemOf(thrown)));
    try {
      return await promise;
    } finally {
      closing.signal.removeEventListener("abort", stop);
      over.abort();
      starting.clear();
      await manager.destroy();
    }
  };

  const keepConnected = async () => {
    const { signal } = closing;
    for (let failures = 1; !signal.aborted; failures += 1) {
      lost.clear();
      // Requested before a manager is created: most outages and wrong tokens show up here.
      const refused = await starts.anyLeft(signal, onWait).then(
        () => undefined,
        (thrown: unknown) => problemOf(thrown),
      );
      if (signal.aborted) return;
      const problem = refused ?? (await runManager());
      if (signal.aborted) return;
      report(problem.reason);
      const wait = problem.isRefusal ? clock.sleep(refusedPauseMs, signal) : policy.pause(failures, signal);
      await wait.catch(() => undefined);
    }
  };

  let ended: Promise<void> = Promise.resolve();
  return {
    start: async (): Promise<void> => {
      ended = keepConnected();
      await withTimeout(firstNews.promise, maxStartMs, clock);
    },
    close: async (): Promise<void> => {
      closing.abort();
      reason = "Parley is stopping.";
      firstNews.resolve();
      await ended;
    },
    health: (): Health => (reason === undefined ? { isConnected: true } : { isConnected: false, reason }),
  };
}
