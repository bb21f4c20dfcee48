/** The ports of the commands that add knowledge, beyond those every command has. */
import type { Knowledge } from "../../knowledge/knowledge.ts";
import type { CommandContext } from "../../ports/commands.ts";
import type { LedgerDocument } from "../../ports/content/ledger.ts";
import { type Attachment, type Place, workspaceKey } from "../../ports/model/place.ts";
import type { KeyValue } from "../../ports/state.ts";
import type { CommandPorts } from "../ports.ts";

/** The content behind a button or form, stored until it is used: neither has room for it. */
export type Pending =
  | { readonly kind: "query"; readonly sql: string; readonly project: string; readonly knowledgeBase: string }
  | {
      readonly kind: "save";
      /** Includes the thread if the message is in one. */
      readonly place: Place;
      readonly messageId: string;
      readonly authorName: string;
      readonly text: string;
    }
  | {
      /** Of a message that asked to save them. */
      readonly kind: "files";
      readonly files: readonly Attachment[];
      /** Of the message. */
      readonly eventKey: string;
      /** As it would be typed. Absent: the person who presses is asked. */
      readonly into?: string;
      /** Someone pressed already. */
      readonly jobId?: string;
    };

export type FeedPorts = CommandPorts & {
  readonly knowledge: Knowledge;
  /** Namespace "pending". */
  readonly pending: KeyValue<Pending>;
  /** Where letting an agent look in a knowledge base was offered after saving. Namespace "offers". */
  readonly offered: KeyValue<{ readonly atMs: number }>;
  /** Called when a document was removed. Never rejects. */
  readonly whenRemoved?: (document: LedgerDocument, context: CommandContext) => Promise<void>;
};

/** Pressed elsewhere, a button finds nothing. */
export function pendingKey({ place }: CommandContext, id: string): string {
  return `${workspaceKey(place)}/${id}`;
}

/** Long enough to think about it, short enough not to retain what people said. */
export const pendingMs = 60 * 60_000;
