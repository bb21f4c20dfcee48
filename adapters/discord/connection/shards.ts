/**
 * The sharding strategy of Parley's gateway manager: it decides when each shard connects.
 * A bot in more than 2,500 servers has several shards. Each is then held by one of the instances that share the storage,
 * by a lease; the others wait for it. A bot with one shard is connected by every instance, so that none has to wait when
 * one dies: what comes twice is stored once.
 * Each shard has one socket at a time. It connects when the reconnect policy allows, resumes its session if it has one,
 * and starts a new session only while Discord allows more.
 */
import { GatewayCloseCodes } from "@discordjs/core";
import { type IShardingStrategy, type WebSocketManager, WebSocketShardEvents } from "@discordjs/ws";
import type { GatewaySendPayload } from "discord.js";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { Coordinator } from "../../../src/core/ports/state.ts";
import { type GatewaySocket, openSocket, type Session, type SocketEnd } from "./gateway-socket.ts";
import type { ReconnectPolicy } from "./reconnect-policy.ts";
import type { SessionStarts } from "./session-starts.ts";

/** Callbacks for what happens to a shard on its way to a session. */
export type ShardEvents = {
  /** Another instance holds the shard, or may: nothing of it is heard here. */
  readonly onElsewhere: (shard: number) => void;
  /** The shard has no session yet, or no longer. */
  readonly onLost: (shard: number) => void;
  /** The gateway closed with a code that no reconnect can solve. */
  readonly onFatal: (closeCode: number) => void;
  /** The connection was refused, or Discord did not return the gateway's URL. */
  readonly onRefused: (shard: number, thrown?: unknown) => void;
  /** Discord allows no new session before that time; undefined: it does again. */
  readonly onWait: (untilMs: number | undefined) => void;
  readonly onMalformed: (kind: string, thrown: unknown) => void;
};

const fatalCodes: readonly number[] = [
  GatewayCloseCodes.AuthenticationFailed,
  GatewayCloseCodes.InvalidShard,
  GatewayCloseCodes.ShardingRequired,
  GatewayCloseCodes.InvalidAPIVersion,
  GatewayCloseCodes.InvalidIntents,
  GatewayCloseCodes.DisallowedIntents,
];
/**
 * Instances that start together ask for one shard after the other, and the one that holds more asks later: so they share
 * them. What the others held when an instance starts stays there until they end.
 */
const askEveryMs = 200;
/** After a session this long, losing it does not count as a failure. */
const goodMs = 30_000;
/** After so many refused connections, the session's resume URL may be the problem. */
const maxResumeAttempts = 3;
/** After so many resumes that got a HELLO but no session, a new session is started. */
const maxResumes = 3;

export function createShards(
  manager: WebSocketManager,
  deps: ShardEvents & {
    readonly policy: ReconnectPolicy;
    readonly starts: SessionStarts;
    readonly coordinator: Pick<Coordinator, "lease">;
    readonly clock: Clock;
    /** Aborts when the manager is given up: then nothing connects any longer. */
    readonly over: AbortSignal;
  },
): IShardingStrategy {
  const { policy, starts, coordinator, clock, over } = deps;
  const current = new Map<number, GatewaySocket>();
  let ids: readonly number[] = [];
  let shardCount = 1;
  /** Shards that this instance holds. */
  let held = 0;
  let keeping: Promise<void>[] = [];

  const open = async (shardId: number, url: string, session: Session | undefined): Promise<SocketEnd> => {
    const socket = openSocket({
      url,
      session,
      clock,
      onMalformed: deps.onMalformed,
      identify: {
        token: manager.token,
        properties: manager.options.identifyProperties,
        intents: manager.options.intents,
        shard: [shardId, shardCount],
      },
      onDispatch: (payload) => {
        if (payload.t === "READY") void starts.accepted();
        if (payload.t === "READY" || payload.t === "RESUMED") policy.accepted();
        manager.emit(WebSocketShardEvents.Dispatch, payload, shardId);
      },
      onError: (thrown) => manager.emit(WebSocketShardEvents.SocketError, thrown as Error, shardId),
    });
    current.set(shardId, socket);
    const end = await socket.ended;
    current.delete(shardId);
    return end;
  };

  /** Keeps one shard connected while `over` has not aborted, and until the gateway closes with a fatal code. */
  const keepConnected = async (shardId: number, over: AbortSignal): Promise<void> => {
    let gatewayUrl: string | undefined;
    let session: Session | undefined;
    /** In a row: failed connections, refused connections, failed resumes. */
    let failures = 0;
    let refusals = 0;
    let resumes = 0;

    const once = async (): Promise<"again" | "fatal"> => {
      await policy.pause(failures, over);
      const known = session;
      if (known === undefined || gatewayUrl === undefined) gatewayUrl = await starts.permit(shardId, over, deps.onWait);
      await policy.enter(over);
      over.throwIfAborted();
      refusals += 1;
      const resumeUrl = refusals > maxResumeAttempts ? undefined : known?.resumeUrl;
      const end = await open(shardId, resumeUrl ?? gatewayUrl, known);
      over.throwIfAborted();
      session = end.session;
      if (end.closeCode !== undefined && fatalCodes.includes(end.closeCode)) {
        deps.onFatal(end.closeCode);
        return "fatal";
      }
      const isGood = end.sessionMs !== undefined && end.sessionMs >= goodMs;
      failures = isGood ? 0 : failures + 1;
      resumes = known === undefined || end.sessionMs !== undefined || !end.wasGreeted ? 0 : resumes + 1;
      if (resumes >= maxResumes) session = undefined;
      if (end.wasGreeted) {
        refusals = 0;
        deps.onLost(shardId);
      } else {
        policy.refused();
        deps.onRefused(shardId);
      }
      return "again";
    };

    for (;;) {
      try {
        if ((await once()) === "fatal") return;
      } catch (thrown) {
        if (over.aborted) return;
        failures += 1;
        policy.refused();
        deps.onRefused(shardId, thrown);
      }
    }
  };

  /** Holds the shard as often as it can, until the manager is given up. */
  const keep = async (shardId: number): Promise<void> => {
    if (shardCount === 1) return keepConnected(shardId, over);
    const key = `discord/shards/${starts.bot}/${shardCount}/${shardId}`;
    const onPosition = () => deps.onElsewhere(shardId);
    await clock.sleep(shardId * askEveryMs, over).catch(() => undefined);
    await clock.sleep((held * askEveryMs) / 2, over).catch(() => undefined);
    while (!over.aborted) {
      const lease = await coordinator.lease(key, { signal: over, onPosition }).catch(() => undefined);
      if (lease === undefined) {
        await clock.sleep(goodMs, over).catch(() => undefined);
        continue;
      }
      held += 1;
      deps.onLost(shardId);
      const isHeld = AbortSignal.any([over, lease.lost]);
      const end = () => current.get(shardId)?.end("the shard is held elsewhere", false);
      lease.lost.addEventListener("abort", end, { once: true });
      try {
        await keepConnected(shardId, isHeld);
      } finally {
        held -= 1;
        lease.lost.removeEventListener("abort", end);
        await lease.release();
      }
      // A code that no reconnect can solve: the manager is given up.
      if (!isHeld.aborted) return;
      deps.onElsewhere(shardId);
    }
  };

  return {
    spawn: async (shardIds) => {
      ids = shardIds;
      shardCount = await manager.getShardCount();
    },
    connect: () => {
      if (over.aborted) return;
      for (const id of ids) deps.onLost(id);
      keeping = ids.map(keep);
    },
    // The manager also calls this before the first connection, to change the number of shards.
    destroy: async (how) => {
      for (const socket of current.values()) socket.end(how?.reason ?? "ended", false);
      await Promise.all(keeping);
    },
    send: (shardId, payload: GatewaySendPayload) => current.get(shardId)?.send(payload),
    fetchStatus: () => {
      throw new Error("connection.ts knows which shards have a session");
    },
  };
}
