/**
 * Who changed what, where, and how it ended, or was refused. Commands hand in names and numbers only; what people typed
 * among them, an address or a query, is read for keys all the same.
 */
import { newId } from "../bridge/ids.ts";
import type { Clock } from "../bridge/ports/clock.ts";
import type { CommandContext } from "../bridge/ports/commands.ts";
import type { KeyValue } from "../bridge/ports/state.ts";
import { type Place, type Role, workspaceKey } from "../bridge/words.ts";
import type { Log } from "../operations/log.ts";

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
};

export type Audit = {
  /** Never rejects: what is done is done, and the log has it too. */
  readonly record: (
    context: Pick<CommandContext, "actor" | "place">,
    entry: Pick<AuditEntry, "role" | "action" | "about" | "outcome" | "code">,
  ) => Promise<void>;
};

export function createAudit(options: {
  /** Namespace "audit". */
  readonly store: KeyValue<AuditEntry>;
  /** Entries are deleted when they are as old as this. */
  readonly keptMs: number;
  /** Without keys, tokens and passwords. */
  readonly redact: (text: string) => string;
  readonly clock: Clock;
  readonly log: Log;
}): Audit {
  const { store, keptMs, redact, clock, log } = options;
  return {
    record: async ({ actor, place }, entry) => {
      const atMs = clock.now();
      const about = Object.fromEntries(Object.entries(entry.about).map(([name, value]) => [name, redact(value)]));
      const who = { id: actor.id, name: actor.name };
      const whole: AuditEntry = { version: 1, atMs, actor: who, place, ...entry, about };
      log.info({ audit: whole }, entry.outcome === "refused" ? "something was refused" : "something was changed");
      try {
        await store.set(`${workspaceKey(place)}/${newId(atMs)}`, whole, keptMs);
      } catch (failure) {
        log.error({ err: failure, audit: whole }, "the audit entry could not be stored");
      }
    },
  };
}
