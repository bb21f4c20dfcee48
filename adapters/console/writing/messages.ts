/**
 * What the console stores and what it sends to open pages, as types. The page's own modules read exactly these shapes,
 * so a change here is a change there.
 */
import type { Action, Block, Tone } from "../../../src/ports/document.ts";

/** One message of Parley's, as the page draws it: the document itself, made safe. The console has no length limit. */
export type ConsolePayload = {
  readonly version: 1;
  readonly tone: Tone;
  readonly blocks: readonly Block[];
  readonly actions: readonly Action[];
  readonly summary: string;
};

export type SharedFile = { readonly id: string; readonly name: string; readonly sizeBytes: number };

/** Without a generation: the first. */
export type ConsoleMark = { readonly replyId: string; readonly part: number; readonly generation?: number };

type MessageBase = {
  readonly version: 1;
  readonly id: string;
  readonly order: string;
  readonly channel: string;
  readonly thread: string;
  readonly atMs: number;
  /** Grows with every change, so that a page never lets an older copy replace a newer one. */
  readonly revision: number;
};

export type ConsoleMessage = MessageBase &
  (
    | { readonly author: "you"; readonly text: string; readonly isEdited: boolean }
    | {
        readonly author: "parley";
        readonly payload: ConsolePayload;
        readonly mark: ConsoleMark;
      }
    /** With a mark it is a part of a Reply. */
    | { readonly author: "parley-file"; readonly file: SharedFile; readonly mark?: ConsoleMark }
  );

/** One thread in the list on the left. */
export type ConversationSummary = {
  readonly version: 1;
  readonly channel: string;
  readonly thread: string;
  /** The beginning of its first question or command. Untrusted text. */
  readonly title: string;
  /** Order of its newest message; absent until it has one, and then it is not listed. */
  readonly lastOrder?: string;
  readonly lastAtMs?: number;
  /** Of Parley's newest message: a running one is marked in the list. */
  readonly tone?: Tone;
};

/** A private answer. Lives in one tab, is stored nowhere. Without a payload it takes back what it said. */
export type PrivateNote = {
  readonly id: string;
  readonly channel: string;
  readonly thread: string;
  /** The message whose button was pressed; the note stands under it. */
  readonly anchor?: string;
  readonly payload?: ConsolePayload;
};

/** What open pages are told. `note` goes to the one tab that asked. */
export type PageEvent =
  | { readonly type: "message"; readonly message: ConsoleMessage }
  | { readonly type: "removed"; readonly channel: string; readonly thread: string; readonly id: string }
  | { readonly type: "conversation"; readonly conversation: ConversationSummary }
  | { readonly type: "conversation-removed"; readonly channel: string; readonly thread: string }
  | { readonly type: "note"; readonly tab: string; readonly note: PrivateNote };
