/**
 * Keeps Parley connected. discord.js resumes by itself after most closes, but gives up when the gateway is away at start
 * and after codes it calls fatal, and says nothing of either in `isReady()`: so a client that is lost is replaced.
 */
import { Client, type ClientEvents, Events, GatewayIntentBits, Options, Partials } from "discord.js";
import type { Health } from "../../src/bridge/ports/chat-platform.ts";
import type { Clock } from "../../src/bridge/ports/clock.ts";
import type { Log } from "../../src/operations/log.ts";
import type { Self } from "./ids.ts";
import { requestRetries, requestTimeoutMs } from "./limits.ts";
import { closeObstacle, lostReason, type Obstacle, obstacleOf, startingReason } from "./remedies.ts";

export type Connection = {
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
  readonly health: () => Health;
  readonly client: () => Client | undefined;
  readonly self: () => Self | undefined;
};

/** What the gateway sends, before discord.js makes its own of it. */
export type Packet = {
  readonly t: string;
  readonly d: unknown;
  /** It did not come by the gateway: somebody may have been handed it before. */
  readonly isRead?: boolean;
};

/** Whatever is away is tried again at least this often. */
const maxPauseMs = 15_000;
const firstPauseMs = 500;
const maxStartMs = 10_000;
/** Each try costs one of 1,000 sessions a day. */
const refusedPauseMs = 5 * 60_000;
/** discord.js dials again by itself; when it has not managed for so long, a new client is made. */
const maxLostMs = 60_000;

export function intentsOf(hasMessageContent: boolean): readonly GatewayIntentBits[] {
  return [
    GatewayIntentBits.Guilds,
    GatewayIntentBits.GuildMessages,
    GatewayIntentBits.GuildMessageReactions,
    GatewayIntentBits.DirectMessages,
    ...(hasMessageContent ? [GatewayIntentBits.MessageContent] : []),
  ];
}

export function createConnection(options: {
  readonly token: string;
  readonly apiUrl: string;
  readonly hasMessageContent: boolean;
  readonly onPacket: (packet: Packet, shard: number) => void;
  readonly onReady: () => void;
  readonly clock: Clock;
  readonly log: Log;
}): Connection {
  const { token, apiUrl, hasMessageContent, clock, log } = options;
  const closing = new AbortController();
  let client: Client | undefined;
  /** Shards that are not there, with the moment they went. */
  const lost = new Map<number, number>();
  let reason: string | undefined = startingReason;
  let said: string | undefined;

  /** One line for each thing that is wrong, however often it is tried. */
  const tell = (why: string) => {
    reason = why;
    if (said !== why) log.warn({ platform: "discord" }, why);
    said = why;
  };

  /** Resolves with what ended it. */
  const live = (of: Client): Promise<Obstacle> => {
    const { promise, resolve } = Promise.withResolvers<Obstacle>();
    const lose = () => resolve({ reason: lostReason, isRefusal: false });
    const on = <E extends keyof ClientEvents>(event: E, listener: (...args: ClientEvents[E]) => void) =>
      of.on(event, listener);
    const stands = (shard: number) => {
      lost.delete(shard);
      if (lost.size > 0 || closing.signal.aborted) return;
      reason = undefined;
      said = undefined;
      log.info({ platform: "discord" }, "Discord is connected");
    };
    on(Events.ShardReady, (shard) => {
      stands(shard);
      options.onReady();
    });
    on(Events.ShardResume, stands);
    on(Events.ShardReconnecting, (shard) => {
      if (!lost.has(shard)) lost.set(shard, clock.now());
      reason ??= lostReason;
    });
    on(Events.ShardDisconnect, ({ code }) => resolve(closeObstacle(code, hasMessageContent)));
    on(Events.Invalidated, lose);
    on(Events.ShardError, (thrown) => log.debug({ err: thrown }, "a socket to Discord broke"));
    on(Events.Error, (thrown) => log.warn({ err: thrown }, "discord.js reported an error"));
    of.on(Events.Raw, (packet: Packet, shard: number) => {
      if (!closing.signal.aborted && packet.t !== null) options.onPacket(packet, shard);
    });
    let cancelWatch = () => {};
    const watch = () => {
      if (clock.now() - Math.min(...lost.values()) > maxLostMs) lose();
      else cancelWatch = clock.after(maxPauseMs, watch);
    };
    watch();
    closing.signal.addEventListener("abort", lose, { once: true });
    of.login(token).catch((thrown: unknown) => resolve(obstacleOf(thrown, hasMessageContent)));
    // Discord may be away for days, and each client that was tried would stay in memory.
    return promise.finally(() => {
      cancelWatch();
      closing.signal.removeEventListener("abort", lose);
    });
  };

  const keepConnected = async () => {
    let pauseMs = firstPauseMs;
    while (!closing.signal.aborted) {
      lost.clear();
      client = createClient(apiUrl, hasMessageContent);
      const obstacle = await live(client);
      if (reason === undefined) pauseMs = firstPauseMs;
      await client.destroy().catch(() => undefined);
      if (closing.signal.aborted) return;
      tell(obstacle.reason);
      await clock.sleep(obstacle.isRefusal ? refusedPauseMs : pauseMs, closing.signal).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, maxPauseMs);
    }
  };

  let ended: Promise<void> = Promise.resolve();
  return {
    start: () => {
      ended = keepConnected();
      return new Promise((resolve) => {
        const cancel = clock.after(maxStartMs, resolve);
        const look = () => {
          if (reason === startingReason) return clock.after(20, look);
          cancel();
          resolve();
        };
        look();
      });
    },
    close: async () => {
      closing.abort();
      reason = "Parley is stopping.";
      await client?.destroy().catch(() => undefined);
      await ended;
    },
    health: () => (reason === undefined ? { isConnected: true } : { isConnected: false, reason }),
    client: () => client,
    self: () => {
      const userId = client?.user?.id;
      return userId === undefined ? undefined : { userId, applicationId: client?.application?.id ?? userId };
    },
  };
}

/** Keeps what a mention or a right is looked up in, and nothing that grows with what people say. */
function createClient(apiUrl: string, hasMessageContent: boolean): Client {
  return new Client({
    intents: intentsOf(hasMessageContent),
    partials: [Partials.Channel, Partials.Message, Partials.Reaction],
    shards: "auto",
    allowedMentions: { parse: [], repliedUser: false },
    rest: { api: apiUrl, timeout: requestTimeoutMs, retries: requestRetries },
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
