/**
 * Composes the Slack adapter from its parts, over Bolt.
 * Events arrive by Socket Mode with an app-level token, else by HTTP with a signing secret on Parley's own server.
 */
import { App } from "@slack/bolt";
import type { AdapterMetrics } from "../../src/core/metrics.ts";
import type { Place } from "../../src/core/model/place.ts";
import type { ChatPlatform, InboundPort } from "../../src/core/ports/chat-platform.ts";
import type { Clock } from "../../src/core/ports/clock.ts";
import type { Log } from "../../src/core/ports/log.ts";
import type { Coordinator, KeyValue } from "../../src/core/ports/state.ts";
import { clientOptions, libraryLog } from "./connection/clients.ts";
import { createConnection } from "./connection/connection.ts";
import { type HttpMount, httpReceiver } from "./connection/http-receiver.ts";
import { socketReceiver } from "./connection/socket-receiver.ts";
import { render, type SlackPayload } from "./drawing/render.ts";
import { isDirectChannel, isPendingThread, orderAt, pendingThread, placeOf, platformName } from "./ids.ts";
import { type InstalledApp, installedApp, type OAuthParts, type OAuthSettings } from "./installations/installs.ts";
import { listen } from "./intake/listeners.ts";
import { platformLimits } from "./limits.ts";
import type { SlackParts } from "./parts.ts";
import type { WorkspaceOptions } from "./workspace.ts";
import { oneWorkspace, type Workspaces } from "./workspaces.ts";
import { toPlatformError } from "./writing/api-errors.ts";
import { createRefusals } from "./writing/refusals.ts";
import { createStatusLine } from "./writing/status-line.ts";

type Ways = {
  readonly intake:
    | { readonly kind: "socket"; readonly appToken: string }
    | { readonly kind: "http"; readonly signingSecret: string };
  /** Base URL of the Web API, up to and including "/api". */
  readonly apiUrl: string;
};

/** One workspace by its bot token, or all that install the app. */
type Access<OAuth> =
  | { readonly botToken: string; readonly oauth?: undefined }
  | { readonly botToken?: undefined; readonly oauth: OAuth };

/** As the settings say. */
export type SlackConfig = Ways & Access<OAuthSettings>;

type Common = Ways & {
  readonly log: Log;
  readonly clock: Clock;
  /** Stores what a workspace refuses, the posts that start a thread for a question, and watermarks. */
  readonly keyValue: KeyValue<string>;
  readonly coordinator: Coordinator;
  /** Absent: nothing is counted. */
  readonly metrics?: AdapterMetrics;
  /** Channels of that workspace with an agent bound to them. */
  readonly boundChannels: (teamId: string) => Promise<readonly string[]>;
};

export type SlackOptions = Common & Access<OAuthSettings & OAuthParts>;

export type SlackPlatform = ChatPlatform<SlackPayload> & {
  /** In HTTP mode: the requests that Parley's server must pass on. */
  readonly httpMount?: HttpMount;
  /** The pages that install the app, by path. */
  readonly installPages?: InstalledApp["pages"] | undefined;
};

export type { HttpMount, SlackPayload };

export function createSlack(options: SlackOptions): SlackPlatform {
  const { clock, log, keyValue } = options;
  const parts: SlackParts = { keyValue, clock, log };
  const refusals = createRefusals(parts);
  const started = Promise.withResolvers<InboundPort>();
  const { workspaces, installed } = workspacesOf(options, { refusals, port: started.promise });
  const { at, known, all } = workspaces;
  const { receiver, mount } = receiverOf(options);
  const connection = createConnection({ ...parts, receiver, workspace: workspaces.only, ...workspaces });
  const clientOf = async (place: Place) => (await at(place)).clients.progress;
  const statusLine = createStatusLine({ ...options, clientOf, refusals });
  /** Undefined: which workspaces installed the app isn't known yet. */
  const installedAt = (place: Place) =>
    at(place).catch((thrown: unknown) =>
      toPlatformError(thrown).code === "not_permitted" ? ("not-installed" as const) : undefined,
    );

  const stopIntake = async () => {
    connection.close();
    installed?.stop();
    await Promise.all(all().map((workspace) => workspace.stop()));
  };

  return {
    name: platformName,
    limits: platformLimits,
    render,
    post: async (place, ...more) => (await at(place)).platform.post(place, ...more),
    edit: async (ref, ...more) => (await at(ref.place)).platform.edit(ref, ...more),
    remove: async (ref) => (await at(ref.place)).platform.remove(ref),
    permalink: async (ref) => (await at(ref.place)).platform.permalink(ref),
    reactions: {
      add: async (ref, emoji) => (await at(ref.place)).platform.reactions.add(ref, emoji),
      remove: async (ref, emoji) => (await at(ref.place)).platform.reactions.remove(ref, emoji),
    },
    findOwn: async (place, ...more) => (await at(place)).platform.findOwn(place, ...more),
    readThread: async (place, ...more) => (await at(place)).platform.readThread(place, ...more),
    threadOf: async (ref) => (await at(ref.place)).platform.threadOf(ref),
    openAttachment: async (attachment, place, signal) =>
      (await at(place)).platform.openAttachment(attachment, place, signal),
    uploadFile: async (place, ...more) => (await at(place)).platform.uploadFile(place, ...more),
    replyPlaces: {
      prepare: async (turn) => (await at(turn.conversation)).platform.replyPlaces.prepare(turn),
      isPrepared: ({ thread }) => thread !== undefined && !isPendingThread(thread),
    },
    home: {
      publish: async (actor, document) => (await at(actor)).platform.home.publish(actor, document),
      sharedChannels: async (actor) => known(actor)?.platform.home.sharedChannels(actor),
    },
    status: statusLine.show,
    visibility: async (place) => known(place)?.platform.visibility(place),
    isMember: async (actor, place) => known(place)?.platform.isMember(actor, place),
    channelName: async (place) => {
      const workspace = await installedAt(place);
      return workspace === "not-installed" ? "gone" : workspace?.platform.channelName(place);
    },
    isIn: async (place) => {
      const workspace = await installedAt(place);
      return workspace === "not-installed" ? false : workspace?.platform.isIn(place);
    },
    ownChannels: async () => {
      const lists = await Promise.all(all().map((workspace) => workspace.ownChannels()));
      const told = lists.filter((list) => list !== undefined);
      return told.length === 0 ? undefined : told.flat();
    },
    isDirect: ({ channel }) => isDirectChannel(channel),
    whispers: true,
    namesAuthors: (place) => known(place)?.namesAuthors() === true,
    // Posting to a user id opens the direct messages with that user.
    directPlace: ({ workspace, id }) => placeOf(workspace, id),
    personNow: async (actor, place) => known(place)?.platform.personNow(actor),
    timeZone: async (actor) => known(actor)?.platform.timeZone(actor),
    namesOfPeople: async (place) => (await known(place)?.platform.namesOfPeople()) ?? [],
    nameOf: async (userId, place) => known(place)?.platform.nameOf(userId),
    startedByItself: ({ workspace, channel }, id, atMs) => ({
      conversation: placeOf(workspace, channel, pendingThread(id)),
      order: orderAt(atMs),
    }),
    httpMount: mount,
    installPages: installed?.pages,
    installs: installed?.installs,
    serves: installed?.serves,

    start: async (inboundPort) => {
      started.resolve(inboundPort);
      const app = new App({
        receiver,
        // A workspace's own clients send its token; Bolt would acknowledge events that it cannot authorise.
        authorize: async () => ({}),
        // inbound.ts drops Parley's own messages, also inside message_changed, which Bolt lets through.
        ignoreSelf: false,
        convoStore: false,
        clientOptions: clientOptions(options),
        logger: libraryLog(log),
      });
      app.error(async (thrown) => log.error({ err: thrown }, "A Slack event could not be handled"));
      listen(app, { log, takerOf: workspaces.ofEvent, removed: installed?.removed });
      await connection.start({
        connected: () => {
          workspaces.connected();
          for (const { catchUp } of all()) catchUp.connected();
        },
        lost: () => {
          workspaces.lost();
          for (const { catchUp } of all()) catchUp.lost();
        },
      });
    },
    stopIntake,
    close: stopIntake,
    health: () => {
      const health = connection.health();
      const problems = all().flatMap((workspace) => workspace.problem() ?? []);
      return { ...health, reason: health.reason ?? problems[0] };
    },
  };
}

function workspacesOf(
  options: SlackOptions,
  more: Pick<WorkspaceOptions, "refusals" | "port">,
): { readonly workspaces: Workspaces; readonly installed?: InstalledApp } {
  if (options.oauth === undefined) return { workspaces: oneWorkspace({ ...options, ...more }) };
  const installed = installedApp({ ...options, ...more, ...options.oauth });
  return { workspaces: installed, installed };
}

function receiverOf({ intake, ...options }: SlackOptions) {
  if (intake.kind === "http") return httpReceiver({ ...options, signingSecret: intake.signingSecret });
  return { receiver: socketReceiver({ ...options, appToken: intake.appToken }), mount: undefined };
}
