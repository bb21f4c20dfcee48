/**
 * The leases on a queue that this instance holds.
 */
import { ParleyError } from "../../../core/errors.ts";
import type { Wish } from "./queue-options.ts";

export type Held = Wish & {
  readonly fence: number;
  /** By this instance's clock, counted from sending the renewal, so never later than the expiry in Redis. */
  expiresAtMs: number;
  readonly controller: AbortController;
};

/** By ticket id. */
export type HeldLeases = Map<string, Held>;

/** Removes it, and tells its holder. */
export function lose(held: HeldLeases, id: string): void {
  const cause = new Error("The lease could not be renewed in time.");
  const lost = held.get(id);
  held.delete(id);
  lost?.controller.abort(new ParleyError("state_unavailable", { cause }));
}

export function loseExpired(held: HeldLeases, nowMs: number): void {
  for (const [id, { expiresAtMs }] of held) if (expiresAtMs <= nowMs) lose(held, id);
}
