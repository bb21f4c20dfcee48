/**
 * Receives Slack's events over Socket Mode, as a receiver of Bolt's.
 * The library's automatic reconnect is off: it waits 5 s after each `disconnect` frame, longer after failures, and ends
 * the process with an unhandled rejection if the token is revoked meanwhile. connection.ts reconnects instead.
 */
import type { ReceiverEvent } from "@slack/bolt";
import { SocketModeClient } from "@slack/socket-mode";
import { EnvHttpProxyAgent, getGlobalDispatcher } from "undici";
import type { SlackParts } from "../parts.ts";
import { clientOptions, libraryLog } from "./clients.ts";
import { createDeliveries, type SlackReceiver } from "./receiver.ts";

const maxHelloMs = 10_000;
const watchMs = 1_000;
const closingMs = 1_000;

/** As far as Parley reads what the library emits for each envelope. */
type Envelope = Pick<ReceiverEvent, "body" | "ack"> & { readonly retry_num?: number };

export function socketReceiver(
  options: SlackParts & { readonly appToken: string; readonly apiUrl: string },
): SlackReceiver {
  const { appToken, clock, log } = options;
  const deliveries = createDeliveries(options);
  // By default the library connects in its own way, which knows no proxy.
  const outgoing = getGlobalDispatcher();
  const client = new SocketModeClient({
    dispatcher: outgoing instanceof EnvHttpProxyAgent ? outgoing : undefined,
    appToken,
    logger: libraryLog(log),
    autoReconnectEnabled: false,
    // A new object: the socket client writes its own retry settings into it.
    clientOptions: { ...clientOptions(options), timeout: maxHelloMs },
  });
  client.on("slack_event", ({ body, ack, retry_num: retryNum }: Envelope) => {
    void deliveries.deliver({ body, ack, retryNum });
  });
  // The second call terminates a socket whose peer does not answer the closing handshake.
  const end = () => {
    client.websocket?.disconnect();
    if (client.websocket !== undefined && !client.websocket.isActive()) client.websocket.disconnect();
  };

  return {
    init: deliveries.init,
    start: () =>
      new Promise<void>((resolve, reject) => {
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
    stop: async () => {
      deliveries.stop();
      void client.disconnect().catch(() => undefined);
      // A peer that does not answer the closing handshake would keep the process alive for another 30 s.
      clock.after(closingMs, end);
    },
  };
}
