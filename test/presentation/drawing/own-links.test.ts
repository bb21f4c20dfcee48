import { describe, expect, it } from "vitest";
import { usedMs } from "../../../bench/own-work.ts";
import type { Block, Document } from "../../../src/core/document.ts";
import { withOwnLinks, withOwnMarkdownLinks } from "../../../src/presentation/drawing/own-links.ts";

const baseUrl = "http://127.0.0.1:3000";
const page = { baseUrl, shownAs: "" };
const elsewhere = { baseUrl };
const reachable = { baseUrl, shownAs: "https://parley.acme.com" };

const documentOf = (...blocks: readonly Block[]): Document => ({ tone: "done", blocks, actions: [], summary: "Done." });

describe("a link to Parley's own documents in an answer", () => {
  it.each([
    [
      "a link",
      "See [Deploy](http://127.0.0.1:3000/docs/deploy.md#proxy).",
      "See Deploy.",
      "See [Deploy](/docs/deploy.md#proxy).",
    ],
    [
      "a link with a title",
      'See [Deploy](http://127.0.0.1:3000/docs/deploy.md "how").',
      "See Deploy.",
      'See [Deploy](/docs/deploy.md "how").',
    ],
    [
      "a link in angle brackets",
      "[Deploy](<http://127.0.0.1:3000/docs/deploy.md>)",
      "Deploy",
      "[Deploy](</docs/deploy.md>)",
    ],
    [
      "brackets in its words",
      "[a [b] c](http://127.0.0.1:3000/docs/deploy.md)",
      "a [b] c",
      "[a [b] c](/docs/deploy.md)",
    ],
    [
      "two in a line",
      "[A](http://127.0.0.1:3000/docs/a.md) [B](http://127.0.0.1:3000/docs/b.md)",
      "A B",
      "[A](/docs/a.md) [B](/docs/b.md)",
    ],
    ["a bare URL", "See http://127.0.0.1:3000/docs/deploy.md.", "See docs/deploy.md.", "See docs/deploy.md."],
    ["a conversation", "[here](http://127.0.0.1:3000/#/general/t/m)", "here", "[here](/#/general/t/m)"],
  ])("becomes its words where it leads nowhere, and a path on the page: %s", (_kind, text, words, relative) => {
    expect(withOwnMarkdownLinks(text, elsewhere)).toBe(words);
    expect(withOwnMarkdownLinks(text, page)).toBe(relative);
    expect(withOwnMarkdownLinks(text, reachable)).toBe(
      text.replaceAll("http://127.0.0.1:3000", "https://parley.acme.com"),
    );
  });

  it.each([
    "Open http://127.0.0.1:3000 and ask.",
    "curl http://127.0.0.1:3000/healthz",
    "[other](http://127.0.0.1:30001/docs/a.md)",
    "[other](https://example.com/docs/a.md)",
    "http://127.0.0.1:3000//evil.example/docs/",
  ])("is not any other address: %s", (text) => {
    for (const links of [page, elsewhere, reachable]) expect(withOwnMarkdownLinks(text, links)).toBe(text);
  });

  it("takes no time to speak of in a megabyte of brackets", () => {
    const text = `${"[".repeat(500_000)}](http://127.0.0.1:3000/docs/a.md)${"](http://127.0.0.1:3000/docs/a.md".repeat(10_000)}`;
    const beforeMs = usedMs();

    withOwnMarkdownLinks(text, elsewhere);

    expect(usedMs() - beforeMs).toBeLessThan(2_000);
  });

  it("keeps the title of a source, with a link only where there is one", () => {
    const source = { number: 1, title: "Deploy", url: `${baseUrl}/docs/deploy.md` };
    const urlIn = (document: Document) => {
      const [block] = document.blocks;
      return block?.kind === "sources" ? block.sources[0] : undefined;
    };

    expect(urlIn(withOwnLinks(documentOf({ kind: "sources", sources: [source] }), elsewhere))).toEqual({
      number: 1,
      title: "Deploy",
    });
    expect(urlIn(withOwnLinks(documentOf({ kind: "sources", sources: [source] }), page))?.url).toBe("/docs/deploy.md");
    expect(urlIn(withOwnLinks(documentOf({ kind: "sources", sources: [source] }), reachable))?.url).toBe(
      "https://parley.acme.com/docs/deploy.md",
    );
  });

  it("is found in sentences, lists, steps and tables, and a document without one stays the same object", () => {
    const text = [{ text: "Deploy", url: `${baseUrl}/docs/deploy.md` }];
    const blocks: readonly Block[] = [
      { kind: "text", text },
      { kind: "list", items: [{ text }] },
      { kind: "steps", earlier: 0, steps: [{ state: "done", title: text, detail: text }] },
      { kind: "table", table: { columns: ["url"], rows: [[`${baseUrl}/docs/deploy.md`]] } },
    ];
    const plain = documentOf({ kind: "text", text: [{ text: "Open http://127.0.0.1:3001" }] });

    expect(JSON.stringify(withOwnLinks(documentOf(...blocks), elsewhere))).not.toContain("127.0.0.1");
    expect(withOwnLinks(plain, elsewhere)).toBe(plain);
  });
});
