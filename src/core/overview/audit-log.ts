/** The port to the audit log as its page shows it: filtered, newest first, over all workspaces. */
import type { AuditEntry } from "../audit.ts";
import type { AuditChoices, AuditFilter } from "../ports/storage/audit-index.ts";

export type AuditPage = {
  readonly entries: readonly AuditEntry[];
  /** Where the next page begins. Absent: there are no more. */
  readonly next?: string;
};

export type AuditLog = {
  /** `cursor`: `next` of the page before; one that makes no sense begins at the newest. Rejects with state_unavailable. */
  readonly page: (filter: AuditFilter, cursor: string | undefined, limit: number) => Promise<AuditPage>;
  /** Each page is read when the one before is consumed. */
  readonly all: (filter: AuditFilter) => AsyncIterable<AuditEntry>;
  readonly choices: () => Promise<AuditChoices>;
};
