/**
 * Passes the gateway's events on, and with them the messages missed during an outage as if they had just arrived.
 * Discord resends nothing to a new session, and not only a restart starts one: after a longer outage Discord has forgotten
 * the old session. When a session starts, each channel's newest message is compared with the time of the last event;
 * newer messages are read and passed on. The event key deduplicates.
 */
import { type Client, PermissionFlagsBits, type ToEventProps } from "@discordjs/core";
import type { ErrorCode } from "../../../src/core/errors.ts";
import { platformPauses, retry } from "../../../src/core/tools/retry.ts";
import { type Self, snowflakeAt } from "../ids.ts";
import type { Channels } from "../intake/channels.ts";
import type * as events from "../intake/events.ts";
import { heardEvents, readGuild, readMember, readMessage, readMessages, readReady } from "../intake/events.ts";
import { maxMissedMs, pageMessages } from "../limits.ts";
import type { DiscordParts } from "../parts.ts";
import { isBlank } from "../reading/read-message.ts";
import { toPlatformError } from "../writing/api-errors.ts";
import { createRecentDirectMessages } from "./recent-direct-messages.ts";

/** A new session of one shard, until all messages missed before it have been read. */
type Gap = {
  /** In ms since the epoch. Undefined: there was no earlier event, so nothing was missed. */
  readonly since: Promise<number | undefined>;
  /** Servers whose channels Discord has not sent yet. */
  readonly guilds: Set<string>;
  reading: number;
};

/** For clock skew, messages in transit, and events that a process had not stored when it died. */
const marginMs = 30_000;
const noteEveryMs = 10_000;
const temporaryCodes: readonly ErrorCode[] = ["platform_unreachable", "platform_rate_limited", "state_unavailable"];
const maxHeldMs = 5_000;
const noteKey = "*/heard-until";
const readRights = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.ReadMessageHistory;

export function createCatchUp(
  options: DiscordParts & {
    readonly channels: Channels;
    readonly self: () => Self | undefined;
    /** Resolves when the served servers are known. Others aren't read: strangers decide how many messages they have. */
    readonly serves: (guildId: string) => Promise<boolean>;
  },
) {
  const { rest, channels, keyValue, clock, log } = options;
  const closing = new AbortController();
  const heardMs = new Map<number, number>();
  const gaps = new Map<number, Gap>();
  const reading = new Map<string, Promise<void>>();
  const recentDirectMessages = createRecentDirectMessages(keyValue);
  let notedMs = 0;
  let take: (packet: events.Packet, self: Self) => void = () => {};

  function onPacket(packet: events.Packet): void {
    const self = options.self();
    if (self !== undefined) take(packet, self);
  }

  /**
   * Retries while the failure is temporary. Rejects with a permanent failure, or when the gap is replaced by a newer
   * one.
   */
  function retryTemporary<T>(gap: Gap | undefined, call: () => Promise<T>): Promise<T> {
    return retry(call, {
      clock,
      ...platformPauses,
      signal: closing.signal,
      pauseAfter: (thrown, pauseMs) => {
        const isTemporary = temporaryCodes.includes(toPlatformError(thrown).code);
        const isReplaced = gap !== undefined && ![...gaps.values()].includes(gap);
        return isTemporary && !closing.signal.aborted && !isReplaced ? pauseMs : undefined;
      },
    });
  }

  /** When this process last got an event; right after a start, when any process did. */
  async function lastHeard(shard: number): Promise<number | undefined> {
    const known = heardMs.get(shard) ?? (await retryTemporary(undefined, stored));
    return known === undefined ? undefined : Math.max(known - marginMs, clock.now() - maxMissedMs);
  }

  async function stored(): Promise<number | undefined> {
    const noted = await keyValue.get(noteKey);
    return noted === undefined ? undefined : Number(noted);
  }

  /** Notes the time of an event, but not while messages are missing: the next process starts reading from there. */
  function noteHeard(shard: number): void {
    if (gaps.has(shard)) return;
    const nowMs = clock.now();
    heardMs.set(shard, nowMs);
    if (gaps.size > 0 || nowMs - notedMs < noteEveryMs) return;
    notedMs = nowMs;
    keyValue.set(noteKey, String(nowMs), maxMissedMs).catch(() => undefined);
  }

  function onReady(shard: number, guilds: readonly string[]): void {
    const since = lastHeard(shard);
    since.catch(() => undefined);
    const gap: Gap = { since, guilds: new Set(guilds), reading: 0 };
    gaps.set(shard, gap);
    // Direct messages belong to the first shard, and Discord does not list them.
    readInGap(gap, shard, async (sinceMs) => {
      const known = shard === 0 ? await recentDirectMessages.all() : [];
      await Promise.all(known.map((channelId) => readOnce(gap, channelId, undefined, sinceMs)));
    });
  }

  function onGuild(shard: number, guild: events.DiscordGuild): void {
    const gap = gaps.get(shard);
    if (gap?.guilds.delete(guild.id) !== true) return;
    readInGap(gap, shard, async (sinceMs) => {
      if (!(await options.serves(guild.id))) return;
      // Where the permissions are unknown, reading is tried.
      const newer = [...guild.channels, ...guild.threads].filter(
        ({ id, last_message_id: last }) =>
          last != null && BigInt(last) > BigInt(snowflakeAt(sinceMs)) && channels.hasRights(id, readRights) !== false,
      );
      await Promise.all(newer.map(({ id }) => readOnce(gap, id, guild.id, sinceMs)));
    });
  }

  /** Runs one read of the gap. The last one closes the gap. */
  function readInGap(gap: Gap, shard: number, work: (sinceMs: number) => Promise<void>): void {
    gap.reading += 1;
    void gap.since
      .then((sinceMs) => (sinceMs === undefined ? undefined : work(sinceMs)))
      .catch((failure: unknown) => {
        if (!closing.signal.aborted) log.warn({ err: failure }, "Missed Discord messages could not be read");
      })
      .finally(() => {
        gap.reading -= 1;
        if (gap.reading > 0 || gap.guilds.size > 0 || gaps.get(shard) !== gap) return;
        gaps.delete(shard);
        noteHeard(shard);
      });
  }

  async function readOnce(gap: Gap, channelId: string, guildId: string | undefined, sinceMs: number): Promise<void> {
    const read = readChannel(gap, channelId, guildId, sinceMs).catch((thrown: unknown) => {
      const { code } = toPlatformError(thrown);
      if (!["not_permitted", "place_gone"].includes(code)) throw thrown;
    });
    const done = read.catch(() => undefined);
    reading.set(channelId, done);
    await read.finally(() => {
      if (reading.get(channelId) === done) reading.delete(channelId);
    });
  }

  async function readChannel(gap: Gap, channelId: string, guildId: string | undefined, sinceMs: number): Promise<void> {
    let after = snowflakeAt(sinceMs);
    for (;;) {
      const query = { after, limit: String(pageMessages) };
      const page = readMessages(
        await retryTemporary(gap, () => rest.call("GET", `/channels/${channelId}/messages`, { query })),
      );
      for (const message of page.toReversed()) await passOn(gap, message, guildId);
      after = page[0]?.id ?? after;
      if (page.length < pageMessages) return;
    }
  }

  /** Passes on a message with its author's roles, which history does not include. */
  async function passOn(gap: Gap, message: events.DiscordMessage, guildId: string | undefined): Promise<void> {
    const { author, webhook_id: webhook } = message;
    // Without the intent, messages not addressed to Parley arrive empty.
    if (author.id === options.self()?.userId || isBlank(message)) return;
    if (guildId === undefined || webhook !== undefined)
      return onPacket({ t: "MESSAGE_CREATE", d: message, isRead: true });
    const member = await retryTemporary(gap, () => rest.call("GET", `/guilds/${guildId}/members/${author.id}`)).catch(
      (thrown: unknown) => {
        // The author has left the server.
        if (toPlatformError(thrown).code !== "message_gone") throw thrown;
      },
    );
    if (member === undefined) return;
    const said = { ...message, guild_id: guildId, member: readMember(member) };
    onPacket({ t: "MESSAGE_CREATE", d: said, isRead: true });
  }

  /** A message waits while its channel is being read. */
  function handle(packet: events.Packet, shard: number): void {
    const ready = packet.t === "READY" ? readReady(packet.d) : undefined;
    const guild = packet.t === "GUILD_CREATE" ? readGuild(packet.d) : undefined;
    const message = packet.t === "MESSAGE_CREATE" ? readMessage(packet.d) : undefined;
    if (ready !== undefined)
      onReady(
        shard,
        ready.guilds.map(({ id }) => id),
      );
    else if (guild !== undefined) onGuild(shard, guild);
    else noteHeard(shard);
    const before = reading.get(message?.channel_id ?? "");
    if (before === undefined) {
      onPacket(packet);
      return;
    }
    const patience = clock.sleep(maxHeldMs, closing.signal).catch(() => undefined);
    void Promise.race([before, patience]).then(() => onPacket(packet));
  }

  return {
    /** Listens to the client of a new connection. */
    follow: (client: Client): void => {
      for (const event of heardEvents) {
        client.on(event, ({ data, shardId }: ToEventProps<unknown>) => handle({ t: event, d: data }, shardId));
      }
    },
    /** Where everything goes from now on. */
    passTo: (taker: typeof take): void => {
      take = taker;
    },
    /** Adds a direct message channel to be read after an outage. Only for members of served servers. */
    noteDirect: recentDirectMessages.note,
    close: (): void => closing.abort(),
  };
}
