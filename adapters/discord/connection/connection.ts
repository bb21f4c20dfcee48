/**
 * Keeps Parley connected to Discord's gateway: one client with one session per shard, and reports health.
 * The client lives as long as the process, and Parley opens each socket itself (shards.ts). Only a refused token or
 * intent, which no reconnect can solve, ends the client; it is destroyed before the next one is created.
 */
import type { IShardingStrategy, WebSocketManager } from "@discordjs/ws";
import { Client, type ClientEvents, Events, GatewayIntentBits, Options, Partials } from "discord.js";
import type { Health } from "../../../src/core/ports/chat-platform.ts";
import { withTimeout } from "../../../src/core/tools/timeout.ts";
import type { Self } from "../ids.ts";
import { readReady } from "../intake/events.ts";
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
import { type MalformedPackets, skipMalformedPackets } from "./malformed-packets.ts";
import { createReconnectPolicy } from "./reconnect-policy.ts";
import type { SessionStarts } from "./session-starts.ts";
import { createShards, type Shards } from "./shards.ts";

/** A packet from the gateway, before discord.js processes it. */
export type Packet = {
  readonly t: string;
  readonly d: unknown;
  /** Read from history, not sent by the gateway: it may have been handled before. */
  readonly isRead?: boolean;
};

const maxStartMs = 10_000;
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
    readonly malformed: MalformedPackets;
    readonly onPacket: (packet: Packet, shard: number) => void;
    readonly onReady: () => void;
  },
) {
  const { token, apiUrl, hasMessageContent, starts, malformed, clock, log } = options;
  const closing = new AbortController();
  const policy = createReconnectPolicy(clock);
  let client: Client | undefined;
  /** Shards without a session. */
  const lost = new Set<number>();
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

  /** Runs one client until it ends. Resolves with the reason, after the client is destroyed. */
  const runClient = async (): Promise<ConnectionProblem> => {
    const { promise, resolve } = Promise.withResolvers<ConnectionProblem>();
    /** discord.js requests the gateway's URL before it connects; the client may have been given up by then. */
    const over = new AbortController();
    let shards: Shards | undefined;
    const own = createClient(apiUrl, hasMessageContent, (manager) => {
      shards = createShards(manager, {
        policy,
        starts,
        clock,
        over: over.signal,
        onStart: (shard) => lost.add(shard),
        onFatal: (code) => resolve(closeProblem(code, hasMessageContent)),
        onRefused: (shard, thrown) => {
          lost.add(shard);
          const problem = thrown === undefined ? undefined : problemOf(thrown, hasMessageContent);
          report(problem?.reason ?? networkReason);
        },
        onWait: (untilMs) => report(untilMs === undefined ? lostReason : waitingReason(untilMs)),
        onMalformed: malformed.skipped,
      });
      return shards;
    });
    client = own;
    skipMalformedPackets(own, malformed, (shard) => shards?.renew(shard));
    const on = <E extends keyof ClientEvents>(event: E, listener: (...args: ClientEvents[E]) => void) =>
      own.on(event, listener);
    const connected = (shard: number) => {
      lost.delete(shard);
      if (lost.size > 0 || closing.signal.aborted) return;
      reason = undefined;
      reported = undefined;
      firstNews.resolve();
      log.info({ platform: "discord" }, "Discord is connected");
    };
    on(Events.ShardReady, (shard) => {
      connected(shard);
      options.onReady();
    });
    on(Events.ShardResume, connected);
    on(Events.ShardReconnecting, (shard) => {
      lost.add(shard);
      reason ??= lostReason;
    });
    on(Events.ShardError, (thrown) => log.debug({ err: thrown }, "A socket to Discord failed"));
    on(Events.Error, (thrown) => log.warn({ err: thrown }, "An error from discord.js"));
    own.on(Events.Raw, (packet: Packet, shard: number) => {
      try {
        if (packet.t === "READY") forgetLeftServers(own, shard, packet.d);
        options.onPacket(packet, shard);
      } catch (thrown) {
        malformed.skipped(packet.t, thrown);
      }
    });
    const stop = () => resolve({ reason: lostReason, isRefusal: false });
    closing.signal.addEventListener("abort", stop, { once: true });
    own.login(token).catch((thrown: unknown) => resolve(problemOf(thrown, hasMessageContent)));
    try {
      return await promise;
    } finally {
      closing.signal.removeEventListener("abort", stop);
      over.abort();
      own.removeAllListeners();
      own.on(Events.Error, () => undefined);
      await own.destroy().catch(() => undefined);
    }
  };

  const keepConnected = async () => {
    const { signal } = closing;
    for (let failures = 1; !signal.aborted; failures += 1) {
      lost.clear();
      // Requested before a client is created: most outages and wrong tokens show up here.
      const refused = await starts.gateway().then(
        () => undefined,
        (thrown: unknown) => problemOf(thrown, hasMessageContent),
      );
      if (signal.aborted) return;
      const problem = refused ?? (await runClient());
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
    client: (): Client | undefined => client,
    self: (): Self | undefined => {
      const userId = client?.user?.id;
      return userId === undefined ? undefined : { userId, applicationId: client?.application?.id ?? userId };
    },
  };
}

/** Forgets servers that Parley was removed from while disconnected: a new session does not mention them. */
function forgetLeftServers({ guilds }: Client, shard: number, ready: unknown): void {
  const joined = new Set(readReady(ready)?.guilds.map(({ id }) => id));
  for (const [id, guild] of guilds.cache) if (guild.shardId === shard && !joined.has(id)) guilds.cache.delete(id);
}

/** Caches only what names and permissions are looked up in, nothing that grows with messages. */
function createClient(
  apiUrl: string,
  hasMessageContent: boolean,
  buildStrategy: (manager: WebSocketManager) => IShardingStrategy,
): Client {
  return new Client({
    intents: intentsOf(hasMessageContent),
    partials: [Partials.Channel, Partials.Message, Partials.Reaction],
    shards: "auto",
    ws: { buildStrategy },
    allowedMentions: { parse: [], repliedUser: false },
    rest: { ...requestOptions(apiUrl), retries: requestRetries },
    makeCache: Options.cacheWithLimits({
      ...Options.DefaultMakeCacheSettings,
      MessageManager: 0,
      ReactionManager: 0,
      ReactionUserManager: 0,
      PresenceManager: 0,
      VoiceStateManager: 0,
      StageInstanceManager: 0,
      GuildInviteManager: 0,
      GuildScheduledEventManager: 0,
      GuildEmojiManager: 0,
      GuildStickerManager: 0,
      ThreadMemberManager: 0,
      UserManager: { maxSize: 2_000, keepOverLimit: (user) => user.id === user.client.user.id },
      GuildMemberManager: { maxSize: 50, keepOverLimit: (member) => member.id === member.client.user.id },
    }),
  });
}
