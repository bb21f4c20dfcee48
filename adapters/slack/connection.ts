/**
 * Keeps Parley connected. The socket is dialled again by a loop of our own: the library's waits 5 s after every
 * `disconnect` frame, longer and longer after failures, and lets the process die when a token is revoked meanwhile.
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import { type App, HTTPReceiver, SocketModeReceiver } from "@slack/bolt";
import type { Health } from "../../src/bridge/ports/chat-platform.ts";
import type { Clock } from "../../src/bridge/ports/clock.ts";
import type { Log } from "../../src/operations/log.ts";
import { type Clients, clientOptions, libraryLog } from "./clients.ts";
import type { Self } from "./ids.ts";
import { lostReason, missingScopesReason, refusalReason } from "./remedies.ts";
import { requiredScopes } from "./scopes.ts";

export type Wire = {
  readonly receiver: SocketModeReceiver | HTTPReceiver;
  /** Resolves when connected, rejects when refused. */
  readonly connect: () => Promise<void>;
  /** Resolves when the connection is lost. */
  readonly lost: () => Promise<void>;
  readonly disconnect: () => void;
};

export type Connection = {
  readonly start: () => Promise<void>;
  readonly close: () => void;
  readonly health: () => Health;
  readonly self: () => Promise<Self>;
};

/** Whatever is away is tried again at least this often. */
const maxPauseMs = 15_000;
const firstPauseMs = 500;
const maxStartMs = 10_000;
const steadyMs = 5_000;
/** Scopes may be granted while Parley runs. */
const recheckMs = 15_000;

export function createConnection(options: {
  readonly wire: Wire;
  readonly clients: Clients;
  readonly clock: Clock;
  readonly log: Log;
}): Connection {
  const { wire, clients, clock, log } = options;
  const closing = new AbortController();
  let known: Self | undefined;
  let isConnected = false;
  let reason: string | undefined = "Slack is being connected.";
  let said: string | undefined;

  /** One line for each thing that is wrong, however often it is tried. */
  const tell = (why: string) => {
    reason = why;
    if (said !== why) log.warn({ platform: "slack" }, why);
    said = why;
  };

  const authenticate = async () => {
    const answer = await clients.read.auth.test();
    const { team_id: teamId, user_id: userId, bot_id: botId, enterprise_id: enterpriseId } = answer;
    if (teamId === undefined || userId === undefined || botId === undefined) throw new Error("not a bot token");
    known = { teamId, userId, botId, ...(enterpriseId === undefined ? {} : { enterpriseId }) };
    const granted = answer.response_metadata?.scopes;
    const missing = granted === undefined ? [] : requiredScopes.filter((scope) => !granted.includes(scope));
    return missing.length === 0 ? undefined : missingScopesReason(missing);
  };

  const connected = (missing: string | undefined) => {
    isConnected = true;
    reason = undefined;
    if (missing !== undefined) tell(missing);
    else {
      log.info({ platform: "slack", workspace: known?.teamId }, "Slack is connected");
      said = undefined;
    }
    if (missing !== undefined) recheck();
  };

  const recheck = () => {
    clock.after(recheckMs, () => {
      if (closing.signal.aborted || !isConnected) return;
      authenticate().then(
        (missing) => (missing === undefined ? connected(undefined) : recheck()),
        () => recheck(),
      );
    });
  };

  const keepConnected = async (onFirstTry: () => void) => {
    let pauseMs = firstPauseMs;
    while (!closing.signal.aborted) {
      try {
        const missing = await authenticate();
        await wire.connect();
        connected(missing);
        onFirstTry();
        const sinceMs = clock.now();
        await wire.lost();
        isConnected = false;
        reason = lostReason;
        // Slack recycles sockets all day: the first attempt is made at once, unless the socket never really stood.
        if (clock.now() - sinceMs > steadyMs) {
          pauseMs = firstPauseMs;
          continue;
        }
      } catch (thrown) {
        isConnected = false;
        tell(refusalReason(thrown));
      }
      onFirstTry();
      await clock.sleep(pauseMs, closing.signal).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, maxPauseMs);
    }
  };

  return {
    start: () =>
      new Promise((resolve) => {
        const cancel = clock.after(maxStartMs, resolve);
        void keepConnected(() => {
          cancel();
          resolve();
        });
      }),
    close: () => {
      closing.abort();
      isConnected = false;
      reason = "Parley is stopping.";
      wire.disconnect();
    },
    health: () => (reason === undefined ? { isConnected } : { isConnected, reason }),
    self: async () => known ?? Promise.reject(new Error("Slack has not yet said who Parley is")),
  };
}

const maxHelloMs = 10_000;
const watchMs = 1_000;
const closingMs = 1_000;

export function socketWire(options: {
  readonly appToken: string;
  readonly apiUrl?: string;
  readonly clock: Clock;
  readonly log: Log;
}): Wire {
  const { appToken, clock, log } = options;
  const receiver = new SocketModeReceiver({
    appToken,
    logger: libraryLog(log),
    autoReconnectEnabled: false,
    // An object of its own: the socket client writes its own retries into it.
    installerOptions: { clientOptions: { ...clientOptions(options), timeout: maxHelloMs } },
  });
  const { client } = receiver;
  // A second call ends a socket that does not answer the closing handshake.
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
      // A peer that does not answer the closing handshake would keep the process for another 30 s.
      clock.after(closingMs, end);
    },
  };
}

/** What Parley's own server mounts. */
export type HttpMount = {
  readonly method: "POST";
  readonly path: "/slack/events";
  /** Answers the request itself, whole. */
  readonly listener: (request: IncomingMessage, response: ServerResponse) => void;
};

export function httpWire(options: { readonly signingSecret: string; readonly log: Log }): {
  readonly wire: Wire;
  readonly mount: HttpMount;
} {
  const receiver = new HTTPReceiver({
    signingSecret: options.signingSecret,
    endpoints: ["/slack/events"],
    logger: libraryLog(options.log),
    customPropertiesExtractor: (request) => ({ signature: request.headers["x-slack-signature"] }),
    unhandledRequestHandler: ({ response }) => {
      if (response.headersSent) return;
      response.writeHead(503);
      response.end();
    },
  });
  let end = () => {};
  return {
    wire: {
      receiver,
      connect: async () => undefined,
      lost: () =>
        new Promise((resolve) => {
          end = resolve;
        }),
      disconnect: () => end(),
    },
    mount: {
      method: "POST",
      path: "/slack/events",
      listener: (request, response) => receiver.requestListener(request, response),
    },
  };
}

/** The receiver hands its events to whatever `init` gave it last. */
export function giveTo(wire: Wire, app: App): void {
  wire.receiver.init(app);
}
