/** The port to the audit log: who changed what, where, and with what result. */
import type { CommandContext } from "./commands.ts";
import { type Place, personKey, type Role, workspaceKey } from "./model/place.ts";
import type { Collection, CollectionDefinition, CollectionFactory } from "./ports/collection.ts";

export type AuditEntry = {
  readonly version: 1;
  readonly atMs: number;
  readonly actor: { readonly id: string; readonly name: string };
  readonly place: Place;
  readonly role: Role;
  /** The command's path ("agent create"), or its equivalent. */
  readonly action: string;
  /** The subject, e.g. {agent: "sales", changed: "model, key"}. Names only, never a value of a secret field. */
  readonly about: Readonly<Record<string, string>>;
  /** Refused: the role was missing. Mistyped commands changed nothing and are not recorded. */
  readonly outcome: "done" | "failed" | "refused";
  /** Error code, if it failed. */
  readonly code?: string;
  /** Number of refusals within the hour; `about` is that of the first one. */
  readonly count?: number;
  readonly lastAtMs?: number;
};

export type AuditField = "atMs" | "person" | "action" | "outcome" | "platform" | "workspace";
export type AuditEntries = Collection<AuditEntry, AuditField>;

export const auditCollection: CollectionDefinition<AuditEntry, AuditField> = {
  holds: "Who changed what",
  person: { kind: "audit", erase: (entry, strip) => strip(entry) },
  retain: { days: "AUDIT_DAYS", since: "atMs" },
  fields: {
    atMs: ({ atMs }) => atMs,
    person: ({ place, actor }) => personKey(place, actor),
    action: ({ action }) => action,
    outcome: ({ outcome }) => outcome,
    platform: ({ place }) => place.platform,
    workspace: ({ place }) => workspaceKey(place),
  },
  indexes: [
    { by: [], order: "atMs" },
    { by: ["person"], order: "atMs" },
    { by: ["action"], order: "atMs" },
    { by: ["workspace"], order: "atMs" },
    { by: ["outcome"], order: "atMs" },
  ],
};

export const auditEntriesIn = ({ collection }: { readonly collection: CollectionFactory }): AuditEntries =>
  collection("audit", auditCollection);

export type Audit = {
  /** Never rejects: the change is already made, and the log has it too. */
  readonly record: (
    context: Pick<CommandContext, "actor" | "place">,
    entry: Pick<AuditEntry, "role" | "action" | "outcome" | "code"> & {
      readonly about: Readonly<Record<string, string | undefined>>;
    },
  ) => Promise<void>;
};
