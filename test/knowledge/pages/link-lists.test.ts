/** Sitemaps and feeds are lists of pages; anything else is a page. */
import { describe, expect, it } from "vitest";
import { maxLinks } from "../../../src/knowledge/foreign/content-limits.ts";
import { readLinkList } from "../../../src/knowledge/pages/link-lists.ts";

const address = "https://example.com/sitemap.xml";
const [a, b] = ["https://example.com/a", "https://example.com/b?x=1&y=2"];
const links = (text: string) => readLinkList(text, address);

describe("a list of pages", () => {
  it.each([
    [
      "a sitemap",
      `<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by x --><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"><url><loc> https://example.com/a </loc><lastmod>2026-01-01</lastmod><image:image><image:loc>https://example.com/a.png</image:loc></image:image></url><url><loc>https://example.com/b?x=1&amp;y=2</loc></url></urlset>`,
    ],
    [
      "a list of sitemaps",
      `<sitemapindex xmlns="x"><sitemap><loc>https://example.com/a</loc></sitemap><sitemap><loc><![CDATA[https://example.com/b?x=1&y=2]]></loc></sitemap></sitemapindex>`,
    ],
    ["a sitemap as text", "https://example.com/a\r\nhttps://example.com/b?x=1&y=2\r\n"],
    [
      "RSS 2.0",
      `<rss version="2.0"><channel><title>News</title><link>https://example.com/</link><image><link>https://example.com/</link></image><item><title>A</title><link>https://example.com/a</link></item><item><link>/b?x=1&amp;y=2</link></item></channel></rss>`,
    ],
    [
      "RSS 1.0",
      `<rdf:RDF xmlns:rdf="x" xmlns="y"><channel><link>https://example.com/</link></channel><item rdf:about="x"><link>https://example.com/a</link></item><item><link>https://example.com/b?x=1&amp;y=2</link></item></rdf:RDF>`,
    ],
    [
      "Atom",
      `<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://example.com/"/><entry><link rel="self" href="/x"/><link href="https://example.com/a"/></entry><entry><link rel="alternate" type="text/html" href="/b?x=1&amp;y=2"/></entry></feed>`,
    ],
    [
      "JSON feed",
      JSON.stringify({
        version: "https://jsonfeed.org/version/1.1",
        items: [{ url: a }, { external_url: b }, { id: "nothing" }],
      }),
    ],
  ])("is %s", (_kind, text) => {
    expect(links(text)).toEqual([a, b]);
  });

  it.each([
    ["a page", "<!doctype html><html><body>https://example.com/</body></html>"],
    ["other XML", "<catalog><url><loc>https://example.com/a</loc></url></catalog>"],
    ["other JSON", '{"items":[{"url":"https://example.com/a"}]}'],
    ["a text with URLs in it", "https://example.com/a\nhas more about it"],
    ["one URL", "https://example.com/a"],
  ])("is not %s", (_kind, text) => {
    expect(links(text)).toBeUndefined();
  });

  it("is read as far as its links count, and each of them once", () => {
    const many = Array.from({ length: 50_000 }, (_, at) => `<sitemap><loc>https://example.com/${at}</loc></sitemap>`);

    expect(readLinkList(`<sitemapindex>${many.join("")}${many.join("")}</sitemapindex>`, address)).toHaveLength(
      maxLinks,
    );
  });

  it("that was cut ends with its last whole URL", () => {
    const text = "https://example.com/a\nhttps://example.com/b?x=1&y=2\nhttps://exam";

    expect(readLinkList(text, address, true)).toEqual([a, b]);
  });

  it("leads to web pages alone", () => {
    expect(links("<rss><channel><item><link>javascript:alert(1)</link></item></channel></rss>")).toEqual([]);
  });
});
