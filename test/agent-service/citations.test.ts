import { describe, expect, it } from "vitest";
import { citedSource, foundPassage, searchedPage } from "../../src/agent-service/openai/citations.ts";

describe("a source that a server cites", () => {
  it.each([
    [{ url: "javascript:alert(1)", title: "Prices" }],
    [{ url: "JAVA\tSCRIPT:alert(1)", title: "Prices" }],
    [{ url: "data:text/html,x", title: "Prices" }],
    [{ url: "vbscript:x", filename: "prices.pdf" }],
    [{ title: "javascript:alert(1)" }],
    [{ url: "relative/path" }],
    [{ url: "http://", title: "  " }],
    [{ title: "\u200B\u2060" }],
    [{ url: 5, title: null }],
    ["Prices"],
  ])("goes where nobody could open or name it: %j", (annotation) => {
    expect(citedSource(annotation)).toBeUndefined();
  });

  it.each([
    [
      { url: "https://x.example/a", title: "Prices" },
      { title: "Prices", url: "https://x.example/a" },
    ],
    [
      { url: "https://x.example/a", title: "\u200B" },
      { title: "https://x.example/a", url: "https://x.example/a" },
    ],
    [{ url: "file:///srv/prices.pdf", title: "Prices" }, { title: "Prices" }],
    [{ filename: "prices.pdf", file_id: "f1" }, { title: "prices.pdf" }],
    [{ file_id: "f1" }, { title: "f1" }],
  ])("stays where it has a title or an address: %j", (annotation, source) => {
    expect(citedSource(annotation)).toEqual(source);
  });

  it("goes among the results of a search as well", () => {
    expect(foundPassage({ filename: "\u200B", attributes: { url: "javascript:alert(1)" }, text: "x" })).toBeUndefined();
    expect(searchedPage({ url: "javascript:alert(1)", title: "Prices" })).toBeUndefined();
    expect(searchedPage({ url: "https://x.example/a", title: "\u200B" })?.title).toBe("https://x.example/a");
  });
});
