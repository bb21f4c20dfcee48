/**
 * Receives Slack's events over Socket Mode.
 * The library's automatic reconnect is off: it waits 5 s after each `disconnect` frame, longer after failures, and ends
 * the process with an unhandled rejection if the token is revoked meanwhile. connection.ts reconnects instead.
 */
import { SocketModeReceiver } from "@slack/bolt";
import { EnvHttpProxyAgent, getGlobalDispatcher } from "undici";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { Log } from "../../../src/core/ports/log.ts";
import { clientOptions, libraryLog } from "./clients.ts";
import type { Transport } from "./connection.ts";

const maxHelloMs = 10_000;
const watchMs = 1_000;
const closingMs = 1_000;

export function socketTransport(options: {
  readonly appToken: string;
  readonly apiUrl: string;
  readonly clock: Clock;
  readonly log: Log;
}): Transport {
  const { appToken, clock, log } = options;
  // By default the library connects in its own way, which knows no proxy.
  const outgoing = getGlobalDispatcher();
  const receiver = new SocketModeReceiver({
    dispatcher: outgoing instanceof EnvHttpProxyAgent ? outgoing : undefined,
    appToken,
    logger: libraryLog(log),
    autoReconnectEnabled: false,
    // A new object: the socket client writes its own retry settings into it.
    installerOptions: { clientOptions: { ...clientOptions(options), timeout: maxHelloMs } },
  });
  const { client } = receiver;
  // The second call terminates a socket whose peer does not answer the closing handshake.
  const end = () => {
    client.websocket?.disconnect();
    if (client.websocket !== undefined && !client.websocket.isActive()) client.websocket.disconnect();
  };

  return {
    receiver,
    connect: () =>
      new Promise((resolve, reject) => {
        const cancel = clock.after(maxHelloMs, () => {
          end();
          reject(new Error("no hello"));
        });
        client.start().then(
          () => {
            cancel();
            resolve();
          },
          (thrown: unknown) => {
            cancel();
            reject(thrown ?? new Error("closed before hello"));
          },
        );
      }),
    lost: () =>
      new Promise((resolve) => {
        let isOver = false;
        const over = () => {
          isOver = true;
          client.off("disconnected", over);
          resolve();
        };
        client.on("disconnected", over);
        const watch = () => {
          if (isOver) return;
          if (client.websocket?.isActive() === true) clock.after(watchMs, watch);
          else {
            end();
            over();
          }
        };
        watch();
      }),
    disconnect: () => {
      void client.disconnect().catch(() => undefined);
      // A peer that does not answer the closing handshake would keep the process alive for another 30 s.
      clock.after(closingMs, end);
    },
  };
}
