/** The port that a platform adapter implements. An adapter translates and decides nothing. */

import type { Document } from "../document.ts";
import type { InboundPort, ThreadMessage } from "../model/inbound.ts";
import type { Actor, Attachment, Place, PlatformName, Visibility } from "../model/place.ts";
import type { Installs } from "./installs.ts";
import type { Bucket } from "./state.ts";

export type * from "../model/inbound.ts";

/** What counts against the budget, if the platform limits edits separately. Default: every write. */
type Counted = { readonly counts?: "edits" };

export type WriteBucket = Bucket & Counted;

/** At most `limit` writes in any period of `windowMs`. */
export type WriteWindow = Counted & { readonly limit: number; readonly windowMs: number };

export type WriteLimits = {
  /** Shared by all messages of a workspace. Absent where the platform sets no such limit. */
  readonly perWorkspace?: WriteBucket;
  /** Shared by all messages of a channel (a Discord thread is a channel). */
  readonly perChannel?: WriteWindow;
  /** Where posts are limited apart from edits: by workspace, and by channel whatever the thread. */
  readonly posts?: { readonly perWorkspace: Bucket; readonly perChannel: Bucket };
  /** Removals of a workspace's messages, where they are limited apart. */
  readonly removals?: Bucket;
  /** Number of writes in each budget that progress leaves for finals. */
  readonly keptForFinals: number;
  /** A progress edit waits at most this long, so that changes close together become one edit. Default: 0. */
  readonly debounceMs?: number;
};

export type PlatformLimits = {
  readonly writes: WriteLimits;
  /** Default: 10 messages of 4,000 characters. */
  readonly answers?: AnswerRoom;
  /** Maximum text read from one attachment of a question. */
  readonly maxAttachmentTextBytes: number;
};

export type MessageRef = { readonly place: Place; readonly messageId: string };

/**
 * Identifies the part and Reply a post belongs to. The platform stores it with the message, and findOwn finds it. A
 * message that was deleted is reposted with the next generation: a platform that deduplicates posts by mark would
 * otherwise return the deleted one.
 */
export type PostMark = { readonly replyId: string; readonly part: number; readonly generation: number };

/** Parley's own message that carries a mark of the requested Reply. */
export type FoundPart = { readonly part: number; readonly generation: number; readonly messageId: string };

/** How much of an answer is shown as messages; the rest becomes an attached file. */
export type AnswerRoom = {
  readonly maxMessages: number;
  /** Rough number of Markdown characters that fit into a message; the first guess when splitting. */
  readonly charsPerMessage: number;
  /** Rows of a table that are shown of an answer that offers all of them as CSV. Default: all. */
  readonly maxTableRows?: number;
  /** The right Parley needs to attach files, in the words of people who grant it: "the scope files:write". */
  readonly fileRight?: string;
};

export type PostedFile = { readonly name: string; readonly content: string; readonly mediaType: string };

export type WriteOptions = {
  /** Progress is rejected at once when the platform is slow; a final waits for Retry-After. */
  readonly urgency: "progress" | "final";
  readonly signal?: AbortSignal;
  /** Called when something was not ready, such as the picture of a chart: a later edit with the same payload adds it. */
  readonly onLess?: () => void;
};

/** `mark`: of a Reply's message, which keeps it: it may be stored nowhere yet that it was posted. */
export type EditOptions = WriteOptions & { readonly mark?: PostMark };

export type Health = {
  readonly isConnected: boolean;
  /** If not connected, or if something else is wrong: one sentence with the remedy, for /readyz. Never a token. */
  readonly reason?: string;
};

/** Where a thread has to be opened before anything can be said in it. */
export type ReplyPlaces = {
  /** Returns the place of the Reply, created if needed. Idempotent: after a crash it finds the existing one. */
  readonly prepare: (turn: {
    readonly id: string;
    readonly question: string;
    readonly askedIn: Place;
    readonly askedMessageId?: string;
    readonly conversation: Place;
    readonly actor: Actor;
    readonly platformData?: Readonly<Record<string, string>>;
  }) => Promise<Place>;
  /** Pure: a Reply there needs no preparation, so `prepare` is not called. Absent: `prepare` is always called. */
  readonly isPrepared?: (conversation: Place) => boolean;
  /**
   * Removes what `prepare` created for a question that was deleted, unless something is left there. Never rejects. Absent:
   * nothing stays.
   */
  readonly discard?: (conversation: Place) => Promise<void>;
  /** Pure: the Conversation takes place in the channel itself although its Place names a thread. Absent: never. */
  readonly isInPlace?: (conversation: Place) => boolean;
};

/** What the platform knows about people beyond the event. */
export type Memberships = {
  /** Whether that person is served there; asked instead of WORKSPACES. */
  readonly serves: (place: Place, actor: Actor) => boolean;
  /** That person's current data, at most a minute old. Undefined if the platform does not answer in time. */
  readonly actorNow: (actor: Actor, place: Place) => Promise<Actor | undefined>;
};

export type Reactions = {
  /** A private reply to a reaction would be a note in the channel, so a reaction says the result where it can. */
  readonly areAnswers?: true;
  readonly add: (ref: MessageRef, emoji: string) => Promise<void>;
  readonly remove: (ref: MessageRef, emoji: string) => Promise<void>;
};

/** A page of Parley's own that each person sees for themselves (Slack's App Home). */
export type HomeTab = {
  /** Replaces what that person sees there. */
  readonly publish: (actor: Actor, document: Document) => Promise<void>;
  /** Channels that the person shares with Parley, at most 100. Undefined if the platform does not tell. */
  readonly sharedChannels: (actor: Actor) => Promise<readonly Place[] | undefined>;
};

/**
 * A chat platform. `Payload` is one message's content: plain JSON, opaque to the core. Writes throw ParleyError:
 * platform_rate_limited (retryAfterMs), platform_unreachable (the write may have happened), message_gone,
 * message_not_editable, payload_refused, place_gone, thread_gone (its first message was deleted), not_permitted,
 * platform_refused.
 */
export type ChatPlatform<Payload = unknown> = {
  readonly name: PlatformName;
  readonly limits: PlatformLimits;
  /** Pure: whether only Parley and one person read that place. Absent: the platform has no such places. */
  readonly isDirect?: (place: Place) => boolean;
  /** Whether a new message there shows its `Document.byline` as its author. An edit can't change that. */
  readonly namesAuthors?: (place: Place) => boolean;
  /** Where direct messages belong to no workspace. Absent: WORKSPACES and the event's actor say it all. */
  readonly memberships?: Memberships;
  /** A person's name there, from a cache if it was asked for recently. Absent where a mention shows it. */
  readonly nameOf?: (userId: string, place: Place) => Promise<string | undefined>;
  /**
   * Display and real names of people who may be spoken to there, in no particular order; the same list while nothing
   * has changed. `likely`: first names that look like one, searched for where not everyone can be listed. Never rejects.
   */
  readonly namesOfPeople?: (place: Place, likely: readonly string[]) => Promise<readonly string[]>;
  /** A private reply to a message is seen by that person alone, and leaves nothing behind for others. */
  readonly whispers?: true;
  /** Whether that workspace is served. Asked instead of WORKSPACES; absent: WORKSPACES says it. */
  readonly serves?: (workspace: string) => boolean;
  /** Workspaces that installed the app. Absent: there is one, or they are invited otherwise. */
  readonly installs?: Installs;
  /** Served by Parley itself, so links to Parley are relative there. */
  readonly isOwnPage?: true;
  /** Connects and passes events to `port`. Resolves after setup; retries what is unreachable in the background. */
  readonly start: (port: InboundPort) => Promise<void>;
  /** Stops accepting events. Accepted ones can still be answered. */
  readonly stopIntake: () => Promise<void>;
  readonly close: () => Promise<void>;
  readonly health: () => Health;
  /**
   * Pure: the messages that show the document, in order, each within the platform's limits and without loss. Never
   * empty. Can stop beyond `atMost`: the core then shows less and attaches the rest.
   */
  readonly render: (document: Document, atMost?: number) => readonly Payload[];
  /**
   * Pure: that Reply is written past the limits of its channel and workspace, within the same limits of its own. True
   * only for a while. Absent: never.
   */
  readonly hasOwnLimits?: (replyId: string) => boolean;
  /** Creates the place of a Reply before it is posted. Absent where nothing has to be created. */
  readonly replyPlaces?: ReplyPlaces;
  // Declared as methods, so that a ChatPlatform of any payload type is assignable: it only ever gets its own payloads
  // back.
  /**
   * Makes ready what takes long, such as the picture of a chart. False: it can't be. Never rejects. Absent: nothing takes
   * long.
   */
  prepare?(payload: Payload): Promise<boolean>;
  post(place: Place, payload: Payload, mark: PostMark, options: WriteOptions): Promise<string>;
  edit(ref: MessageRef, payload: Payload, options: EditOptions): Promise<void>;
  readonly remove: (ref: MessageRef) => Promise<void>;
  /**
   * Shows what is being done below the conversation, or clears it; beside the messages, so for when edits are short.
   * Never throws, and nobody waits for it. Absent: the platform has no such line.
   */
  readonly status?: (place: Place, words: string | undefined) => void;
  /** Deletes everything said in that Conversation. Only where Parley itself stores the messages. */
  readonly forget?: (conversation: Place) => Promise<void>;
  /** Deletes what it stores about a person beside records that name them, and what they wrote. Only there too. */
  readonly forgetPerson?: (personId: string) => Promise<void>;
  /**
   * A place that only that person reads, for what cannot be said where it was asked. Undefined when the adapter itself
   * has told the person why not, unless `hasAnswer`. Absent where there are no such places.
   */
  readonly directPlace?: (
    actor: Actor,
    insteadOf: Place,
    hasAnswer?: boolean,
  ) => Place | undefined | Promise<Place | undefined>;
  /** Own messages and files with a mark of that Reply, oldest first. No generation above `newest` was posted. */
  readonly findOwn: (
    place: Place,
    replyId: string,
    newest: number,
    signal?: AbortSignal,
  ) => Promise<readonly FoundPart[]>;
  /** Messages of the thread from all pages, oldest first, at most the newest `limit`. `after` is an order. */
  readonly readThread: (
    place: Place,
    options: { readonly limit: number; readonly after?: string },
  ) => Promise<readonly ThreadMessage[]>;
  /** Streams the bytes of a file that was given there. Throws platform_refused when it can't be read. */
  readonly openAttachment: (
    attachment: Attachment,
    place: Place,
    signal?: AbortSignal,
  ) => Promise<AsyncIterable<Uint8Array>>;
  /** Posts a file as a message. With a mark it is part of a Reply: findOwn finds it, `remove` accepts its id. */
  readonly uploadFile: (place: Place, file: PostedFile, mark?: PostMark) => Promise<string>;
  /** The bot's own reactions to a message; adding one twice and removing one that isn't there succeed. */
  readonly reactions?: Reactions;
  readonly home?: HomeTab;
  /**
   * Whether Parley can still speak there: false when it was removed, or the channel was archived or deleted. Asked anew
   * each time. Undefined or absent: unknown.
   */
  readonly isIn?: (place: Place) => Promise<boolean | undefined>;
  /** Who can read that place, at most ten minutes old. Undefined or absent: unknown. */
  readonly visibility?: (place: Place) => Promise<Visibility | undefined>;
  /** The channels that Parley is in, of all served workspaces. Undefined: it can't be found out now. */
  readonly ownChannels?: () => Promise<readonly Place[] | undefined>;
  /**
   * What that channel is called now, without a mark such as #. "gone": it was deleted or archived, or Parley can't see it
   * now. Undefined: it can't be found out now. Absent: places have no names.
   */
  readonly channelName?: (place: Place) => Promise<{ readonly name: string } | "gone" | undefined>;
  /** Whether that person can read that channel now. Undefined or absent: unknown. */
  readonly isMember?: (actor: Actor, place: Place) => Promise<boolean | undefined>;
  /**
   * That person as the platform knows them now. "gone": they have left. Undefined: it can't be found out now. Absent:
   * `memberships` tells, or a person never changes.
   */
  readonly personNow?: (actor: Actor, place: Place) => Promise<Actor | "gone" | undefined>;
  /**
   * Pure: where a Conversation takes place in that channel that no event began, and its order. Absent: in the place
   * itself.
   */
  readonly startedByItself?: (
    place: Place,
    id: string,
    atMs: number,
  ) => { readonly conversation: Place; readonly order: string };
  /** That person's time zone ("Europe/Berlin"). */
  readonly timeZone?: (actor: Actor) => Promise<string | undefined>;
  /** The thread of a message, if any. Absent where every event includes it. */
  readonly threadOf?: (ref: MessageRef) => Promise<string | undefined>;
  readonly permalink: (ref: MessageRef) => Promise<string | undefined>;
};
