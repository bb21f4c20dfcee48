/** The port through which the bridge shows documents. src/delivery implements it for any ChatPlatform. */

import type { Document } from "../core/document.ts";
import type { Place } from "../core/model/place.ts";
import type { Reply } from "../core/model/reply.ts";
import type { ChatPlatform } from "../core/ports/chat-platform.ts";

/** What is new in a document, the most urgent first: where edits are short, the first of these are shown first. */
export type News = "first-step" | "step" | "first-text" | "text" | "result" | "elapsed";

/** Progress that grows: drawn only when a write begins, with about this many characters of its text. */
export type Growing = (maxChars: number) => Document;

/** Keeps one Reply's messages showing the newest document: latest wins, one write in flight, none repeated. */
export type ReplyWriter = {
  /** Shows progress when the budget allows; never waits, never throws. Default: "step". */
  readonly show: (document: Document | Growing, news?: News) => void;
  /**
   * Shows the end: retried, and posted anew where the message can't be edited. Resolves when the platform has accepted
   * every part. Rejects (place_gone, not_permitted, …) only when nothing can be shown there, or with the signal's
   * reason.
   */
  readonly finish: (document: Document, signal?: AbortSignal) => Promise<void>;
  /**
   * After a `finish` that was aborted, or that a dead process had begun: messages already posted stay, and `end`
   * follows them. "whole" when all of the document was posted, so that `end` was not needed.
   */
  readonly cutShort: (document: Document, end: Document, signal?: AbortSignal) => Promise<"whole" | "cut">;
  /** Stops this writer; waits for the write in flight. */
  readonly close: () => Promise<void>;
  /** The Reply as last stored. */
  readonly current: () => Reply;
  /** When the platform last answered a write. -Infinity: never. */
  readonly writtenAtMs: () => number;
};

/** "same": it shows all of that already. "busy": no token to spare, or not now. "unfit": it can't be shown by that one edit. */
export type Refreshed = "shown" | "same" | "busy" | "unfit";

export type Delivery = {
  readonly open: (options: {
    /** Id of the Turn or Job; posts carry it. */
    readonly replyId: string;
    readonly reply: Reply;
    /** Stores the Reply durably; awaited before each post. */
    readonly save: (reply: Reply) => Promise<void>;
    /** Another instance may have posted for it too: searches once more at the end and removes duplicates. */
    readonly mayHaveTwins?: boolean;
    /** The end may be a new message when the budget of edits would delay it. Default: it may not. */
    readonly mayPostAnew?: boolean;
    /** Its end can wait: the ends of others go first. */
    readonly givesWay?: boolean;
    /** Another process may have left words in the status line: the end clears it. */
    readonly mayHaveStatus?: boolean;
    /** Progress is skipped while this returns false. */
    readonly mayShow?: () => boolean;
  }) => ReplyWriter;
  /**
   * Edits the last message of an end that is shown, if nothing else differs and the budget has a token to spare within
   * seconds. Everything else goes first, unless someone waits for it. Rejects only when the document can't be drawn.
   */
  readonly refresh: (options: {
    readonly replyId: string;
    readonly reply: Reply;
    /** Rejects when the Reply has changed meanwhile; then nothing is edited. */
    readonly save: (reply: Reply) => Promise<void>;
    readonly document: Document;
    /** Asked once more just before the edit. */
    readonly isWanted: () => Promise<boolean>;
    /** Someone pressed a button for it: it is as urgent as a new step, and given up sooner. */
    readonly isAwaited?: boolean;
  }) => Promise<Refreshed>;
  /**
   * Removes a message that an end was posted beside, when the budget of removals allows; one that can't be removed
   * shows `instead`, with a token to spare. "later": try again. Rejects with the signal's reason, or without a token
   * when the store is unreachable.
   */
  readonly removeSuperseded: (options: {
    readonly place: Place;
    readonly messageId: string;
    readonly instead: Document;
    readonly signal?: AbortSignal;
  }) => Promise<"done" | "later">;
};

/** A platform and the delivery that writes to it. */
export type Site = { readonly platform: ChatPlatform; readonly delivery: Delivery };
