/** Sites that redirect, lie, are busy or ask for something, read from a real server through the real child process. */
import { gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Clock } from "../../../src/core/ports/clock.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { lookAt } from "../../../src/knowledge/pages/page-reader.ts";
import { createPageReading, type PageReading } from "../../../src/knowledge/pages/page-reading.ts";
import type { ReadFailure } from "../../../src/knowledge/pages/read-failure.ts";
import { article, type Site, startSite } from "../../doubles/network/site.ts";
import { silentLog } from "../../doubles/silent-log.ts";

let site: Site;
let reading: PageReading;

/** Without the link to the start that every page of a usual site has. */
const bare = (...args: Parameters<typeof article>) => article(...args).replace(/<nav>.*?<\/nav>/s, "");

const open = (clock: Clock = systemClock) =>
  createPageReading({ allowsPrivate: true, version: "1.2.3", clock, log: silentLog, spacingMs: 0 });

beforeAll(() => {
  reading = open();
});
afterAll(() => reading.close());
beforeEach(async () => {
  site = await startSite();
});
afterEach(() => site.close());

type Options = { readonly limit?: number; readonly depth?: number };

async function crawl(path: string, { limit = 50, depth = 0 }: Options = {}, by = reading) {
  const found: string[] = [];
  const texts: string[] = [];
  const crawl = { start: new URL(path, site.url).href, limit, depth, domains: [], owner: "alice" };
  for await (const event of by.crawler.crawl(crawl)) {
    const { pathname, search } = new URL(event.kind === "page" ? event.page.url : event.url);
    const where = decodeURI(pathname + search);
    if (event.kind === "unread") found.push(`${event.pages} unread`);
    else found.push(event.kind === "page" ? where : `${where}: ${event.reason}`);
    if (event.kind === "page") texts.push(await event.page.content());
  }
  return { found, text: texts.join("\n") };
}

const paths = async (path: string, options?: Options) => (await crawl(path, options)).found;
const reason = (work: Promise<unknown>) =>
  work.then(
    () => "no failure",
    (failure: ReadFailure) => failure.reason,
  );
const refresh = (to: string, seconds = 0) =>
  `<!doctype html><html><head><title>Redirecting…</title><meta http-equiv="refresh" content="${seconds}; url=${to}"></head><body><p>Redirecting to <a href="${to}">${to}</a></p></body></html>`;
const withHead = (page: string, head: string) => page.replace("<head>", `<head>${head}`);
const xml = (body: string) => ({ headers: { "content-type": "application/xml" }, body });

describe("a page that sends its readers on", () => {
  beforeEach(() => site.set("/guide", article("Guide", "The guide begins at the gate.")));

  it("is followed to the page it names", async () => {
    site.set("/", refresh("/old"));
    site.set("/old", refresh("guide", 3));

    expect(await crawl("/")).toEqual({ found: ["/guide"], text: expect.stringContaining("begins at the gate") });
  });

  it("in a circle, or too often, is given up", async () => {
    site.set("/a", refresh("/b"));
    site.set("/b", refresh("/a"));

    expect(await reason(crawl("/a"))).toBe("more than five redirects");
    expect(site.asked.filter((path) => path !== "/robots.txt")).toHaveLength(6);
  });

  it("isn't followed where nothing may be read", async () => {
    site.set("/meta", refresh("http://169.254.169.254/latest/meta-data/"));
    site.set("/robots.txt", { headers: { "content-type": "text/plain" }, body: "User-agent: *\nDisallow: /secret" });
    site.set("/asks", refresh("/secret"));

    expect(await reason(crawl("/meta"))).toBe("redirects to a blocked URL: it leads to a cloud metadata service");
    expect(await reason(crawl("/asks"))).toBe("the site's robots.txt doesn't allow reading it");
    expect(site.asked).not.toContain("/secret");
  });

  it("isn't handed to the service, which would store it as a page", async () => {
    site.set("/", refresh("/guide"));

    expect(await reason(lookAt(reading, `${site.url}/`, { owner: "alice" }))).toBe(
      `it only redirects to ${site.url}/guide. Add that page instead`,
    );
  });
});

describe("a redirect", () => {
  it("may have a URL in UTF-8, as many servers write it", async () => {
    const location = Buffer.from("/größe").toString("latin1");
    site.set("/old", (_request, response) => response.writeHead(302, { location }).end());
    site.set(encodeURI("/größe"), article("Größe", "So groß ist er."));

    expect(await paths("/old")).toEqual(["/größe"]);
  });

  it("keeps to robots.txt on every hop", async () => {
    site.set("/robots.txt", { headers: { "content-type": "text/plain" }, body: "User-agent: *\nDisallow: /secret" });
    site.set("/a", { status: 302, headers: { location: "/b" } });
    site.set("/b", { status: 301, headers: { location: "/secret/page" } });
    site.set("/secret/page", article("Secret", "Not for robots."));

    expect(await reason(crawl("/a"))).toBe("the site's robots.txt doesn't allow reading it");
    expect(site.asked).not.toContain("/secret/page");
  });
});

describe("one page", () => {
  it("under five URLs is one", async () => {
    const guide = article("Guide", "The guide begins at the gate.");
    for (const path of ["/guide", "/guide/", "/guide?utm_source=x", "/guide/index.html", "/GUIDE"])
      site.set(path, guide);
    const links = ["/guide", "/guide/", "/guide?utm_source=x", "/guide#gate", "/guide/index.html", "/GUIDE"];
    site.set("/", article("Start", "The start.", links));

    expect(await paths("/", { depth: 1 })).toEqual(["/", "/guide"]);
  });
});

describe("a URL that a page names as its own", () => {
  const part = (n: number, canonical: string) =>
    withHead(
      bare(`Part ${n}`, `Lever ${n} moves drum ${n}.`, ["/1", "/2", "/3"]),
      `<link rel="canonical" href="${canonical}">`,
    );

  it.each(["/", "/index.html", "/1", "/gone", "/3"])(
    "isn't believed when it is %s on every page",
    async (canonical) => {
      for (const n of [1, 2, 3]) site.set(`/${n}`, part(n, canonical));
      site.set("/", article("Home", "This is the home of the levers."));
      site.set("/index.html", article("Home", "This is the home of the levers."));

      expect(await paths("/2", { depth: 1 })).toEqual(["/2", "/1", "/3"]);
    },
  );

  it("is believed when it has the same text", async () => {
    const same = withHead(article("Part", "The lever moves the drum."), `<link rel="canonical" href="/part">`);
    site.set("/print/part", same);
    site.set("/part", same);

    expect(await paths("/print/part")).toEqual(["/part"]);
  });

  it("is believed without asking when only a campaign's name differs", async () => {
    site.set("/part?utm_source=mail", withHead(article("Part", "The lever."), `<link rel="canonical" href="/part">`));

    expect(await paths("/part?utm_source=mail")).toEqual(["/part"]);
    expect(site.asked).not.toContain("/part");
  });

  it("is asked about three times in a crawl at most", async () => {
    const numbers = Array.from({ length: 8 }, (_, at) => at);
    for (const n of numbers) {
      site.set(
        `/${n}`,
        withHead(bare(`${n}`, `Page ${n}.`, numbers.map(String)), `<link rel="canonical" href="/gone/${n}">`),
      );
    }

    expect(await paths("/0", { depth: 1 })).toHaveLength(8);
    expect(site.asked.filter((path) => path.startsWith("/gone"))).toHaveLength(3);
  });
});

describe("a page that asks not to be indexed", () => {
  const meta = `<meta name="robots" content="noindex">`;

  it("isn't kept, and its links are followed", async () => {
    site.set("/", withHead(article("Start", "The start.", ["/a", "/b"]), meta));
    site.set("/a", article("A", "Page a."));
    site.set("/b", { headers: { "x-robots-tag": "noindex" }, body: article("B", "Page b.") });

    expect(await paths("/", { depth: 1 })).toEqual(["/a", "/b: the page asks not to be indexed (noindex)"]);
  });

  it("fails with that reason when it is all there is", async () => {
    site.set("/meta", withHead(article("A", "Page a."), meta));
    site.set("/text", { headers: { "content-type": "text/plain", "x-robots-tag": "none" }, body: "Words." });
    site.set("/other", { headers: { "x-robots-tag": "googlebot: noindex" }, body: article("B", "Page b.") });

    expect(await reason(crawl("/meta"))).toBe("the page asks not to be indexed (noindex)");
    expect(await reason(crawl("/text"))).toBe("the page asks not to be indexed (noindex)");
    expect(await paths("/other")).toEqual(["/other"]);
    expect(await reason(lookAt(reading, `${site.url}/meta`, { owner: "alice" }))).toBe(
      "the page asks not to be indexed (noindex)",
    );
  });
});

describe("a list of pages", () => {
  beforeEach(() => {
    for (const name of ["a", "b", "c"]) site.set(`/${name}`, bare(name, `Page ${name}.`, ["/linked"]));
  });
  const urls = (...names: readonly string[]) =>
    `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${names.map((name) => `<url><loc>${new URL(name, site.url).href}</loc></url>`).join("")}</urlset>`;

  it("is read as its pages, and not as a page", async () => {
    site.set("/sitemap.xml", xml(urls("/a", "/b", "https://elsewhere.example.com/x")));

    expect(await paths("/sitemap.xml", { limit: 1 })).toEqual(["/a", "/b"]);
  });

  it("may list other lists, and itself", async () => {
    const index = ["/one.xml", "/two.xml.gz", "/sitemap.xml"].map(
      (path) => `<sitemap><loc>${site.url}${path}</loc></sitemap>`,
    );
    site.set("/sitemap.xml", xml(`<sitemapindex>${index.join("")}</sitemapindex>`));
    site.set("/one.xml", xml(urls("/a")));
    site.set("/two.xml.gz", { headers: { "content-type": "application/gzip" }, body: gzipSync(urls("/b", "/c")) });

    expect(await paths("/sitemap.xml")).toEqual(["/a", "/b", "/c"]);
  });

  it("of 50,000 lists of lists ends, and says what wasn't read", async () => {
    const lists = Array.from({ length: 50_000 }, (_, at) => `<sitemap><loc>${site.url}/${at}.xml</loc></sitemap>`);
    site.set("/sitemap.xml", xml(`<sitemapindex>${lists.join("")}</sitemapindex>`));
    for (let at = 0; at < 200; at += 1)
      site.set(`/${at}.xml`, xml(`<sitemapindex>${lists.slice(0, 100).join("")}</sitemapindex>`));

    expect(await reason(crawl("/sitemap.xml", { limit: 20 }))).toBe("a list without pages of this site");
    expect(site.asked.length).toBeLessThan(150);
  });

  it("says how many pages the limit left out", async () => {
    site.set("/sitemap.xml", xml(urls("/a", "/b", "/c")));

    expect(await paths("/sitemap.xml", { limit: 2, depth: 1 })).toEqual(["/a", "/b", "1 unread"]);
  });

  it("without pages of this site is a failure", async () => {
    site.set("/feed", xml("<rss><channel><item><link>https://elsewhere.example.com/x</link></item></channel></rss>"));

    expect(await reason(crawl("/feed"))).toBe("a list without pages of this site");
  });

  it("has its pages' links followed only as deep as asked", async () => {
    site.set("/sitemap.xml", xml(urls("/a")));
    site.set("/linked", article("Linked", "A page that a page links to."));

    expect(await paths("/sitemap.xml")).toEqual(["/a"]);
    expect(await paths("/sitemap.xml", { depth: 1 })).toEqual(["/a", "/linked"]);
  });
});

describe("a body", () => {
  const rope = article("Ropes", "Ropes are checked every Monday.");

  it.each([
    ["gzip", gzipSync(rope)],
    ["zstd", zstdCompressSync(rope)],
    ["gzip twice", gzipSync(gzipSync(rope))],
  ])("that is packed (%s) without its header is unpacked", async (_packing, body) => {
    site.set("/packed", { body });

    expect((await crawl("/packed")).text).toContain("Ropes are checked every Monday.");
  });

  it.each([
    ["a damaged archive", gzipSync(rope).subarray(0, 60), "unreadable content (packed or encrypted in an unknown way)"],
    ["a bomb", gzipSync(Buffer.alloc(100 * 1024 * 1024, "<p>a")), "larger than 3 MB"],
    [
      "a picture",
      Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
      "unreadable content (packed or encrypted in an unknown way)",
    ],
    [
      "bytes that mean nothing",
      Buffer.from(Array.from({ length: 4_000 }, (_, at) => (at * 7919 + (at >> 3)) % 256)),
      "unreadable content (packed or encrypted in an unknown way)",
    ],
  ])("that is %s is refused", async (_what, body, why) => {
    site.set("/odd", { body });

    expect(await reason(crawl("/odd"))).toBe(why);
    expect(await reason(lookAt(reading, `${site.url}/odd`, { owner: "alice" }))).toMatch(
      /unreadable content|no failure/,
    );
  });

  it("of an unknown type is read if it is text", async () => {
    const unknown = { "content-type": "application/octet-stream" };
    site.set("/guide.md", { headers: unknown, body: "# Guide\n\nIt *begins* at the gate." });
    site.set("/tool", { headers: unknown, body: Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3]) });

    expect((await crawl("/guide.md")).text).toBe("# Guide\n\nIt *begins* at the gate.");
    expect(await reason(crawl("/tool"))).toBe("not a web page (application/octet-stream). Attach it as a file instead");
  });
});

describe("a busy server", () => {
  /** Pauses are noted, and over at once. */
  function hurried() {
    const paused: number[] = [];
    const sleep = async (ms: number) => void paused.push(Math.round(ms / 1000));
    const own = open({ ...systemClock, sleep });
    return { paused, own };
  }

  it.each([
    ["seconds", 429, () => ({ "retry-after": "7" }), 7],
    ["nothing", 503, () => ({}), 5],
    ["a date", 503, () => ({ "retry-after": new Date(Date.now() + 30_400).toUTCString() }), 30],
  ])("is asked again after the time that it names (%s, %i)", async (_, status, headers, seconds) => {
    const { paused, own } = hurried();
    let busy = 2;
    site.set("/busy", (_request, response) => {
      if (busy-- > 0) response.writeHead(status, headers()).end("busy");
      else response.writeHead(200, { "content-type": "text/html" }).end(article("Rota", "The crew changes at six."));
    });

    expect((await crawl("/busy", {}, own)).text).toContain("The crew changes at six.");
    expect(paused).toHaveLength(2);
    // A date comes nearer while the test runs.
    for (const pause of paused) expect(pause).toBeLessThanOrEqual(seconds);
    for (const pause of paused) expect(pause).toBeGreaterThanOrEqual(Math.min(5, seconds));
    await own.close();
  });

  it("isn't asked forever, nor waited for an hour", async () => {
    const { own } = hurried();
    site.set("/always", { status: 429, headers: { "retry-after": "1" } });
    site.set("/later", { status: 503, headers: { "retry-after": "3600" } });

    expect(await reason(crawl("/always", {}, own))).toBe("the server is too busy (429)");
    expect(await reason(crawl("/later", {}, own))).toBe("the server is too busy and asks to wait 60 minutes (503)");
    expect(site.asked.filter((path) => path === "/always")).toHaveLength(3);
    expect(site.asked.filter((path) => path === "/later")).toHaveLength(1);
    await own.close();
  });
});
