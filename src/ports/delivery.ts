/**
 * The port through which the bridge shows things. Implemented by src/delivery over a ChatPlatform.
 */
import type { ChatPlatform } from "./chat-platform.ts";
import type { Document } from "./document.ts";
import type { Reply } from "./model/reply.ts";

/**
 * Keeps one Reply's messages showing the newest document.
 * Latest wins; one write in flight per message; what is identical to what stands there is not sent.
 */
export type ReplyWriter = {
  /** Shows progress when the budget allows; never waits, never throws. */
  readonly show: (document: Document) => void;
  /**
   * Shows the end: retried, and posted anew where the message cannot be edited any more. Resolves when every part was
   * accepted by the platform. Rejects (place_gone, not_permitted, …) only when nothing can be shown there at all,
   * or with the signal's reason.
   */
  readonly finish: (document: Document, signal?: AbortSignal) => Promise<void>;
  /**
   * After a `finish` that was aborted, or that a process which died had begun: what stands of that document stays, and
   * `end` is shown behind it. "whole" when all of it stood, so that nothing was to be said.
   */
  readonly cutShort: (document: Document, end: Document, signal?: AbortSignal) => Promise<"whole" | "cut">;
  /** No further writes from this writer; waits for the one in flight. */
  readonly close: () => Promise<void>;
  /** The Reply as last stored. */
  readonly current: () => Reply;
};

export type Delivery = {
  readonly open: (options: {
    /** The Turn's or Job's id; posts carry it. */
    readonly replyId: string;
    readonly reply: Reply;
    /** Stores the Reply durably; awaited before each post. */
    readonly save: (reply: Reply) => Promise<void>;
    /** Somebody else may have posted for it too: looked for once more at the end, and what is too much goes. */
    readonly mayHaveTwins?: boolean;
    /** Progress is left out while it says no. */
    readonly mayShow?: () => boolean;
  }) => ReplyWriter;
};

/** A platform and what writes to it. */
export type Site = { readonly platform: ChatPlatform; readonly delivery: Delivery };
