/** Looking up the names that strangers write, with a real name server on this machine, answering or silent. */
import { lookup as systemLookup } from "node:dns/promises";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { createAddressGate } from "../../../src/knowledge/addresses/address-gate.ts";
import { createNameLookup } from "../../../src/knowledge/addresses/name-lookup.ts";
import { createGuardedFetch } from "../../../src/knowledge/pages/guarded-fetch.ts";
import type { ReadFailure } from "../../../src/knowledge/pages/read-failure.ts";
import { type DnsServer, startDnsServer } from "../../doubles/network/dns-server.ts";
import { article, startSite } from "../../doubles/network/site.ts";
import { general } from "../../doubles/people.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { until } from "../../doubles/until.ts";
import { openRoom } from "../room.ts";

const strict = { allowsPrivate: false };
const known: Readonly<Record<string, readonly string[]>> = {
  "both.example.com": ["93.184.216.34", "2606:2800:220:1::1"],
  "inside.example.com": ["10.0.0.7"],
  "half.example.com": ["93.184.216.34", "127.0.0.1"],
  "good.eu.org": ["93.184.216.35"],
};
let dns: DnsServer;
let folder: string;

beforeEach(async () => {
  dns = await startDnsServer((name) => (name.includes("silent") ? "silent" : known[name]));
  folder = await temporaryFolder("hosts");
  await writeFile(
    join(folder, "hosts"),
    "127.0.0.1 localhost # us\n10.1.2.3\twiki  docs.intra.example\n::1 wiki\nnonsense\n",
  );
});

afterEach(async () => {
  await dns.close();
});

const namesOf = (clock = systemClock) =>
  createNameLookup({ clock, servers: [dns.address], hostsPath: join(folder, "hosts") });
const addresses = async (found: Promise<readonly { readonly address: string }[]>) =>
  (await found).map(({ address }) => address);
const codeOf = (found: Promise<unknown>) =>
  found.then(
    () => "no error",
    (thrown: NodeJS.ErrnoException) => thrown.code,
  );
const elapsed = async (work: Promise<unknown>) => {
  const beganMs = performance.now();
  await work.catch(() => undefined);
  return performance.now() - beganMs;
};

describe("a name that a stranger wrote", () => {
  it("has all its IP addresses of both families", async () => {
    expect(await addresses(namesOf().resolve("Both.Example.com."))).toEqual(["93.184.216.34", "2606:2800:220:1::1"]);
  });

  it("does not resolve when the name server knows none", async () => {
    expect(await codeOf(namesOf().resolve("unknown.example.com"))).toBe("ENOTFOUND");
  });

  it("is found in the hosts file first, and localhost never reaches a name server", async () => {
    const { resolve } = namesOf();

    expect(await addresses(resolve("wiki"))).toEqual(["10.1.2.3", "::1"]);
    expect(await addresses(resolve("docs.intra.example"))).toEqual(["10.1.2.3"]);
    expect(await addresses(resolve("localhost"))).toEqual(["127.0.0.1"]);
    expect(await addresses(resolve("a.localhost"))).toEqual(["127.0.0.1", "::1"]);
    expect(dns.asked).toEqual([]);
  });

  it("is refused by the policy when it leads inside, by DNS or by the hosts file", async () => {
    const { resolve } = namesOf();
    const { check } = createAddressGate({
      ...{ policy: strict, clock: systemClock },
      resolve: async (name) => (await resolve(name)).map(({ address }) => address),
    });
    const ruleOf = async (url: string) => {
      const verdict = await check(url, { mustResolve: true });
      return verdict.kind === "refused" ? verdict.rule : verdict.kind;
    };

    expect(await ruleOf("http://inside.example.com/")).toBe("private");
    expect(await ruleOf("http://half.example.com/")).toBe("loopback");
    expect(await ruleOf("http://docs.intra.example/")).toBe("private");
    expect(await ruleOf("http://localhost/")).toBe("internal-name");
    expect(await ruleOf("http://both.example.com/")).toBe("allowed");
  });

  it("is what a socket connects to, and the policy is asked for that address", async () => {
    const site = await startSite({ "/": article("Here", "It is here.") });
    await writeFile(join(folder, "hosts"), "127.0.0.1 site.example.com\n");
    const { lookup } = namesOf();
    const open = createGuardedFetch({
      policy: { allowsPrivate: true },
      clock: systemClock,
      userAgent: "Parley",
      lookup,
    });
    const closed = createGuardedFetch({ policy: strict, clock: systemClock, userAgent: "Parley", lookup });
    const url = `http://site.example.com:${site.port}/`;

    expect((await open.get(url)).status).toBe(200);
    await expect(closed.get(url)).rejects.toMatchObject({
      reason: "it leads to Parley's own machine, which only INGEST_ALLOW_PRIVATE=true allows",
    });
    await expect(closed.get(`http://unknown.example.com:${site.port}/`)).rejects.toMatchObject({
      reason: "the name doesn't resolve",
    } satisfies Partial<ReadFailure>);
    expect(site.asked).toEqual(["/"]);
    await Promise.all([open.close(), closed.close(), site.close()]);
  });
});

describe("a silent name server", () => {
  it("is given up after 2 s, and its name isn't resolved again for a minute", async () => {
    let nowMs = Date.now();
    const { resolve } = namesOf({ ...systemClock, now: () => nowMs });

    const firstMs = await elapsed(resolve("one.silent.example"));
    const askedFor = dns.asked.length;
    const again = await codeOf(resolve("one.silent.example"));

    expect(firstMs).toBeGreaterThan(1_000);
    // Not a client's usual 5 s for each of several tries.
    expect(firstMs).toBeLessThan(10_000);
    expect([again, dns.asked.length]).toEqual(["ENOTFOUND", askedFor]);

    nowMs += 61_000;
    await codeOf(resolve("one.silent.example"));
    expect(dns.asked.length).toBeGreaterThan(askedFor);
  });

  it("marks its whole domain silent after three names, but not a suffix that strangers share", async () => {
    const { resolve } = namesOf();
    const ask = (names: readonly string[]) => Promise.all(names.map((name) => codeOf(resolve(name))));

    await ask(["a.silent.co.uk", "b.silent.co.uk", "c.silent.co.uk"]);
    const askedFor = dns.asked.length;
    await ask(["d.silent.co.uk"]);
    expect(dns.asked.length).toBe(askedFor);

    await ask(["neighbour.co.uk"]);
    expect(dns.asked.slice(askedFor)).toEqual(["neighbour.co.uk", "neighbour.co.uk"]);
  });

  it("of one person's names doesn't block the domain for others: anyone can have a name below eu.org", async () => {
    const { resolve, asOwner } = namesOf();
    const mallorys = ["a.silent.eu.org", "b.silent.eu.org", "c.silent.eu.org"];

    await asOwner("mallory", () => Promise.all(mallorys.map((name) => codeOf(resolve(name)))));
    const found = await asOwner("alice", () => addresses(resolve("good.eu.org")));

    expect(found).toEqual(["93.184.216.35"]);
  });

  it("leaves libuv's threads free while 200 names wait for it", async () => {
    const { resolve, asOwner } = namesOf();
    const names = Array.from({ length: 200 }, (_, index) => `www.silent-${index}.example`);

    const looking = names.map((name, index) => asOwner(`owner ${index % 40}`, () => codeOf(resolve(name))));
    await until("16 that are looked up", () => dns.asked.length >= 16);
    const work = Promise.all([systemLookup("localhost"), stat(folder)]).then(() => "done");

    // On those threads, both would wait until all 200 are given up.
    expect(await Promise.race([work, Promise.all(looking)])).toBe("done");
    // They end with the test's process; nothing is kept waiting for them.
    void Promise.all(looking);
  });

  it("delays one person's names and nobody else's", async () => {
    const { resolve, asOwner } = namesOf();

    let givenUp = 0;
    for (let index = 0; index < 200; index += 1) {
      void asOwner("mallory", () => codeOf(resolve(`www.silent-${index}.example`))).then(() => {
        givenUp += 1;
      });
    }
    await asOwner("alice", () => resolve("both.example.com"));

    expect(givenUp).toBeLessThan(100);
  });

  it("leaves an ingest of 200 silent names its answer soon, and the job its turn", async () => {
    const site = await startSite({ "/": article("Refunds", "Refunds take five days.") });
    const room = await openRoom({ dnsServers: [dns.address], settings: { by: "parley" } });
    await room.makeBase("docs");
    const urls = Array.from({ length: 200 }, (_, index) => `https://www.silent-${index}.example/`);

    const beganMs = performance.now();
    const said = await room.say(`/kb ingest ${site.url}/ ${urls.join(" ")} into docs`);

    // One name after the other would take minutes; the target of 5 s is for a machine that does nothing else.
    expect(performance.now() - beganMs).toBeLessThan(20_000);
    expect(said.text).toContain("Adding 201 pages to docs");
    expect(await room.parts().knowledge.jobs.recent(general, 1)).toHaveLength(1);
    await room.close();
    await site.close();
  });
});
