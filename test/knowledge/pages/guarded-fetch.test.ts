/** Fetching under the policy, from real servers on this machine. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, LookupFunction } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { createNameLookup } from "../../../src/knowledge/addresses/name-lookup.ts";
import { createGuardedFetch, type GuardedFetchOptions } from "../../../src/knowledge/pages/guarded-fetch.ts";
import type { ReadFailure } from "../../../src/knowledge/pages/read-failure.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { type Site, startSite } from "../../doubles/network/site.ts";

const megabyte = 1024 * 1024;
let site: Site;

beforeAll(async () => {
  site = await startSite({
    "/ok": "<p>hello</p>",
    "/hop": { status: 302, headers: { location: "/ok" } },
    "/inside": { status: 302, headers: { location: "http://169.254.169.254/latest" } },
    "/script": { status: 302, headers: { location: "javascript:alert(1)" } },
    "/large": { body: Buffer.alloc(2 * megabyte, "a") },
    "/bomb": { headers: { "content-encoding": "gzip" }, body: gzipSync(Buffer.alloc(5 * megabyte, "a")) },
    "/endless": (_request, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, "a")));
      };
      response.on("drain", write);
      write();
    },
    "/silent": () => {},
    "/gone": { status: 404, body: "nothing" },
  });
  for (let hop = 0; hop < 7; hop += 1) {
    site.set(`/loop${hop}`, { status: 301, headers: { location: `/loop${hop + 1}` } });
  }
});

afterAll(() => site.close());

async function withFetch<T>(
  options: Partial<GuardedFetchOptions>,
  work: (get: ReturnType<typeof createGuardedFetch>["get"]) => Promise<T>,
): Promise<T> {
  const guarded = createGuardedFetch({
    policy: { allowsPrivate: true },
    clock: systemClock,
    userAgent: "Parley",
    lookup: createNameLookup({ clock: systemClock }).lookup,
    ...options,
  });
  try {
    return await work(guarded.get);
  } finally {
    await guarded.close();
  }
}

const reason = (get: Promise<unknown>) =>
  get.then(
    () => "no failure",
    (failure: ReadFailure) => failure.reason,
  );

describe("a guarded fetch", () => {
  it("follows redirects and says where it ended", () =>
    withFetch({}, async (get) => {
      const fetched = await get(`${site.url}/hop`);

      expect(fetched.url).toBe(`${site.url}/ok`);
      expect(Buffer.from(fetched.bytes).toString()).toBe("<p>hello</p>");
    }));

  it("hands an error's status on without its body", () =>
    withFetch({}, async (get) => {
      const fetched = await get(`${site.url}/gone`);

      expect([fetched.status, fetched.bytes.length]).toEqual([404, 0]);
    }));

  it("does not follow a redirect to where nothing may be read", () =>
    withFetch({}, async (get) => {
      expect(await reason(get(`${site.url}/inside`))).toBe(
        "redirects to a blocked URL: it leads to a cloud metadata service",
      );
      expect(await reason(get(`${site.url}/script`))).toMatch(/redirects to a blocked URL/);
    }));

  it("follows five redirects and no sixth", () =>
    withFetch({}, async (get) => {
      expect(await reason(get(`${site.url}/loop0`))).toBe("more than five redirects");
      site.set("/loop5", "<p>arrived</p>");
      expect((await get(`${site.url}/loop0`)).url).toBe(`${site.url}/loop5`);
      expect(site.asked).not.toContain("/loop6");
    }));

  it("refuses a name whose connection would lead into the network, whatever it resolved to before", () =>
    withFetch(
      {
        policy: { allowsPrivate: false },
        // As a server that answers the check with a public address, and the connection with this one.
        lookup: (_hostname, _options, callback) => callback(null, [{ address: "127.0.0.1", family: 4 }]),
      },
      async (get) => {
        const before = site.asked.length;

        expect(await reason(get(`http://rebound.example.com:${site.port}/ok`))).toBe(
          "it leads to Parley's own machine, which only INGEST_ALLOW_PRIVATE=true allows",
        );
        expect(site.asked.length).toBe(before);
      },
    ));

  it("asks again for each connection what the name leads to", () =>
    withFetch(
      {
        policy: { allowsPrivate: true },
        lookup: (_hostname, _options, callback) => callback(null, [{ address: "127.0.0.1", family: 4 }]),
      },
      async (get) => {
        expect((await get(`http://public.example.com:${site.port}/ok`)).status).toBe(200);
      },
    ));

  it("stops at the size, whether announced, endless or hidden by compression", () =>
    withFetch({}, async (get) => {
      for (const path of ["/large", "/endless", "/bomb"]) {
        expect(await reason(get(site.url + path, { maxBytes: megabyte }))).toBe("larger than 1 MB");
      }
    }));

  it("cuts a body where only its beginning is wanted", () =>
    withFetch({}, async (get) => {
      const fetched = await get(`${site.url}/endless`, { maxBytes: 1_000, cutsBody: true });

      expect(fetched.bytes.length).toBe(1_000);
    }));

  it("gives up after the limit of time", async () => {
    const clock = createFakeClock();
    await withFetch({ clock }, async (get) => {
      const failed = reason(get(`${site.url}/silent`));
      await clock.advance(30_000);

      expect(await failed).toBe("no answer within 30 s");
      expect(clock.pending()).toBe(0);
    });
  });

  it("ends at once when the caller does", () =>
    withFetch({}, async (get) => {
      const controller = new AbortController();
      const got = get(`${site.url}/silent`, { signal: controller.signal });
      controller.abort(new Error("cancelled"));

      await expect(got).rejects.toThrow("cancelled");
    }));

  it("says that a server cannot be reached", () =>
    withFetch({}, async (get) => {
      expect(await reason(get("http://127.0.0.1:1/"))).toBe("the server can't be reached");
    }));
});

describe("a guarded fetch through a proxy", () => {
  /** As a proxy does it: names are resolved there, whatever this machine knows of them. */
  async function withProxy(work: (proxy: { readonly url: string; readonly asked: string[] }) => Promise<void>) {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? "");
      const location = new URL(request.url ?? "").searchParams.get("to");
      response.writeHead(location === null ? 200 : 302, location === null ? {} : { location }).end("from the proxy");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      await work({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }
  const policy = { allowsPrivate: false };
  const leadsInside: LookupFunction = (_hostname, _options, callback) =>
    callback(null, [{ address: "::1", family: 6 }]);

  it("leaves name resolution to it, and still refuses forbidden URLs by their text, on every redirect too", () =>
    withProxy(async ({ url, asked }) => {
      await withFetch({ policy, proxy: { httpProxy: url, httpsProxy: url }, lookup: leadsInside }, async (get) => {
        expect(Buffer.from((await get("http://away.example.com/")).bytes).toString()).toBe("from the proxy");
        expect((await get("http://away.example.com/?to=/there")).url).toBe("http://away.example.com/there");
        for (const inside of [
          "http://2852039166/",
          "http://[::ffff:10.0.0.1]/",
          "http://wiki.corp/",
          "file:///etc/passwd",
        ]) {
          expect(await reason(get(inside))).not.toBe("no failure");
          expect(await reason(get(`http://away.example.com/?to=${encodeURIComponent(inside)}`))).toMatch(
            /^redirects to a blocked URL/,
          );
        }
      });

      expect([...new Set(asked.map((address) => new URL(address).hostname))]).toEqual(["away.example.com"]);
    }));

  it("checks the connection itself where NO_PROXY goes past it", () =>
    withProxy(async ({ url, asked }) => {
      const proxy = { httpProxy: url, httpsProxy: url, noProxy: "past.example.com" };
      await withFetch({ policy, proxy, lookup: leadsInside }, async (get) => {
        expect(await reason(get("http://past.example.com/"))).toBe(
          "it leads to Parley's own machine, which only INGEST_ALLOW_PRIVATE=true allows",
        );
      });

      expect(asked).toEqual([]);
    }));
});
