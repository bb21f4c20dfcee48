/** A TCP proxy that can be slow, and can go silent as a network does: nothing arrives, and no side is notified. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export type TcpProxy = {
  readonly port: number;
  /** Everything that is connected now stays open and is never heard of again; new connections work. */
  readonly silence: () => void;
  /** Nothing is connected, nor can be. */
  readonly away: (isAway: boolean) => void;
  /** Packets from clients since the last call: an upper bound for what they waited for one after the other. */
  readonly takeRequestCount: () => number;
  readonly connections: () => number;
  readonly stop: () => Promise<void>;
};

/** `delayMs` is for each direction. */
export async function startTcpProxy(targetPort: number, { delayMs = 0 } = {}): Promise<TcpProxy> {
  const later = (send: () => void) => (delayMs === 0 ? send() : void setTimeout(send, delayMs));
  const pairs = new Set<readonly [Socket, Socket]>();
  let requests = 0;
  let isAway = false;
  const cutAll = () => {
    for (const [client, target] of pairs) {
      client.destroy();
      target.destroy();
    }
  };
  const server = createServer((client) => {
    client.on("error", () => {});
    if (isAway) return void client.destroy();
    const target = connect(targetPort, "127.0.0.1");
    const pair = [client, target] as const;
    pairs.add(pair);
    client.on("data", (bytes) => {
      requests += 1;
      later(() => target.write(bytes));
    });
    target.on("data", (bytes) => later(() => client.write(bytes)));
    target.on("error", () => {});
    for (const [from, to] of [pair, [target, client] as const]) {
      from.on("close", () => {
        to.destroy();
        pairs.delete(pair);
      });
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port was given.");
  return {
    port: address.port,
    silence: () => {
      for (const [client, target] of pairs) {
        client.removeAllListeners("data").resume();
        target.removeAllListeners("data").resume();
      }
    },
    away: (nowAway) => {
      isAway = nowAway;
      if (isAway) cutAll();
    },
    takeRequestCount: () => {
      const count = requests;
      requests = 0;
      return count;
    },
    connections: () => pairs.size,
    stop: async () => {
      server.close();
      cutAll();
      await once(server, "close");
    },
  };
}
