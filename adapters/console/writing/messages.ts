/**
 * What the console stores and sends to open pages. The page's own modules read exactly these shapes, so change them
 * together.
 */
import type { Action, Block, Tone } from "../../../src/core/document.ts";
import type { Chart } from "../../../src/core/model/chart.ts";

/** One of Parley's messages, as the page draws it: the document itself, cleaned. Its length is not limited. */
export type ConsolePayload = {
  readonly version: 1;
  readonly tone: Tone;
  readonly byline?: string;
  readonly blocks: readonly Block[];
  readonly actions: readonly Action[];
  readonly summary: string;
};

/** In reading order, as the page counts them. */
export function chartsOf(blocks: readonly Block[]): readonly Chart[] {
  return blocks.flatMap((block) => {
    if (block.kind === "chart") return [block.chart];
    return block.kind === "fold" ? chartsOf(block.blocks) : [];
  });
}

export type SharedFile = { readonly id: string; readonly name: string; readonly sizeBytes: number };

/** A file that a person attached. */
export type AttachedFile = { readonly id: string; readonly name: string; readonly sizeBytes: number };

/** The person who wrote a message, as they were called then. Untrusted text. */
export type Author = { readonly id: string; readonly name: string; readonly isVerified: boolean };

/** Without a generation it is generation 0. */
export type ConsoleMark = { readonly replyId: string; readonly part: number; readonly generation?: number };

type MessageBase = {
  readonly version: 1;
  readonly id: string;
  readonly order: string;
  readonly channel: string;
  readonly thread: string;
  readonly atMs: number;
  /** Grows with every change, so that an older copy never replaces a newer one on the page. */
  readonly revision: number;
};

export type ConsoleMessage = MessageBase &
  (
    | {
        readonly author: "you";
        readonly text: string;
        readonly isEdited: boolean;
        readonly files?: readonly AttachedFile[];
        readonly by: Author;
      }
    | {
        readonly author: "parley";
        readonly payload: ConsolePayload;
        readonly mark: ConsoleMark;
        /** When its work began, or began again. */
        readonly begunAtMs: number;
      }
    /** With a mark, it is a part of a Reply. */
    | { readonly author: "parley-file"; readonly file: SharedFile; readonly mark?: ConsoleMark }
  );

/** One thread in the list on the left. */
export type ConversationSummary = {
  readonly version: 1;
  readonly channel: string;
  readonly thread: string;
  /** The beginning of its first question, or the name that a person gave it. Untrusted text. */
  readonly title: string;
  readonly titleFrom: TitleFrom;
  /** Id of the person who began it. Absent: Parley did. */
  readonly begunBy?: string;
  /** Order of its newest message. Absent while it has none, and then it isn't listed. */
  readonly lastOrder?: string;
  readonly lastAtMs?: number;
  /** Of Parley's newest message: a running one is marked in the list. */
  readonly tone?: Tone;
  /** The last time one of Parley's messages ended. It is unread until a browser has shown it. */
  readonly ended?: Ending;
};

/** `reply`: nothing was asked yet, so it is what Parley said first. */
export type TitleFrom =
  | { readonly kind: "question"; readonly id: string }
  /** Of that message, which may change while it runs. */
  | { readonly kind: "reply"; readonly id: string }
  | { readonly kind: "person"; readonly actorId: string };

export type Ending = {
  /** Always later than the one before. */
  readonly atMs: number;
  readonly tookMs: number;
  readonly tone: Tone;
};

/** A private answer. It lives in one tab and is never stored. Without a payload it removes itself. */
export type PrivateNote = {
  readonly id: string;
  readonly channel: string;
  readonly thread: string;
  /** The message whose button was pressed; the note is shown below it. */
  readonly anchor?: string;
  readonly payload?: ConsolePayload;
};

/**
 * Events for open pages. A `note` goes only to the tab that asked, and to nobody but its person. It may be sent several
 * times, with the same key.
 */
export type PageEvent =
  | { readonly type: "message"; readonly message: ConsoleMessage }
  | { readonly type: "removed"; readonly channel: string; readonly thread: string; readonly id: string }
  | { readonly type: "conversation"; readonly conversation: ConversationSummary }
  | { readonly type: "conversation-removed"; readonly channel: string; readonly thread: string }
  /** For one person's tabs. */
  | {
      readonly type: "pinned";
      readonly personId: string;
      readonly channel: string;
      readonly thread: string;
      readonly isPinned: boolean;
    }
  /** Channels were made, renamed or removed: read the list again. */
  | { readonly type: "channels" }
  | {
      readonly type: "note";
      readonly key: string;
      readonly tab: string;
      readonly person: string;
      readonly note: PrivateNote;
    }
  /** Ends the streams of that session. */
  | { readonly type: "signed-out"; readonly session: string };
