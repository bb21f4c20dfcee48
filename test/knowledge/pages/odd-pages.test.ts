/** Pages and lists as old programs and careless servers give them are read as people see them. */
import { describe, expect, it } from "vitest";
import { readPageContent } from "../../../src/knowledge/pages/page-content.ts";
import { partOf } from "./html/page.ts";

const address = "https://docs.example.com/guide/page.html";

const html = (body: string, charset: string) =>
  `<html><head><meta charset="${charset}"><title>Yard</title></head><body><main>${body}</main></body></html>`;

const readBytes = (bytes: Uint8Array, contentType: string) => readPageContent(bytes, contentType, address).content;
const linksOf = (text: string, contentType = "application/xml") => {
  const { links, use } = readPageContent(Buffer.from(text), contentType, address);
  return { links, use };
};

describe("a page whose encoding is another than it says", () => {
  const text = "Größe für Müller: die Stücke über den Flüssen";

  it.each([
    ["text/html; charset=ISO-8859-1", "utf-8"],
    ["text/html", "iso-8859-1"],
  ])("is read as UTF-8 if its bytes are: %s, %s", (contentType, declared) => {
    expect(readBytes(Buffer.from(html(text, declared)), contentType)).toBe(text);
  });

  it.each([
    ["text/html; charset=utf-8", "utf-8"],
    ["text/html; charset=utf-8", "windows-1252"],
    ["text/html", "utf-8"],
  ])("isn't read as UTF-8 if its bytes aren't: %s, %s", (contentType, declared) => {
    expect(readBytes(Buffer.from(html(text, declared), "latin1"), contentType)).toBe(text);
  });

  it("is read as what the page says where only the server is wrong", () => {
    const japanese = Buffer.concat([
      Buffer.from("<html><head><meta charset=shift_jis></head><body><main><p>"),
      Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea]),
      Buffer.from("</p></main></body></html>"),
    ]);
    expect(readBytes(japanese, "text/html; charset=utf-8")).toBe("日本語");
  });

  it("keeps what it says with one damaged byte, and with signs of Windows in ISO-8859-1", () => {
    const damaged = Buffer.from(html("Grün und gelb, groß und klein, Käse x", "utf-8"));
    damaged[damaged.indexOf(" x") + 1] = 0xff;
    expect(readBytes(damaged, "text/html; charset=utf-8")).toBe("Grün und gelb, groß und klein, Käse \uFFFD");
    const quoted = Buffer.from(html("\x935 \x80 \x96 gro\xdf\x94", "iso-8859-1"), "latin1");
    expect(readBytes(quoted, "text/html; charset=iso-8859-1")).toBe("“5 € – groß”");
  });
});

describe("a page of frames", () => {
  it("is the list of the pages that it shows", () => {
    const frames = '<frameset cols="20%,80%"><frame src="menu.html"><frame src="/intro.html" name="main"></frameset>';
    expect(linksOf(`<html><head><title>Manual</title></head>${frames}</html>`, "text/html")).toEqual({
      use: "list",
      links: ["https://docs.example.com/guide/menu.html", "https://docs.example.com/intro.html"],
    });
  });
});

describe("a list of pages", () => {
  it("has links that are relative to what it says", () => {
    const feed = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://docs.example.com/blog/">
      <link rel="self" href="/feed"/><entry><link href="one.html"/></entry>
      <entry xml:base="old/"><link href="two.html"/></entry><entry><link href="three.html"/></entry></feed>`;
    expect(linksOf(feed, "application/atom+xml").links).toEqual([
      "https://docs.example.com/blog/one.html",
      "https://docs.example.com/blog/old/two.html",
      "https://docs.example.com/blog/three.html",
    ]);
  });

  it("has the permanent link of an item that has no other", () => {
    const feed = `<rss version="2.0"><channel><link>https://docs.example.com/</link>
      <item><guid>https://docs.example.com/one</guid></item>
      <item><guid isPermaLink="false">https://docs.example.com/not-a-page</guid></item>
      <item><guid>https://docs.example.com/old</guid><link>https://docs.example.com/two</link></item></channel></rss>`;
    expect(linksOf(feed, "application/rss+xml").links).toEqual([
      "https://docs.example.com/one",
      "https://docs.example.com/two",
    ]);
  });

  it("is read where all its elements have a prefix, without its pictures", () => {
    const map = `<sm:urlset xmlns:sm="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="x"><sm:url>
      <sm:loc>https://docs.example.com/one</sm:loc><image:image><image:loc>https://docs.example.com/a.svg</image:loc></image:image>
      </sm:url></sm:urlset>`;
    expect(linksOf(map)).toEqual({ use: "list", links: ["https://docs.example.com/one"] });
  });

  it("is one where the server calls it HTML", () => {
    const map = '<?xml version="1.0"?><urlset><url><loc>https://docs.example.com/one</loc></url></urlset>';
    expect(linksOf(map, "text/html; charset=utf-8")).toEqual({ use: "list", links: ["https://docs.example.com/one"] });
  });
});

describe("a table without a marked head", () => {
  it("has all rows of headings in its head, if one spans others", () => {
    const table = `<table><tr><th rowspan=2>Region<th colspan=2>2025</tr><tr><th>Q1<th>Q2</tr>
      <tr><td>North<td>1<td>2</tr></table>`;
    expect(partOf(table)).toBe("| Region | 2025 / Q1 | 2025 / Q2 |\n| --- | --- | --- |\n| North | 1 | 2 |");
  });
});
