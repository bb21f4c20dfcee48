/**
 * The port to the audit log: who changed what, where, and how it ended, or was refused.
 */

import type { CommandContext } from "./commands.ts";
import type { Place, Role } from "./model/place.ts";

export type AuditEntry = {
  readonly version: 1;
  readonly atMs: number;
  readonly actor: { readonly id: string; readonly name: string };
  readonly place: Place;
  readonly role: Exclude<Role, "ask">;
  /** The command's path, or what stands for it: "agent create". */
  readonly action: string;
  /** What it was about, e.g. {agent: "sales", changed: "model, key"}. Names only, never a value of a secret field. */
  readonly about: Readonly<Record<string, string>>;
  /** Refused: for want of the role. What only was mistyped changed nothing and is not noted. */
  readonly outcome: "done" | "failed" | "refused";
  /** Of what failed. */
  readonly code?: string;
  /** Of a refusal: how often within the hour; `about` is the first one's. */
  readonly count?: number;
  readonly lastAtMs?: number;
};

export type Audit = {
  /** Never rejects: what is done is done, and the log has it too. */
  readonly record: (
    context: Pick<CommandContext, "actor" | "place">,
    entry: Pick<AuditEntry, "role" | "action" | "about" | "outcome" | "code">,
  ) => Promise<void>;
};
