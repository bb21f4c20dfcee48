/** Counts wrong tokens by network, so that someone who guesses is told to wait, and nobody else is. */
import { LRUCache } from "lru-cache";
import type { Clock } from "../../../src/core/ports/clock.ts";
import { maxFailedLoginsPerMinute, maxGuessingNetworks } from "../limits.ts";
import { type Client, networkOf } from "./client.ts";

type Sender = Pick<Client, "address">;

const originOf = ({ address }: Sender) => (address === undefined ? "" : networkOf(address));

/** Read the whole request before asking it, so that simultaneous guesses are counted one after the other. */
export function createLoginLimit(clock: Pick<Clock, "now">) {
  /** Network -> when it failed within the last minute. */
  const failed = new LRUCache<string, readonly number[]>({ max: maxGuessingNetworks });
  const recent = (from: string) => (failed.get(from) ?? []).filter((atMs) => clock.now() - atMs < 60_000);

  return {
    isReached: (sender: Sender): boolean => recent(originOf(sender)).length >= maxFailedLoginsPerMinute,

    countFailure: (sender: Sender): void => {
      const from = originOf(sender);
      failed.set(from, [...recent(from), clock.now()]);
    },
  };
}
