/** The port to the index of audit entries, which finds their keys by time, person, action, outcome and place. */
import type { AuditEntry } from "../../audit.ts";
import { type PlatformName, personKey, workspaceKey } from "../../model/place.ts";

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

/** What the index knows of an entry. */
export type IndexedEntry = {
  /** Of the entry in the audit log. */
  readonly key: string;
  readonly atMs: number;
  readonly platform: PlatformName;
  readonly workspace: string;
  readonly person: string;
  /** Untrusted. */
  readonly personName: string;
  readonly action: string;
  readonly outcome: AuditEntry["outcome"];
};

export type AuditPosition = Pick<IndexedEntry, "key" | "atMs">;

/** What there is to filter by; each list has what was used last first, and at most `maxAuditChoices`. */
export type AuditChoices = {
  readonly people: readonly { readonly key: string; readonly name: string }[];
  readonly actions: readonly string[];
  /** Workspace keys. */
  readonly workspaces: readonly string[];
};

export const maxAuditChoices = 200;

export type AuditIndex = {
  /** Repeatable: an entry that is known is replaced. */
  readonly put: (entries: readonly IndexedEntry[]) => Promise<void>;
  /** Leaves an entry alone that is of another person by now. */
  readonly delete: (entries: readonly IndexedEntry[]) => Promise<void>;
  /** Newest first; those after `after`. Yields to the event loop in between. */
  readonly find: (filter: AuditFilter, after: AuditPosition | undefined, limit: number) => Promise<AuditPosition[]>;
  readonly choices: () => Promise<AuditChoices>;
  /** Removes a person, given by `personKey`, from the choices. */
  readonly forget: (person: string) => Promise<void>;
  /** Removes entries of before that time, and choices that were last used before it. Returns the number of entries. */
  readonly prune: (beforeMs: number) => Promise<number>;
};

export function indexedEntry(key: string, { atMs, place, actor, action, outcome }: AuditEntry): IndexedEntry {
  return {
    key,
    atMs,
    platform: place.platform,
    workspace: workspaceKey(place),
    person: personKey(place, actor),
    personName: actor.name,
    action,
    outcome,
  };
}
