import { describe, expect, it } from "vitest";
import { ParleyError } from "../../src/core/errors.ts";
import { bold, dotted, inlineText, link, say } from "../../src/presentation/drawing/inline.ts";
import { jobDocument } from "../../src/presentation/drawing/job-document.ts";
import { errorDocument, infoDocument, listDocument } from "../../src/presentation/drawing/notice.ts";
import { rawStepsDocument, stepsDocument } from "../../src/presentation/drawing/turn/steps-document.ts";
import { documentText, passageExcerpt, plainDocument, plainText } from "../../src/presentation/markdown/plain-text.ts";
import { bindingSentences } from "../../src/presentation/sentences/commands.ts";
import { durationText, momentText, numberText } from "../../src/presentation/sentences/quantities.ts";
import { block, buttons, job, nowMs, said, step, view } from "./views.ts";

describe("a job", () => {
  const items = [
    { state: "done", url: "https://example.com/start/", title: "Getting started", pages: 12 },
    { state: "done", url: "https://example.com/faq", title: "FAQ", pages: 1 },
    { state: "failed", url: "https://example.com/old", reason: "the page is gone (404)" },
  ] as const;

  it("shows the count, a line per URL, what failed and why, who asked and how long", () => {
    const drawn = jobDocument(job(items), nowMs);

    expect(documentText(drawn)).toBe(
      [
        "Adding to docs · 2 of 3 done, 1 failed",
        "✓ Getting started (https://example.com/start/) (example.com/start) · 12 pages\n✓ FAQ (https://example.com/faq) (example.com/faq) · 1 page\n✗ example.com/old · the page is gone (404)",
        "added by Alice Admin · 48 s · read by Parley",
      ].join("\n\n"),
    );
    expect(buttons(drawn)).toEqual(["Cancel"]);
    expect(block(drawn, "quiet")?.text.some((span) => span.actorId === "U1")).toBe(true);
  });

  it("offers to retry what failed and to ask when it is over", () => {
    const drawn = jobDocument(job(items, { state: "done", endedAtMs: nowMs }), nowMs + 99_000);

    expect(said(drawn, "headline")).toBe("Added to docs · 2 of 3 done, 1 failed");
    expect(drawn.actions.map((action) => [action.label, action.style, action.value])).toEqual([
      ["Retry failed", "plain", "job1"],
      ["Ask about it", "primary", "job1 docs"],
    ]);
    expect(drawn.tone).toBe("partial");
    expect(said(drawn, "quiet")).toBe("added by Alice Admin · 48 s · read by Parley · ref a1b2");
  });

  it("is green only when all went well", () => {
    const done = { state: "done" } as const;
    const failed = { state: "failed" } as const;

    expect(jobDocument(job([done], { state: "done" }), nowMs).tone).toBe("done");
    expect(jobDocument(job([done, failed], { state: "done" }), nowMs).tone).toBe("partial");
    expect(jobDocument(job([failed], { state: "failed" }), nowMs).tone).toBe("failed");
    expect(said(jobDocument(job([failed], { state: "failed" }), nowMs), "headline")).toBe(
      "Nothing was added to docs · 0 of 1 done, 1 failed",
    );
    expect(jobDocument(job([done, { state: "cancelled" }], { state: "cancelled" }), nowMs).tone).toBe("stopped");
  });

  it("keeps failed lines in view among hundreds and counts the rest", () => {
    const many = Array.from({ length: 200 }, (_item, at) => ({
      state:
        at === 5
          ? ("failed" as const)
          : at < 100
            ? ("done" as const)
            : at === 100
              ? ("running" as const)
              : ("waiting" as const),
      url: `https://example.com/${at}`,
    }));

    const list = block(jobDocument(job(many), nowMs), "list");

    const lines = (list?.items ?? []).map((item) => inlineText(item.text));
    expect(lines.length).toBeLessThanOrEqual(30);
    expect(lines).toContain("example.com/5 · failed (no reason given)");
    expect(lines).toContain("example.com/100");
    expect(lines.at(-1)).toBe("+99 waiting");
    expect(lines.at(-2)).toBe("+73 done");
  });

  it("shows no more than it says even when all has failed", () => {
    const many = Array.from({ length: 100 }, (_item, at) => ({
      state: "failed" as const,
      url: `https://example.com/${at}`,
    }));

    const lines = (block(jobDocument(job(many), nowMs), "list")?.items ?? []).map((item) => inlineText(item.text));

    expect(lines).toHaveLength(29);
    expect(lines.at(-1)).toBe("+72 failed");
  });
});

describe("Show steps", () => {
  it("shows each step in words, with title, two lines and link of each passage", () => {
    const sources = [
      { title: "Plans", url: "https://example.com/plans", excerpt: "## SSO\n\n**SSO** is in Pro." },
      { title: "https://example.com/help/sso", url: "https://example.com/help/sso" },
    ];
    const drawn = stepsDocument(view({ steps: [step({ observation: "id,content\n1,SSO is in Pro", sources })] }));

    expect(documentText(drawn)).toBe(
      [
        "support_agent's steps",
        "1. Searched pricing for “SSO plan”: 5 passages · 1 s",
        "• Plans (https://example.com/plans): SSO is in Pro.\n• sso · example.com (https://example.com/help/sso)",
        "ref k3f9",
      ].join("\n\n"),
    );
    expect(drawn.actions.map(({ label, value }) => [label, value])).toEqual([
      ["Raw", "turn1"],
      ["Hide", "turn1"],
    ]);
  });

  it("shows nothing of a step that the reader may not see, and no Raw then", () => {
    const sources = [{ title: "Secret plans", excerpt: "SSO is in Pro" }];
    const drawn = stepsDocument(view({ steps: [step({ observation: "1,SSO is in Pro", sources })] }), () => false);

    expect(documentText(drawn)).not.toMatch(/Secret|Pro|pricing/);
    expect(drawn.actions.map(({ label }) => label)).toEqual(["Hide"]);
  });

  it("shows query, reason, what came back and the service's reference behind Raw", () => {
    const drawn = rawStepsDocument(
      view({
        steps: [step({ reasoning: "prices are in pricing", observation: "id,content\n1,SSO is in Pro" })],
        traceId: "trace-7",
      }),
    );

    expect(documentText(drawn)).toBe(
      [
        "support_agent's raw steps",
        "1. Searched pricing for “SSO plan”: 5 passages · 1 s",
        "Why: prices are in pricing",
        "SELECT * FROM pricing WHERE content = 'SSO plan' LIMIT 5;",
        "id,content\n1,SSO is in Pro",
        "trace id trace-7",
        "ref k3f9",
      ].join("\n\n"),
    );
  });

  it("says how much of an observation is cut, what was cut before included", () => {
    const drawn = rawStepsDocument(
      view({ steps: [step({ observation: "x".repeat(2_000), observationOmittedChars: 1_000 })] }),
    );

    expect(
      block(drawn, "quiet")
        ?.text.map((span) => span.text)
        .join(""),
    ).toBe("Shortened: 1,500 more characters.");
  });

  it("shows the rows that tools returned, and how many there are besides", () => {
    const rows = Array.from({ length: 30 }, (_row, at) => [String(at)]);

    const drawn = stepsDocument(view({ tables: [{ columns: ["n"], rows, omittedRows: 5 }] }));

    expect(block(drawn, "table")?.table).toMatchObject({ rows: { length: 20 }, omittedRows: 15 });
    expect(said(drawn, "text")).toBe("No steps were needed.");
  });

  it("never cuts a surrogate pair", () => {
    const drawn = rawStepsDocument(view({ steps: [step({ input: "", observation: `x${"😀".repeat(2_000)}` })] }));

    expect(block(drawn, "code")?.text.isWellFormed()).toBe(true);
  });
});

describe("notices", () => {
  it("are for everyone if their sentences are constant, or a refusal", () => {
    expect(errorDocument(new ParleyError("turn_gone")).isForEveryone).toBe(true);
    expect(errorDocument(new ParleyError("not_allowed", { what: "Managers only." })).isForEveryone).toBe(true);
    expect(errorDocument(new ParleyError("turn_gone", { what: "Alice's salary." })).isForEveryone).toBeUndefined();
    expect(errorDocument({ what: "Not here.", hint: "" }).isForEveryone).toBeUndefined();
  });

  it("say what failed, what to do and the reference", () => {
    const drawn = errorDocument(new ParleyError("no_agent"), "k3f9");

    expect(documentText(drawn)).toBe("There are no agents yet.\n\nCreate one with /agent create.\n\nref k3f9");
    expect(drawn).toMatchObject({ tone: "failed", summary: "There are no agents yet." });
  });

  it("say that the question is saved only if one failed, not after a command", () => {
    const down = new ParleyError("service_unreachable");
    const advice = "Try again in a minute, or tell your Parley admin.";

    expect(documentText(errorDocument(down, "k3f9"))).toContain(`Your question is saved. ${advice}`);
    expect(documentText(errorDocument(down))).toBe(`The agent service can't be reached.\n\n${advice}`);
  });

  it("are one sentence or several", () => {
    expect(documentText(infoDocument("One."))).toBe("One.");
    expect(documentText(infoDocument(say`${bold("One")}.`))).toBe("One.");
    expect(documentText(infoDocument(["One.", say`Two.`], { quiet: ["a", "b"] }))).toBe("One.\n\nTwo.\n\na · b");
  });

  it("are lists with a line per item, or say that there are none", () => {
    const drawn = listDocument("Agents", ["one", say`${bold("two")}`, { mark: "done", text: say`three` }]);

    expect(documentText(drawn)).toBe("Agents\n\n• one\n• two\n✓ three");
    expect(documentText(listDocument("Agents", [], { whenEmpty: "There is none." }))).toBe("Agents\n\nThere is none.");
  });
});

describe("small words", () => {
  it("format durations, numbers and moments", () => {
    expect([0, 999, 18_400, 60_000, 65_000, 3_600_000, 7_380_000].map(durationText)).toEqual([
      "under 1 s",
      "under 1 s",
      "18 s",
      "1 min",
      "1 min 5 s",
      "1 h",
      "2 h 3 min",
    ]);
    expect([0, 999, 1_000, 1_234_567].map(numberText)).toEqual(["0", "999", "1,000", "1,234,567"]);
    expect(momentText(nowMs)).toBe("2026-11-21 05:44 UTC");
  });

  it("join with dots what is not empty, and link only what may be linked", () => {
    expect(inlineText(dotted("a", undefined, "", "b"))).toBe("a · b");
    expect(link("label", "javascript:x")).toEqual({ text: "label" });
  });

  it("turn Markdown into plain text", () => {
    expect(
      plainText(
        "# Title\n\n- **bold** and `code` with [a link](https://x.y)\n\n| a | b |\n|---|---|\n| snake_case | 2*3 |",
      ),
    ).toBe("Title bold and code with a link a b snake_case 2*3");
  });

  it.each([
    ["# Refunds and groups\n\n## Refunds\n\nRefunds take *14* days.", "Refunds take 14 days."],
    [
      "Refunds take 14 days.\n\n## Groups\n\nGroups pay in advance.",
      "Refunds take 14 days. Groups: Groups pay in advance.",
    ],
    ["## Who pays?\n\nThe guest.\n\n## When?\n\nIn advance.\n\n## How", "The guest. When? In advance. How"],
    ["# Refunds\n\n## Groups", ""],
    ["A sentence without marks", "A sentence without marks"],
  ])("quote the passage %j without its own headings in the way", (markdown, quoted) => {
    expect(passageExcerpt(markdown, 300)).toBe(quoted);
  });

  it("keep every word of a document when its formatting is dropped", () => {
    const drawn = jobDocument(job([{ state: "done", url: "https://example.com/a", title: "A" }]), nowMs);

    const plain = plainDocument(drawn);

    expect(documentText(plain)).toBe(documentText(drawn));
    for (const one of plain.blocks) expect(["headline", "text", "quiet"]).toContain(one.kind);
  });
});

it.each([
  [[], "There is no agent that you can ask here."],
  [["sales"], "sales answers here: it's the only agent that you can ask here."],
  [["sales", "support"], "No agent is set here, so I'll ask which of the 2 should answer."],
])("says who answers where no agent is set and a person can ask %j", (agents, said) => {
  expect(inlineText(bindingSentences.choose(agents))).toBe(said);
});
