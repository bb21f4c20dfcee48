/**
 * The port that a platform adapter implements, and what it hands to the bridge.
 * An adapter translates and renders; it decides nothing. docs/adding-a-platform.md walks through one.
 */
import type { Choice, Completion, Document, FieldErrors, Form, FormValues } from "./document.ts";
import type { Actor, Attachment, Place, PlatformName } from "./model/place.ts";
import type { Bucket } from "./state.ts";

/**
 * How an event is acknowledged. Called once, soon: within the platform's limit, and for questions only after journaling.
 * Never calling it leaves the event unacknowledged, so that the platform sends it again.
 */
export type Acknowledgement =
  | { readonly kind: "none" }
  /** "…is thinking", visible to all; answered later by `reply`. */
  | { readonly kind: "defer" }
  | { readonly kind: "defer-private" }
  | { readonly kind: "form"; readonly form: Form }
  /** Only for a submitted form: it stays open with these errors at its fields. */
  | { readonly kind: "form-errors"; readonly errors: FieldErrors };

/** Answers whoever caused the event. Private means that nobody else sees it. */
export type Responder = {
  /** Sends, or on a second call replaces what this responder sent first. Never throws: a failure is logged by the adapter. */
  readonly send: (document: Document, visibility: "private" | "public") => Promise<void>;
};

type InboundBase = {
  /** Unique per platform event; the same for redeliveries and for the twin events of one message. Begins with platform and workspace. */
  readonly eventKey: string;
  /** The platform's own order, padded so that string comparison orders it. */
  readonly order: string;
  readonly place: Place;
  readonly actor: Actor;
  readonly ack: (how: Acknowledgement) => Promise<void>;
  readonly reply: Responder;
};

export type InboundMessage = {
  readonly messageId: string;
  /** Plain Markdown-ish text, entities undone, the mention of Parley itself taken out. Whole, never cut. */
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly mentionsParley: boolean;
  /** Mentions or replies to a person (or bot) that is not Parley. */
  readonly addressesOthers: boolean;
  /** A direct message, or a place where only Parley can be meant (the console). */
  readonly isDirect: boolean;
};

export type Inbound = InboundBase &
  (
    | ({
        readonly kind: "message";
        /** Where a Conversation about it is, or would be: pure, without asking the platform. */
        readonly conversation: Place;
        /** It stands in a thread that Parley itself opened: for Parley, also before anything was answered there. */
        readonly isInOwnThread?: boolean;
        readonly platformData?: Readonly<Record<string, string>>;
        /** Somebody may have been handed it before: the platform sends it again, or it was read later. */
        readonly isRepeated?: boolean;
      } & InboundMessage)
    /** A person changed the text of a message. `questionKey` is the eventKey of that message when it was said. */
    | ({ readonly kind: "message-edited"; readonly questionKey: string } & InboundMessage)
    | { readonly kind: "message-deleted"; readonly questionKey: string; readonly messageId: string }
    /** A slash command: typed (`/agent use x`, prefix included) or structured. */
    | {
        readonly kind: "command";
        readonly input:
          | { readonly kind: "typed"; readonly text: string }
          | {
              readonly kind: "structured";
              readonly path: string;
              readonly options: Readonly<Record<string, string>>;
            };
        readonly attachments: readonly Attachment[];
        readonly conversation: Place;
        readonly platformData?: Readonly<Record<string, string>>;
      }
    /** The message shortcuts "Ask about this" and "Save to knowledge base". */
    | {
        readonly kind: "shortcut";
        readonly shortcut: "ask-about" | "save";
        readonly about: InboundMessage & { readonly authorName: string };
        readonly conversation: Place;
      }
    | {
        readonly kind: "form";
        readonly formId: string;
        readonly values: FormValues;
        /** As it was in the Form. */
        readonly context: string;
        readonly conversation: Place;
        readonly platformData?: Readonly<Record<string, string>>;
      }
    /** A button. */
    | { readonly kind: "action"; readonly action: string; readonly value: string; readonly messageId?: string }
    | { readonly kind: "reaction"; readonly emoji: string; readonly messageId: string; readonly added: boolean }
    /** The platform's own Stop (Slack's agent view): everything running in that Conversation. */
    | { readonly kind: "stop-conversation"; readonly conversation: Place }
  );

export type ThreadMessage = {
  readonly messageId: string;
  /** Padded as Inbound.order is. */
  readonly order: string;
  readonly authorName: string;
  readonly isBot: boolean;
  /** Said by Parley itself. */
  readonly isOwn: boolean;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly atMs: number;
};

/** What a completion was asked for. */
export type CompletionQuery = {
  readonly completes: Completion;
  readonly typed: string;
  readonly place: Place;
  readonly actor: Actor;
};

/** What the bridge offers to adapters. */
export type InboundPort = {
  /** Never rejects. Resolves when the event is dealt with, apart from running Turns. */
  readonly handle: (inbound: Inbound) => Promise<void>;
  /** At most 25 choices (Discord's limit), from a cache, well within 3 s. Never rejects. */
  readonly complete: (query: CompletionQuery) => Promise<readonly Choice[]>;
};

/** What draws from it, where the platform limits edits apart from everything else. Default: every write. */
type Counted = { readonly counts?: "edits" };

export type WriteBucket = Bucket & Counted;

/** At most `limit` writes in any `windowMs`. */
export type WriteWindow = Counted & { readonly limit: number; readonly windowMs: number };

export type WriteLimits = {
  /** Shared by all messages of a workspace. Absent where the platform sets no such limit. */
  readonly perWorkspace?: WriteBucket;
  /** Shared by all messages of a channel (a Discord thread is a channel). */
  readonly perChannel?: WriteWindow;
  /** Writes of each budget that progress leaves for finals. */
  readonly keptForFinals: number;
  /** An edit of progress waits at most this long for what follows at once, so that both are one. Default: 0. */
  readonly settleMs?: number;
};

export type PlatformLimits = {
  readonly writes: WriteLimits;
  /** Default: 10 messages of 4,000 characters. */
  readonly answers?: AnswerRoom;
  /** Text of an attachment that is read into a question, at most. */
  readonly maxAttachmentTextBytes: number;
};

export type MessageRef = { readonly place: Place; readonly messageId: string };

/**
 * Which part of whose Reply a post is: kept by the platform with the message, found again by findOwn. A message that was
 * deleted and is posted anew has the next generation: a platform that posts a mark only once would answer with the deleted
 * one.
 */
export type PostMark = { readonly replyId: string; readonly part: number; readonly generation: number };

/** An own message that bears a mark of the Reply that was asked for. */
export type FoundPart = { readonly part: number; readonly generation: number; readonly messageId: string };

/** How much of an answer is shown as messages; the rest is an attached file. */
export type AnswerRoom = {
  readonly maxMessages: number;
  /** Characters of Markdown that a message has room for, roughly: where to begin to try. */
  readonly charsPerMessage: number;
  /** What Parley needs to attach files, as people who give rights know it: "the scope files:write". */
  readonly fileRight?: string;
};

export type PostedFile = { readonly name: string; readonly content: string; readonly mediaType: string };

export type WriteOptions = {
  /** Progress is rejected at once when the platform is slow to take it; a final waits out its Retry-After. */
  readonly urgency: "progress" | "final";
  readonly signal?: AbortSignal;
};

export type Health = {
  readonly isConnected: boolean;
  /** When not, or when something is lacking all the same: one sentence with the remedy, for /readyz. Never a token. */
  readonly reason?: string;
};

/**
 * A chat platform. `Payload` is one message's content, plain JSON, opaque to the core.
 * Writes throw ParleyError: platform_rate_limited (retryAfterMs), platform_unreachable (the write may have happened),
 * message_gone, message_not_editable, payload_refused, place_gone, not_permitted, platform_refused.
 */
export type ChatPlatform<Payload = unknown> = {
  readonly name: PlatformName;
  readonly limits: PlatformLimits;
  /** Whether that person is served there, where the platform knows better than WORKSPACES alone. Absent: WORKSPACES decides. */
  readonly serves?: (place: Place, actor: Actor) => boolean;
  /** Pure: only Parley and one person read what is said there. Absent: there is no such place. */
  readonly isDirect?: (place: Place) => boolean;
  /**
   * Who that person is there by now, at most a minute old, for what they do elsewhere: in direct messages that belong to no
   * workspace. Undefined where the platform does not say in time. Absent where people have the same rights in both.
   */
  readonly actorNow?: (actor: Actor, place: Place) => Promise<Actor | undefined>;
  /** Of several instances each is handed every event, not one of them. */
  readonly everyInstanceHears?: true;
  /** Connects and begins to hand events to `port`. Resolves when set up; what is away is tried again in the background. */
  readonly start: (port: InboundPort) => Promise<void>;
  /** Stops taking events in; what is already accepted may still be written. */
  readonly stopIntake: () => Promise<void>;
  readonly close: () => Promise<void>;
  readonly health: () => Health;
  /**
   * Pure: the messages that show the document, in order, each within the platform's limits, losing nothing. Never empty.
   * May stop when there are more than `atMost`: the core then shows less of the document and attaches the rest.
   */
  readonly render: (document: Document, atMost?: number) => readonly Payload[];
  /**
   * Makes the place of a Reply exist (Discord: opens the thread) and returns it. Idempotent: after a crash it finds what it made.
   * Absent where nothing needs making.
   */
  readonly prepare?: (turn: {
    readonly id: string;
    readonly question: string;
    readonly askedIn: Place;
    readonly askedMessageId?: string;
    readonly conversation: Place;
    readonly actor: Actor;
    readonly platformData?: Readonly<Record<string, string>>;
  }) => Promise<Place>;
  /** Pure: nothing has to be made for a Reply there, so `prepare` is not asked. Absent: it is asked for each. */
  readonly isPrepared?: (conversation: Place) => boolean;
  /** The Conversation stands in the channel itself although its Place names a thread. Absent where that never is. */
  readonly isInPlace?: (conversation: Place) => boolean;
  // Written as methods, so that a platform of any payload is a ChatPlatform: it is only ever given its own back.
  post(place: Place, payload: Payload, mark: PostMark, options: WriteOptions): Promise<string>;
  edit(ref: MessageRef, payload: Payload, options: WriteOptions): Promise<void>;
  readonly remove: (ref: MessageRef) => Promise<void>;
  /** Removes everything said in that Conversation. Only where Parley itself keeps the messages. */
  readonly forget?: (conversation: Place) => Promise<void>;
  /**
   * Where that person alone reads it: for what cannot be said where it was asked. Undefined where the adapter itself has
   * told somebody why not, unless there is an answer to be sent besides; absent where there is no such place.
   */
  readonly directPlace?: (
    actor: Actor,
    insteadOf: Place,
    hasAnswer?: boolean,
  ) => Place | undefined | Promise<Place | undefined>;
  /** Own messages and files there that carry a mark of that Reply, oldest first. No generation above `newest` was posted. */
  readonly findOwn: (place: Place, replyId: string, newest: number) => Promise<readonly FoundPart[]>;
  /** Messages of the thread, oldest first, all pages, at most `limit` (the newest ones); `after` is an order. */
  readonly readThread: (
    place: Place,
    options: { readonly limit: number; readonly after?: string },
  ) => Promise<readonly ThreadMessage[]>;
  /** The file's bytes, streamed. Throws platform_refused when it may not be read. */
  readonly openAttachment: (attachment: Attachment, signal?: AbortSignal) => Promise<AsyncIterable<Uint8Array>>;
  /**
   * Posts a file as a message of its own. With a mark it is a part of a Reply, as a post is: found by findOwn, and what is
   * returned is what `remove` takes. Throws as posts do.
   */
  readonly uploadFile: (place: Place, file: PostedFile, mark?: PostMark) => Promise<string>;
  /** Marks a message with the bot's own reaction; absent where there are none. */
  readonly react?: (ref: MessageRef, emoji: string) => Promise<void>;
  /** Takes that mark away again; one that is not there is no error. */
  readonly unreact?: (ref: MessageRef, emoji: string) => Promise<void>;
  /** The thread that a message is in, if any. Absent where every event says that by itself. */
  readonly threadOf?: (ref: MessageRef) => Promise<string | undefined>;
  readonly permalink: (ref: MessageRef) => Promise<string | undefined>;
};
