/**
 * Replaces discord.js's sharding strategy, so that Parley decides when each shard connects.
 * Each shard has one socket at a time. It connects when the reconnect policy allows, resumes its session if it has one,
 * and starts a new session only while Discord allows more.
 */
import type { IShardingStrategy, WebSocketManager } from "@discordjs/ws";
import { Collection, type GatewaySendPayload } from "discord.js";
import type { Clock } from "../../../src/core/ports/clock.ts";
import { sessionStartsPerDay } from "../limits.ts";
import { WebSocketShardEvents, WebSocketShardStatus } from "./gateway-library.ts";
import { type GatewaySocket, openSocket, type SocketEnd } from "./gateway-socket.ts";
import type { ReconnectPolicy } from "./reconnect-policy.ts";
import type { Gateway, SessionStarts } from "./session-starts.ts";

/** Callbacks for what happens to a shard on its way to a session. */
export type ShardEvents = {
  /** The shard connects for the first time and has no session yet. */
  readonly onStart: (shard: number) => void;
  /** The gateway closed with a code that no reconnect can solve. */
  readonly onFatal: (closeCode: number) => void;
  /** The connection was refused, or Discord did not return the gateway's URL. */
  readonly onRefused: (shard: number, thrown?: unknown) => void;
  /** Discord allows no new session before that time; undefined: it does again. */
  readonly onWait: (untilMs: number | undefined) => void;
  readonly onMalformed: (kind: string, thrown: unknown) => void;
};

export type Shards = IShardingStrategy & {
  /** Replaces an unusable session by a new one. */
  readonly renew: (shard: number) => void;
};

/** Authentication failed, invalid shard, sharding required, invalid version, invalid and disallowed intents. */
const fatalCodes: readonly number[] = [4_004, 4_010, 4_011, 4_012, 4_013, 4_014];
const handshakeTimeoutMs = 10_000;
const helloTimeoutMs = 10_000;
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
    readonly clock: Clock;
    /** Aborts when the client is given up: then nothing connects any longer. */
    readonly over: AbortSignal;
  },
): Shards {
  const { policy, starts, clock } = deps;
  const closing = new AbortController();
  const current = new Map<number, GatewaySocket>();
  let ids: readonly number[] = [];
  let shardCount = 1;
  let keeping: Promise<void>[] = [];

  const open = async (shardId: number, gateway: Gateway, isNew: boolean): Promise<SocketEnd> => {
    const { retrieveSessionInfo, updateSessionInfo, ...options } = manager.options;
    const one = openSocket({
      shardId,
      clock,
      context: {
        options: {
          ...options,
          handshakeTimeout: handshakeTimeoutMs,
          helloTimeout: helloTimeoutMs,
          shardCount,
          // Not used: Parley has already checked how many sessions are left.
          gatewayInformation: {
            ...gateway,
            session_start_limit: {
              total: sessionStartsPerDay,
              remaining: sessionStartsPerDay,
              reset_after: 0,
              max_concurrency: 1,
            },
          },
        },
        retrieveSessionInfo: (id) => retrieveSessionInfo(id),
        updateSessionInfo: (id, info) => updateSessionInfo(id, info),
        waitForIdentify: async () => undefined,
      },
      forward: (event, payload) => manager.emit(event, { ...payload, shardId } as never),
      onMalformed: deps.onMalformed,
    });
    current.set(shardId, one);
    one.shard.on(WebSocketShardEvents.Ready, () => {
      if (isNew) void starts.accepted();
    });
    for (const event of [WebSocketShardEvents.Ready, WebSocketShardEvents.Resumed] as const) {
      one.shard.on(event, policy.accepted);
    }
    const end = await one.ended;
    if (current.get(shardId) === one) current.delete(shardId);
    return end;
  };

  /** Keeps one shard connected until Parley ends or the gateway closes with a fatal code. */
  const keep = async (shardId: number): Promise<void> => {
    const { signal } = closing;
    let gateway: Gateway | undefined;
    /** In a row: failed connections, refused connections, failed resumes. */
    let failures = 0;
    let refusals = 0;
    let resumes = 0;

    const once = async (): Promise<"again" | "fatal"> => {
      await policy.pause(failures, signal);
      const known = await manager.options.retrieveSessionInfo(shardId);
      const isNew = known?.shardCount !== shardCount;
      if (isNew) gateway = await starts.permit(shardId, signal, deps.onWait);
      gateway ??= await starts.gateway();
      if (known != null && !isNew && refusals >= maxResumeAttempts) {
        await manager.options.updateSessionInfo(shardId, { ...known, resumeURL: gateway.url });
      }
      await policy.enter(signal);
      signal.throwIfAborted();
      const end = await open(shardId, gateway, isNew);
      signal.throwIfAborted();
      if (end.closeCode !== undefined && fatalCodes.includes(end.closeCode)) {
        deps.onFatal(end.closeCode);
        return "fatal";
      }
      const isGood = end.sessionMs !== undefined && end.sessionMs >= goodMs;
      failures = isGood ? 0 : failures + 1;
      refusals = end.wasGreeted ? 0 : refusals + 1;
      resumes = isNew || end.sessionMs !== undefined || !end.wasGreeted ? 0 : resumes + 1;
      if (resumes >= maxResumes) await manager.options.updateSessionInfo(shardId, null);
      if (!end.wasGreeted) {
        policy.refused();
        deps.onRefused(shardId);
      }
      return "again";
    };

    for (;;) {
      try {
        if ((await once()) === "fatal") return;
      } catch (thrown) {
        if (signal.aborted) return;
        failures += 1;
        policy.refused();
        deps.onRefused(shardId, thrown);
      }
    }
  };

  const endAll = async (reason: string): Promise<void> => {
    closing.abort();
    await Promise.all([...current.values()].map((one) => one.end(reason, false)));
    await Promise.all(keeping);
  };

  return {
    spawn: async (shardIds) => {
      ids = shardIds;
      shardCount = await manager.getShardCount();
    },
    connect: async () => {
      if (deps.over.aborted) return;
      for (const id of ids) deps.onStart(id);
      keeping = ids.map(keep);
    },
    destroy: async (how) => {
      // discord.js also calls this before the first connection, to change the number of shards.
      if (keeping.length > 0) await endAll(how?.reason ?? "ended");
    },
    send: async (shardId, payload: GatewaySendPayload) => {
      const one = current.get(shardId);
      if (one === undefined) throw new RangeError(`Shard ${shardId} is not connected`);
      await one.shard.send(payload);
    },
    // The same Collection class, but from @discordjs/ws's own copy.
    fetchStatus: () =>
      new Collection(ids.map((id) => [id, current.get(id)?.shard.status ?? WebSocketShardStatus.Idle])) as never,
    renew: (shardId) => void current.get(shardId)?.end("The session cannot be used", false),
  };
}
