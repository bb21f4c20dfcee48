/**
 * The console: Parley's own page as a chat platform, and the model for the adapters beside it. It needs no account,
 * so it is what `npm start` opens. Everything here translates; nothing decides.
 */
import type { Hono } from "hono";
import type { ChatPlatform, InboundPort } from "../../src/ports/chat-platform.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Log } from "../../src/ports/log.ts";
import type { Coordinator, KeyValueFactory } from "../../src/ports/state.ts";
import { createAssets } from "./drawing/assets.ts";
import { render } from "./drawing/render.ts";
import { createGuard } from "./intake/guard.ts";
import { platformName } from "./intake/inbound.ts";
import { type CommandDescription, createRoutes } from "./intake/routes.ts";
import { platformLimits } from "./limits.ts";
import { createConsoleApi } from "./writing/api.ts";
import type { ConsolePayload } from "./writing/messages.ts";
import { createResponders } from "./writing/responder.ts";
import { createHub } from "./writing/sse.ts";
import { createConsoleStore } from "./writing/store.ts";

export type { CommandDescription } from "./intake/routes.ts";

export type ConsoleOptions = {
  readonly keyValue: KeyValueFactory;
  readonly coordinator: Pick<Coordinator, "publish" | "subscribe">;
  readonly clock: Clock;
  readonly log: Log;
  /** HOST, as the server listens on it. */
  readonly host: string;
  /** Address of the page for links to messages, without a slash at the end: "http://127.0.0.1:3000". */
  readonly baseUrl: string;
  /** CONSOLE_TOKEN. Without one only loopback is served. */
  readonly token?: string;
  /** The folder that holds README.md and docs/. */
  readonly projectFolder: string;
  /** Every command, for completion. */
  readonly commands: () => readonly CommandDescription[];
  readonly channels?: readonly string[];
  /** Questions that an empty conversation offers. */
  readonly suggestions?: readonly string[];
  /** Ms after which messages are forgotten; absent: never. */
  readonly retentionMs?: number;
  /** Paths on the same server that the guard leaves alone besides the probes: what other platforms send. */
  readonly openPaths?: readonly string[];
};

export type Console = ChatPlatform<ConsolePayload> & {
  /** Puts the guard before everything that `app` serves from now on, and then the page and its API. Once, before `start`. */
  readonly mount: (app: Hono) => Promise<void>;
};

const defaultSuggestions = [
  "How do I connect Slack?",
  "How do I connect Discord?",
  "How do I add pages to a knowledge base?",
];

export function createConsole(options: ConsoleOptions): Console {
  const { clock, log, keyValue } = options;
  const channels = options.channels ?? ["general", "random"];
  let port: InboundPort | undefined;
  let isEnding = false;

  const hub = createHub({ coordinator: options.coordinator, clock, log });
  const store = createConsoleStore({
    keyValue,
    clock,
    ...(options.retentionMs === undefined ? {} : { retentionMs: options.retentionMs }),
    onChange: hub.tell,
  });

  return {
    name: platformName,
    // A page of one's own: what is chosen there keeps an agent from nobody.
    isDirect: () => true,
    limits: platformLimits,
    render,
    ...createConsoleApi({ store, channels, baseUrl: options.baseUrl }),

    mount: async (app) => {
      app.use(
        "*",
        createGuard({
          host: options.host,
          clock,
          log,
          ...(options.token === undefined ? {} : { token: options.token }),
          ...(options.openPaths === undefined ? {} : { openPaths: options.openPaths }),
        }),
      );
      app.route(
        "/",
        createRoutes({
          store,
          hub,
          clock,
          log,
          channels,
          commands: options.commands,
          suggestions: options.suggestions ?? defaultSuggestions,
          responderFor: createResponders({ store, hub, clock, log }),
          port: () => port,
        }),
      );
      app.route("/", await createAssets(options.projectFolder));
    },

    start: async (inboundPort) => {
      if (options.token === undefined) {
        log.warn(
          {},
          "The page needs no token: anyone who can reach it on this machine can do everything (CONSOLE_TOKEN)",
        );
      }
      hub.start();
      port = inboundPort;
    },

    // Nothing has to be told to send no more: what still arrives is journaled, and answered after the restart.
    stopIntake: async () => {
      isEnding = true;
    },

    close: async () => {
      port = undefined;
      hub.close();
    },

    health: () =>
      port === undefined || isEnding
        ? { isConnected: false, reason: "The console is not taking messages." }
        : { isConnected: true },
  };
}
