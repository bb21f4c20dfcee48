/**
 * Recognises that Parley was added to a server, and chooses the channel to introduce itself in. Pure.
 * Discord sends GUILD_CREATE for three things: each server after READY, the end of an outage, and a join. Only
 * `joined_at` tells them apart. Parley's start is no sign either, since it may be invited before its first one.
 */
import { PermissionFlagsBits } from "@discordjs/core";
import type { Inbound } from "../../../src/core/ports/chat-platform.ts";
import { eventKey, orderOf, placeOf, type Self, snowflakeAt } from "../ids.ts";
import type { DiscordGuild } from "./events.ts";

/** Older joins are no news; younger ones may have happened while Parley was down. */
const newsMs = 3_600_000;
const textChannel = 0;
const writeRights = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.SendMessages;

type Joined = Omit<Extract<Inbound, { kind: "joined" }>, "ack" | "reply">;

/** "nowhere": joined, but there is no channel that Parley can write in. Undefined: no news. */
export function translateJoin(
  guild: DiscordGuild,
  { self, nowMs, hasRights }: JoinFacts,
): Joined | "nowhere" | undefined {
  const joinedMs = Date.parse(guild.joined_at ?? "");
  if (guild.unavailable === true || Number.isNaN(joinedMs) || nowMs - joinedMs >= newsMs) return undefined;
  const channel = channelOf(guild, hasRights);
  if (channel === undefined) return "nowhere";
  return {
    kind: "joined",
    // Equal after every outage and restart, and for all instances; another one after a second invitation.
    eventKey: eventKey(guild.id, "joined", guild.joined_at ?? ""),
    order: orderOf(snowflakeAt(joinedMs)),
    place: placeOf(guild.id, channel),
    // Discord does not say who invited it.
    actor: {
      id: self.userId,
      workspace: guild.id,
      name: "Parley",
      isAdmin: false,
      isGuest: false,
      isExternal: false,
      isBot: true,
      roles: [],
    },
  };
}

type JoinFacts = {
  readonly self: Self;
  readonly nowMs: number;
  /** Whether Parley has these permissions in a channel; undefined if unknown. */
  readonly hasRights: (channelId: string, needed: bigint) => boolean | undefined;
};

/** The system channel if Parley can write there, else the first text channel where it can. */
function channelOf(guild: DiscordGuild, hasRights: JoinFacts["hasRights"]): string | undefined {
  const isWritable = (id: string) => hasRights(id, writeRights) === true;
  const system = guild.system_channel_id;
  if (system != null && isWritable(system)) return system;
  const texts = guild.channels.filter(({ id, type }) => type === textChannel && isWritable(id));
  // As Discord shows them: by position, and the older one first where two are equal.
  const inOrder = texts.toSorted(
    (one, other) => (one.position ?? 0) - (other.position ?? 0) || (orderOf(one.id) < orderOf(other.id) ? -1 : 1),
  );
  return inOrder[0]?.id;
}
