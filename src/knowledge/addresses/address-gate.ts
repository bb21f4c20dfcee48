/**
 * The address policy with DNS: every address that a name resolves to must be one that may be read. What no DNS answers
 * may still be known to the agent service, so whoever asks says whether that is a refusal.
 */
import type { Clock } from "../../ports/clock.ts";
import {
  type AddressPolicy,
  type AddressRule,
  type AddressVerdict,
  checkAddress,
  ipOfHost,
  ipRule,
} from "./address-policy.ts";

/** All addresses of a name; rejects, or gives none, when there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export type AddressGate = {
  readonly policy: AddressPolicy;
  /**
   * Well within 5 s, whatever DNS does. What it is slower for than `textAfterMs` is judged as text alone: for whoever
   * waits, and looks again before anything is read.
   */
  readonly check: (
    text: string,
    options: { readonly mustResolve: boolean; readonly textAfterMs?: number },
  ) => Promise<AddressVerdict>;
};

const resolveMs = 3_000;

export function createAddressGate(options: {
  readonly policy: AddressPolicy;
  readonly clock: Clock;
  readonly resolve: Resolve;
}): AddressGate {
  const { policy, clock, resolve } = options;
  return {
    policy,
    check: async (text, { mustResolve, textAfterMs }) => {
      const verdict = checkAddress(text, policy);
      if (verdict.kind === "refused" || ipOfHost(verdict.url.hostname) !== undefined) return verdict;
      if (textAfterMs !== undefined && textAfterMs <= 0) return verdict;
      const ips = await within(clock, textAfterMs ?? resolveMs, resolve(verdict.url.hostname));
      if (ips === "late" && textAfterMs !== undefined) return verdict;
      if (ips === "late" || ips.length === 0) return mustResolve ? { kind: "refused", rule: "unresolved" } : verdict;
      const rule = firstRule(ips, policy);
      return rule === undefined ? verdict : { kind: "refused", rule };
    },
  };
}

/** One private address among public ones is enough: nobody knows which one a connection takes. */
export function firstRule(ips: readonly string[], policy: AddressPolicy): AddressRule | undefined {
  return ips.map((ip) => ipRule(ip, policy)).find((rule) => rule !== undefined);
}

async function within(clock: Clock, ms: number, work: Promise<readonly string[]>): Promise<readonly string[] | "late"> {
  let cancel = () => {};
  const late = new Promise<"late">((resolve) => {
    cancel = clock.after(ms, () => resolve("late"));
  });
  try {
    return await Promise.race([work.catch(() => []), late]);
  } finally {
    cancel();
  }
}
