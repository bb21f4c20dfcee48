/**
 * The local Slack refuses what Slack refuses: each kind of block alone, with a pointer to the fault, and whole messages
 * that are too heavy or hold what may come once only.
 */
import { describe, expect, it } from "vitest";
import { judgeHome, judgeMessage, judgeModal } from "../check-blocks.ts";
import type { Json } from "../world.ts";

const plain = (text: string) => ({ type: "plain_text", text });
const raw = (text: string) => ({ type: "raw_text", text });
const number = (value: number) => ({ type: "raw_number", value, text: String(value) });
const rich = (text: string) => ({
  type: "rich_text",
  elements: [{ type: "rich_text_section", elements: [{ type: "text", text }] }],
});
const section = (text: string) => ({ type: "section", text: { type: "mrkdwn", text } });
const repeated = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, at) => make(at));

const points = (...labels: readonly string[]) => labels.map((label, index) => ({ label, value: index - 1 }));
const axis = { categories: ["May", "June"], x_label: "Month" };
const lines = { type: "line", series: [{ name: "Sales", data: points("May", "June") }], axis_config: axis };
const chart = { type: "data_visualization", title: "Sales", chart: lines };
const pie = (...segments: readonly Json[]) => ({ ...chart, chart: { type: "pie", segments } });
const table = {
  ...{ type: "data_table", caption: "Sales", page_size: 10 },
  rows: [
    [raw("Month"), raw("Sales")],
    [rich("May"), number(3)],
  ],
};
const task = { type: "task_card", task_id: "1", title: "Read", status: "complete" };
const sources = [{ type: "url", url: "https://example.com", text: "Handbook" }];
const plan = { type: "plan", title: "2 steps", tasks: [task, { ...task, task_id: "2", status: "pending", sources }] };
const container = {
  ...{ type: "container", title: plain("1 source"), is_collapsible: true, default_collapsed: true },
  child_blocks: [section("Handbook"), { type: "divider" }],
};
const thumb = (value: string) => ({ text: plain(value), value, accessibility_label: value });
const thumbs = {
  ...{ type: "feedback_buttons", action_id: "thumbs" },
  ...{ positive_button: thumb("up"), negative_button: thumb("down") },
};
const bin = { type: "icon_button", icon: "trash", text: plain("Remove"), visible_to_user_ids: ["U0ALICE"] };
const quiet = (...elements: readonly Json[]) => ({ type: "context_actions", elements });

const good: Readonly<Record<string, Json>> = {
  chart,
  pie: pie({ label: "a", value: 1 }),
  table,
  plan,
  "lone task": { ...task, sources, output: rich("Done") },
  container,
  thumbs: quiet(thumbs, bin),
  header: { type: "header", text: plain("Sales") },
  divider: { type: "divider" },
};

/** Where the fault is, and the block. */
const bad: readonly (readonly [string, string, Json])[] = [
  ["a chart without a title", "/blocks/0/title", { ...chart, title: "" }],
  ["a chart with a long title", "/blocks/0/title", { ...chart, title: "x".repeat(51) }],
  ["a chart of an unknown kind", "/blocks/0/chart/type", { ...chart, chart: { ...lines, type: "donut" } }],
  [
    "a long category",
    "/blocks/0/chart/axis_config/categories/0",
    { ...chart, chart: { ...lines, axis_config: { categories: ["x".repeat(21), "June"] } } },
  ],
  [
    "a category without a point",
    "/blocks/0/chart/series/0/data",
    { ...chart, chart: { ...lines, series: [{ name: "Sales", data: points("May") }] } },
  ],
  [
    "a value that is no number",
    "/blocks/0/chart/series/0/data/0/value",
    { ...chart, chart: { ...lines, series: [{ name: "Sales", data: [{ label: "May", value: null }] }] } },
  ],
  [
    "two series of one name",
    "/blocks/0/chart/series/1/name",
    { ...chart, chart: { ...lines, series: [...lines.series, ...lines.series] } },
  ],
  [
    "seven series",
    "/blocks/0/chart/series",
    {
      ...chart,
      chart: { ...lines, series: repeated(7, (at) => ({ name: `s${at}`, data: points("May", "June") })) },
    },
  ],
  ["a share of nothing", "/blocks/0/chart/segments/0/value", pie({ label: "a", value: 0 })],
  ["seven shares", "/blocks/0/chart/segments", pie(...repeated(7, (at) => ({ label: `part ${at}`, value: 1 })))],
  ["a table without a caption", "/blocks/0/caption", { ...table, caption: undefined }],
  ["a table of a header alone", "/blocks/0/rows", { ...table, rows: [[raw("Month")]] }],
  ["rows of unequal length", "/blocks/0/rows/1", { ...table, rows: [[raw("Month")], [raw("May"), number(3)]] }],
  ["an empty cell", "/blocks/0/rows/1/0/text", { ...table, rows: [[raw("Month")], [raw("")]] }],
  ["rich text in the header", "/blocks/0/rows/0/0/type", { ...table, rows: [[rich("Month")], [raw("May")]] }],
  [
    "a number in words",
    "/blocks/0/rows/1/0/value",
    { ...table, rows: [[raw("Sales")], [{ type: "raw_number", value: "3", text: "3" }]] },
  ],
  ["102 rows", "/blocks/0/rows", { ...table, rows: repeated(102, () => [raw("May")]) }],
  ["21 columns", "/blocks/0/rows/1", { ...table, rows: repeated(2, () => repeated(21, () => raw("May"))) }],
  ["10,001 characters", "/blocks/0", { ...table, rows: [[raw("x".repeat(9_000))], [raw("x".repeat(1_001))]] }],
  ["a page of no rows", "/blocks/0/page_size", { ...table, page_size: 0 }],
  ["a plan of 51 steps", "/blocks/0/tasks", { ...plan, tasks: repeated(51, (at) => ({ ...task, task_id: `${at}` })) }],
  ["one step twice", "/blocks/0/tasks/1/task_id", { ...plan, tasks: [task, task] }],
  ["a plan's title as a text object", "/blocks/0/title", { ...plan, title: plain("2 steps") }],
  [
    "a source without words",
    "/blocks/0/tasks/0/sources/0/text",
    { ...plan, tasks: [{ ...task, sources: [{ ...sources[0], text: "" }] }] },
  ],
  ["a lone step that waits", "/blocks/0/status", { ...task, status: "pending" }],
  ["a step of an unknown state", "/blocks/0/status", { ...task, status: "done" }],
  ["an unknown property", "/blocks/0", { ...container, colour: "red" }],
  ["a container without a title", "/blocks/0", { ...container, title: undefined }],
  ["a container without blocks", "/blocks/0/child_blocks", { ...container, child_blocks: [] }],
  [
    "a container of eleven blocks",
    "/blocks/0/child_blocks",
    { ...container, child_blocks: repeated(11, () => section("a")) },
  ],
  ["a container in a container", "/blocks/0/child_blocks/0/type", { ...container, child_blocks: [container] }],
  ["a chart in a container", "/blocks/0/child_blocks/0/type", { ...container, child_blocks: [chart] }],
  [
    "Markdown in a container",
    "/blocks/0/child_blocks/0/type",
    { ...container, child_blocks: [{ type: "markdown", text: "a" }] },
  ],
  [
    "a container that begins closed and can't open",
    "/blocks/0/default_collapsed",
    { ...container, is_collapsible: false },
  ],
  [
    "a plain button among thumbs",
    "/blocks/0/elements/0/type",
    quiet({ type: "button", text: plain("Go"), action_id: "go" }),
  ],
  [
    "a thumb without a value",
    "/blocks/0/elements/0/positive_button/value",
    quiet({ ...thumbs, positive_button: { text: plain("up") } }),
  ],
  ["one thumb alone", "/blocks/0/elements/0/negative_button", quiet({ ...thumbs, negative_button: undefined })],
  ["an icon that Slack has not got", "/blocks/0/elements/0/icon", quiet({ ...bin, icon: "star" })],
  ["six quiet buttons", "/blocks/0/elements", quiet(...repeated(6, () => bin))],
  ["a long heading", "/blocks/0/text/text", { type: "header", text: plain("x".repeat(151)) }],
  ["a heading in mrkdwn", "/blocks/0/text/type", { type: "header", text: { type: "mrkdwn", text: "Sales" } }],
  ["a rule with words", "/blocks/0", { type: "divider", text: plain("Sales") }],
  ["a kind that Slack has not got", "/blocks/0/type", { type: "graph" }],
];

describe("a block", () => {
  it.each(Object.entries(good))("is taken when it keeps the rules (%s)", (_, block) => {
    expect(judgeMessage([block])).toEqual({ messages: [] });
  });

  it.each(bad)("is refused at its fault (%s)", (_, pointer, block) => {
    const { error, messages } = judgeMessage([JSON.parse(JSON.stringify(block))]);

    expect(error).toBe("invalid_blocks");
    expect(messages.join("\n")).toContain(`[json-pointer:${pointer}]`);
  });
});

describe("a message", () => {
  it.each([
    ["two tables", [table, table]],
    ["a table of either kind", [table, { type: "table", rows: [[raw("a")]] }]],
    ["a table beside one in Markdown", [table, { type: "markdown", text: "| a |\n|---|\n| 1 |" }]],
    [
      "a table in a container beside another",
      [table, { ...container, child_blocks: [{ type: "table", rows: [[raw("a")]] }] }],
    ],
    ["three charts", [chart, chart, chart]],
    ["a plan beside a step of its own", [plan, { ...task, task_id: "9" }]],
    ["51 blocks", repeated(51, () => section("a"))],
    ["one block_id twice", repeated(2, () => ({ ...section("a"), block_id: "same" }))],
    ["one step in two plans", [plan, plan]],
  ])("is refused for what it may not hold together (%s)", (_, blocks) => {
    expect(judgeMessage(blocks).error).toBe("invalid_blocks");
  });

  it("bears two charts and a table, whose words don't count to its weight", () => {
    const wide = { ...table, rows: [[raw("Words")], [raw("x".repeat(9_900))]] };

    expect(judgeMessage([chart, chart, wide, section("x".repeat(3_000)), rich("x".repeat(9_000))])).toEqual({
      messages: [],
    });
  });

  it.each([
    ["titles", { ...container, title: plain("x".repeat(140)), subtitle: plain("x".repeat(140)) }],
    ["the words of pictures", { type: "image", image_url: "https://example.com/a.png", alt_text: "x".repeat(280) }],
  ])("is too heavy by %s too", (_, block) => {
    const nearly = [rich("x".repeat(12_860))];

    expect(judgeMessage(nearly)).toEqual({ messages: [] });
    expect(judgeMessage([...nearly, block]).error).toBe("msg_blocks_too_long");
  });

  it("is refused by a workspace that has not got one of its kinds, which it names", () => {
    const refused = judgeMessage([rich("a"), table, container], ["data_table"]);

    expect(refused).toEqual({
      error: "invalid_blocks",
      messages: ["[ERROR] unsupported type: data_table [json-pointer:/blocks/1/type]"],
    });
    expect(
      judgeMessage([{ ...container, child_blocks: [{ type: "table", rows: [[raw("a")]] }] }], ["table"]).messages,
    ).toEqual(["[ERROR] unsupported type: table [json-pointer:/blocks/0/child_blocks/0/type]"]);
  });

  it("is refused for the sources of its steps where a workspace does not know those", () => {
    expect(judgeMessage([plan], ["task-sources"]).messages).toEqual([
      "[ERROR] invalid additional property: sources [json-pointer:/blocks/0/tasks/1]",
    ]);
    expect(judgeMessage([{ ...plan, tasks: [task] }], ["task-sources"])).toEqual({ messages: [] });
  });
});

describe("a view", () => {
  it("is refused with a pointer from its own root", () => {
    const modal = { type: "modal", title: plain("Sales"), blocks: [section("a"), chart] };

    expect(judgeModal(modal, true)).toEqual({
      error: "invalid_arguments",
      messages: ["[ERROR] unsupported type: data_visualization [json-pointer:/view/blocks/1/type]"],
    });
  });

  it("takes charts, tables and containers as a Home tab, but no thumbs", () => {
    expect(judgeHome({ type: "home", blocks: [chart, table, container] })).toEqual({ messages: [] });
    expect(judgeHome({ type: "home", blocks: [quiet(thumbs)] }).error).toBe("invalid_arguments");
  });
});
