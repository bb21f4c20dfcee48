/**
 * Decides which URLs may be fetched. Anyone who can name a URL makes a server fetch it, so nothing that only the
 * internal network can reach may pass, however it is written. Pure: DNS results are passed in (address-gate.ts), and
 * checked again for each connection (guarded-fetch.ts), because a DNS server's answer can change in between.
 */
import ipaddr from "ipaddr.js";

/** The rule that refused a URL; src/presentation has a sentence for each. */
export type AddressRule =
  | "not-an-address"
  | "too-long"
  | "scheme"
  | "credentials"
  | "internal-name"
  | "private"
  | "loopback"
  | "link-local"
  | "metadata"
  | "multicast"
  | "reserved"
  | "unresolved";

export type AddressVerdict =
  | { readonly kind: "allowed"; readonly url: URL }
  /** `suggestion`: the URL that was probably meant. */
  | { readonly kind: "refused"; readonly rule: AddressRule; readonly suggestion?: string };

export type AddressPolicy = {
  /** INGEST_ALLOW_PRIVATE: allows the internal network. Metadata services stay refused. */
  readonly allowsPrivate: boolean;
};

const maxAddressChars = 2_000;

/** Names that no public DNS answers, or that mean something only inside a network. */
const internalEndings: readonly string[] = [
  "localhost",
  "localdomain",
  "local",
  "internal",
  "intranet",
  "private",
  "lan",
  "corp",
  "home",
  "home.arpa",
  "in-addr.arpa",
  "ip6.arpa",
  "cluster.local",
  "svc",
  "metadata.goog",
  "onion",
  "test",
  "invalid",
];

/** Addresses where clouds serve their machines' credentials; some of them look public. */
const metadataAddresses = new Set([
  "169.254.169.254",
  "169.254.170.2",
  "169.254.170.23",
  "169.254.169.123",
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  "fd00:ec2::254",
  "fd20:ce::254",
]);

/** The rules that INGEST_ALLOW_PRIVATE lifts. */
const inside: ReadonlySet<AddressRule> = new Set(["private", "loopback", "link-local", "internal-name"]);

const rules: Readonly<Record<string, AddressRule>> = {
  loopback: "loopback",
  private: "private",
  uniqueLocal: "private",
  carrierGradeNat: "private",
  linkLocal: "link-local",
  multicast: "multicast",
};

/** The global unicast range, and the prefix by which IPv6-only networks reach IPv4. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");
const translated = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/** Parses what a person wrote and checks it as far as the text alone allows. */
export function checkAddress(text: string, policy: AddressPolicy): AddressVerdict {
  const given = text.trim().replace(/^<(.*)>$/, "$1");
  if (given.length > maxAddressChars) return refused("too-long");
  const url = URL.parse(given);
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(given)) {
    if (url !== null && /^(?:mailto|javascript|data|file|blob|about|vbscript|tel):/i.test(given)) {
      return refused("scheme");
    }
    return { ...refused("not-an-address"), ...suggestionFor(given, policy) };
  }
  if (url !== null && url.protocol !== "http:" && url.protocol !== "https:") return refused("scheme");
  if (url === null || url.hostname === "") return refused("not-an-address");
  if (url.username !== "" || url.password !== "") return refused("credentials");
  const rule = hostRule(url.hostname, policy);
  return rule === undefined ? { kind: "allowed", url } : refused(rule);
}

/** The rule that refuses an IP address of either family, given as text; undefined when connecting is allowed. */
export function ipRule(ip: string, policy: AddressPolicy): AddressRule | undefined {
  // The library reads "::1.2.3.4" as a mapped address, which it isn't; in hexadecimal it reads it correctly.
  const plain = ip.includes(":") ? URL.parse(`http://[${ip.replace(/%.*$/, "")}]/`)?.hostname.slice(1, -1) : ip;
  if (plain === undefined || !ipaddr.isValid(plain)) return "reserved";
  const address = ipaddr.process(plain);
  const rule = ruleOf(address);
  return rule !== undefined && policy.allowsPrivate && inside.has(rule) ? undefined : rule;
}

/** True for names that look internal: no dot, `.local`, `.internal`, …. */
export function looksInternal(hostname: string): boolean {
  const name = plainName(hostname);
  return !name.includes(".") || internalEndings.some((ending) => name === ending || name.endsWith(`.${ending}`));
}

/** `[::1]` -> "::1"; undefined for a name. */
export function ipOfHost(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, "$1");
  return ipaddr.isValid(bare) ? bare : undefined;
}

/** The URL parser has already normalised decimal, octal, hexadecimal and full-width forms. */
function hostRule(hostname: string, policy: AddressPolicy): AddressRule | undefined {
  const ip = ipOfHost(hostname);
  if (ip !== undefined) return ipRule(ip, policy);
  // The URL parser accepts characters that no host name has, some of which mean something in the service's filters:
  // "(a+)+.example.com".
  if (!/^[a-z\d_-]+(?:\.[a-z\d_-]+)*\.?$/.test(hostname)) return "not-an-address";
  return looksInternal(hostname) && !policy.allowsPrivate ? "internal-name" : undefined;
}

function ruleOf(address: ipaddr.IPv4 | ipaddr.IPv6): AddressRule | undefined {
  if (metadataAddresses.has(address.toString())) return "metadata";
  if (address instanceof ipaddr.IPv6) {
    if (address.match(translated)) return ruleOf(new ipaddr.IPv4(address.toByteArray().slice(12)));
    const range = address.range();
    if (range !== "unicast") return rules[range] ?? "reserved";
    return address.match(globalUnicast) ? undefined : "reserved";
  }
  const range = address.range();
  return range === "unicast" ? undefined : (rules[range] ?? "reserved");
}

/** "example.com/docs" probably meant https; "refunds" wasn't meant as a URL. */
function suggestionFor(given: string, policy: AddressPolicy): { readonly suggestion?: string } {
  const bare = given.replace(/^(?:https?:?\/*|\/\/)/i, "");
  if (!/^[^\s/?#@]+\.[^\s/?#@.]{2,}(?:[/?#:]\S*)?$/.test(bare)) return {};
  const verdict = checkAddress(`https://${bare}`, policy);
  return verdict.kind === "allowed" ? { suggestion: verdict.url.href } : {};
}

/** Lower case, without trailing dots. */
export function plainName(hostname: string): string {
  return hostname.toLowerCase().replace(/\.+$/, "");
}

function refused(rule: AddressRule): { readonly kind: "refused"; readonly rule: AddressRule } {
  return { kind: "refused", rule };
}
