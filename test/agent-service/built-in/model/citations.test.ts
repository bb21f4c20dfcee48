/** The marks of an answer, whatever a model makes of them. */
import { describe, expect, it } from "vitest";
import type { FoundPassage } from "../../../../src/agent-service/built-in/answering/passage-search.ts";
import { cite } from "../../../../src/agent-service/built-in/model/citations.ts";

const passages = ["a", "b", "c", "d"].map(
  (name, at): FoundPassage => ({
    ...{ rowId: name, knowledgeBaseId: 1, chunkIndex: 0, chunkCount: 1, sectionStart: 0, level: 0 },
    ...{ startChar: 0, endChar: 1, content: name, title: name, url: `https://x.example/${at === 3 ? "a" : name}` },
    ...{ metadata: {}, updatedAt: "2026-01-01 00:00:00.000000" },
  }),
);
const said = (text: string) => cite(text, passages, true).text;

describe("marks", () => {
  it.each([
    ["One 【2】, two【3†page】.", "One [1], two[2]."],
    ["One [^2] and [passage 3] and [2-3].", "One [1] and [2] and [1] [2]."],
    ["One [2](https://evil.example/x) two.", "One [1] two."],
    ["Zero [0], none [5], many [1, 2, 9].", "Zero, none, many [1] [2]."],
    ["None [90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101].", "None."],
    ["The same page [1] twice [4].", "The same page [1] twice [1]."],
    ["Text.\n\n[1]: https://evil.example\n[2]: x", "Text."],
    ["Text [1].\n\nQuellen:\n[1] Seite\n- [2] Andere", "Text [1]."],
    ["```js\nlist[1] = 2;\n```\nDone [2].", "```js\nlist[1] = 2;\n```\nDone [1]."],
    ["A link [stays](https://x.example/[1]).", "A link [stays](https://x.example/[1])."],
  ])("%j become %j", (written, shown) => {
    expect(said(written)).toBe(shown);
  });

  it("of a hundred thousand characters take as much longer as they are longer", () => {
    const takesMs = (many: number) => {
      const texts = ["[1]", "\n", "[1](", "`", "[", " [1, 2", "Sources:\n[1]\n", "[1]["].map((part) =>
        part.repeat(many),
      );
      texts.push(`\nSources:\n${"[1]".repeat(many)}\nend`);
      const beganMs = performance.now();
      for (const text of texts) for (const isWhole of [true, false]) cite(text, passages, isWhole);
      return performance.now() - beganMs;
    };

    const [short, long] = [takesMs(3_000), takesMs(30_000)];

    // Ten times; squared, it would be a hundred times.
    expect(long).toBeLessThan(50 * Math.max(short, 20));
  });
});
