/** Pages are kept whole, whatever their layout, and their words are as people read them. */
import { describe, expect, it } from "vitest";
import { markdownOf, partOf, read } from "./page.ts";

const words = (about: string) =>
  `Whoever wants to know something about ${about} finds it in this paragraph, which is long enough to be one, and ends here.`;
const page = (body: string, head = "") =>
  `<!doctype html><html><head><title>Yard</title>${head}</head><body>${body}</body></html>`;

describe("a page is kept whole", () => {
  const sections = ["gates", "cranes", "ropes", "guards"];
  const section = (about: string, tag: string, repeats: number) =>
    `<section class="part-${about}"><div class="container"><div class="text"><${tag}>The ${about}</${tag}>${`<p>${words(about)}</p>`.repeat(repeats)}</div></div></section>`;

  it.each([
    ["in main", "<main>", "</main>"],
    ["in an element with that role", `<div role="main">`, "</div>"],
    ["in one article", "<article>", "</article>"],
    ["in nothing but its body", "", ""],
  ])("with several sections %s", (_where, start, end) => {
    const html = sections.map((about, at) => section(about, at === 0 ? "h1" : "h2", at === 1 ? 6 : 1)).join("");
    const { markdown } = read(page(`<nav><a href="/">Home</a></nav>${start}${html}${end}<footer>All rights</footer>`));

    for (const about of sections) expect(markdown).toContain(words(about));
    expect(markdown).not.toMatch(/Home|All rights/);
    expect(markdown.startsWith("# The gates\n")).toBe(true);
  });

  it("with a short section at its end", () => {
    const last = `<section><div><h2>Who to call</h2><p>The office has the number 4711 of the house.</p></div></section>`;
    const { markdown } = read(page(`<main>${section("cranes", "h1", 12)}${last}</main>`));

    expect(markdown).toContain("## Who to call\n\nThe office has the number 4711 of the house.");
  });

  it("after an anchor that nobody closed", () => {
    expect(
      partOf(`<a name="restore"/><h2>Restore one</h2><p>Stop it.</p><ul><li>Unpack.</li><li>Start.</li></ul><pre><code>tar xf a.tar
service start</code></pre><table><tr><th>Day</th><th>Name</th></tr><tr><td>Monday</td><td>Ana</td></tr></table>`),
    ).toBe(
      "## Restore one\n\nStop it.\n\n- Unpack.\n- Start.\n\n```\ntar xf a.tar\nservice start\n```\n\n| Day | Name |\n| --- | --- |\n| Monday | Ana |",
    );
  });

  it("of an old layout: tables in tables, fonts, centred, in one form", () => {
    const { markdown } = read(
      page(
        `<form action="/page.aspx"><input type="hidden" name="state" value="x"><center><table width="760"><tr><td><font size="2"><a href="/">Home</a> <a href="/a">A</a></font></td></tr><tr><td><table><tr><td width="100"><a href="/b">B</a></td><td><font face="Arial"><h1>Cranes</h1><p>${words("cranes")}<p>${words("ropes")}<br><br>${words("gates")}</font></td></tr></table></td></tr></table></center></form>`,
      ),
    );

    for (const about of ["cranes", "ropes", "gates"]) expect(markdown).toContain(words(about));
    expect(markdown).toMatch(/^# Cranes$/m);
    expect(markdown).not.toContain("|");
  });

  it.each([
    ["its header, with the introduction", `<header><h1>Cranes</h1><p>${words("cranes")}</p></header>`, words("cranes")],
    ["a note at its side", `<h1>Cranes</h1><aside class="note"><p>${words("safety")}</p></aside>`, words("safety")],
    ["definitions", `<h1>Terms</h1><dl><dt>Jib</dt><dd>${words("the arm")}</dd></dl>`, words("the arm")],
    ["a quotation", `<h1>Said</h1><blockquote><p>${words("the boss")}</p></blockquote>`, words("the boss")],
    ["an old list", `<h1>List</h1><menu><li>${words("the menu")}</li></menu>`, ""],
    ["an address", `<h1>Place</h1><address>Yard Street 4<br>12345 Port</address>`, "Yard Street 4\n12345 Port"],
    [
      "its shadow",
      `<h1>Web</h1><x-y><template shadowrootmode="open"><p>${words("the shadow")}</p></template></x-y>`,
      words("the shadow"),
    ],
  ])("with %s", (_what, html, expected) => {
    const { markdown } = read(page(`<main><article>${html}<p>${words("everything")}</p></article></main>`));

    expect(markdown).toContain(expected);
    expect(markdown).toContain(words("everything"));
  });

  it("and without scripts, styles, buttons and what asks for a login", () => {
    const markdown = markdownOf(
      `<script>never()</script><style>.never{}</style><button>Never</button><noscript>Never</noscript><iframe src="/never"></iframe><form><input name="never"><label>Never</label></form>`,
    );

    expect(markdown).not.toMatch(/never/i);
  });
});

describe("XHTML", () => {
  const xhtml = (body: string) =>
    `<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd"><html xmlns="http://www.w3.org/1999/xhtml"><head><title>Yard</title><script src="/a.js"/></head><body>${body}</body></html>`;

  it("may close any tag within itself", () => {
    const { markdown, title } = read(
      xhtml(
        `<h1>Cranes</h1><div id="ad"/><a id="top"/><p>${words("cranes")}<br/>${words("ropes")}</p><textarea/><p>${words("gates")}</p>`,
      ),
    );

    expect(title).toBe("Yard");
    for (const about of ["cranes", "ropes", "gates"]) expect(markdown).toContain(words(about));
  });

  it("may have its text in CDATA sections", () => {
    const { markdown } = read(
      xhtml(`<h1>Code</h1><p>${words("code")}</p><pre><![CDATA[if (a < b && c) { d(); }]]></pre>`),
    );

    expect(markdown).toContain("```\nif (a < b && c) { d(); }\n```");
  });
});

describe("words are as people read them", () => {
  it("without a backslash before anything", () => {
    expect(
      partOf(
        String.raw`<p>Set max_open_files to 10 * 2 = 20 in ~/path_to_file, see [1] and C:\new_folder\*.log &lt;b&gt; it.</p><p>1986. A great year. + one # two &gt; three - four.</p>`,
      ),
    ).toBe(
      String.raw`Set max_open_files to 10 * 2 = 20 in ~/path_to_file, see [1] and C:\new_folder\*.log <b> it.` +
        "\n\n1986. A great year. + one # two > three - four.",
    );
  });

  it("with marks at words, and links that lead somewhere", () => {
    expect(
      partOf(
        `<p>A <b>bold </b>word, an <i>odd</i> one, <del>gone</del>, <a href="/a_(b)">there</a>, <a href="#x">here</a>, <a href="javascript:x()">nowhere</a>, <a href="mailto:a@example.com">mail</a>.</p>`,
      ),
    ).toBe(
      "A **bold** word, an _odd_ one, ~~gone~~, [there](https://docs.example.com/a_%28b%29), here, nowhere, mail.",
    );
  });

  it("with the description of a picture in its place", () => {
    expect(partOf(`<p>See <img src="/a.png" alt="the blue crane"> and <img src="/b.png" alt="">.</p>`)).toBe(
      "See the blue crane and .",
    );
  });
});

describe("a page says of itself", () => {
  it.each([
    ["0; url=/latest/guide.html", "https://docs.example.com/latest/guide.html"],
    ["0;URL='/latest/'", "https://docs.example.com/latest/"],
    ['5 , url="next.html"', "https://docs.example.com/guide/next.html"],
    ["0;https://other.example.com/", "https://other.example.com/"],
    ["300; url=/news", undefined],
    ["60", undefined],
    ["0; url=page", undefined],
    ["0; url=javascript:alert(1)", undefined],
  ])("where it sends its readers: %s", (content, refreshTo) => {
    expect(
      read(page("<p>Moved.</p>", `<meta http-equiv="refresh" content="${content.replaceAll('"', "&quot;")}">`))
        .refreshTo,
    ).toBe(refreshTo);
  });

  it("nothing of that kind for those without scripts alone", () => {
    const head = `<noscript><meta http-equiv="refresh" content="0; url=/no-script"></noscript>`;

    expect(read(page("<p>Text.</p>", head)).refreshTo).toBeUndefined();
  });

  it.each([
    ["robots", "noindex", true],
    ["ROBOTS", "NOINDEX, FOLLOW", true],
    ["robots", "none", true],
    ["parley", "noindex", true],
    ["robots", "index, max-snippet:-1", false],
    ["googlebot", "noindex", false],
  ])("whether it may be kept: %s %s", (name, content, isUnindexed) => {
    expect(read(page("<p>Text.</p>", `<meta name="${name}" content="${content}">`)).isUnindexed).toBe(isUnindexed);
  });
});
