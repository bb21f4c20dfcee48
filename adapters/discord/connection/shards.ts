/**
 * discord.js's sharding strategy, with the dialling in Parley's hands: each shard has one socket at a time, dialled when
 * the pace allows, resumed where there is a session, and begun anew only while Discord allows more sessions.
 */
import {
  type IShardingStrategy,
  type WebSocketManager,
  WebSocketShardEvents,
  WebSocketShardStatus,
} from "@discordjs/ws";
import { Collection, type GatewaySendPayload } from "discord.js";
import type { Clock } from "../../../src/ports/clock.ts";
import { sessionStartsPerDay } from "../limits.ts";
import { type GatewaySocket, openSocket, type SocketEnd } from "./gateway-socket.ts";
import type { ReconnectPolicy } from "./reconnect-policy.ts";
import type { Gateway, SessionStarts } from "./session-starts.ts";

/** What a shard meets on its way to a session. */
export type ShardEvents = {
  /** The shard is dialled for the first time: it has no session yet. */
  readonly onStart: (shard: number) => void;
  /** The gateway closed with a code that another dial cannot mend. */
  readonly onFatal: (closeCode: number) => void;
  /** The dial was refused, or Discord did not say where to dial. */
  readonly onRefused: (shard: number, thrown?: unknown) => void;
  /** Discord allows no new session before that moment; undefined: it does again. */
  readonly onWait: (untilMs: number | undefined) => void;
  readonly onMalformed: (kind: string, thrown: unknown) => void;
};

export type Shards = IShardingStrategy & {
  /** The session is of no use: another one takes its place. */
  readonly renew: (shard: number) => void;
};

/** Authentication failed, invalid shard, sharding required, invalid version, invalid and disallowed intents. */
const fatalCodes: readonly number[] = [4_004, 4_010, 4_011, 4_012, 4_013, 4_014];
const handshakeTimeoutMs = 10_000;
const helloTimeoutMs = 10_000;
/** A connection that stood so long was a good one: its loss is no sign of trouble. */
const goodMs = 30_000;
/** After so many refused dials the address that a session named for resuming may be what is wrong. */
const maxResumeDials = 3;
/** A session that was greeted and not resumed so often is given up. */
const maxResumes = 3;

export function createShards(
  manager: WebSocketManager,
  deps: ShardEvents & {
    readonly policy: ReconnectPolicy;
    readonly starts: SessionStarts;
    readonly clock: Clock;
    /** The client was given up: nothing is dialled any more. */
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
          ...{ handshakeTimeout: handshakeTimeoutMs, helloTimeout: helloTimeoutMs, shardCount },
          // Parley has asked already how many sessions are left; what stands here is not looked at any more.
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

  /** Dials the same shard until Parley ends, or Discord wants no more of it. */
  const keep = async (shardId: number): Promise<void> => {
    const { signal } = closing;
    let gateway: Gateway | undefined;
    /** In a row: of this shard's own dials, of those to the address for resuming, of resumes. */
    let failures = 0;
    let refusals = 0;
    let resumes = 0;

    const once = async (): Promise<"again" | "fatal"> => {
      await policy.pause(failures, signal);
      const known = await manager.options.retrieveSessionInfo(shardId);
      const isNew = known?.shardCount !== shardCount;
      if (isNew) gateway = await starts.permit(shardId, signal, deps.onWait);
      gateway ??= await starts.gateway();
      if (known != null && !isNew && refusals >= maxResumeDials) {
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
      const isGood = end.stoodMs !== undefined && end.stoodMs >= goodMs;
      failures = isGood ? 0 : failures + 1;
      refusals = end.wasGreeted ? 0 : refusals + 1;
      resumes = isNew || end.stoodMs !== undefined || !end.wasGreeted ? 0 : resumes + 1;
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
      // discord.js also calls this before the first dial, to change the number of shards.
      if (keeping.length > 0) await endAll(how?.reason ?? "ended");
    },
    send: async (shardId, payload: GatewaySendPayload) => {
      const one = current.get(shardId);
      if (one === undefined) throw new RangeError(`Shard ${shardId} is not connected`);
      await one.shard.send(payload);
    },
    // The same class, from the copy that @discordjs/ws has of it.
    fetchStatus: () =>
      new Collection(ids.map((id) => [id, current.get(id)?.shard.status ?? WebSocketShardStatus.Idle])) as never,
    renew: (shardId) => void current.get(shardId)?.end("The session cannot be used", false),
  };
}
