/**
 * Who changed what, where, and how it ended. Only names and numbers that a command hands in go in, so that a key cannot.
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
  readonly outcome: "done" | "failed";
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
  readonly clock: Clock;
  readonly log: Log;
}): Audit {
  const { store, clock, log } = options;
  return {
    record: async ({ actor, place }, entry) => {
      const atMs = clock.now();
      const whole: AuditEntry = { version: 1, atMs, actor: { id: actor.id, name: actor.name }, place, ...entry };
      log.info({ audit: whole }, "something was changed");
      try {
        await store.set(`${workspaceKey(place)}/${newId(atMs)}`, whole);
      } catch (failure) {
        log.error({ err: failure, audit: whole }, "the audit entry could not be stored");
      }
    },
  };
}
