/**
 * What is drawn: golden payloads of every state, and limits that hold for whatever anybody writes.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formView } from "../../../adapters/slack/drawing/forms.ts";
import { render as renderSlots } from "../../../adapters/slack/drawing/render.ts";
import type { Document } from "../../../src/core/document.ts";
import { checkView } from "../../fakes/slack/check-blocks.ts";
import { runs } from "../../properties.ts";
import { document, expectAccepted, render, shown } from "./accepted.ts";
import { documents, form } from "./pictures.ts";

describe("golden payloads", () => {
  it.each(Object.entries(documents))("%s", async (name, drawn) => {
    expectAccepted(drawn);

    await expect(`${JSON.stringify(renderSlots(drawn), null, 2)}\n`).toMatchFileSnapshot(
      `../../fixtures/slack/${name}.json`,
    );
  });

  it("form", async () => {
    const view = formView(form, { channel: "C1", responseUrl: "https://hooks.slack.com/x" }, true);

    expect(checkView(view)).toBeUndefined();
    await expect(`${JSON.stringify(view, null, 2)}\n`).toMatchFileSnapshot("../../fixtures/slack/form.json");
  });
});

describe("a long answer", () => {
  it("continues in further messages and loses no word", () => {
    const words = Array.from({ length: 9_000 }, (_, index) => `word${index}`);

    const payloads = render(document({ kind: "markdown", text: words.join(" ") }));

    expect(payloads.length).toBeGreaterThan(4);
    for (const form of ["rich", "plain"] as const) {
      const text = payloads.map((payload) => shown(payload[form])).join(" ");
      expect(text.match(/word\d+/g)).toEqual(words);
    }
  });

  it("has its buttons under the last message only", () => {
    const payloads = render(document({ kind: "markdown", text: "word ".repeat(9_000) }));

    const withButtons = payloads.map(({ rich }) => rich.some((block) => block.type === "actions"));
    expect(withButtons.indexOf(true)).toBe(payloads.length - 1);
  });

  it("keeps what was drawn in earlier messages when more is added at the end", () => {
    const text = "A sentence of some length. ".repeat(900);

    const [before] = render(document({ kind: "markdown", text }));
    const [after] = render(document({ kind: "markdown", text: text + text }));

    expect(after).toEqual(before);
  });

  it("of only headings stays under 50 blocks per message, as Slack counts them", () => {
    const payloads = render(document({ kind: "markdown", text: "# Heading\n\nText.\n\n".repeat(200) }));

    for (const { rich } of payloads) {
      const markdown = rich.map((block) => (block.type === "markdown" ? block.text : "")).join("\n");
      expect((markdown.match(/^#/gm) ?? []).length).toBeLessThanOrEqual(45);
    }
  });
});

describe("any text", () => {
  const nasty = fc.constantFrom(
    "<!here>",
    "<!channel|all>",
    "<@U0ALICE>",
    "<!subteam^S1>",
    "<https://evil.test|https://bank.test>",
    "![x](https://evil.test/p.png)",
    "[https://bank.test](https://evil.test)",
    "```",
    "`",
    "&lt;!here&gt;",
    "\u202Eabc",
    "\u202E",
    "| a | b |\n|---|---|\n| <!here> | c |\n",
    "\n\n| d |\n|---|\n| e |\n\n",
    "# T\n",
    "\n\n",
    "😀",
  );
  const text = fc
    .array(fc.oneof(nasty, fc.string({ maxLength: 40 })), { maxLength: 30 })
    .map((parts) => parts.join(""));

  it("is accepted by Slack and pings nobody, in every kind of block", () => {
    fc.assert(
      fc.property(text, fc.webUrl(), (words, url) => {
        expectAccepted(
          document(
            { kind: "headline", text: [{ text: words }] },
            {
              kind: "text",
              text: [
                { text: words, style: "italic" },
                { text: words, style: "code" },
                { text: words, url },
              ],
            },
            { kind: "markdown", text: words },
            {
              kind: "steps",
              earlier: 2,
              steps: [
                { state: "failed", title: [{ text: words }], detail: [{ text: words }] },
                { state: "done", title: [{ text: words }], sources: [{ title: words, url }] },
              ],
            },
            { kind: "table", table: { columns: [words, "b"], rows: [[words, ""]] }, caption: [{ text: words }] },
            { kind: "code", text: words },
            { kind: "list", items: [{ mark: "done", text: [{ text: words }] }] },
            {
              kind: "actions",
              layout: "menu",
              actions: ["Refresh", "Remove"].map((label) => {
                return { id: "rest", label, accessibleLabel: `${label} ${words}`, value: "docs d1", style: "plain" };
              }),
            },
            { kind: "sources", sources: [{ number: 1, title: words, url }] },
            {
              kind: "chart",
              chart: {
                kind: "pie",
                title: words,
                categories: [words, "other"],
                series: [{ name: words, values: [1, 2] }],
                says: words,
              },
              table: { columns: [words, "n"], rows: [[url, words]] },
            },
            {
              kind: "fold",
              title: [{ text: words }],
              blocks: [
                {
                  kind: "sources",
                  sources: [{ number: 1, title: words, url, from: [{ text: words }], excerpt: words }],
                },
                {
                  kind: "steps",
                  earlier: 0,
                  steps: [{ state: "done", title: [{ text: words }], sources: [{ title: words, url }] }],
                },
              ],
              actions: [{ id: "steps", label: "Show steps", value: "turn1", style: "plain" }],
              quiet: [{ text: words }],
              flat: [{ kind: "quiet", text: [{ text: words }] }],
            },
            { kind: "quiet", text: [{ text: words }] },
          ),
        );
      }),
      { numRuns: runs(100), examples: [["```\n\n```!\n\n| d |\n|---|\n| e |\n\n", "http://a.aa"]] },
    );
  });

  it("fits at any length", () => {
    const lengths = fc.integer({ min: 1, max: 16_000 });
    fc.assert(
      fc.property(nasty, lengths, (part, length) => {
        expectAccepted(document({ kind: "markdown", text: part.repeat(Math.ceil(length / part.length)) }));
      }),
      { numRuns: runs(25) },
    );
  });

  it("can't disguise one URL as another, load a picture or reverse the text", () => {
    const [payload] = render(
      document({
        kind: "markdown",
        text: "See [https://bank.test](https://evil.test/login) ![pixel](https://evil.test/p.png) \u202Ecba <https://evil.test|bank>",
      }),
    );

    const [block] = payload?.rich ?? [];
    const drawn = block?.type === "markdown" ? block.text : "";
    expect(drawn).toContain("[https://bank.test (https://evil.test/login)](https://evil.test/login)");
    expect(drawn).not.toContain("![");
    expect(drawn).not.toContain("\u202E");
    expect(drawn).not.toContain("<https://evil.test|bank>");
  });

  it("leaves ampersands in URLs and quotes at the start of lines as they are", () => {
    const markdown = "> quoted\n\n[a](https://example.com/?a=1&b=2) and 1 < 2 && 3 > 2";

    const [payload] = render(document({ kind: "markdown", text: markdown }));

    expect(payload?.rich[0]).toEqual({ type: "markdown", text: markdown });
  });
});

describe("an answer that Slack doesn't turn into rich text", () => {
  it.each([
    ["a heading", "# Refunds"],
    ["a heading with a line under it", "Refunds\n======="],
    ["a table", "| a | b |\n|---|---|\n| 1 | 2 |"],
    ["headings, a rule and a table", "# One\n## Two\n\n---\n\na | b\n--|--\n1 | 2\n"],
  ])("(%s) has its small print as such", (_, text) => {
    const drawn = document({ kind: "markdown", text }, { kind: "quiet", text: [{ text: "3 steps" }] });

    expectAccepted(drawn);
    const last = render(drawn)[0]
      ?.rich.filter(({ type }) => type !== "actions")
      .at(-1);
    expect(last).toMatchObject({ type: "rich_text" });
    expect(shown(last)).toContain("3 steps");
  });

  it("visibly continues where there is no small print", () => {
    const drawn = document({ kind: "table", table: { columns: ["a"], rows: [["1"]] } });

    expectAccepted(drawn);
    expect(render(drawn).map(({ rich }) => shown(rich).includes("…"))).toEqual([true]);
  });

  it("and one in paragraphs stays as it is, small print small", () => {
    const [payload] = render(document({ kind: "markdown", text: "Yes." }, { kind: "quiet", text: [{ text: "1 s" }] }));

    expect(payload?.rich.map(({ type }) => type)).toEqual(["markdown", "context", "actions"]);
  });
});

describe("tables", () => {
  it("too large for a table block are aligned code, whole", () => {
    const rows = Array.from({ length: 250 }, (_, index) => [`row${index}`, "x"]);

    const payloads = render(document({ kind: "table", table: { columns: ["name", "value"], rows } }));

    const text = payloads.map((payload) => shown(payload.rich)).join(" ");
    expect(payloads.some(({ rich }) => rich.some((block) => /table/.test(block.type)))).toBe(false);
    expect(text.match(/row\d+/g)?.length).toBe(250);
  });

  it("after the first in a message are aligned code, because Slack accepts one", () => {
    const table = { columns: ["a"], rows: [["1"]] };
    const drawn = document({ kind: "table", table }, { kind: "table", table });

    expectAccepted(drawn);
    expect(render(drawn).map(({ rich }) => rich.map(({ type }) => type))).toEqual([
      ["data_table", "markdown", "actions"],
    ]);
  });

  const rowsOf = (count: number, name = "row") =>
    Array.from({ length: count }, (_, at) => `| **${name}${at}** | 1 |`).join("\n");
  const written = (count: number, name?: string) => `| name | value |\n|---|--:|\n${rowsOf(count, name)}\n`;

  it("that an agent wrote into its answer go one to a message too, in their order, and lose no word", () => {
    const text = `First:\n\n${written(3, "one")}\nSecond:\n\n${written(3, "two")}\nThird:\n\n${written(3, "three")}\nDone.`;
    const drawn = document({ kind: "markdown", text });

    expectAccepted(drawn);
    const [payload, ...others] = render(drawn);
    const drawnText = shown(payload?.rich);
    expect(others).toEqual([]);
    expect(drawnText.match(/First|\w+0|Second|Third|Done/g)).toEqual([
      "First",
      "one0",
      "Second",
      "two0",
      "Third",
      "three0",
      "Done",
    ]);
    expect(payload?.rich.map(({ type }) => type)).toContain("data_table");
    expect(drawnText).not.toMatch(/\*\*(one|two)0\*\*/);
    expect(drawnText).toMatch(/two0 │ +1/);
  });

  it("that an agent wrote beside rows of its answer leave room for those", () => {
    const drawn = document(
      { kind: "markdown", text: written(2) },
      { kind: "table", table: { columns: ["a"], rows: [["1"]] } },
    );

    expectAccepted(drawn);
    expect(shown(render(drawn)[0]?.rich)).toContain("row1");
  });

  it("that an agent wrote with more rows than Slack takes are aligned code, whole", () => {
    const drawn = document({ kind: "markdown", text: `All:\n\n${written(150)}\nDone.` });

    expectAccepted(drawn);
    const text = render(drawn)
      .map(({ rich }) => shown(rich))
      .join(" ");
    expect(text.match(/row\d+/g)?.length).toBe(150);
    expect(text).not.toContain("|---|");
  });

  it("in code are left alone", () => {
    const text = ["```", written(2), written(2), "```"].join("\n");
    const [payload] = render(document({ kind: "markdown", text }));

    expect(payload?.rich[0]).toEqual({ type: "markdown", text });
  });
});

describe("a channel", () => {
  it("is shown by its name where it is one of Slack's, and as it was called elsewhere", () => {
    const named = (channelId: string) => ({ text: "general", style: "code" as const, channelId });
    const block = { kind: "text" as const, text: [{ text: "in " }, named("C0GENERAL"), named("C1> <!here")] };
    const [payload] = render(document(block));

    expect(JSON.stringify(payload?.rich)).toContain('{"type":"channel","channel_id":"C0GENERAL"}');
    expect(JSON.stringify(payload?.rich).match(/"type":"channel"/g)?.length).toBe(1);
  });
});

describe("buttons", () => {
  it("of the same kind stay distinct, however many there are", () => {
    const drawn: Document = {
      ...document({ kind: "text", text: [{ text: "Which one?" }] }),
      actions: Array.from({ length: 30 }, (_, index) => ({
        id: "choose-agent" as const,
        label: `agent_${index}_${"x".repeat(90)}`,
        value: `agent_${index}`,
        style: "plain" as const,
      })),
    };

    expectAccepted(drawn);
    const buttons = render(drawn)[0]?.rich.filter((block) => block.type === "actions");
    expect(buttons?.map((block) => block.elements.length)).toEqual([25, 5]);
  });
});
