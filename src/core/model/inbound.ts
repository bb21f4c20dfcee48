/** The events of a chat platform: what adapters translate what happens there into, and how the bridge answers. */
import type { Choice, Completion, Document, FieldErrors, Form, FormValues } from "../document.ts";
import type { Actor, Attachment, Place } from "./place.ts";

/**
 * How an event is acknowledged. Called once, within the platform's limit, and for questions only after journaling. If
 * it is never called, the event stays unacknowledged and the platform sends it again.
 */
export type Acknowledgement =
  | { readonly kind: "none" }
  /** "…is thinking", visible to all; `reply` answers later. */
  | { readonly kind: "defer" }
  | { readonly kind: "defer-private" }
  | { readonly kind: "form"; readonly form: Form }
  /** For a submitted form only: the form stays open and shows these errors at its fields. */
  | { readonly kind: "form-errors"; readonly errors: FieldErrors };

/** Answers the person who caused the event. Private: nobody else sees it. */
export type Responder = {
  /** Sends a document; a second call replaces what the first one sent. Never throws: the adapter logs failures. */
  readonly send: (document: Document, visibility: "private" | "public") => Promise<void>;
  /** Removes the private message whose button was pressed. Absent where it can't be removed. */
  readonly hide?: () => Promise<void>;
};

/**
 * At the top level of a direct message, where one person writes, on a platform that gives each answer there a thread:
 * a question continues a topic.
 */
type MayContinueTopic = { readonly continuesTopic?: true };

type InboundBase = {
  /** Unique per platform event; equal for redeliveries and twins. Begins with platform and workspace. */
  readonly eventKey: string;
  /** The platform's own order, padded so that string comparison sorts it. */
  readonly order: string;
  readonly place: Place;
  readonly actor: Actor;
  /** Who votes, where people don't sign in: an id of the browser. Absent: the actor. */
  readonly voter?: string;
  readonly ack: (how: Acknowledgement) => Promise<void>;
  readonly reply: Responder;
};

type PartlyUnread = {
  /** Parts that can't be read and are no attachments, as noun phrases: "a canvas (Plan)". */
  readonly unread?: readonly string[];
};

export type InboundMessage = {
  readonly messageId: string;
  /** Text close to Markdown, with entities decoded and the mention of Parley removed. Complete, never cut. */
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly mentionsParley: boolean;
  /** Mentions, or replies to, a person or bot other than Parley. */
  readonly addressesOthers: boolean;
  /** It names people, groups or bots besides Parley, and says nothing else. */
  readonly isOnlyNames?: true;
  /** A direct message, or a place where only Parley can be meant (the console). */
  readonly isDirect: boolean;
  /**
   * What it shows besides its author's own words: messages that it forwards or replies to, each with its author. Their
   * files are in `attachments`. Without own words this is the question.
   */
  readonly quoted?: string;
} & PartlyUnread;

/** Who wrote a message, and when. */
type Authored = {
  /** Untrusted. */
  readonly authorName: string;
  /** Absent if the platform doesn't say. */
  readonly authorId?: string;
  /** Another app, or Parley itself. */
  readonly isBot: boolean;
  /** Padded like `Inbound.order`. */
  readonly order: string;
  readonly atMs: number;
};

export type Shortcut = "ask-about" | "save" | "use-as-answer";

/** A slash command: typed (`/agent use x`, prefix included) or structured. */
export type CommandInput =
  | { readonly kind: "typed"; readonly text: string }
  | { readonly kind: "structured"; readonly path: string; readonly options: Readonly<Record<string, string>> };

export type Inbound = InboundBase &
  (
    | ({
        readonly kind: "message";
        /** Where a Conversation about this message is, or would be. Pure: computed without asking the platform. */
        readonly conversation: Place;
        /** Sent in a thread that Parley opened, so meant for Parley even before anything was answered there. */
        readonly isInOwnThread?: boolean;
        readonly platformData?: Readonly<Record<string, string>>;
        /** The event may have been handled before: the platform resends it, or Parley read it later. */
        readonly isRepeated?: boolean;
        /** By the platform's clock. Absent: a moment ago. */
        readonly sentAtMs?: number;
      } & InboundMessage &
        MayContinueTopic)
    /** A person edited a message. `questionKey` is the eventKey of the original message. */
    | ({
        readonly kind: "message-edited";
        readonly questionKey: string;
        /** As of the original message. */
        readonly conversation: Place;
      } & InboundMessage)
    | { readonly kind: "message-deleted"; readonly questionKey: string; readonly messageId: string }
    | ({
        readonly kind: "command";
        readonly input: CommandInput;
        readonly attachments: readonly Attachment[];
        readonly conversation: Place;
        readonly platformData?: Readonly<Record<string, string>>;
      } & MayContinueTopic)
    /** The message shortcuts "Ask about this", "Save to knowledge base" and "Use as answer". */
    | {
        readonly kind: "shortcut";
        readonly shortcut: Shortcut;
        /** With all that it shows as its text. */
        readonly about: Omit<InboundMessage, "quoted"> & Authored;
        readonly conversation: Place;
      }
    | ({
        readonly kind: "form";
        readonly formId: string;
        readonly values: FormValues;
        /** Of all file fields. */
        readonly attachments?: readonly Attachment[];
        /** The form's `context`, unchanged. */
        readonly context: string;
        readonly conversation: Place;
        readonly platformData?: Readonly<Record<string, string>>;
      } & MayContinueTopic)
    /** A button press. */
    | ({
        readonly kind: "action";
        readonly action: string;
        readonly value: string;
        readonly messageId?: string;
        /** Where a Conversation that this press begins would be. Absent: in the place of the message. */
        readonly conversation?: Place;
        readonly platformData?: Readonly<Record<string, string>>;
        /** The platform shows the button as pressed for good: pressing it again must not undo anything. */
        readonly keepsPressed?: true;
        /** Pressed in Parley's own tab, which may show something else now. */
        readonly isInHome?: true;
      } & MayContinueTopic)
    | { readonly kind: "reaction"; readonly emoji: string; readonly messageId: string; readonly added: boolean }
    /**
     * Parley was added: to a channel, or to a server, of which `place` is the channel to speak in. `actor` is who added
     * it if the platform says so, else Parley itself. `eventKey` differs when it is removed and added again.
     */
    | { readonly kind: "joined" }
    /** A person opened Parley's own tab: publish it for them. */
    | { readonly kind: "home-opened" }
    /** The platform's own Stop (Slack's agent view): stops everything running in that Conversation. */
    | { readonly kind: "stop-conversation"; readonly conversation: Place }
  );

export type ThreadMessage = Authored & {
  readonly messageId: string;
  /** Sent by Parley itself. */
  readonly isOwn: boolean;
  /** Parley's own, and not at its end yet: what it shows is no content. */
  readonly isUnfinished?: true;
  /** All that a person sees there, what it forwards or replies to included. */
  readonly text: string;
  readonly attachments: readonly Attachment[];
} & PartlyUnread;

/** What to complete, and what was typed so far. */
export type CompletionQuery = {
  readonly completes: Completion;
  readonly typed: string;
  readonly place: Place;
  readonly actor: Actor;
};

/** What the bridge offers to adapters. */
export type InboundPort = {
  /** Never rejects. Resolves when the event is handled; Turns keep running after that. */
  readonly handle: (inbound: Inbound) => Promise<void>;
  /** At most 25 choices (Discord's limit), from a cache, well within 3 s. Never rejects. */
  readonly complete: (query: CompletionQuery) => Promise<readonly Choice[]>;
};
