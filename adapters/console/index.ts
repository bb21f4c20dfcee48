/**
 * The console: Parley's own page as a chat platform, and the model for other adapters. It needs no account, so
 * `npm start` opens it. Everything here translates; nothing decides.
 */
import type { Hono } from "hono";
import type { Audit } from "../../src/core/audit.ts";
import type { CheckAskedAlone, Forget } from "../../src/core/conversations.ts";
import type { Place } from "../../src/core/model/place.ts";
import type { ChatPlatform, InboundPort } from "../../src/core/ports/chat-platform.ts";
import type { Clock } from "../../src/core/ports/clock.ts";
import type { CollectionFactory } from "../../src/core/ports/collection.ts";
import type { Log } from "../../src/core/ports/log.ts";
import type { Overview } from "../../src/core/ports/overview.ts";
import type { KnowledgeReading, OwnVote, TurnOf } from "../../src/core/ports/platform-module.ts";
import type { Coordinator, KeyValueFactory } from "../../src/core/ports/state.ts";
import type { Works } from "../../src/core/ports/storage/works.ts";
import { adminPagesFor, createAdminRoutes } from "./admin/routes.ts";
import { createChannelRoutes } from "./channels/channel-routes.ts";
import { createChannels } from "./channels/channels.ts";
import { createRemovals } from "./channels/removals.ts";
import { createWhoReads } from "./channels/who-reads.ts";
import { createConversationRoutes } from "./conversations/conversation-routes.ts";
import { createDeletions } from "./conversations/deletions.ts";
import { keepFinishing } from "./conversations/unfinished.ts";
import { createAssets } from "./drawing/assets.ts";
import { createNothingHere } from "./drawing/nothing-here.ts";
import { render } from "./drawing/render.ts";
import { createAttachedFiles } from "./files/attached-files.ts";
import { keepTidy } from "./files/tidying.ts";
import { createUploadRoutes } from "./files/upload-routes.ts";
import { createUploads, type UsedBy } from "./files/uploads.ts";
import { createGuard } from "./intake/guard.ts";
import { platformName } from "./intake/inbound.ts";
import { createRoutes, type RoutesOptions } from "./intake/routes.ts";
import { platformLimits } from "./limits.ts";
import { createActing } from "./mcp/acting.ts";
import { createAsking } from "./mcp/asking.ts";
import { createMcpKnowledge } from "./mcp/knowledge.ts";
import { createMcpRoutes, mcpPath } from "./mcp/routes.ts";
import { createTools } from "./mcp/tools.ts";
import { createPersonalTokens } from "./people/personal-tokens.ts";
import { createPeopleRoutes } from "./people/routes.ts";
import { createSignIn, type Ways } from "./people/sign-in.ts";
import { createTokenRoutes } from "./people/token-routes.ts";
import type { Visitor } from "./people/visitor.ts";
import { createConsoleApi } from "./writing/api.ts";
import type { ConsolePayload } from "./writing/messages.ts";
import { createResponders } from "./writing/responder.ts";
import { createHub } from "./writing/sse.ts";
import { createConsoleStore } from "./writing/store.ts";

export type ConsoleOptions = Ways & {
  readonly keyValue: KeyValueFactory;
  readonly collection: CollectionFactory;
  readonly works: Works;
  readonly coordinator: Pick<Coordinator, "publish" | "subscribe" | "lease">;
  readonly clock: Clock;
  readonly log: Log;
  /** HOST, the interface that the server listens on. */
  readonly host: string;
  /** URL of the page for permalinks, without a trailing slash: "http://127.0.0.1:3000". */
  readonly baseUrl: string;
  /** TRUSTED_PROXY, as CIDRs. */
  readonly trustedProxy?: readonly string[];
  readonly publicUrl?: string;
  /** The folder that holds README.md and docs/. */
  readonly projectFolder: string;
  readonly commands: RoutesOptions["commands"];
  readonly firstView: RoutesOptions["firstView"];
  /** What that browser thinks of an answer. */
  readonly ownVote: OwnVote;
  readonly turnOf: TurnOf;
  readonly readKnowledge: KnowledgeReading;
  readonly pictures: RoutesOptions["pictures"];
  /** Forgets a conversation, as /parley forget does. */
  readonly forget: Forget;
  readonly checkAskedAlone: CheckAskedAlone;
  /** Forgets who answers in a channel. */
  readonly unbind: (place: Place) => Promise<void>;
  readonly overview: Overview;
  readonly audit: Audit;
  readonly version: string;
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
  const uploads = createUploads(options);
  const attached = createAttachedFiles({ uploads, log });
  const store = createConsoleStore({ ...options, removeFiles: uploads.removeAll, onChange: hub.notify });
  const channels = createChannels(options);
  const deletions = createDeletions({ ...options, store, attached, port: () => port });
  const closing = new AbortController();
  const removals = createRemovals({ ...options, store, channels, notify: hub.notify });
  let stopTidying = () => {};
  let stopFinishing = () => {};

  // Other tabs and browsers learn of it at once.
  const onSessionEnd = (session: string) => hub.notify({ type: "signed-out", session });
  const signIn = createSignIn({ ...options, onSessionEnd });
  const acting = createActing({ ...options, channels, port: () => port });
  const asking = createAsking({ ...options, acting, store, channels });
  const knowledge = createMcpKnowledge({ ...options, acting, channels });
  const tools = createTools({ acting, asking, knowledge, clock: options.clock, log });
  const tokens = createPersonalTokens({ ...options, ...signIn });
  const mcp = createMcpRoutes({ ...options, tools, tokens });
  const hasVerifiedPeople = options.provider !== undefined || options.userHeader !== undefined;

  return {
    name: platformName,
    ...createWhoReads({ channels, hasVerifiedPeople }),
    isOwnPage: true,
    limits: platformLimits,
    render,
    ...createConsoleApi({ ...options, store, channels, openAttachment: attached.open }),
    personNow: signIn.personNow,

    mount: async (app) => {
      app.use("*", createGuard({ ...options, signIn }));
      const responderFor = createResponders({ ...options, store, hub });
      const parts = { ...options, store, hub, channels, deletions, removals, uploads, attached };
      app.route("/", createUploadRoutes(parts));
      app.route("/", createRoutes({ ...parts, responderFor, port: () => port }));
      app.route("/", createConversationRoutes(parts));
      app.route("/", createChannelRoutes(parts));
      const { pages, showsPrivate } = options.overview;
      const pagesFor = (visitor: Visitor) => adminPagesFor(pages, visitor);
      app.route("/", createPeopleRoutes({ signIn, adminPagesFor: pagesFor, showsPrivate, log }));
      const mcpUrl = `${options.baseUrl}${mcpPath}`;
      app.route("/", createTokenRoutes({ ...options, tokens, mcpUrl }));
      app.route("/", mcp.app);
      app.route("/", createAdminRoutes({ ...parts, port: () => port }));
      app.route("/", await createAssets(options.projectFolder));
      const nothing = await createNothingHere({ hasPage: true });
      app.notFound(({ req }) => nothing(req));
    },

    start: async (inboundPort) => {
      if (!signIn.isNeeded) {
        log.warn(
          {},
          "Anyone who can reach the page on this machine can do everything, because CONSOLE_TOKEN isn't set",
        );
      }
      hub.start();
      mcp.start();
      const isShown = async ({ channel, thread, message: by }: UsedBy, file: string) => {
        const message = await store.get({ channel, thread }, by);
        return message?.author === "you" && message.files?.some(({ id }) => id === file) === true;
      };
      stopTidying = keepTidy({ uploads, isShown, clock: options.clock, log });
      port = inboundPort;
      const finish = store.texts.recover;
      stopFinishing = keepFinishing({ finish, closing: closing.signal, clock: options.clock, log });
    },

    // There is no source to stop: what still arrives is journaled, and answered after the restart.
    stopIntake: async () => {
      isEnding = true;
      mcp.stopIntake();
    },

    close: async () => {
      port = undefined;
      closing.abort();
      stopFinishing();
      await store.texts.close();
      stopTidying();
      mcp.close();
      hub.close();
    },

    health: () =>
      port === undefined || isEnding
        ? { isConnected: false, reason: "The page is not accepting messages." }
        : { isConnected: true },
  };
}
