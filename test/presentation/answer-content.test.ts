/** The end of a question: its table as a chart or as it is, and what is folded below it. */
import { describe, expect, it } from "vitest";
import type { Action, Block, Document } from "../../src/core/document.ts";
import { ParleyError } from "../../src/core/errors.ts";
import type { Table, TurnView } from "../../src/core/model/turn.ts";
import { inlineText } from "../../src/presentation/drawing/inline.ts";
import { sentDocument } from "../../src/presentation/drawing/notice.ts";
import { tableDocument } from "../../src/presentation/drawing/turn/answer-content.ts";
import { type TurnDocumentOptions, turnDocument } from "../../src/presentation/drawing/turn/turn-document.ts";
import { documentText } from "../../src/presentation/markdown/plain-text.ts";
import { block, buttons, nowMs, said, step, view } from "./views.ts";

const rows = [
  ["May 2026", "1,240", "1,610"],
  ["June 2026", "1,385", "1,655"],
  ["July 2026", "1,520", "1,700"],
  ["August 2026", "1,705", "1,690"],
];
const table: Table = { columns: ["Month", "Direct", "Partner sites"], rows };
const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
const written = [table.columns, ["---", "---", "---"], ...rows].map(line).join("");
const sentence = "**Direct bookings rise by 38%** [1].";
const trend = "What's the trend in direct bookings?";

const answered = (changes: Partial<TurnView>, options: TurnDocumentOptions = {}) =>
  turnDocument(view({ state: "answered", question: trend, endedAtMs: nowMs, ...changes }), nowMs, options);
const kinds = ({ blocks }: Document) => blocks.map(({ kind }) => kind);
const words = ({ blocks }: Document) => blocks.flatMap((one) => (one.kind === "markdown" ? [one.text] : []));

describe("an answer with a table of numbers", () => {
  it("is a chart where it was a table, if the question asks for a trend", () => {
    const drawn = answered({ answer: `${sentence}\n\n${written}\nThey passed partner sites in August.` });

    expect(kinds(drawn)).toEqual(["markdown", "chart", "markdown", "quiet"]);
    expect(block(drawn, "chart")).toMatchObject({ chart: { kind: "line", series: [{ name: "Direct" }, {}] }, table });
    expect(words(drawn).join("")).not.toContain("1,610");
    expect(buttons(drawn)).toEqual(["Table", "Get CSV", "👍", "👎", "Try again"]);
    expect(drawn.actions[0]).toEqual({ id: "table", label: "Table", value: "turn1", style: "plain" } satisfies Action);
  });

  it("is the table as written with Chart, if the question asks for anything else, or has fewer points", () => {
    const answer = `${sentence}\n\n${written}`;
    const other = answered({ answer, question: "How many bookings did we have?" });
    const few = answered({
      answer: `${sentence}\n\n${[table.columns, ["---", "---", "---"], ...rows.slice(0, 3)].map(line).join("")}`,
    });

    for (const drawn of [other, few]) {
      expect(kinds(drawn)).toEqual(["markdown", "quiet"]);
      expect(buttons(drawn)).toEqual(["Chart", "Get CSV", "👍", "👎", "Try again"]);
    }
    expect(words(other)).toEqual([answer]);
  });

  it("has the form that a person asked for, whatever the question says", () => {
    const answer = `${sentence}\n\n${written}`;
    const asTable = answered({ answer }, { shownAs: "table" });
    const asChart = answered({ answer, question: "How many?" }, { shownAs: "chart" });

    expect([kinds(asTable), words(asTable), buttons(asTable)[0]]).toEqual([["markdown", "quiet"], [answer], "Chart"]);
    expect([kinds(asChart), buttons(asChart)[0]]).toEqual([["markdown", "chart", "quiet"], "Table"]);
  });

  it("is drawn from the service's own table, else from the words, else from a tool's rows", () => {
    const other: Table = { columns: ["Month", "Other"], rows: rows.map(([month = ""], at) => [month, `${at + 1}`]) };
    const own = answered({ answer: written, answerTable: table, tables: [other] });
    const said = answered({ answer: written, tables: [other] });
    const tool = answered({ answer: sentence, tables: [other] });

    expect([kinds(own), block(own, "chart")?.table]).toEqual([["markdown", "chart", "quiet"], table]);
    expect([kinds(said), block(said, "chart")?.table]).toEqual([["chart", "quiet"], table]);
    expect([kinds(tool), block(tool, "chart")?.table]).toEqual([["markdown", "chart", "quiet"], other]);
  });

  it("shows a tool's rows only when a person asks for them", () => {
    const changes = { answer: sentence, tables: [table], question: "How many?" };

    expect([kinds(answered(changes)), buttons(answered(changes))[0]]).toEqual([["markdown", "quiet"], "Chart"]);
    expect(kinds(answered(changes, { shownAs: "table" }))).toEqual(["markdown", "table", "quiet"]);
  });

  it("says in its summary what the chart shows if it has no words of its own", () => {
    expect(answered({ answer: "", answerTable: table }).summary).toMatch(/^Line chart: .*Direct: 1,240 \(May 2026\)/);
    expect(answered({ answer: sentence, answerTable: table }).summary).toBe("Direct bookings rise by 38% [1].");
  });

  it("keeps the other tables, and what defines its links", () => {
    const two = answered({ answer: `${written}\nBy room:\n\n| Room | Beds |\n|---|---|\n| One | 2 |\n` });
    const linked = answered({
      answer: `See [the report].\n\n${written}\nMore.\n\n[the report]: https://example.com/r\n`,
    });

    expect(words(two)).toEqual(["\nBy room:\n\n| Room | Beds |\n|---|---|\n| One | 2 |\n"]);
    expect(kinds(linked)).toEqual(["markdown", "chart", "quiet"]);
    expect(words(linked)[0]).toContain("[the report]: https://example.com/r");
  });

  it("has its chart, and then its table, at the end of long words, so that only the last message changes", () => {
    const long = "Bookings are counted on the day they are made. ".repeat(60);
    const answer = `${sentence}\n\n${written}\n${long}`;
    const chart = answered({ answer });
    const asTable = answered({ answer }, { shownAs: "table" });

    expect(kinds(chart)).toEqual(["markdown", "chart", "quiet"]);
    expect(kinds(asTable)).toEqual(["markdown", "markdown", "quiet"]);
    expect(words(asTable)).toEqual([words(chart)[0], written]);
    expect(words(answered({ answer, question: "How many?" }))).toEqual([answer]);
  });

  it("keeps every word around the table", () => {
    for (const after of ["", "\nAfter.", `\n${"Long after. ".repeat(200)}`]) {
      const drawn = answered({ answer: `Before.\n${written}${after}` });
      const kept = words(drawn).join(" ").replace(/\s+/g, " ").trim();
      expect(kept).toBe(`Before. ${after}`.replace(/\s+/g, " ").trim());
    }
  });

  it("is shown with its first rows where no chart can be drawn, and says how many are left out", () => {
    const days = Array.from({ length: 5_000 }, (_, at) => [
      new Date(Date.UTC(2012, 0, 1 + at)).toISOString().slice(0, 10),
      `${at}`,
    ]);
    const drawn = answered({ answer: "", answerTable: { columns: ["Day", "Orders"], rows: days } });
    const chart = block(drawn, "chart");

    expect(chart?.chart.title).toContain("last 20 of 5,000");
    expect(chart?.table).toMatchObject({ rows: { length: 50 }, omittedRows: 4_950 });
    expect(documentText(drawn)).toContain("4,950 more rows not shown here.");
    expect(JSON.stringify(drawn).length).toBeLessThan(6_000);
  });

  it("has no button and no chart while it runs, or when it failed or was stopped", () => {
    for (const state of ["running", "failed", "stopped", "interrupted", "queued"] as const) {
      const drawn = turnDocument(view({ state, question: trend, answer: written, endedAtMs: nowMs }), nowMs);
      expect(kinds(drawn)).not.toContain("chart");
      expect(buttons(drawn)).not.toEqual(expect.arrayContaining(["Chart"]));
    }
  });

  it("can be shown to one person in each form, with why", () => {
    const shown = view({ state: "answered", question: trend, answer: `${sentence}\n\n${written}` });
    const chart = tableDocument(shown, "chart", "busy");
    const asTable = tableDocument(shown, "table", "unfit");

    expect(chart).toMatchObject({ tone: "info", blocks: [{ kind: "chart", table }, { kind: "quiet" }], actions: [] });
    expect(asTable).toMatchObject({ blocks: [{ kind: "table", table }, { kind: "quiet" }] });
    expect(asTable && said(asTable, "quiet")).toBe("The answer itself can no longer be changed.");
    expect(tableDocument({ ...shown, answer: sentence }, "chart", "busy")).toBeUndefined();
  });
});

describe("what is below an answer", () => {
  const source = { title: "Refund policy", url: "https://example.com/refunds", excerpt: "Refunds take 14 days." };
  const found = [source, { title: "Gift cards" }, { title: "Transfers" }, { title: "Cards" }];
  const steps = [step({ sources: found }), step({ state: "failed", sources: found }), step()];
  const fold = (drawn: Document) => block(drawn, "fold");
  const title = (drawn: Document) => inlineText(fold(drawn)?.title ?? []);

  it("is folded under the numbers of sources and steps, with one quiet line", () => {
    const drawn = answered({ answer: "Yes [1].", steps, sources: [source] }, { votes: { up: 2, down: 0 } });

    expect(kinds(drawn)).toEqual(["markdown", "fold"]);
    expect(title(drawn)).toBe("1 source · 3 steps");
    expect(inlineText(fold(drawn)?.quiet ?? [])).toBe("support_agent · 12 s · 👍 2");
    expect(fold(drawn)?.blocks).toMatchObject([
      { kind: "sources", sources: [{ number: 1, excerpt: "Refunds take 14 days." }] },
      { kind: "steps", earlier: 0, steps: [{ state: "done" }, { state: "failed" }, { state: "done" }] },
    ]);
    expect(fold(drawn)?.actions.map(({ id }) => id)).toEqual(["steps"]);
  });

  it("is what it always was where a platform can't fold: the sources, and one quiet line", () => {
    const drawn = answered({ answer: "Yes [1].", steps, sources: [source] }, { votes: { up: 2, down: 0 } });

    expect(fold(drawn)?.flat.map(({ kind }) => kind)).toEqual(["sources", "quiet"]);
    expect(said(drawn, "quiet")).toBe("support_agent · 3 steps · 12 s · 👍 2");
    expect(buttons(drawn)[0]).toBe("Show steps");
  });

  it("has no buttons where the answer is sent to the asker alone, in another place", () => {
    const drawn = answered({ answer: "Yes [1].", steps, sources: [source] });
    const sent = sentDocument({ actor: { name: "Alice" }, question: trend }, new ParleyError("place_gone"), drawn);

    expect(sent.actions).toEqual([]);
    expect(fold(sent)).toMatchObject({ actions: [], quiet: fold(drawn)?.quiet });
  });

  it("is one quiet line if there is nothing to fold, and has no sources only if it has no rows either", () => {
    const drawn = answered({ answer: "Yes." });

    expect(kinds(drawn)).toEqual(["markdown", "quiet"]);
    expect(said(drawn, "quiet")).toBe("support_agent · 12 s · no sources");
    expect(said(answered({ answer: written, tables: [table] }), "quiet")).toBe("support_agent · 12 s");
    expect(said(answered({ answer: "None.", tables: [{ ...table, rows: [] }] }), "quiet")).toMatch(/no sources$/);
    expect(title(answered({ answer: "Yes.", steps }))).toBe("3 steps");
    expect(title(answered({ answer: "Yes.", sources: [source, source] }))).toBe("2 sources");
  });

  it("names the first pages that a step found, without their passages", () => {
    const drawn = answered({ answer: "Yes.", steps });
    const running = turnDocument(view({ steps }), nowMs);

    for (const shown of [fold(drawn)?.blocks[0], block(running, "steps")]) {
      const lines = shown?.kind === "steps" ? shown.steps : [];
      expect(lines.map((one) => one.sources)).toEqual([
        [
          { title: "Refund policy", url: "https://example.com/refunds" },
          { title: "Gift cards" },
          { title: "Transfers" },
        ],
        undefined,
        undefined,
      ]);
    }
  });

  it("folds the newest ten steps and counts the others", () => {
    const many = Array.from({ length: 14 }, () => step());
    const [shown] = fold(answered({ answer: "Yes.", steps: many, omittedSteps: 3 }))?.blocks ?? [];

    expect(shown satisfies Block | undefined).toMatchObject({ kind: "steps", earlier: 7, steps: { length: 10 } });
    expect(title(answered({ answer: "Yes.", steps: many, omittedSteps: 3 }))).toBe("17 steps");
  });
});
