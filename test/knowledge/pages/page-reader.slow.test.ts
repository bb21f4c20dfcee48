/** Pages and the pages around them, read from real servers through the real child process. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { createNameLookup } from "../../../src/knowledge/addresses/name-lookup.ts";
import { createForeignContent, type ForeignContent } from "../../../src/knowledge/foreign/foreign-content.ts";
import { createScratch, type Scratch } from "../../../src/knowledge/foreign/scratch.ts";
import { decodeText } from "../../../src/knowledge/pages/charset.ts";
import { type CrawlEvent, type CrawlOptions, createCrawler } from "../../../src/knowledge/pages/crawler.ts";
import { createGuardedFetch, type GuardedFetch } from "../../../src/knowledge/pages/guarded-fetch.ts";
import { createHostPace } from "../../../src/knowledge/pages/host-pace.ts";
import { readPageContent } from "../../../src/knowledge/pages/page-content.ts";
import { createPageReader, lookAt, type PageReader, pageId } from "../../../src/knowledge/pages/page-reader.ts";
import { ReadFailure } from "../../../src/knowledge/pages/read-failure.ts";
import { createRobots } from "../../../src/knowledge/pages/robots.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { article, type Site, startSite } from "../../doubles/network/site.ts";
import { silentLog } from "../../doubles/silent-log.ts";

const policy = { allowsPrivate: true };
let site: Site;
let fetch: GuardedFetch;
let scratch: Scratch;
let content: ForeignContent;
let pages: PageReader;

beforeAll(() => {
  scratch = createScratch({ log: silentLog });
  content = createForeignContent({ folder: scratch.folder, clock: systemClock, log: silentLog });
});

afterAll(async () => {
  await content.close();
  await scratch.close();
});

beforeEach(async () => {
  site = await startSite();
  fetch = createGuardedFetch({
    policy,
    clock: systemClock,
    userAgent: "Parley",
    lookup: createNameLookup({ clock: systemClock }).lookup,
  });
  pages = createPageReader({ fetch, content, scratch });
});

afterEach(async () => {
  await fetch.close();
  await site.close();
});

/** With its text, which is not kept. */
async function read(url: string) {
  const { content: text, dispose, ...page } = await pages.read(url, { owner: "alice" });
  const whole = { ...page, content: await text() };
  await dispose();
  return whole;
}

const reason = (work: Promise<unknown>) =>
  work.then(
    () => "no failure",
    (failure: ReadFailure) => failure.reason,
  );

describe("a page", () => {
  it("is its main text as Markdown, without navigation and scripts", async () => {
    site.set(
      "/refunds",
      `<!doctype html><html><head><title>Refunds | Acme</title></head><body><nav><a href="/">Home</a></nav>
      <main><h1>Refunds</h1><p>Refunds take five days, see <a href="/other#x">the other page</a>.</p>
      <pre><code>parley &lt;start&gt;</code></pre>
      <table><tr><th>Plan</th><th>Days</th></tr><tr><td>Free</td><td>5</td></tr></table>
      <p><img src="/x.png" alt="A chart"></p></main><footer>Cookies</footer><script>alert(1)</script></body></html>`,
    );

    const page = await read(`${site.url}/refunds`);

    expect(page.title).toBe("Refunds | Acme");
    expect(page.content).toContain("# Refunds");
    expect(page.content).toContain(`[the other page](${site.url}/other)`);
    expect(page.content).toContain("parley <start>");
    expect(page.content).toContain("| Free | 5");
    expect(page.content).toContain("A chart");
    expect(page.content).not.toMatch(/Cookies|alert|Home|x\.png/);
    expect(page.links).toEqual([`${site.url}/`, `${site.url}/other`]);
  });

  it("is its text alone, however short", async () => {
    site.set("/short", article("Short", "Few words."));

    expect((await read(`${site.url}/short`)).content).toBe("# Short\n\nFew words.");
  });

  it("has the canonical URL that it names, but only on its own host", async () => {
    const head = (href: string) =>
      article("Own", "Some text.").replace("<head>", `<head><link rel="canonical" href="${href}">`);
    site.set("/a?ref=x", head("/a"));
    site.set("/b", head("https://elsewhere.example.com/b"));

    expect((await read(`${site.url}/a?ref=x`)).url).toBe(`${site.url}/a`);
    expect((await read(`${site.url}/b#part`)).url).toBe(`${site.url}/b`);
  });

  it("is read in the encoding that it says, or that its bytes show", async () => {
    const latin = (head: string) =>
      Buffer.from(`<html><head>${head}<title>Käse</title></head><body><p>Käse für alle</p></body></html>`, "latin1");
    site.set("/header", { headers: { "content-type": "text/html; charset=ISO-8859-1" }, body: latin("") });
    site.set("/meta", { body: latin('<meta charset="iso-8859-1">') });
    site.set("/undeclared", { body: latin("") });
    site.set("/utf8", { body: "<title>Käse</title><p>Käse für alle</p>" });
    site.set("/shift-jis", {
      headers: { "content-type": "text/html; charset=shift_jis" },
      body: Buffer.from([0x3c, 0x70, 0x3e, 0x93, 0xfa, 0x96, 0x7b]),
    });

    for (const path of ["/header", "/meta", "/undeclared", "/utf8"]) {
      expect((await read(site.url + path)).content).toContain("Käse für alle");
    }
    expect((await read(`${site.url}/shift-jis`)).content).toContain("日本");
  });

  it("can be plain text or Markdown", async () => {
    site.set("/notes.md", { headers: { "content-type": "text/markdown" }, body: "# Notes\n\nPlain *words*." });

    expect(await read(`${site.url}/notes.md`)).toEqual({
      url: `${site.url}/notes.md`,
      title: "Notes",
      content: "# Notes\n\nPlain *words*.",
      links: [],
      asksForPassword: false,
    });
  });

  it("can be a table, whose rows are read with the names of their columns", async () => {
    const headers = { "content-type": "text/csv" };
    site.set("/prices.csv", { headers, body: Buffer.from("sep=;\nName;Preis\nK\xe4se;1,20\nBr\xf6tchen\n", "latin1") });
    site.set("/plain.csv", { headers: { "content-type": "text/plain" }, body: "name,price\nBolt,1\n" });
    site.set("/none.csv", { headers, body: "words and no rows" });

    expect(await read(`${site.url}/prices.csv`)).toEqual({
      url: `${site.url}/prices.csv`,
      title: "prices.csv",
      content: "Name: Käse\nPreis: 1,20\n\nName: Brötchen",
      links: [],
      asksForPassword: false,
      note: "read as Windows-1252; row 2 has one value too few",
    });
    expect((await read(`${site.url}/plain.csv`)).content).toBe("name: Bolt\nprice: 1");
    expect((await read(`${site.url}/none.csv`)).content).toBe("words and no rows");
  });

  it("keeps its letters around a damaged byte", async () => {
    const text = "<p>Öffnungszeiten über die Größe für alle</p>";
    site.set("/bad", { body: Buffer.concat([Buffer.from(text), Buffer.from([0xfc]), Buffer.from(text)]) });

    expect((await read(`${site.url}/bad`)).content).toContain("Öffnungszeiten über die Größe");
  });

  it("can have a URL that isn't UTF-8", async () => {
    site.set("/100%.txt", { headers: { "content-type": "text/plain" }, body: "All of it." });

    expect(await read(`${site.url}/100%.txt`)).toMatchObject({ title: "100%.txt", content: "All of it." });
  });

  it("is a failure with its reason when it is an error page, no text, or empty", async () => {
    site.set("/broken", { status: 500, body: "<h1>Oops</h1>" });
    site.set("/film", { headers: { "content-type": "video/mp4" }, body: "x" });
    site.set("/app", '<html><body><div id="root"></div><script src="/app.js"></script></body></html>');

    expect(await reason(read(`${site.url}/nowhere`))).toBe("page not found (404)");
    expect(await reason(read(`${site.url}/broken`))).toBe("the server returned an error (500)");
    expect(await reason(read(`${site.url}/film`))).toMatch(/not a web page \(video\/mp4\)/);
    expect(await reason(read(`${site.url}/app`))).toMatch(/no readable text/);
  });

  it("has one id, and another page another one", () => {
    expect(pageId("https://example.com/a")).toBe(pageId("https://example.com/a"));
    expect(pageId("https://example.com/a")).not.toBe(pageId("https://example.com/b"));
    expect(pageId("https://example.com/'; DROP")).toMatch(/^page-[0-9a-f]{24}$/);
  });

  it("is looked through once, whatever tags are left open in it", async () => {
    site.set("/titles", "<title ".repeat(8_000));
    site.set("/heads", `<p>words</p>${"<html ".repeat(100_000)}`);

    const startedAtMs = performance.now();
    await lookAt({ fetch, content, scratch }, `${site.url}/titles`, { owner: "alice" });
    await read(`${site.url}/heads`).catch(() => undefined);

    // Once for each tag would be minutes.
    expect(performance.now() - startedAtMs).toBeLessThan(20_000);
  });

  it("shows its title to a first look, which reads no more than its beginning", async () => {
    site.set("/long", `<title>Long</title>${"<p>words</p>".repeat(100_000)}`);
    const tools = { fetch, content, scratch };
    const reader = { owner: "alice" };

    expect(await lookAt(tools, `${site.url}/long`, reader)).toEqual({ title: "Long" });
    expect(await reason(lookAt(tools, `${site.url}/nowhere`, reader))).toMatch(/page not found \(404\)/);
  });
});

describe("bytes", () => {
  it("follow their byte order mark before anything else", () => {
    expect(decodeText(Buffer.from("\uFEFFKäse", "utf16le"), "text/html; charset=iso-8859-1")).toBe("Käse");
  });

  it("that were cut inside a character stay UTF-8", () => {
    const cut = Buffer.from("Käse für jeden Ä").subarray(0, -1);

    expect(decodeText(cut, "")).toBe("Käse für jeden ");
  });
});

describe("a page without some of its tags", () => {
  it.each([
    ["no head", "<html><title>T</title><body><p>words</p></body></html>"],
    ["neither html nor head", "<!doctype html><meta charset=utf-8><title>T</title><body><p>words</p>"],
    ["an attribute at its body", '<html lang="en"><title>T</title><body class="a"><p>words</p></body></html>'],
  ])("is read: %s", (_name, html) => {
    expect(readPageContent(Buffer.from(html), "text/html", "https://example.com/")).toMatchObject({
      title: "T",
      content: "words",
    });
  });
});

describe("a crawl", () => {
  async function crawl(changes: Partial<CrawlOptions> = {}, spacingMs = 0): Promise<CrawlEvent[]> {
    const robots = createRobots({ fetch, content, scratch, clock: systemClock, agent: "parley" });
    const crawler = createCrawler({ reader: pages, robots, pace: createHostPace(systemClock), policy, spacingMs });
    const events: CrawlEvent[] = [];
    const options = { start: `${site.url}/`, limit: 100, depth: 3, domains: [], owner: "alice", ...changes };
    for await (const event of crawler.crawl(options)) events.push(event);
    return events;
  }

  const paths = (events: readonly CrawlEvent[]) =>
    events.map((event) =>
      event.kind === "page" ? new URL(event.page.url).pathname : `failed ${new URL(event.url).pathname}`,
    );

  beforeEach(() => {
    site.set(
      "/",
      article("Start", "The start.", ["/a", "/b", "/gone", "https://elsewhere.example.com/", "/x.zip", "/a#again"]),
    );
    site.set("/a", article("A", "Page a.", ["/c", "/"]));
    site.set("/b", article("B", "Page b.", ["/c"]));
    site.set("/c", article("C", "Page c.", ["/d"]));
    site.set("/d", article("D", "Page d."));
  });

  it("reads only the page without a depth", async () => {
    expect(paths(await crawl({ depth: 0 }))).toEqual(["/"]);
  });

  it("crawls breadth first, each page once, to the requested depth", async () => {
    expect(paths(await crawl({ depth: 2 }))).toEqual(["/", "/a", "/b", "failed /gone", "/c"]);
    expect(site.asked).not.toContain("/x.zip");
  });

  it("stops at the limit", async () => {
    expect(paths(await crawl({ limit: 2 }))).toEqual(["/", "/a"]);
    expect(site.asked).not.toContain("/b");
  });

  it("throws when the start itself cannot be read", async () => {
    expect(await reason(crawl({ start: `${site.url}/gone` }))).toMatch(/page not found \(404\)/);
  });

  it("keeps to robots.txt", async () => {
    site.set("/robots.txt", { headers: { "content-type": "text/plain" }, body: "User-agent: *\nDisallow: /a" });

    expect(paths(await crawl({ depth: 1 }))).toEqual(["/", "failed /a", "/b", "failed /gone"]);
    expect(site.asked.filter((path) => path === "/robots.txt")).toHaveLength(1);
  });

  it("keeps to the last rule of a robots.txt that is as large as any", async () => {
    const rules = Array.from({ length: 20_000 }, (_, at) => `Disallow: /shops/*/${at}$`).join("\n");
    const body = `User-agent: *\n${rules}\nDisallow: /a`;
    site.set("/robots.txt", { headers: { "content-type": "text/plain" }, body });

    expect(body.length).toBeGreaterThan(500_000);
    expect(paths(await crawl({ depth: 1 }))).toEqual(["/", "failed /a", "/b", "failed /gone"]);
  });

  it("reads nothing while robots.txt cannot be read because the server fails", async () => {
    site.set("/robots.txt", { status: 503 });

    expect(await reason(crawl())).toBe("the site's robots.txt is unavailable right now");
  });

  it("reads nothing where robots.txt cannot be fetched, and says why", async () => {
    site.set("/robots.txt", (request) => request.socket.destroy());

    expect(await reason(crawl())).toBe("the server can't be reached");
    expect(site.asked).not.toContain("/");
  });

  it("asks for robots.txt again when the child process ended while it read it", async () => {
    site.set("/robots.txt", { headers: { "content-type": "text/plain" }, body: "User-agent: *\nDisallow: /a" });
    let deaths = 1;
    const dying: ForeignContent = {
      ...content,
      run: async (kind, task, by) => {
        if (kind === "robotsRules" && deaths-- > 0) throw new ReadFailure("unreadable", "no memory left");
        return content.run(kind, task, by);
      },
    };
    const robots = createRobots({ fetch, content: dying, scratch, clock: systemClock, agent: "parley" });
    const check = (path: string) => reason(robots.check(site.url + path, { owner: "alice" }));

    expect(await check("/b")).toBe("couldn't check the site's robots.txt");
    expect([await check("/b"), await check("/a")]).toEqual([
      "no failure",
      "the site's robots.txt doesn't allow reading it",
    ]);
  });

  it("reads a page with two URLs once", async () => {
    const same = article("A", "Page a.").replace("<head>", '<head><link rel="canonical" href="/a">');
    site.set("/a", same);
    site.set("/b", same);

    expect(paths(await crawl({ depth: 1 }))).toEqual(["/", "/a", "failed /gone"]);
  });

  it("waits between two pages of a host, and as long as the site asks", async () => {
    const clock = createFakeClock();
    const pace = createHostPace(clock);
    const turns: string[] = [];
    const take = async (host: string) => {
      await pace.turn(host, 1_000);
      turns.push(`${host} ${clock.now() - 1_800_000_000_000}`);
    };

    const all = [take("a"), take("a"), take("b"), take("a")];
    await clock.advance(2_000);
    await Promise.all(all);

    expect(turns).toEqual(["a 0", "b 0", "a 1000", "a 2000"]);
  });
});
