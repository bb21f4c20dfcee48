/** The port to the audit log as its page shows it: filtered, newest first, over all workspaces. */
import type { AuditEntry } from "../audit.ts";
import type { PlatformName } from "../model/place.ts";

export type AuditFilter = {
  readonly fromMs?: number;
  /** Exclusive. */
  readonly untilMs?: number;
  /** `personKey` of the place and the actor. */
  readonly person?: string;
  readonly action?: string;
  readonly outcome?: AuditEntry["outcome"];
  readonly platform?: PlatformName;
  /** `workspaceKey` of the place. */
  readonly workspace?: string;
};

/** What there is to filter by; each list has what was used last first, and at most `maxAuditChoices`. */
export type AuditChoices = {
  readonly people: readonly { readonly key: string; readonly name: string }[];
  readonly actions: readonly string[];
  /** Workspace keys. */
  readonly workspaces: readonly string[];
};

export const maxAuditChoices = 200;

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
