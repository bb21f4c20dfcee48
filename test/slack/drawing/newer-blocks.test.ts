/** Tables to sort, charts, folded details, thumbs and links of steps; and what replaces each where it is refused. */
import { describe, expect, it } from "vitest";
import { render as renderSlots } from "../../../adapters/slack/drawing/render.ts";
import { chosenBlocks, type NewerKind, type SlackBlock } from "../../../adapters/slack/drawing/slots.ts";
import type { Action, Block, Document, Fold } from "../../../src/core/document.ts";
import type { Chart } from "../../../src/core/model/chart.ts";
import { document, expectAccepted, refusals, render, shown } from "./accepted.ts";

const kinds = (blocks: readonly SlackBlock[] = []) => blocks.map(({ type }) => type);
const of = <Kind extends SlackBlock["type"]>(blocks: readonly SlackBlock[] | undefined, kind: Kind) =>
  blocks?.find((block): block is Extract<SlackBlock, { type: Kind }> => block.type === kind);

/** What each workspace gets. */
const everywhere = (drawn: Document) =>
  refusals.map((refused) =>
    renderSlots(drawn).flatMap(({ slots }) => chosenBlocks(slots, refused).map(({ block }) => block)),
  );
const without = (drawn: Document, ...refused: readonly NewerKind[]) =>
  renderSlots(drawn).map(({ slots }) => chosenBlocks(slots, new Set(refused)).map(({ block }) => block));

const button = (id: Action["id"], label: string): Action => ({ id, label, value: "turn1", style: "plain" });
const months = {
  columns: ["Month", "Direct"],
  rows: [
    ["May", "1,240"],
    ["Jun", "1,385"],
  ],
};
const chart: Chart = {
  kind: "line",
  title: "Bookings per month",
  categories: ["May", "Jun"],
  series: [{ name: "Direct", values: [1_240, 1_385] }],
  says: "Direct: 1,385 in Jun.",
};
const chartOf = (changes: Partial<Chart>): Block => ({ kind: "chart", chart: { ...chart, ...changes }, table: months });

describe("a table", () => {
  const cells = (drawn: Document) => of(render(drawn)[0]?.rich, "data_table")?.rows;

  it("can be sorted: a column of numbers holds numbers, and one with other words in it text", () => {
    const table = {
      columns: ["plan", "price", "seats"],
      rows: [
        ["Team", "€12", "5"],
        ["Business", "€1,240.50", "any"],
        ["", "−3 €", "2"],
      ],
    };
    const drawn = document({ kind: "table", table });

    expectAccepted(drawn);
    const text = (words: string) => ({ type: "raw_text", text: words });
    expect(cells(drawn)).toEqual([
      [text("plan"), text("price"), text("seats")],
      [text("Team"), { type: "raw_number", value: 12, text: "€12" }, text("5")],
      [text("Business"), { type: "raw_number", value: 1_240.5, text: "€1,240.50" }, text("any")],
      [text(" "), { type: "raw_number", value: -3, text: "−3 €" }, text("2")],
    ]);
  });

  it("links the cells that are URLs, and shows where a link leads whose words say something else", () => {
    const rows = [
      "| https://example.com/a |",
      "| [Plans](https://example.com/b) |",
      "| [bank.test](https://evil.test) |",
    ];
    const drawn = document({ kind: "markdown", text: `| page |\n|---|\n${rows.join("\n")}\n` });

    expectAccepted(drawn);
    const links = cells(drawn)
      ?.slice(1)
      .map(([cell]) => shown(cell).replace(/^.*?(?=https?:|Plans|bank)/, ""));
    expect(JSON.stringify(cells(drawn))).toContain('"url":"https://example.com/a"');
    expect(JSON.stringify(cells(drawn))).toContain('{"type":"link","url":"https://example.com/b","text":"Plans"}');
    expect(links?.[2]).toContain("bank.test (https://evil.test");
  });

  it("that an agent wrote is taken out of its words, without marks and with its rows filled up", () => {
    const drawn = document({ kind: "markdown", text: "Two:\n\n| a | b |\n|---|---|\n| **x** | `1` |\n| y |\n\nDone." });

    expectAccepted(drawn);
    expect(kinds(render(drawn)[0]?.rich)).toEqual(["markdown", "data_table", "markdown", "actions"]);
    expect(cells(drawn)?.map((row) => row.map((cell) => shown(cell).split(" ").at(-1)))).toEqual([
      ["a", "b"],
      ["x", "1"],
      ["y", ""],
    ]);
  });

  it("of one row, or of right-to-left words and emoji, is a table like any other", () => {
    for (const rows of [[["1"]], [["مرحبا"], ["🚀👩‍👩‍👧"]]]) {
      const drawn = document({ kind: "table", table: { columns: ["name"], rows } });

      expectAccepted(drawn);
      expect(kinds(render(drawn)[0]?.rich)).toContain("data_table");
    }
  });

  it("without rows is its header alone", () => {
    const drawn = document({ kind: "table", table: { columns: ["name"], rows: [] } });

    expectAccepted(drawn);
    expect(kinds(render(drawn)[0]?.rich)).toContain("table");
  });

  it("of a hundred rows less one and many columns stays a table, and refused it is text that fits as well", () => {
    const row = (at: number) => Array.from({ length: 8 }, (_, column) => `r${at}c${column} ${"x".repeat(2)}`);
    const drawn = document({
      kind: "table",
      table: { columns: row(0), rows: Array.from({ length: 99 }, (_, at) => row(at + 1)) },
    });

    expectAccepted(drawn);
    for (const blocks of everywhere(drawn)) expect(shown(blocks).match(/r\d+c\d/g)?.length).toBe(800);
    expect(render(drawn).length).toBe(1);
    expect(kinds(render(drawn)[0]?.rich)).toContain("data_table");
  });

  it("of more than 10,000 characters is text", () => {
    for (const chars of [9_000, 10_100]) {
      // As text, its spaces need no room.
      const rows = [[`a${" ".repeat(chars)}b`]];
      const drawn = document({ kind: "table", table: { columns: ["name"], rows } });

      expectAccepted(drawn);
      expect(kinds(render(drawn)[0]?.rich).includes("data_table")).toBe(chars < 10_000);
    }
  });

  it("of 5,000 rows is text in as many messages as it takes, and loses none", () => {
    const rows = Array.from({ length: 5_000 }, (_, at) => [`row${at}`, String(at)]);
    const drawn = document({ kind: "table", table: { columns: ["name", "n"], rows } });

    expectAccepted(drawn);
    const [best, plainest] = [everywhere(drawn).at(0), everywhere(drawn).at(-1)];
    for (const blocks of [best, plainest]) expect(new Set(shown(blocks).match(/row\d+/g)).size).toBe(5_000);
  });

  it("says how many rows it has, and how many there are", () => {
    const caption = (omittedRows: number) =>
      of(render(document({ kind: "table", table: { ...months, omittedRows } }))[0]?.rich, "data_table")?.caption;

    expect([caption(0), caption(34)]).toEqual(["2 rows", "First 2 of 36 rows"]);
  });
});

describe("a chart", () => {
  it.each(["line", "bar", "area", "pie"] as const)(
    "(%s) is Slack's own, and says its main number in the text",
    (kind) => {
      const drawn = document({ kind: "text", text: [{ text: "Up." }] }, chartOf({ kind }));

      expectAccepted(drawn);
      const [payload] = render(drawn);
      expect(of(payload?.rich, "data_visualization")).toMatchObject({
        title: "Bookings per month",
        chart: { type: kind },
      });
      expect(payload?.text).toBe("Answer ready.\nDirect: 1,385 in Jun.");
    },
  );

  it("has the value of each label in each series, in order", () => {
    const series = [
      { name: "Direct", values: [1_240, -3.5] },
      { name: "Partner", values: [0, 7] },
    ];
    const [bars, parts] = [
      chartOf({ kind: "bar", series }),
      chartOf({ kind: "pie", series: [{ name: "Direct", values: [3, 1] }] }),
    ].map((block) => of(render(document(block))[0]?.rich, "data_visualization")?.chart);

    expect(bars?.["series"]).toEqual(
      series.map(({ name, values: [may, june] }) => ({
        name,
        data: [
          { label: "May", value: may },
          { label: "Jun", value: june },
        ],
      })),
    );
    expect(parts?.["segments"]).toEqual([
      { label: "May", value: 3 },
      { label: "Jun", value: 1 },
    ]);
  });

  it("is its table where charts are refused, and text where tables are refused too", () => {
    const drawn = document(chartOf({}));

    expect(kinds(without(drawn, "data_visualization")[0])).toContain("data_table");
    expect(kinds(without(drawn, "data_visualization", "data_table")[0])).toContain("table");
    for (const blocks of everywhere(drawn).slice(1)) expect(shown(blocks)).toMatch(/Bookings per month|1,385/);
    expect(shown(everywhere(drawn).at(-1))).toMatch(/Jun +│ +1,385/);
  });

  it("after the second of a message is a table", () => {
    const drawn = document(chartOf({}), chartOf({ kind: "bar" }), chartOf({ kind: "area" }));

    expectAccepted(drawn);
    expect(kinds(render(drawn)[0]?.rich).slice(0, 2)).toEqual(["data_visualization", "data_visualization"]);
    expect(shown(render(drawn)[0]?.rich)).toMatch(/Jun +│ +1,385/);
  });

  it.each<[string, Partial<Chart>]>([
    ["a label of more than 20 characters", { categories: ["May of the year two thousand", "Jun"] }],
    ["an empty label", { categories: [" ", "Jun"] }],
    ["the same label twice", { categories: ["May", "May"] }],
    ["a value that is not a number", { series: [{ name: "Direct", values: [1, Number.NaN] }] }],
    ["a value too few", { series: [{ name: "Direct", values: [1] }] }],
    ["seven series", { series: Array.from({ length: 7 }, (_, at) => ({ name: `s${at}`, values: [1, 2] })) }],
    ["a share of zero", { kind: "pie", series: [{ name: "Direct", values: [0, 1] }] }],
    ["a negative share", { kind: "pie", series: [{ name: "Direct", values: [-1, 1] }] }],
    ["a name that is invisible", { series: [{ name: "\u202E", values: [1, 2] }] }],
  ])("with %s is its table", (_, changes) => {
    const drawn = document(chartOf(changes));

    expectAccepted(drawn);
    expect(kinds(render(drawn)[0]?.rich)).toContain("data_table");
  });

  it("keeps labels from right to left and emoji, and negative values of bars", () => {
    const categories = ["مرحبا", "🚀"];
    const drawn = document(chartOf({ kind: "bar", categories, series: [{ name: "שלום", values: [-2, 3] }] }));

    expectAccepted(drawn);
    expect(of(render(drawn)[0]?.rich, "data_visualization")?.chart).toMatchObject({ axis_config: { categories } });
  });
});

const fold: Fold = {
  kind: "fold",
  title: [{ text: "1 source · 1 step" }],
  blocks: [
    {
      kind: "sources",
      sources: [
        {
          number: 1,
          title: "Refunds",
          url: "https://example.com/r",
          from: [{ text: "from Ana" }],
          excerpt: "Within 14 days.",
        },
      ],
    },
    {
      kind: "steps",
      earlier: 0,
      steps: [
        {
          state: "done",
          title: [{ text: "Searched docs" }],
          sources: [{ title: "Refunds", url: "https://example.com/r" }],
        },
      ],
    },
  ],
  actions: [button("steps", "Show steps")],
  quiet: [{ text: "guide · 4 s" }],
  flat: [
    { kind: "sources", sources: [{ number: 1, title: "Refunds", url: "https://example.com/r" }] },
    { kind: "quiet", text: [{ text: "guide · 1 step · 4 s" }] },
  ],
};

describe("folded details", () => {
  const drawn: Document = {
    ...document({ kind: "markdown", text: "Within 14 days." }, fold),
    actions: [button("steps", "Show steps"), button("csv", "Get CSV")],
  };
  const labels = (blocks: readonly SlackBlock[] = []) =>
    blocks.flatMap((block) =>
      block.type === "actions"
        ? block.elements.map((one) =>
            shown("text" in one ? one.text : "")
              .replace(/^\w+ /, "")
              .trim(),
          )
        : [],
    );

  it("are in a container that is closed, with their author, excerpt, links and button", () => {
    expectAccepted(drawn);
    const blocks = render(drawn)[0]?.rich;
    expect(kinds(blocks)).toEqual(["markdown", "container", "context", "actions"]);
    const container = of(blocks, "container");
    expect(container).toMatchObject({
      is_collapsible: true,
      default_collapsed: true,
      title: { text: "1 source · 1 step" },
    });
    expect(shown(container?.child_blocks)).toMatch(/Refunds.*from Ana.*Within 14 days\..*✓ .*Searched docs.*Refunds/s);
    expect(labels(container?.child_blocks as SlackBlock[])).toEqual(["Show steps"]);
    expect(labels(blocks)).toEqual(["Get CSV"]);
  });

  it("are two quiet lines where containers are refused, and their button is below", () => {
    const [blocks] = without(drawn, "container");

    expect(kinds(blocks)).toEqual(["markdown", "context", "context", "actions"]);
    expect(shown(blocks)).toContain("guide · 1 step · 4 s");
    expect(labels(blocks)).toEqual(["Show steps", "Get CSV"]);
  });

  it("are flat where a container can't hold all of their blocks", () => {
    for (const count of [9, 10]) {
      const lines = Array.from(
        { length: count },
        (_, at): Block => ({ kind: "quiet", text: [{ text: `line ${at}` }] }),
      );
      const many = { ...drawn, blocks: [{ ...fold, blocks: lines }] };

      expectAccepted(many);
      // With the row of its button.
      expect(kinds(render(many)[0]?.rich).includes("container")).toBe(count + 1 <= 10);
    }
  });

  it("are flat where their message has no room for more", () => {
    const full = { ...drawn, blocks: [{ kind: "markdown" as const, text: "word ".repeat(2_080) }, withExcerpts(20)] };

    expectAccepted(full);
    const [blocks, ...more] = render(full).map(({ rich }) => rich);
    expect(more).toEqual([]);
    expect(kinds(blocks)).not.toContain("container");
    expect(labels(blocks)).toEqual(["Show steps", "Get CSV"]);
  });

  function withExcerpts(count: number): Block {
    const sources = Array.from({ length: count }, (_, at) => ({
      number: at + 1,
      title: "T",
      excerpt: "e".repeat(240),
    }));
    return { ...fold, blocks: [{ kind: "sources", sources }] };
  }
});

describe("thumbs", () => {
  const up: Action = { ...button("thumb-up", "👍"), accessibleLabel: "This helped" };
  const down: Action = { ...button("thumb-down", "👎"), accessibleLabel: "This didn't help" };
  const drawn: Document = {
    ...document({ kind: "markdown", text: "Yes." }),
    actions: [button("csv", "Get CSV"), up, down, button("retry", "Try again")],
  };

  it("stand apart, say in words what they mean, and name their answer", () => {
    expectAccepted(drawn);
    const side = (id: string, text: string, words: string) => ({
      text: { type: "plain_text", text, emoji: true },
      value: `${id} turn1`,
      accessibility_label: words,
    });
    expect(of(render(drawn)[0]?.rich, "context_actions")?.elements).toEqual([
      {
        type: "feedback_buttons",
        action_id: "thumbs",
        positive_button: side("thumb-up", "👍", "This helped"),
        negative_button: side("thumb-down", "👎", "This didn't help"),
      },
    ]);
    expect(of(render(drawn)[0]?.rich, "actions")?.elements.map((one) => one.action_id)).toEqual(["csv:0", "retry:1"]);
  });

  it("are among the buttons where Slack has no place for them", () => {
    const ids = of(without(drawn, "context_actions")[0], "actions")?.elements.map((one) => one.action_id);

    expect(ids).toEqual(["csv:0", "thumb-up:1", "thumb-down:2", "retry:3"]);
  });

  it("and the button of folded details are each left out or not, whatever else is refused", () => {
    const both = {
      ...drawn,
      blocks: [...drawn.blocks, fold],
      actions: [button("steps", "Show steps"), ...drawn.actions],
    };

    expectAccepted(both);
    for (const blocks of everywhere(both)) {
      const words = JSON.stringify(blocks);
      for (const id of ["steps", "csv", "retry"]) expect(words.split(`"action_id":"${id}:`).length).toBe(2);
      expect(words).toMatch(/thumb-up[ :].*thumb-down[ :]/);
    }
  });
});

describe("steps", () => {
  const linked = (state: "done" | "running"): Block => ({
    kind: "steps",
    earlier: 0,
    steps: [
      {
        state,
        title: [{ text: "Searched docs" }],
        detail: [{ text: "5 passages" }],
        sources: [{ title: "Refunds", url: "https://example.com/r" }],
      },
    ],
  });

  it("that are done link what they found, and say it as text where tasks take no links", () => {
    const drawn = document(linked("done"));

    expectAccepted(drawn);
    expect(of(render(drawn)[0]?.rich, "plan")?.tasks?.[0]).toMatchObject({
      sources: [{ type: "url", url: "https://example.com/r", text: "Refunds" }],
    });
    for (const blocks of everywhere(drawn)) expect(shown(blocks)).toMatch(/5 passages.*Refunds/s);
  });

  it("that still run link nothing", () => {
    expect(JSON.stringify(render(document(linked("running"))))).not.toContain("Refunds");
  });
});
