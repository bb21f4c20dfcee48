/** The table of addresses that may not be read, in every notation, and properties that hold for all of them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAddressGate } from "../../../src/knowledge/addresses/address-gate.ts";
import {
  type AddressRule,
  checkAddress,
  ipRule,
  looksInternal,
} from "../../../src/knowledge/addresses/address-policy.ts";
import { anyCharacter } from "../../any-character.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { runs } from "../../properties.ts";

const strict = { allowsPrivate: false };
const open = { allowsPrivate: true };

function ruleOf(text: string, policy = strict): AddressRule | "allowed" {
  const verdict = checkAddress(text, policy);
  return verdict.kind === "allowed" ? "allowed" : verdict.rule;
}

const refusals: readonly (readonly [string, AddressRule])[] = [
  ["ftp://example.com/x", "scheme"],
  ["file:///etc/passwd", "scheme"],
  ["javascript:alert(1)", "scheme"],
  ["gopher://example.com", "scheme"],
  ["mailto:a@example.com", "scheme"],
  ["https://user@example.com/", "credentials"],
  ["https://user:pass@example.com/", "credentials"],
  ["https://example.com@127.0.0.1/", "credentials"],
  ["http://127.0.0.1/", "loopback"],
  ["http://127.0.0.1.:8080/", "loopback"],
  ["http://127.1/", "loopback"],
  ["http://2130706433/", "loopback"],
  ["http://0x7f000001/", "loopback"],
  ["http://0x7f.0.0.1/", "loopback"],
  ["http://0177.0.0.1/", "loopback"],
  ["http://017700000001/", "loopback"],
  ["http://①②⑦.⓪.⓪.①/", "loopback"],
  ["http://127。0。0。1/", "loopback"],
  ["http://%31%32%37.0.0.1/", "loopback"],
  ["http://[::1]/", "loopback"],
  ["http://[::ffff:127.0.0.1]/", "loopback"],
  ["http://[::ffff:7f00:1]/", "loopback"],
  ["http://[0:0:0:0:0:ffff:7f00:0001]/", "loopback"],
  ["http://[64:ff9b::7f00:1]/", "loopback"],
  ["http://[64:ff9b::127.0.0.1]/", "loopback"],
  ["http://１２７．０．０．１/", "loopback"],
  ["http://１２７.1/", "loopback"],
  ["http://０x7f.1/", "loopback"],
  ["http://127.00000000000001/", "loopback"],
  ["http://2130706433./", "loopback"],
  ["http://127.0.0.1\t/", "loopback"],
  ["http://127.0.0.1#@example.com/", "loopback"],
  ["http://127.0.0.1:80/", "loopback"],
  ["http://[::1]:22/", "loopback"],
  ["http://10.0.0.1/", "private"],
  ["http://172.16.0.1/", "private"],
  ["http://172.31.255.255/", "private"],
  ["http://192.168.1.1/", "private"],
  ["http://3232235777/", "private"],
  ["http://100.64.0.1/", "private"],
  ["http://[fc00::1]/", "private"],
  ["http://[fd12:3456::1]/", "private"],
  ["http://[::ffff:10.0.0.1]/", "private"],
  ["http://[64:ff9b::a00:1]/", "private"],
  ["http://169.254.1.1/", "link-local"],
  ["http://[fe80::1]/", "link-local"],
  ["http://169.254.169.254/latest/meta-data/", "metadata"],
  ["http://2852039166/", "metadata"],
  ["http://0xa9fea9fe/", "metadata"],
  ["http://[::ffff:169.254.169.254]/", "metadata"],
  ["http://[fd00:ec2::254]/", "metadata"],
  ["http://[64:ff9b::169.254.169.254]/", "metadata"],
  ["http://⑯⑨。②⑤④。⑯⑨｡②⑤④/", "metadata"],
  ["http://0251.0376.0251.0376/", "metadata"],
  ["http://100.100.100.200/", "metadata"],
  ["http://168.63.129.16/", "metadata"],
  ["http://224.0.0.1/", "multicast"],
  ["http://[ff02::1]/", "multicast"],
  ["http://0.0.0.0/", "reserved"],
  ["http://0/", "reserved"],
  ["http://255.255.255.255/", "reserved"],
  ["http://240.0.0.1/", "reserved"],
  ["http://192.0.2.1/", "reserved"],
  ["http://198.18.0.1/", "reserved"],
  ["http://[::]/", "reserved"],
  ["http://[2002:7f00:1::]/", "reserved"],
  ["http://[2002:a9fe:a9fe::1]/", "reserved"],
  ["http://[64:ff9b:1::a00:1]/", "reserved"],
  ["http://[::127.0.0.1]/", "reserved"],
  ["http://[::ffff:0:127.0.0.1]/", "reserved"],
  ["http://192.88.99.1/", "reserved"],
  ["http://4294967295/", "reserved"],
  ["http://[2001::1]/", "reserved"],
  ["http://[fec0::1]/", "reserved"],
  ["http://[2001:db8::1]/", "reserved"],
  ["http://[4000::1]/", "reserved"],
  ["http://localhost/", "internal-name"],
  ["http://LOCALHOST./", "internal-name"],
  ["http://ⓛocalhost/", "internal-name"],
  ["http://a.localhost/", "internal-name"],
  ["http://wiki/", "internal-name"],
  ["http://wiki./", "internal-name"],
  ["http://printer.local/", "internal-name"],
  ["http://metadata.google.internal/", "internal-name"],
  ["http://wiki.corp/", "internal-name"],
  ["http://nas.lan/", "internal-name"],
  ["http://box.home.arpa/", "internal-name"],
  ["http://svc.cluster.local/", "internal-name"],
  ["http://kubernetes.default.svc/", "internal-name"],
  ["http://metadata.goog/", "internal-name"],
  ["http://ｌｏｃａｌｈｏｓｔ/", "internal-name"],
  ["http://local\u00adhost/", "internal-name"],
  ["http://[fe80::1%25eth0]/", "not-an-address"],
  ["http://[fe80::1%eth0]/", "not-an-address"],
  ["http://4294967296/", "not-an-address"],
  ["http://256.0.0.1/", "not-an-address"],
  ["http://example.com:65536/", "not-an-address"],
  ["http:\\\\127.0.0.1\\", "not-an-address"],
  ["http:127.0.0.1", "not-an-address"],
  ["http://127.0.0.1%00.example.com/", "not-an-address"],
  ["http://1.2.3.4.5/", "not-an-address"],
  ["http://", "not-an-address"],
  ["https://exa mple.com", "not-an-address"],
  ["http://a..example.com/", "not-an-address"],
  ["http://.example.com/", "not-an-address"],
  ["http://example.com../", "not-an-address"],
  ["http://(a+)+.example.com/", "not-an-address"],
  ["http://a*.example.com/", "not-an-address"],
  ["http://a`b.example.com/", "not-an-address"],
  ["http://a'b.example.com/", "not-an-address"],
  ["refund policy", "not-an-address"],
  ["", "not-an-address"],
  [`https://example.com/${"a".repeat(2_000)}`, "too-long"],
];

describe("a URL as text", () => {
  it.each(refusals)("refuses %s: %s", (text, rule) => {
    expect(ruleOf(text)).toBe(rule);
  });

  it.each([
    "https://example.com/",
    "http://example.com:8080/docs?q=1#part",
    "HTTPS://EXAMPLE.COM",
    "<https://example.com/docs>",
    "https://example.com./",
    "https://münchen.example.com/",
    "https://93.184.216.34/",
    "https://[2606:4700::1111]/",
    "https://172.32.0.1/",
    "https://user.example.com/@name",
  ])("allows %s", (text) => {
    expect(ruleOf(text)).toBe("allowed");
  });

  it.each([
    ["example.com/docs", "https://example.com/docs"],
    ["www.example.com", "https://www.example.com/"],
    ["example.com:8080/x", "https://example.com:8080/x"],
    ["https:/example.com", "https://example.com/"],
    ["//example.com/a", "https://example.com/a"],
  ])("for %s asks whether %s was meant", (text, suggestion) => {
    expect(checkAddress(text, strict)).toEqual({ kind: "refused", rule: "not-an-address", suggestion });
  });

  it.each(["refunds", "localhost:3000/x", "127.0.0.1:80", "10.0.0.1", "wiki.local/x", "a b.com"])(
    "suggests nothing for %s",
    (text) => {
      expect(checkAddress(text, strict)).toEqual({ kind: "refused", rule: "not-an-address" });
    },
  );

  it.each([
    ["http://аррӏе.com/", "http://xn--80ak6aa92e.com/"],
    ["http://ｅｘａｍｐｌｅ.com/", "http://example.com/"],
    ["http://example.com\\@127.0.0.1/", "http://example.com/@127.0.0.1/"],
    ["http://example.com#@127.0.0.1/", "http://example.com/#@127.0.0.1/"],
    ["http://1.1.1.1./", "http://1.1.1.1/"],
  ])("rewrites %s to the one unambiguous notation", (text, href) => {
    expect(checkAddress(text, strict)).toMatchObject({ kind: "allowed", url: { href } });
  });

  it("opens the internal network, but no metadata service, where the settings say so", () => {
    const opened = ["http://127.0.0.1:8080/", "http://10.0.0.1/", "http://wiki/", "http://nas.local/", "http://[::1]/"];

    expect(opened.map((text) => ruleOf(text, open))).toEqual(opened.map(() => "allowed"));
    expect(ruleOf("http://169.254.169.254/", open)).toBe("metadata");
    expect(ruleOf("http://0.0.0.0/", open)).toBe("reserved");
    expect(ruleOf("http://224.0.0.1/", open)).toBe("multicast");
    expect(ruleOf("http://u:p@10.0.0.1/", open)).toBe("credentials");
  });
});

describe("any URL", () => {
  const octet = fc.integer({ min: 0, max: 255 });
  const privateIp = fc.oneof(
    fc.tuple(fc.constant(10), octet, octet, octet),
    fc.tuple(fc.constant(127), octet, octet, octet),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet),
    fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
    fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
    fc.tuple(fc.integer({ min: 224, max: 255 }), octet, octet, octet),
    fc.tuple(fc.constant(0), octet, octet, octet),
  );
  const notation = fc.constantFrom<(ip: readonly number[]) => string>(
    (ip) => ip.join("."),
    (ip) => `${ip.join(".")}.`,
    (ip) => String(numberOf(ip)),
    (ip) => `0x${numberOf(ip).toString(16)}`,
    (ip) => `0${numberOf(ip).toString(8)}`,
    (ip) => ip.map((part) => `0x${part.toString(16)}`).join("."),
    (ip) => ip.map((part) => `0${part.toString(8)}`).join("."),
    (ip) => `${ip[0]}.${ip[1]}.${(ip[2] ?? 0) * 256 + (ip[3] ?? 0)}`,
    (ip) => `[::ffff:${ip.join(".")}]`,
    (ip) => `[64:ff9b::${ip.join(".")}]`,
    (ip) => ip.join(".").replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  );
  const numberOf = (ip: readonly number[]) => ip.reduce((sum, part) => sum * 256 + part, 0);

  it("is refused in every notation when it is inside", () => {
    fc.assert(
      fc.property(privateIp, notation, fc.constantFrom("http", "https"), (ip, write, scheme) => {
        expect(ruleOf(`${scheme}://${write(ip)}/`)).not.toBe("allowed");
      }),
      { numRuns: runs(2_000) },
    );
  });

  it("is judged alike as text and as what was looked up", () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (ip) => {
        const asText = ruleOf(ip.includes(":") ? `http://[${ip}]/` : `http://${ip}/`);
        expect(asText === "allowed" ? undefined : asText).toBe(ipRule(ip, strict));
      }),
      { numRuns: runs(2_000) },
    );
  });

  it("never makes the policy throw", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: anyCharacter }),
          fc.webUrl(),
          fc.string().map((text) => `http://${text}`),
        ),
        (text) => {
          expect(["allowed", "refused"]).toContain(checkAddress(text, strict).kind);
          expect(["allowed", "refused"]).toContain(checkAddress(text, open).kind);
        },
      ),
      { numRuns: runs(2_000) },
    );
  });
});

describe("a URL with DNS", () => {
  const gate = (answers: Readonly<Record<string, readonly string[]>>, policy = strict) =>
    createAddressGate({
      policy,
      clock: createFakeClock(),
      resolve: async (hostname) => {
        const found = answers[hostname];
        if (found === undefined) throw new Error("ENOTFOUND");
        return found;
      },
    });

  it("refuses a public name that leads into the network, also when only one of its addresses does", async () => {
    const { check } = gate({ "a.example.com": ["127.0.0.1"], "b.example.com": ["93.184.216.34", "fd00::1"] });

    expect(await check("http://a.example.com/", { mustResolve: false })).toEqual({ kind: "refused", rule: "loopback" });
    expect(await check("http://b.example.com/", { mustResolve: false })).toEqual({ kind: "refused", rule: "private" });
  });

  it("leaves a name that doesn't resolve to the service, unless it looks internal", async () => {
    const { check } = gate({});

    expect((await check("http://away.example.com/", { mustResolve: false })).kind).toBe("allowed");
    expect(await check("http://away.example.com/", { mustResolve: true })).toEqual({
      kind: "refused",
      rule: "unresolved",
    });
    expect(await check("http://wiki.corp/", { mustResolve: false })).toEqual({
      kind: "refused",
      rule: "internal-name",
    });
  });

  it("waits 3 s for a silent DNS server and no longer", async () => {
    const clock = createFakeClock();
    const { check } = createAddressGate({ policy: strict, clock, resolve: () => new Promise(() => {}) });

    const verdict = check("http://slow.example.com/", { mustResolve: true });
    await clock.advance(3_000);

    expect(await verdict).toEqual({ kind: "refused", rule: "unresolved" });
    expect(clock.pending()).toBe(0);
  });

  it("takes an address with a zone, as DNS may give one, for what it is without", () => {
    expect(["fe80::1%eth0", "::1%lo", "::ffff:127.0.0.1%1"].map((ip) => ipRule(ip, strict))).toEqual([
      "link-local",
      "loopback",
      "loopback",
    ]);
    expect(["127.1", "0x7f000001", "", "1.2.3.4.5", "x"].map((ip) => ipRule(ip, strict))).toEqual([
      "loopback",
      "loopback",
      "reserved",
      "reserved",
      "reserved",
    ]);
  });

  it("knows names of the inside from names of the web", () => {
    expect(["wiki", "a.local", "x.home.arpa", "nas.LAN."].map(looksInternal)).toEqual([true, true, true, true]);
    expect(["example.com", "local.example.com", "intranet.example.org"].map(looksInternal)).toEqual([
      false,
      false,
      false,
    ]);
  });
});
