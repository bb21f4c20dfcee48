/**
 * The console: Parley's own page as a chat platform, and the model for other adapters. It needs no account, so
 * `npm start` opens it. Everything here translates; nothing decides.
 */
import type { Hono } from "hono";
import type { ChatPlatform, InboundPort } from "../../src/ports/chat-platform.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Log } from "../../src/ports/log.ts";
import type { Overview } from "../../src/ports/overview/overview.ts";
import type { Coordinator, KeyValueFactory } from "../../src/ports/state.ts";
import { createAdminRoutes } from "./admin/routes.ts";
import { createAssets } from "./drawing/assets.ts";
import { render } from "./drawing/render.ts";
import { createGuard } from "./intake/guard.ts";
import { channels, platformName, workspaceName } from "./intake/inbound.ts";
import { createRoutes, type RoutesOptions } from "./intake/routes.ts";
import { platformLimits } from "./limits.ts";
import { createConsoleApi } from "./writing/api.ts";
import type { ConsolePayload } from "./writing/messages.ts";
import { createResponders } from "./writing/responder.ts";
import { createHub } from "./writing/sse.ts";
import { createConsoleStore } from "./writing/store.ts";

export type ConsoleOptions = {
  readonly keyValue: KeyValueFactory;
  readonly coordinator: Pick<Coordinator, "publish" | "subscribe">;
  readonly clock: Clock;
  readonly log: Log;
  /** HOST, the interface that the server listens on. */
  readonly host: string;
  /** URL of the page for permalinks, without a trailing slash: "http://127.0.0.1:3000". */
  readonly baseUrl: string;
  /** CONSOLE_TOKEN. Without it only loopback is served. */
  readonly token?: string;
  /** TRUSTED_PROXY, as CIDRs. */
  readonly trustedProxy?: readonly string[];
  readonly publicUrl?: string;
  /** The folder that holds README.md and docs/. */
  readonly projectFolder: string;
  readonly commands: RoutesOptions["commands"];
  readonly firstView: RoutesOptions["firstView"];
  readonly ownVote: RoutesOptions["ownVote"];
  readonly pictures: RoutesOptions["pictures"];
  readonly overview: Overview;
  /** NOTIFY_AFTER_SECONDS, in ms; 0: never. */
  readonly notifyAfterMs: number;
  /** Ms after which messages expire; absent: never. */
  readonly retentionMs?: number;
};

export type Console = ChatPlatform<ConsolePayload> & {
  /**
   * Mounts the guard in front of everything registered on `app` later, then the page and its API. Once, before `start`.
   */
  readonly mount: (app: Hono) => Promise<void>;
};

export function createConsole(options: ConsoleOptions): Console {
  const { log } = options;
  let port: InboundPort | undefined;
  let isEnding = false;

  const hub = createHub(options);
  const store = createConsoleStore({ ...options, onChange: hub.notify });

  return {
    name: platformName,
    // The page belongs to one person, so a binding made there confines no agent.
    isDirect: () => true,
    isOwnPage: true,
    // One room for everyone who may open it.
    visibility: async () => "public",
    isMember: async () => true,
    ownChannels: async () => channels.map((channel) => ({ platform: platformName, workspace: workspaceName, channel })),
    channelName: async ({ channel }) => (channels.includes(channel) ? { name: channel } : "gone"),
    limits: platformLimits,
    render,
    ...createConsoleApi({ ...options, store }),

    mount: async (app) => {
      app.use("*", createGuard(options));
      const responderFor = createResponders({ ...options, store, hub });
      app.route("/", createRoutes({ ...options, store, hub, responderFor, port: () => port }));
      app.route("/", createAdminRoutes({ ...options, port: () => port }));
      app.route("/", await createAssets(options.projectFolder));
    },

    start: async (inboundPort) => {
      if (options.token === undefined) {
        log.warn(
          {},
          "Anyone who can reach the page on this machine can do everything, because CONSOLE_TOKEN isn't set",
        );
      }
      hub.start();
      port = inboundPort;
    },

    // There is no source to stop: what still arrives is journaled, and answered after the restart.
    stopIntake: async () => {
      isEnding = true;
    },

    close: async () => {
      port = undefined;
      hub.close();
    },

    health: () =>
      port === undefined || isEnding
        ? { isConnected: false, reason: "The page is not accepting messages." }
        : { isConnected: true },
  };
}
