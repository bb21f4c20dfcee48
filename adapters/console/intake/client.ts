/** Finds out who sends a request: the machine that connects and, if it is in TRUSTED_PROXY, the browser behind it. */
import type { Context } from "hono";
import { isOwnHost } from "../../../src/core/model/own-host.ts";
import { addressIn, createAddressOf, entriesOf } from "../../shared/browser-address.ts";

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

export type ClientOptions = {
  /** TRUSTED_PROXY, as valid CIDRs. */
  readonly trustedProxy?: readonly string[];
  readonly publicUrl?: string;
};

/** Where a proxy says nothing, PUBLIC_URL tells how browsers reach Parley. */
export function createClientOf({ trustedProxy, publicUrl }: ClientOptions): (context: Context) => Client {
  const known = publicUrl === undefined ? undefined : new URL(publicUrl);
  const addressOf = createAddressOf(trustedProxy);

  return (context) => {
    const peer = peerOf(context);
    const { address, isTrustedProxy } = addressOf(peer, context.req.header("x-forwarded-for"));
    const forwarded = (name: string) =>
      entriesOf(isTrustedProxy ? context.req.header(`x-forwarded-${name}`) : undefined);
    const host = forwarded("host").at(-1) ?? context.req.header("host");
    const isPublic = known !== undefined && (host === known.host || context.req.header("origin") === known.origin);
    const prefix = prefixIn(known?.pathname ?? forwarded("prefix").at(-1));
    const scheme = forwarded("proto").at(-1)?.toLowerCase() ?? (isPublic ? known.protocol.slice(0, -1) : "http");
    return {
      peer,
      isTrustedProxy,
      address,
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

/** Absent in tests that call the app without a server. */
function peerOf(context: Context): string | undefined {
  type Connected = { readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } } };
  const { incoming } = (context.env ?? {}) as Connected;
  return addressIn(incoming?.socket?.remoteAddress ?? "");
}

/** "3000"; "" for the default port, or if the header is invalid. */
function portIn(host: string | undefined): string {
  return URL.parse(`http://${host}`)?.port ?? "";
}

function prefixIn(value: string | undefined): string {
  const path = value?.replace(/\/$/, "") ?? "";
  return /^(?:\/[\w.~-]{1,100}){1,5}$/.test(path) && !/\/\.{1,2}(?:\/|$)/.test(path) ? path : "";
}
