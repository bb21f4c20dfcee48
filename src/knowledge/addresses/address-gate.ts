/**
 * Checks a URL against the address policy, DNS included. Every address that a name resolves to must be allowed. The
 * agent service may know names that no DNS here answers, so the caller decides whether an unresolved name is a refusal.
 */
import type { Clock } from "../../core/ports/clock.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import {
  type AddressPolicy,
  type AddressRule,
  type AddressVerdict,
  checkAddress,
  ipOfHost,
  ipRule,
} from "./address-policy.ts";

/** All addresses of a name; rejects, or returns none, when there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export type AddressGate = ReturnType<typeof createAddressGate>;

const resolveMs = 3_000;

export function createAddressGate(options: {
  readonly policy: AddressPolicy;
  readonly clock: Clock;
  readonly resolve: Resolve;
}) {
  const { policy, clock, resolve } = options;
  return {
    /**
     * Takes well under 5 s, whatever DNS does. If DNS needs longer than `textAfterMs`, only the URL's text is checked:
     * for callers with a person waiting, who check again before anything is fetched.
     */
    check: async (
      text: string,
      { mustResolve, textAfterMs }: { readonly mustResolve: boolean; readonly textAfterMs?: number },
    ): Promise<AddressVerdict> => {
      const verdict = checkAddress(text, policy);
      if (verdict.kind === "refused" || ipOfHost(verdict.url.hostname) !== undefined) return verdict;
      if (textAfterMs !== undefined && textAfterMs <= 0) return verdict;
      const found = resolve(verdict.url.hostname).catch(() => []);
      const ips = await withTimeout(found, textAfterMs ?? resolveMs, clock);
      if (ips === undefined && textAfterMs !== undefined) return verdict;
      if (ips === undefined || ips.length === 0) return mustResolve ? { kind: "refused", rule: "unresolved" } : verdict;
      const rule = firstRule(ips, policy);
      return rule === undefined ? verdict : { kind: "refused", rule };
    },
  };
}

/** One private address among public ones is enough for a refusal: the connection may use any of them. */
export function firstRule(ips: readonly string[], policy: AddressPolicy): AddressRule | undefined {
  return ips.map((ip) => ipRule(ip, policy)).find((rule) => rule !== undefined);
}
