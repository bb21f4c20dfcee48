/**
 * Finds out who sends a request: the machine that connects and, if it is in TRUSTED_PROXY, the browser behind it.
 * Anyone can send X-Forwarded-* headers, so from anyone else they say nothing.
 */
import { isIP } from "node:net";
import type { Context } from "hono";
import ipaddr from "ipaddr.js";
import { isOwnHost } from "../../../src/core/model/own-host.ts";

export type Client = {
  /** Address of the machine that connects; undefined if unknown. */
  readonly peer: string | undefined;
  /** The peer is in TRUSTED_PROXY, so what it says about the browser counts. */
  readonly isTrustedProxy: boolean;
  /** Address of the browser, as far as it is known. */
  readonly address: string | undefined;
  readonly scheme: "http" | "https";
  /** Name and port that the browser asked for, as it was sent: check it before use. */
  readonly host: string | undefined;
  /** The request's own Host is PUBLIC_URL's, or one that no web site can have: an address, or a name without a dot. */
  readonly isOwnHost: boolean;
  /** Path below which browsers find Parley: "/parley", or "" for the root. For cookies and redirects. */
  readonly prefix: string;
  /** Tells this Parley from others on the same host, because browsers share cookies between ports. */
  readonly site: string;
};

/** Proxies in a row that are followed back. */
const maxHops = 10;
/** Longer headers are read from their end, where the nearest proxy writes. */
const maxHeaderChars = 2_000;

export type ClientOptions = {
  /** TRUSTED_PROXY, as valid CIDRs. */
  readonly trustedProxy?: readonly string[];
  readonly publicUrl?: string;
};

/** Where a proxy says nothing, PUBLIC_URL tells how browsers reach Parley. */
export function createClientOf({ trustedProxy: trusted = [], publicUrl }: ClientOptions): (context: Context) => Client {
  const known = publicUrl === undefined ? undefined : new URL(publicUrl);
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

  return (context) => {
    const peer = peerOf(context);
    const isTrustedProxy = peer !== undefined && isTrusted(peer);
    const forwarded = (name: string) =>
      entriesOf(isTrustedProxy ? context.req.header(`x-forwarded-${name}`) : undefined);
    const host = forwarded("host").at(-1) ?? context.req.header("host");
    const isPublic = known !== undefined && (host === known.host || context.req.header("origin") === known.origin);
    const prefix = prefixIn(known?.pathname ?? forwarded("prefix").at(-1));
    const scheme = forwarded("proto").at(-1)?.toLowerCase() ?? (isPublic ? known.protocol.slice(0, -1) : "http");
    return {
      peer,
      isTrustedProxy,
      address: isTrustedProxy ? browserBehind(peer, forwarded("for")) : peer,
      scheme: scheme === "https" ? "https" : "http",
      host,
      // What a proxy says in X-Forwarded-Host proves nothing here.
      isOwnHost: isOwnHost(context.req.header("host"), publicUrl),
      prefix,
      // Instances behind one PUBLIC_URL may listen on different ports, and a proxy may hide the browser's port.
      site: `${known?.host ?? portIn(host)}${prefix}`,
    };
  };
}

/** IPv4 written as IPv6 means the same addresses as IPv4. */
function rangeOf(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const [network, bits] = ipaddr.parseCIDR(text);
  const isMapped = network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits > 96;
  return isMapped ? [network.toIPv4Address(), bits - 96] : [network, bits];
}

/** Absent in tests that call the app without a server. */
function peerOf(context: Context): string | undefined {
  type Connected = { readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } } };
  const { incoming } = (context.env ?? {}) as Connected;
  return addressIn(incoming?.socket?.remoteAddress ?? "");
}

/** A browser with IPv6 has a whole network of addresses, and uses them freely. */
export function networkOf(address: string): string {
  const parsed = ipaddr.parse(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(":") : address;
}

/** "3000"; "" for the default port, or if the header is invalid. */
function portIn(host: string | undefined): string {
  return URL.parse(`http://${host}`)?.port ?? "";
}

function entriesOf(header: string | undefined): readonly string[] {
  const entries = (header ?? "").slice(-maxHeaderChars).split(",");
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== "");
}

/** "203.0.113.9", "203.0.113.9:4711", "2001:db8::7", "[2001:db8::7]:4711". IPv4 in IPv6 becomes IPv4. */
function addressIn(entry: string): string | undefined {
  const bare = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(entry)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(entry)?.[1] ?? entry;
  return isIP(bare) === 0 ? undefined : ipaddr.process(bare).toString();
}

function prefixIn(value: string | undefined): string {
  const path = value?.replace(/\/$/, "") ?? "";
  return /^(?:\/[\w.~-]{1,100}){1,5}$/.test(path) && !/\/\.{1,2}(?:\/|$)/.test(path) ? path : "";
}
