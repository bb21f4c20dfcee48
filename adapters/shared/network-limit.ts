/** Counts by network what someone did within the last minute, so that they are told to wait, and nobody else is. */
import { LRUCache } from "lru-cache";
import type { Clock } from "../../src/core/ports/clock.ts";
import { networkOf } from "./browser-address.ts";

/** Networks that are remembered; the one that did nothing for longest is forgotten first. */
const maxNetworks = 10_000;

/** `address`: undefined counts as one network. */
type Sender = { readonly address: string | undefined };

const originOf = ({ address }: Sender) => (address === undefined ? "" : networkOf(address));

/** `atMost`: a minute. Read the whole request before asking it, so that simultaneous ones are counted one after the other. */
export function createNetworkLimit(clock: Pick<Clock, "now">, atMost: number) {
  /** Network -> when, within the last minute. */
  const counted = new LRUCache<string, readonly number[]>({ max: maxNetworks });
  const recent = (from: string) => (counted.get(from) ?? []).filter((atMs) => clock.now() - atMs < 60_000);

  return {
    isReached: (sender: Sender): boolean => recent(originOf(sender)).length >= atMost,

    count: (sender: Sender): void => {
      const from = originOf(sender);
      counted.set(from, [...recent(from), clock.now()]);
    },
  };
}
