/**
 * An agent's Markdown for workspaces that take none.
 */
import { describe, expect, it } from "vitest";
import { harmlessMarkdown, markdownMrkdwn } from "../../../adapters/slack/drawing/markdown.ts";
import { inlineMrkdwn, inlineRichText } from "../../../adapters/slack/drawing/markup.ts";

describe("markdownMrkdwn", () => {
  it.each([
    ["**bold** and *italic* and ~~gone~~", "*bold* and _italic_ and ~gone~"],
    ["# Heading **one**", "*Heading one*"],
    ["- item\n  - inner", "• item\n  • inner"],
    ["> quoted & more", "> quoted &amp; more"],
    ["[label](https://example.com/?a=1&b=2)", "<https://example.com/?a=1&amp;b=2|label>"],
    ["**[Slack](https://example.com/)** [1]", "*<https://example.com/|Slack>* [1]"],
    ["see <https://example.com/x>.", "see <https://example.com/x|https://example.com/x>."],
    ["at https://example.com/a, or", "at <https://example.com/a|https://example.com/a>, or"],
    ["`a **b** <c>`", "`a **b** &lt;c&gt;`"],
    ["a\n\n---\n\nb", "a\n\n──────────\n\nb"],
    ["2 * 3 * 4 and snake_case_name", "2 * 3 * 4 and snake_case_name"],
    ["<!channel> <@U0ALICE>", "&lt;!channel&gt; &lt;@U0ALICE&gt;"],
    ["![chart](https://example.com/c.png)", "<https://example.com/c.png|chart>"],
    ["[x](javascript:alert)", "x (javascript:alert)"],
    ["at https://example.com/a_b, or", "at <https://example.com/a_b|https://example.com/a_b>, or"],
    ["***very* important**", "*_very_ important*"],
    ["**over\ntwo lines**", "*over*\n*two lines*"],
    ["GET /channels/*/messages/*", "GET /channels/*/messages/*"],
    ["light\\_keeper", "light\u200B_\u200Bkeeper"],
    ["[the **docs**](https://example.com/d)", "<https://example.com/d|the docs>"],
    ["[docs](<https://example.com/a b>)", "<https://example.com/a%20b|docs>"],
    [
      "See [the guide][g].\n\n[g]: https://example.com/g",
      "See <https://example.com/g|the guide>.\n\n[g]: <https://example.com/g|https://example.com/g>",
    ],
    ["[![build](https://example.com/b.png)](https://example.com/ci)", "<https://example.com/ci|build>"],
  ])("says %j as %j", (markdown, mrkdwn) => {
    expect(markdownMrkdwn(markdown)).toBe(mrkdwn);
  });

  it("draws a table as aligned code, without marks that would stand for themselves", () => {
    const mrkdwn = markdownMrkdwn("| **name** | `id` |\n|---|---|\n| a & b | [x](https://example.com/) |\n");

    expect(mrkdwn).toContain("name  │ id");
    expect(mrkdwn).toContain("a &amp; b │ x (https://example.com/)");
    expect(mrkdwn.startsWith("```\n")).toBe(true);
  });

  it("leaves no empty line before code, which Slack already sets apart", () => {
    expect(markdownMrkdwn("Rows:\n\n```\na\n\n```\n\nDone.")).toBe("Rows:\n```\na\n\n```\n\nDone.");
  });

  it("leaves code as it is, entities apart", () => {
    expect(markdownMrkdwn("```sql\nSELECT '**a**' < 2\n```\n")).toBe("```\nSELECT '**a**' &lt; 2\n```\n");
  });
});

describe("harmlessMarkdown", () => {
  it.each([
    ["a label longer than any", `[${"x".repeat(400)}](https://evil.example/)`],
    ["blanks before the address", `[https://bank.example](${" ".repeat(40)}https://evil.example/)`],
  ])("leaves no link to Slack that was not looked at: %s", (_case, markdown) => {
    expect(harmlessMarkdown(markdown)).not.toContain("](");
  });

  it("makes a link of one whose address is given elsewhere", () => {
    const markdown = "See [the guide][1] and [x][y].\n\n[1]: https://example.com/g\n[y]: ./y.md\n";

    expect(harmlessMarkdown(markdown)).toContain("See [the guide](https://example.com/g) and [x][y].");
  });

  it("takes no longer for emphasis within emphasis over many lines", () => {
    const lines = 2_000;

    expect(markdownMrkdwn("*a\n".repeat(lines) + "a* ".repeat(lines)).length).toBeLessThan(20 * lines);
  });

  it("leaves code as it is", () => {
    expect(harmlessMarkdown("`![x](https://example.com/p.png)`")).toBe("`![x](https://example.com/p.png)`");
    expect(harmlessMarkdown("call `f[0](x)` now")).toBe("call `f[0](x)` now");
  });
});

it("shows a time to each reader in their own time zone", () => {
  const span = { text: "10:42:05 UTC", moment: { atMs: 1_795_689_724_500, unit: "second" } } as const;
  const date = { timestamp: 1_795_689_725, format: "{time_secs}" };

  expect(inlineMrkdwn([{ text: "until " }, span])).toBe("until <!date^1795689725^{time_secs}|10:42:05 UTC>");
  expect(inlineRichText([span])).toEqual([{ type: "date", ...date, fallback: "10:42:05 UTC" }]);
  expect(inlineMrkdwn([{ ...span, moment: { ...span.moment, unit: "minute" } }])).toContain("{time}|");
});

describe("a link that is longer than Slack takes", () => {
  it("is its label", () => {
    const url = `https://example.com/${"ü".repeat(700)}`;

    expect(inlineMrkdwn([{ text: "the page", url }])).toBe("the page");
    expect(inlineRichText([{ text: "the page", url }])).toEqual([{ type: "text", text: "the page" }]);
    expect(inlineRichText([{ text: "the page", url: "https://example.com/a" }])).toMatchObject([{ type: "link" }]);
  });
});
