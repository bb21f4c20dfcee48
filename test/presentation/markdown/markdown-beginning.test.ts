/** What is shown of a long Markdown text: its words, never half a link or half a character, and "…" at a cut. */
import { expect, it } from "vitest";
import { beginningInOneLine, firstLines } from "../../../src/presentation/markdown.ts";

const address = `https://example.com/${"a".repeat(2_000)}`;

it("names a link whose URL is longer than what is shown, and continues behind it", () => {
  expect(beginningInOneLine(`See [the handbook](${address}) first.`, 300)).toBe("See the handbook first.");
  expect(firstLines(`See [the handbook](${address})\n\n- then ask`, 600)).toBe("See the handbook\n\nthen ask");
});

it("shows no half link and says that there is more where even reading ends", () => {
  const endless = `See [the handbook](${address.repeat(20)}) first.`;

  expect(beginningInOneLine(endless, 300)).toBe("See the handbook…");
  expect(firstLines(endless, 600)).toBe("See the handbook…");
});

it("never ends in half a character", () => {
  for (const shift of [0, 1, 2, 3]) {
    const text = `said ${" ".repeat(1_190 + shift)}🙂🙂🙂🙂 ${" ".repeat(20_000)} more`;
    expect(beginningInOneLine(text, 300).isWellFormed()).toBe(true);
    expect(firstLines(text, 300).isWellFormed()).toBe(true);
  }
});

it("ends in … when lines are left out", () => {
  const lines = Array.from({ length: 30 }, (_, at) => `- line ${at}`.padEnd(60, "x")).join("\n");

  const shown = firstLines(lines, 600);

  expect(shown).toMatch(/^line 0x+\n\nline 1x+/);
  expect(shown.endsWith("…")).toBe(true);
});
