/**
 * What Discord is sent for every state that people see: pinned, within its limits, and nothing lost.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formPages, modalOf } from "../../../adapters/discord/drawing/forms.ts";
import { discordMarkdown } from "../../../adapters/discord/drawing/markdown.ts";
import { type DiscordPayload, readCustomId, render } from "../../../adapters/discord/drawing/render.ts";
import { marked, markNumber, nonceOf, partOf } from "../../../adapters/discord/writing/post-marks.ts";
import { threadName } from "../../../adapters/discord/writing/reply-place.ts";
import type { Action, Block, Document } from "../../../src/core/document.ts";
import { messageProblems, modalProblems } from "../../fakes/discord/checks.ts";
import { type Json, textOf } from "../../fakes/discord/world.ts";
import { runs } from "../../properties.ts";
import { documents, form } from "./pictures.ts";

const problems = ({ components }: DiscordPayload) => messageProblems({ components, flags: 1 << 15 }, undefined);
const words = (payloads: readonly DiscordPayload[]) =>
  payloads
    .map(({ components }) => textOf({ content: "", components: components as unknown as readonly Json[] }))
    .join("\n");

function answer(markdown: string): Document {
  return { tone: "done", blocks: [{ kind: "markdown", text: markdown }], actions: [], summary: "Answer ready." };
}

describe("what people see", () => {
  it.each(Object.keys(documents))("is pinned: %s", async (name) => {
    const payloads = render(documents[name] as Document);

    expect(payloads.flatMap(problems)).toEqual([]);
    await expect(JSON.stringify(payloads, null, 2)).toMatchFileSnapshot(`../../fixtures/discord/${name}.json`);
  });

  it("is pinned: the form, page by page", async () => {
    const pages = formPages(form).map((_fields, page) => modalOf(form, "1", page, {}));

    expect(pages.flatMap((page) => modalProblems(page as unknown as Json))).toEqual([]);
    expect(pages.map(({ components }) => components.length)).toEqual([4, 4]);
    await expect(JSON.stringify(pages, null, 2)).toMatchFileSnapshot("../../fixtures/discord/form.json");
  });
});

describe("long answers", () => {
  it.each([4_000, 4_001, 12_001])("of %i characters lose none", (length) => {
    const text = Array.from({ length }, (_, index) => (index % 60 === 59 ? " " : String(index % 10))).join("");

    const payloads = render(answer(text));

    expect(payloads.flatMap(problems)).toEqual([]);
    expect(words(payloads).replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
  });

  it("never split a surrogate pair", () => {
    for (const shift of [0, 1, 2]) {
      const payloads = render(answer("x".repeat(3_890 + shift) + "😀".repeat(200)));

      expect(payloads.flatMap(problems)).toEqual([]);
      expect(words(payloads).match(/😀/gu)?.length).toBe(200);
      expect(words(payloads).isWellFormed()).toBe(true);
    }
  });

  it("stay within the limits whatever an agent writes", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string({ unit: "grapheme", maxLength: 300 }),
            fc.constantFrom("\n\n", "```\n", "| a | b |\n|---|---|\n| 1 | 2 |\n", "# ", "> ", "||", "**", "`"),
          ),
          { maxLength: 60 },
        ),
        (parts) => {
          const payloads = render(answer(parts.join("")));
          expect(payloads.length).toBeGreaterThan(0);
          expect(payloads.flatMap(problems)).toEqual([]);
        },
      ),
      { numRuns: runs(150) },
    );
  });
});

describe("an agent's Markdown", () => {
  it("has its tables as aligned code, and headings to the third", () => {
    expect(discordMarkdown("#### Deep\n\n| a | **b** |\n|---|---|\n| 1 | 2 |\n")).toBe(
      "### Deep\n```\na │ b\n──┼──\n1 │ 2\n```\n",
    );
  });

  it("has a table that a phone can't align as a line a row, which breaks at words", () => {
    const table = [
      "| Plan | Price | What it includes | More |",
      "|---|---|---|---|",
      "| Starter | 49 | A single bed and the *shared* bathroom | [rules](https://example.com/r) |",
      "| _Team_ 2* | | --- | @everyone |",
    ];
    expect(discordMarkdown(`${table.join("\n")}\n`)).toBe(
      [
        "- **Starter** · Price: 49 · What it includes: A single bed and the shared bathroom · More: [rules](<https://example.com/r>)",
        "- **Team 2\\*** · What it includes: --- · More: @\u200Beveryone",
        "",
      ].join("\n"),
    );
  });

  it("links without a preview, shows no picture, and hides no address", () => {
    expect(discordMarkdown("[docs](https://example.com/a) ![cat](https://example.com/c.png)")).toBe(
      "[docs](<https://example.com/a>) [cat](<https://example.com/c.png>)",
    );
    expect(discordMarkdown("[![build](https://example.com/b.png)](https://example.com/ci)")).toBe(
      "[build](<https://example.com/ci>)",
    );
    expect(discordMarkdown("[bank.com](https://evil.example)")).toContain("https://evil.example");
  });

  it("pings nobody, hides nothing, and leaves code as it is", () => {
    const made = discordMarkdown("@everyone <@123456789012345678> ||secret||\n\n```sql\nSELECT a || b -- @here\n```\n");

    expect(made).not.toMatch(/@everyone|<@\d/);
    expect(made).toContain("\\|\\|secret\\|\\|");
    expect(made).toContain("SELECT a || b -- @here");
  });

  it("is bold where it says so with underscores, which only underline in Discord", () => {
    expect(discordMarkdown("__bold__ and `__code__`")).toBe("**bold** and `__code__`");
    expect(discordMarkdown("**bold __x__** and __bold **x**__")).toBe("**bold x** and **bold x**");
  });
});

describe("Parley's own words", () => {
  it("stay literal, whatever a name or a URL contains", () => {
    const blocks = [{ kind: "text" as const, text: [{ text: "# *Bob* <@1234567890123456> @here [x](y)" }] }];

    const shown = words(render({ tone: "info", blocks, actions: [], summary: "x" }));

    expect(shown).toBe("\\# \\*Bob\\* <\u200B@1234567890123456> @\u200Bhere \\[x\\]\\(y)");
  });
});

it("a time is shown to each reader in their own time zone", () => {
  const moment = (unit: "minute" | "second") => ({ text: "10:42 UTC", moment: { atMs: 1_795_689_724_500, unit } });
  const blocks = [{ kind: "text" as const, text: [moment("minute"), { text: " to " }, moment("second")] }];

  const shown = words(render({ tone: "info", blocks, actions: [], summary: "x" }));

  expect(shown).toBe("<t:1795689725:t> to <t:1795689725:T>");
});

describe("marks", () => {
  it("identify the part that a post belongs to, and no other", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 20 }),
        fc.integer({ min: 0, max: 63 }),
        fc.integer({ min: 0, max: 9 }),
        (replyId, part, generation) => {
          const mark = { replyId, part, generation };
          const [component] = marked({ components: [{ type: 10, content: "x" }] }, mark).components;
          const message = { components: [component] } as unknown as Parameters<typeof partOf>[0];
          expect(partOf(message, replyId, 9)).toEqual({ part, generation });
          expect(partOf(message, replyId, generation - 1)).toBeUndefined();
          expect(markNumber(mark)).toBeLessThan(2 ** 31);
          expect(nonceOf(mark).length).toBeLessThanOrEqual(25);
        },
      ),
    );
  });

  it("of the first generation are the same as before generations existed", () => {
    const mark = { replyId: "0123456789abcdef", part: 2, generation: 0 };

    expect([markNumber(mark), nonceOf(mark)]).toEqual([1_339_009_218, "0123456789abcdef-2"]);
  });

  it("come back from a button as they were put there", () => {
    expect(readCustomId("choose-agent:0123456789abcdef my agent")).toEqual({
      action: "choose-agent",
      value: "0123456789abcdef my agent",
    });
  });
});

describe("a thread's name", () => {
  it("is the question without marks, never empty and at most 100 characters", () => {
    expect(threadName("**How** many\nusers?")).toBe("How many users?");
    expect(threadName("   ")).toBe("Question");
    expect(threadName("x".repeat(300)).length).toBe(100);
  });
});

describe("menus of lines", () => {
  const lines = (count: number): Document => ({
    ...answer(""),
    blocks: Array.from({ length: count }, (_, at): readonly Block[] => [
      { kind: "list", items: [{ text: [{ text: `${at + 1}. Refunds` }] }] },
      {
        kind: "actions",
        layout: "menu",
        actions: ["Refresh", "Edit", "Remove"].map((label): Action => {
          const value = `docs ${at}`;
          return {
            id: "remove-document",
            label,
            accessibleLabel: `${label} ${at + 1}: Refunds`,
            value,
            style: "plain",
          };
        }),
      },
    ]).flat(),
  });

  it("are one menu below the list", () => {
    const [payload, ...more] = render(lines(2));
    const [container] = payload?.components ?? [];

    expect(more).toEqual([]);
    expect(container).toMatchObject({
      components: [
        { content: "1\\. Refunds\n2\\. Refunds" },
        {
          components: [
            {
              placeholder: "Refresh, Edit, Remove…",
              options: [
                { label: "Refresh 1: Refunds", value: "remove-document:docs 0" },
                { label: "Edit 1: Refunds" },
                { label: "Remove 1: Refunds" },
                { label: "Refresh 2: Refunds" },
                { label: "Edit 2: Refunds" },
                { label: "Remove 2: Refunds" },
              ],
            },
          ],
        },
      ],
    });
  });

  it("are accepted by Discord when a message has two of them", () => {
    const heading: Block = { kind: "headline", text: [{ text: "Links" }] };
    const [first, second, ...more] = lines(1).blocks;
    const blocks = [first, second, heading, second].filter((block) => block !== undefined);
    const payloads = render({ ...answer(""), blocks });
    const ids = JSON.stringify(payloads).match(/"custom_id":"[^"]*"/g) ?? [];

    expect(more).toEqual([]);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(2);
  });

  it.each([1, 10, 300, 10_000])("are accepted by Discord, and hold every action: %i lines", (count) => {
    const payloads = render(lines(count));
    const options = JSON.stringify(payloads).match(/"label":"Remove /g) ?? [];

    expect(payloads.flatMap(problems)).toEqual([]);
    expect(options.length).toBe(count);
  });
});
