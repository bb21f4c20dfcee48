/**
 * Which addresses may be read at all. Whoever can name an address makes a server fetch it, so nothing that only the
 * inside can reach may pass, however it is written. Pure: what a name resolves to is handed in (address-gate.ts), and
 * checked again for each connection (guarded-fetch.ts), because the answer of a DNS server can change in between.
 */
import ipaddr from "ipaddr.js";

/** The rule that refused an address; each has its sentence in the presentation. */
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
  /** `suggestion`: the address that was probably meant. */
  | { readonly kind: "refused"; readonly rule: AddressRule; readonly suggestion?: string };

export type AddressPolicy = {
  /** INGEST_ALLOW_PRIVATE: the internal network may be read. Metadata services may not, ever. */
  readonly allowsPrivate: boolean;
};

const maxAddressChars = 2_000;

/** Names that no public DNS answers, or that only mean something inside. */
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

/** Addresses at which clouds hand out their machines' credentials; some of them look public. */
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

/** What INGEST_ALLOW_PRIVATE opens. */
const inside: ReadonlySet<AddressRule> = new Set(["private", "loopback", "link-local", "internal-name"]);

const rules: Readonly<Record<string, AddressRule>> = {
  loopback: "loopback",
  private: "private",
  uniqueLocal: "private",
  carrierGradeNat: "private",
  linkLocal: "link-local",
  multicast: "multicast",
};

/** The global unicast addresses that there are, and the prefix by which IPv6-only networks reach IPv4. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");
const translated = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/** What a person wrote -> an address that may be fetched, as far as its text alone can tell. */
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

/** The rule against an IP address, as text of either family; undefined when it may be connected to. */
export function ipRule(ip: string, policy: AddressPolicy): AddressRule | undefined {
  // The library takes "::1.2.3.4" for a mapped address, which it is not; in hexadecimal it does not.
  const plain = ip.includes(":") ? URL.parse(`http://[${ip.replace(/%.*$/, "")}]/`)?.hostname.slice(1, -1) : ip;
  if (plain === undefined || !ipaddr.isValid(plain)) return "reserved";
  const address = ipaddr.process(plain);
  const rule = ruleOf(address);
  return rule !== undefined && policy.allowsPrivate && inside.has(rule) ? undefined : rule;
}

/** Whether a name that does not resolve here looks as if it did inside: no dot, `.local`, `.internal`, … */
export function looksInternal(hostname: string): boolean {
  const name = plainName(hostname);
  return !name.includes(".") || internalEndings.some((ending) => name === ending || name.endsWith(`.${ending}`));
}

/** `[::1]` -> "::1"; undefined for a name. */
export function ipOfHost(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, "$1");
  return ipaddr.isValid(bare) ? bare : undefined;
}

/** The URL parser has already read decimal, octal, hexadecimal and full-width forms as what they are. */
function hostRule(hostname: string, policy: AddressPolicy): AddressRule | undefined {
  const ip = ipOfHost(hostname);
  if (ip !== undefined) return ipRule(ip, policy);
  // The URL parser lets through what no name has, and what means something in the service's filters: "(a+)+.example.com".
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

/** "example.com/docs" was meant as https; "refunds" was not meant as an address. */
function suggestionFor(given: string, policy: AddressPolicy): { readonly suggestion?: string } {
  const bare = given.replace(/^(?:https?:?\/*|\/\/)/i, "");
  if (!/^[^\s/?#@]+\.[^\s/?#@.]{2,}(?:[/?#:]\S*)?$/.test(bare)) return {};
  const verdict = checkAddress(`https://${bare}`, policy);
  return verdict.kind === "allowed" ? { suggestion: verdict.url.href } : {};
}

/** In small letters, without the dots that may stand at the end. */
export function plainName(hostname: string): string {
  return hostname.toLowerCase().replace(/\.+$/, "");
}

function refused(rule: AddressRule): { readonly kind: "refused"; readonly rule: AddressRule } {
  return { kind: "refused", rule };
}
