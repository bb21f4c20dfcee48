import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanText, isForgedLabel, maskLabel, safeLink, safeUrl } from "../../../src/presentation/drawing/sanitise.ts";
import { type FoundLink, rewriteLinks } from "../../../src/presentation/markdown/safe-markdown.ts";

/** Loads nothing and hides no URL: images become text, a forged label is shown beside the real URL. */
function writeSafely({ source, label, address, url, isImage, isForged }: FoundLink): string {
  if (!isImage && url !== undefined && !isForged) return source;
  const words = maskLabel(label);
  return words === "" ? (url ?? address) : `${words} (${url ?? address})`;
}

describe("cleaning text", () => {
  it.each([
    ["bidi overrides and isolates", "a\u202Ab\u202Ec\u2066d\u2069e\u200Ef\u200Fg\u061Ch", "abcdefgh"],
    ["zero-width characters", "pay\u200Bpal\u2060.com\uFEFF", "paypal.com"],
    ["controls", "a\u0000b\u0007c\u001B[31md\u0085e", "abc[31mde"],
    ["soft hyphens and fillers", "a\u00ADb\u3164c\u115Fd\uFFA0e", "abcde"],
    ["tag letters that hide a message", "hi\u{E0041}\u{E0042}", "hi"],
    ["runs of variation selectors that hide bytes", "a\uFE01\uFE02\uFE03\u{E0100}", "a\uFE01"],
    ["half surrogates", "a\uD83Db", "a\uFFFDb"],
    ["joiners between Latin letters", "pay\u200Dpal \u200C", "paypal "],
  ])("removes %s", (_name, dirty, clean) => {
    expect(cleanText(dirty)).toBe(clean);
  });

  it.each(["👩‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏳️‍🌈", "👩🏽‍🚀", "❤️", "می‌خواهم", "क्‍ष", "a\tb\nc", "日本語", "é̂"])("keeps %s", (text) => {
    expect(cleanText(text)).toBe(text);
  });

  it("makes all line ends the same", () => {
    expect(cleanText("a\r\nb\rc\u2028d")).toBe("a\nb\nc\nd");
  });

  it("changes nothing the second time", () => {
    const pieces = fc.constantFrom(
      "\u200D",
      "\u202E",
      "👩",
      "\uFE0F",
      "a",
      "\u{E0041}",
      "\u{1F3F4}",
      "\u{E007F}",
      "\r",
      "\n",
      "\uD83D",
      "م",
      "\uFE01",
    );
    fc.assert(
      fc.property(
        fc.array(pieces).map((parts) => parts.join("")),
        (text) => {
          expect(cleanText(cleanText(text))).toBe(cleanText(text));
        },
      ),
    );
  });
});

describe("a link's address", () => {
  it.each(["https://example.com/", "http://example.com/a?b#c", "mailto:a@example.com"])("may be %s", (address) => {
    expect(safeUrl(address)).toBe(address);
  });

  it.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "//example.com",
    "./page.md",
    "https://user:pw@example.com",
    "https://bank.com@evil.com/",
    "java\u200Bscript:alert(1)",
  ])("can't be %s", (address) => {
    expect(safeUrl(address)).toBeUndefined();
  });
});

describe("a label", () => {
  it.each([
    ["https://bank.com", "https://evil.com/"],
    ["bank.com/login", "https://evil.com/"],
    ["Go to bank.com now", "https://evil.com/"],
    ["https://bank.com", "https://bank.com.evil.com/"],
    ["ｂａｎｋ．ｃｏｍ", "https://evil.com/"],
    ["ba\u200Bnk.com", "https://evil.com/"],
    ["HTTPS://BANK.COM", "https://evil.com/"],
    ["me@bank.com", "mailto:me@evil.com"],
    ...["→", "🔒", "»", "|", "=", "&", "%", "@", "✓", "_", "*", "-login", "@evil"].map((behind) => [
      `bank.com${behind}`,
      "https://evil.com/",
    ]),
    ["bankꓸcom", "https://evil.com/"],
    ["192.168.0.1", "https://evil.com/"],
    ["bank.pl", "https://evil.com/"],
    ["bank.md", "https://evil.com/notes.md"],
  ])("%s is forged when it leads to %s", (label, url) => {
    expect(isForgedLabel(cleanText(label), url)).toBe(true);
    expect(safeLink(label, url).label).toContain(url);
  });

  it.each([
    ["Refund policy", "https://example.com/refunds"],
    ["example.com/refunds", "https://www.example.com/refunds"],
    ["https://example.com", "https://example.com/other"],
    ["README.md", "https://example.com/README.md"],
    ["version 1.2.3", "https://example.com/"],
    ["192.168.0.1", "https://192.168.0.1/status"],
    ["server.js", "https://example.com/?file=4"],
    ["client.get_user", "https://example.com/"],
    ["first.last@example.com", "mailto:first.last@example.com"],
    ["e.g. this", "https://example.com/"],
    ["Node.js guide", "https://example.com/"],
    ["me@example.com", "mailto:me@example.com"],
  ])("%s is honest when it leads to %s", (label, url) => {
    expect(safeLink(label, url)).toEqual({ label, url });
  });

  it("without words is the URL itself", () => {
    expect(safeLink("\u200B \u3164", "https://example.com/")).toEqual({
      label: "https://example.com/",
      url: "https://example.com/",
    });
  });

  it("to a URL that can't be linked becomes text with the URL", () => {
    expect(safeLink("click", "javascript:alert(1)")).toEqual({ label: "click (javascript:alert(1))" });
  });
});

describe("safe Markdown", () => {
  it.each([
    [
      "an image",
      "See ![a cat](https://evil.com/p.png?q=secret) here",
      "See a cat (https://evil.com/p.png?q=secret) here",
    ],
    [
      "an image by reference",
      "![cat][1]\n\n[1]: https://evil.com/p.png",
      "cat (https://evil.com/p.png)\n\n[1]: https://evil.com/p.png",
    ],
    ["an image in a link", "[![cat](https://evil.com/p.png)](https://example.com)", "[cat](https://example.com)"],
    ["a forged label", "[https://bank.com](https://evil.com)", "https://bank.com (https://evil.com/)"],
    ["a forged label in code", "[`bank.com`](https://evil.com)", "`bank.com` (https://evil.com/)"],
    [
      "a forged label by reference",
      "[bank.com][x]\n\n[x]: https://evil.com",
      "bank.com (https://evil.com/)\n\n[x]: https://evil.com",
    ],
    [
      "a forged label by its own name",
      "[bank.com]\n\n[bank.com]: https://evil.com",
      "bank.com (https://evil.com/)\n\n[bank.com]: https://evil.com",
    ],
    ["a script", "[click](javascript:alert\\(1\\))", "click (javascript:alert(1))"],
    ["a relative address", "[docs](./page.md)", "docs (./page.md)"],
  ])("does not let through %s", (_name, markdown, safe) => {
    expect(rewriteLinks(markdown, writeSafely)).toBe(safe);
  });

  it.each([
    '[Refunds](https://example.com/r "title") and **bold**',
    "[docs](<https://example.com/a b>)",
    "`![x](https://evil.com)` in code",
    "```md\n![x](https://evil.com)\n```\n",
    "\\[not a link](https://evil.com)",
    "an array[0] (of things) [1] [2]",
    "- [x] done",
    "| [a](https://example.com) | b |\n|---|---|\n| 1 | 2 |\n",
  ])("leaves alone: %s", (markdown) => {
    expect(rewriteLinks(markdown, writeSafely)).toBe(markdown);
  });

  it("passes every link to the platform's writer", () => {
    const slack = rewriteLinks("See [the *docs*](https://example.com/d).", ({ label, url }) => `<${url}|${label}>`);

    expect(slack).toBe("See <https://example.com/d|the *docs*>.");
  });

  it("reads hostile text without losing its place", () => {
    for (const text of [
      "[".repeat(50_000),
      "[a](".repeat(20_000),
      "![".repeat(30_000),
      "[a][".repeat(20_000),
      "[a [b] ".repeat(10_000),
    ]) {
      expect(rewriteLinks(text, writeSafely)).toBe(text);
    }
  });
});
