/**
 * Runs one socket to Discord's gateway, from connecting to its end.
 * discord.js's shard speaks the protocol, but is kept from reconnecting: it would do so twice a second without end,
 * even after it was destroyed. Instead the socket ends and reports how. No data from the gateway can cause an exception
 * outside of this file.
 */
import type { IContextFetchingStrategy, WebSocketShardDestroyOptions } from "@discordjs/ws";
import type { Clock } from "../../../src/core/ports/clock.ts";
import { checkFrame, maxFrameBytes } from "./gateway-frames.ts";
import { CloseCodes, WebSocketShard, WebSocketShardDestroyRecovery, WebSocketShardEvents } from "./gateway-library.ts";

export type SocketEnd = {
  /** The gateway sent HELLO (op 10); false if the connection was refused. */
  readonly wasGreeted: boolean;
  /** How long the session lasted; undefined if there was none. */
  readonly sessionMs: number | undefined;
  /** The gateway's close code. */
  readonly closeCode: number | undefined;
};

export type GatewaySocket = {
  readonly shard: WebSocketShard;
  /** Never rejects. */
  readonly ended: Promise<SocketEnd>;
  /** `keepsSession`: the session can be resumed later. */
  readonly end: (reason: string, keepsSession: boolean) => Promise<void>;
};

const { Reconnect, Resume } = WebSocketShardDestroyRecovery;
/** Time for the peer to answer the closing handshake. */
const closeLimitMs = 1_000;
/** From connecting to a session, including HELLO and replayed events. */
const maxStartMs = 60_000;

export function openSocket(options: {
  readonly context: IContextFetchingStrategy;
  readonly shardId: number;
  readonly forward: (event: WebSocketShardEvents, payload: object) => void;
  /** Called for data that could not be used; `kind` lets the caller log each kind once. */
  readonly onMalformed: (kind: string, thrown: unknown) => void;
  readonly clock: Clock;
}): GatewaySocket {
  const { context, shardId, forward, onMalformed, clock } = options;
  const { promise: ended, resolve } = Promise.withResolvers<SocketEnd>();
  let keepsSession = false;
  let wasGreeted = false;
  let sessionSinceMs: number | undefined;
  let closeCode: number | undefined;
  let ending: Promise<void> | undefined;

  const shard = new WebSocketShard(
    {
      options: context.options,
      retrieveSessionInfo: (id) => context.retrieveSessionInfo(id),
      waitForIdentify: (id, signal) => context.waitForIdentify(id, signal),
      updateSessionInfo: async (id, info) => {
        if (info !== null || !keepsSession) await context.updateSessionInfo(id, info);
      },
    },
    shardId,
  );
  const connect = shard["internalConnect"].bind(shard) as () => Promise<void>;
  const destroy = shard.destroy.bind(shard);
  const unpack = shard["unpackMessage"].bind(shard) as (data: unknown, isBinary: boolean) => Promise<unknown>;

  const close = async ({ code, reason, recover }: WebSocketShardDestroyOptions): Promise<void> => {
    // Before HELLO only the network or a proxy can have closed the connection, so the session still exists.
    keepsSession = recover === Resume || (recover === Reconnect && !wasGreeted);
    const socket = shard["connection"];
    // discord.js forgets a socket that is still connecting, so nobody would handle its error.
    socket?.on("error", () => undefined);
    const cancel = clock.after(closeLimitMs, () => socket?.terminate());
    try {
      await destroy({
        code: code ?? (keepsSession ? CloseCodes.Resuming : CloseCodes.Normal),
        reason,
      });
    } catch (thrown) {
      onMalformed("closing", thrown);
    }
    cancel();
    socket?.terminate();
    cancelStart();
    shard.removeAllListeners();
    shard.on(WebSocketShardEvents.Error, () => undefined);
    resolve({
      wasGreeted,
      sessionMs: sessionSinceMs === undefined ? undefined : clock.now() - sessionSinceMs,
      closeCode,
    });
  };

  const guarded =
    <A extends readonly unknown[]>(kind: string, run: (...args: A) => Promise<unknown>) =>
    async (...args: A) => {
      if (ending !== undefined && kind !== "close") return;
      try {
        await run(...args);
      } catch (thrown) {
        onMalformed(kind, thrown);
      }
    };

  shard.destroy = (how = {}) => {
    ending ??= close(how);
    return ending;
  };
  shard["internalConnect"] = async () => undefined;
  shard["onMessage"] = guarded("frame", shard["onMessage"].bind(shard));
  shard["onClose"] = guarded("close", shard["onClose"].bind(shard));
  shard["heartbeat"] = guarded("heartbeat", shard["heartbeat"].bind(shard));
  shard["unpackMessage"] = async (data: unknown, isBinary: boolean) => {
    const bytes = typeof data === "string" ? data.length : (data as ArrayBuffer).byteLength;
    if (bytes > maxFrameBytes) {
      onMalformed("a frame of more than 16 MiB", new Error(`${bytes} bytes`));
      return null;
    }
    const frame = checkFrame(await unpack(data, isBinary));
    switch (frame.kind) {
      case "good":
        return frame.payload;
      case "malformed":
        onMalformed(frame.what, new Error(frame.what));
        return null;
      case "ends":
        // Not reported if it is part of the protocol.
        if (frame.what !== undefined) onMalformed(frame.what, new Error(frame.what));
        void shard.destroy({ reason: "Invalid session", recover: frame.keepsSession ? Resume : Reconnect });
        return null;
      default:
        return frame satisfies never;
    }
  };

  for (const event of Object.values(WebSocketShardEvents)) {
    shard.on(event, (payload?: object) => forward(event, payload ?? {}));
  }
  shard.on(WebSocketShardEvents.Hello, () => {
    wasGreeted = true;
  });
  const onSession = () => {
    cancelStart();
    sessionSinceMs = clock.now();
  };
  shard.on(WebSocketShardEvents.Ready, onSession);
  shard.on(WebSocketShardEvents.Resumed, onSession);
  shard.on(WebSocketShardEvents.Closed, ({ code }) => {
    closeCode ??= code;
  });
  const cancelStart = clock.after(maxStartMs, () => void shard.destroy({ reason: "No session", recover: Resume }));
  connect().catch((thrown: unknown) => {
    onMalformed("connect", thrown);
    void shard.destroy({ recover: Resume });
  });

  return {
    shard,
    ended,
    end: (reason, keeps) => shard.destroy({ reason, recover: keeps ? Resume : Reconnect }),
  };
}
