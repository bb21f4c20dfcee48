/** Counts wrong tokens, so that guessing is slow and one guesser doesn't keep everyone else from signing in. */
import type { Clock } from "../../../src/ports/clock.ts";
import { maxFailedLoginsPerMinute } from "../limits.ts";
import { type Client, networkOf } from "./client.ts";

type Sender = Pick<Client, "address">;

const originOf = ({ address }: Sender) => (address === undefined ? "" : networkOf(address));

/** Read the whole request before asking it, so that simultaneous guesses are counted one after the other. */
export function createLoginLimit(clock: Pick<Clock, "now">) {
  // At most as many as all senders together are allowed.
  let failed: readonly { readonly atMs: number; readonly from: string }[] = [];

  return {
    isReached: (sender: Sender): boolean => {
      const nowMs = clock.now();
      failed = failed.filter(({ atMs }) => nowMs - atMs < 60_000);
      const from = originOf(sender);
      const { ofOne, ofAll } = maxFailedLoginsPerMinute;
      return failed.length >= ofAll || failed.filter((one) => one.from === from).length >= ofOne;
    },

    countFailure: (sender: Sender): void => {
      failed = [...failed, { atMs: clock.now(), from: originOf(sender) }];
    },
  };
}
