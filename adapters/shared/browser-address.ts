/**
 * The address of the browser that sends a request: of the machine that connects or, if that is in TRUSTED_PROXY, of the
 * one behind it. Anyone can send X-Forwarded-For, so from anyone else it says nothing.
 */
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Proxies in a row that are followed back. */
const maxHops = 10;
/** Longer headers are read from their end, where the nearest proxy writes. */
const maxHeaderChars = 2_000;

/** `peer`: who connects, if that is known; `forwardedFor`: the header. */
export type AddressOf = (
  peer: string | undefined,
  forwardedFor: string | undefined,
) => { readonly address: string | undefined; readonly isTrustedProxy: boolean };

/** `trusted`: TRUSTED_PROXY, as valid CIDRs. */
export function createAddressOf(trusted: readonly string[] = []): AddressOf {
  const ranges = trusted.map(rangeOf);

  function isTrusted(address: string): boolean {
    const parsed = ipaddr.process(address);
    return ranges.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits));
  }

  /** Each proxy appends who connected to it. The first from the end that isn't trusted is the browser. */
  function browserBehind(peer: string, forwardedFor: readonly string[]): string {
    let nearest = peer;
    for (const entry of forwardedFor.toReversed().slice(0, maxHops)) {
      const address = addressIn(entry);
      if (address === undefined) break;
      nearest = address;
      if (!isTrusted(address)) break;
    }
    return nearest;
  }

  return (peer, forwardedFor) => {
    if (peer === undefined || !isTrusted(peer)) return { address: peer, isTrustedProxy: false };
    return { address: browserBehind(peer, entriesOf(forwardedFor)), isTrustedProxy: true };
  };
}

/** IPv4 written as IPv6 means the same addresses as IPv4. */
function rangeOf(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const [network, bits] = ipaddr.parseCIDR(text);
  const isMapped = network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits > 96;
  return isMapped ? [network.toIPv4Address(), bits - 96] : [network, bits];
}

/** A browser with IPv6 has a whole network of addresses, and uses them freely. */
export function networkOf(address: string): string {
  const parsed = ipaddr.parse(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(":") : address;
}

/** The entries of a header to which each proxy adds one. */
export function entriesOf(header: string | undefined): readonly string[] {
  const entries = (header ?? "").slice(-maxHeaderChars).split(",");
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== "");
}

/** "203.0.113.9", "203.0.113.9:4711", "2001:db8::7", "[2001:db8::7]:4711". IPv4 in IPv6 becomes IPv4. */
export function addressIn(entry: string): string | undefined {
  const bare = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(entry)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(entry)?.[1] ?? entry;
  return isIP(bare) === 0 ? undefined : ipaddr.process(bare).toString();
}
