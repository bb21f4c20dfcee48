/** What an agent's Markdown holds that no chat shows: as people read it. */
import { describe, expect, it } from "vitest";
import { conclude, initialView, reduce } from "../../../src/bridge/turn/view.ts";
import { turnDocument } from "../../../src/presentation/drawing.ts";
import { documentText } from "../../../src/presentation/markdown/plain-text.ts";
import { isVisible, markdownBlocks, readableMarkdown } from "../../../src/presentation/markdown.ts";

const data = `data:image/png;base64,${"iVBORw0KGgo".repeat(20_000)}`;

describe("readable Markdown", () => {
  it.each([
    [`See ![chart](${data}).`, "See [picture: chart]."],
    [`See ![](${data} "Sales").`, "See [picture]."],
    [`See <img alt="chart" src="${data}"/>.`, "See [picture: chart]."],
    [`See ![chart](${data}`, "See [picture: chart]"],
    [`See ![chart][1].\n\n[1]: ${data}\n`, "See [picture: chart].\n\n"],
    [`See ![chart][] and [the data][chart].\n\n[chart]: <${data}> "Sales"`, "See [picture: chart] and the data.\n\n"],
    ["See ![chart][1].\n\n[1]: https://x.example/c.png", "See ![chart][1].\n\n[1]: https://x.example/c.png"],
    [`Here: ${data} (end)`, "Here: [picture] (end)"],
    [`Here: data:text/csv;base64,${"QUJD".repeat(100)}`, "Here: [data]"],
    [`[Open it](${data}), please`, "Open it, please"],
    ["The scheme data:text/plain,hello is short", "The scheme data:text/plain,hello is short"],
    ["10<sup>6</sup> m<sup>2</sup>, x<sup>n</sup>", "10⁶ m², x^n"],
    ["Press <kbd>Ctrl</kbd>, <em>then</em> <code>npm ci</code>", "Press Ctrl, *then* `npm ci`"],
    ["<ul><li>One</li><li>Two</li></ul>", "\n- One\n- Two"],
    ['<a href="https://x.example/a">the page</a>', "[the page](https://x.example/a)"],
    ["a List<s> of Map<i>", "a List<s> of Map<i>"],
    ["See ![chart](https://x.example/c.png).", "See ![chart](https://x.example/c.png)."],
    ["one<br>two<br/>three<BR />\nfour", "one  \ntwo  \nthree  \nfour"],
    ["A &amp; B&nbsp;C &lt;x&gt; &#8364; &#x41; &unknown; AT&T", "A & B C \\<x\\> € A &unknown; AT&T"],
    ["5 &#42; 3 &#42; 2", "5 \\* 3 \\* 2"],
    ["one <!-- hidden --> two", "one  two"],
    ["one <!-- not closed", "one <!-- not closed"],
    ["<p>One</p><p>Two</p>", "One\n\nTwo\n\n"],
    ["<b>bold</b> and H<sub>2</sub>O in a <span style='x'>span</span>", "**bold** and H2O in a span"],
    ["Text[^1] and[^b].\n\n[^1]: First.\n[^b]: Second.", "Text¹ and².\n\n¹ First.\n² Second."],
    ["An array[^1] without a note", "An array[^1] without a note"],
    ["これは**「重要」**です。", "これは\u200A**「重要」**\u200Aです。"],
    ["**重要。**次と**大事！**です", "**重要。**\u200A次と**大事！**\u200Aです"],
    ["**중요(요약)**입니다", "**중요(요약)**\u200A입니다"],
    ["**bold.** and a**b**c 2 ** 3", "**bold.** and a**b**c 2 ** 3"],
  ])("%#", (written, shown) => {
    expect(readableMarkdown(written)).toBe(shown);
  });

  it.each(["```html\n<br> &amp; <!-- x --> [^1] **「a」**漢\n```", "`<br>` and `&amp;`", "~~~\n&lt;\n~~~"])(
    "leaves code as it is: %j",
    (code) => {
      expect(readableMarkdown(code)).toBe(code);
    },
  );

  it("gives the cells of tables their line breaks, characters and spaces", () => {
    const text = readableMarkdown("| a | b |\n|---|---|\n| one<br>two | 1&nbsp;2 &amp; 3 |\n");
    const [table] = markdownBlocks(text);

    expect(table).toMatchObject({ kind: "table", table: { rows: [["one\ntwo", "1 2 & 3"]] } });
  });

  it("takes no longer than the text is long, whatever is in it", () => {
    const parts = [
      "![",
      "![a](data:",
      "<!--",
      "<img ",
      "&#",
      "<br>",
      "[^a]",
      "[^a]: x\n",
      "**「",
      "。**次",
      "<p ",
      "|<br>",
      "[a][",
      "[a]: data:",
      "[a](data:",
      "data:image/png;",
      "<sup>1",
      "<i>a",
      "<li>a",
      '<a href="https:',
    ];
    const beganMs = performance.now();
    for (const part of parts) readableMarkdown(part.repeat(100_000 / part.length));

    expect(performance.now() - beganMs).toBeLessThan(5_000);
  });
});

const invisible = [
  "\u200B\u2060",
  "```\n```",
  "```json\n\n```",
  "<!-- nothing -->",
  "&nbsp; <br>",
  "**",
  "\u3164\u2800",
  "#",
  "\u00AD\u034F\u115F\u3164",
  "![]()",
];

it.each(invisible)("an answer in which nothing is visible is no answer: %j", (text) => {
  const begin = initialView({ id: "t1", ref: "k3f9", question: "When?", agent: "guide" });
  const view = conclude(reduce(begin, { type: "answer", text }, 1_000), 2_000);
  const document = turnDocument(view, 3_000);

  expect(isVisible(text)).toBe(false);
  expect(view).toMatchObject({ state: "failed", error: { code: "no_answer" } });
  expect(document.actions.map(({ label }) => label)).toContain("Try again");
  expect(documentText(document)).not.toContain("```");
});

it("the data of a picture are neither stored nor sent to the agent as history", () => {
  const begin = initialView({ id: "t1", ref: "k3f9", question: "When?", agent: "guide" });
  const view = conclude(reduce(begin, { type: "answer", text: `See ![chart](${data}).` }, 1_000), 2_000);

  expect(view.answer).toBe("See [picture: chart].");
});

it.each(["0", "-", "👍", "…", "`x`", "![chart](data:image/png;base64,AA)", "```\nx\n```", "| a |\n|---|\n| 1 |"])(
  "an answer in which anything is visible is one: %j",
  (text) => {
    expect(isVisible(text)).toBe(true);
  },
);
