/** The port to the ledger: what Parley put into which knowledge base, and with which rows. */
import type { Named } from "../access.ts";
import type { Place } from "../model/place.ts";

/** Where a document came from. Reading it again gives the same document. */
export type LedgerOrigin =
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "file"; readonly name: string }
  /** Pasted text or rows. */
  | { readonly kind: "rows" }
  /** A file of a synced folder: its path, and its path in there. */
  | { readonly kind: "synced"; readonly source: string; readonly path: string }
  | { readonly kind: "query" }
  | { readonly kind: "thread"; readonly place: Place; readonly messageId: string }
  /** An answer that a person added. */
  | { readonly kind: "answer"; readonly answerId: string };

export type LedgerDocument = {
  readonly version: 1;
  /** Derived from the origin, so that the same document put in again replaces its entry. */
  readonly id: string;
  readonly project: string;
  readonly knowledgeBase: string;
  readonly origin: LedgerOrigin;
  /** Untrusted. */
  readonly title: string;
  readonly url?: string;
  /** "service": its own crawler read it, and its rows are unknown. */
  readonly way: "service" | "parley";
  /** Number of rows whose ids are stored. Absent: unknown, so it can't be removed. */
  readonly rows?: number;
  readonly pages?: number;
  /** SHA-256 of the content as it was read; of a synced file, of its bytes. */
  readonly hash?: string;
  /** Their `personKey`, and their name at that time. */
  readonly by: { readonly key: string; readonly name: string };
  readonly addedAtMs: number;
  /** When it was last read, changed or not. */
  readonly readAtMs: number;
  /** Set by a refresh that found it gone or behind a login, or when the service no longer has its rows. */
  readonly problem?: string;
};

export type LedgerPage = { readonly documents: readonly LedgerDocument[]; readonly total: number };

/** Changes of one base are made under its insert lease, so that two instances don't overwrite each other. */
export type Ledger = {
  readonly put: (document: LedgerDocument, rowIds: readonly string[]) => Promise<void>;
  readonly get: (base: Named, id: string) => Promise<LedgerDocument | undefined>;
  readonly rowIds: (base: Named, id: string) => Promise<readonly string[]>;
  /** Of each document of that base, by its id. */
  readonly rowIdsByDocument: (base: Named) => Promise<ReadonlyMap<string, readonly string[]>>;
  /** Of all documents of that base. */
  readonly allRowIds: (base: Named) => Promise<ReadonlySet<string>>;
  /** Newest first. */
  readonly page: (base: Named, from: number, count: number) => Promise<LedgerPage>;
  readonly delete: (base: Named, id: string) => Promise<void>;
  /** Everything of that base. */
  readonly deleteBase: (base: Named) => Promise<void>;
};
