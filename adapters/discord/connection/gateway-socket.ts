/**
 * One socket to the gateway, from the dial to its end. discord.js's own shard speaks the protocol; what it would do
 * afterwards (dial again twice a second, for ever, also after it was destroyed) it is kept from doing: the dial ends, and
 * says how. Nothing that the gateway sends gets out of here as an exception.
 */
import {
  CloseCodes,
  type IContextFetchingStrategy,
  WebSocketShard,
  type WebSocketShardDestroyOptions,
  WebSocketShardDestroyRecovery,
  WebSocketShardEvents,
} from "@discordjs/ws";
import type { Clock } from "../../../src/ports/clock.ts";
import { checkFrame, maxFrameBytes } from "./gateway-frames.ts";

export type SocketEnd = {
  /** The gateway greeted (op 10): whoever refused the dial did not. */
  readonly wasGreeted: boolean;
  /** How long a session was there; undefined when it came to none. */
  readonly stoodMs: number | undefined;
  /** What the gateway closed with. */
  readonly closeCode: number | undefined;
};

export type GatewaySocket = {
  readonly shard: WebSocketShard;
  /** Never rejects. */
  readonly ended: Promise<SocketEnd>;
  /** `keepsSession`: it can be resumed afterwards. */
  readonly end: (reason: string, keepsSession: boolean) => Promise<void>;
};

const { Reconnect, Resume } = WebSocketShardDestroyRecovery;
/** The other side gets this long for the closing handshake. */
const closeLimitMs = 1_000;
/** From the dial to a session: greeting, and what was missed, included. */
const maxStartMs = 60_000;

export function openSocket(options: {
  readonly context: IContextFetchingStrategy;
  readonly shardId: number;
  readonly forward: (event: WebSocketShardEvents, payload: object) => void;
  /** A packet, or a part of one, that could not be used; `kind` for whoever says each once. */
  readonly onMalformed: (kind: string, thrown: unknown) => void;
  readonly clock: Clock;
}): GatewaySocket {
  const { context, shardId, forward, onMalformed, clock } = options;
  const { promise: ended, resolve } = Promise.withResolvers<SocketEnd>();
  let keepsSession = false;
  let wasGreeted = false;
  let stoodSinceMs: number | undefined;
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
    // Before the greeting nobody can have ended the session: the network did, or whatever stands before the gateway.
    keepsSession = recover === Resume || (recover === Reconnect && !wasGreeted);
    const socket = shard["connection"];
    // discord.js forgets a socket that is still being opened, and its failure would be nobody's.
    socket?.on("error", () => undefined);
    const cancel = clock.after(closeLimitMs, () => socket?.terminate());
    try {
      await destroy({
        code: code ?? (keepsSession ? CloseCodes.Resuming : CloseCodes.Normal),
        ...(reason === undefined ? {} : { reason }),
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
      stoodMs: stoodSinceMs === undefined ? undefined : clock.now() - stoodSinceMs,
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
        // Said only where it is not part of the protocol.
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
  const stands = () => {
    cancelStart();
    stoodSinceMs = clock.now();
  };
  shard.on(WebSocketShardEvents.Ready, stands);
  shard.on(WebSocketShardEvents.Resumed, stands);
  shard.on(WebSocketShardEvents.Closed, ({ code }) => {
    closeCode ??= code;
  });
  const cancelStart = clock.after(maxStartMs, () => void shard.destroy({ reason: "No session", recover: Resume }));
  connect().catch((thrown: unknown) => {
    onMalformed("dial", thrown);
    void shard.destroy({ recover: Resume });
  });

  return {
    shard,
    ended,
    end: (reason, keeps) => shard.destroy({ reason, recover: keeps ? Resume : Reconnect }),
  };
}
