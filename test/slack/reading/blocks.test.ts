/**
 * Each kind of block, element and rich text that Slack documents, as words.
 */
import { describe, expect, it } from "vitest";
import { blockReaders, namedBlocks, wordlessBlocks } from "../../../adapters/slack/reading/blocks.ts";
import { elementReaders } from "../../../adapters/slack/reading/elements.ts";
import { richTextElements, richTextParts } from "../../../adapters/slack/reading/rich-text.ts";
import { mrkdwn, ofBlock, plain, raw, read, rich, words } from "./read.ts";

const option = (text: string, value = text) => ({ text: plain(text), value });

const blocks: Readonly<Record<string, readonly [block: object, words: string]>> = {
  header: [{ text: plain("Import failed &amp; stopped") }, "Import failed & stopped"],
  section: [
    {
      text: mrkdwn("Batch *ZEBRA-7*, see <https://example.com/r|the runbook>"),
      fields: [mrkdwn("*host:*\nquokka-9"), plain("code: E1337")],
      accessory: { type: "image", image_url: "https://example.com/x.png", alt_text: "a red light" },
    },
    "Batch *ZEBRA-7*, see [the runbook](https://example.com/r)\n*host:* quokka-9\ncode: E1337\n[picture: a red light]",
  ],
  context: [
    { elements: [{ type: "image", alt_text: "pager" }, mrkdwn("on call: <@U0BOB>")] },
    "[picture: pager] · on call: @bob",
  ],
  rich_text: [{ elements: rich(words("all "), words("well", { bold: true })).elements }, "all **well**"],
  markdown: [{ text: "# Title\n\n- one" }, "# Title\n\n- one"],
  table: [
    {
      rows: [
        [raw("step"), raw("ms")],
        [raw("load|save"), { type: "raw_number", value: 12, text: "12" }],
        [rich(words("x"))],
      ],
    },
    "| step | ms |\n| --- | --- |\n| load\\|save | 12 |\n| x |  |",
  ],
  data_table: [
    {
      caption: "Times",
      rows: [
        [raw("step")],
        [{ type: "action_cell", element: {}, fallback: raw("load") }],
        [{ type: "raw_number", value: 7 }],
      ],
    },
    "Times\n\n| step |\n| --- |\n| load |\n| 7 |",
  ],
  data_visualization: [
    {
      title: "Orders",
      chart: {
        type: "bar",
        series: [
          { name: "north", data: [{ label: "May", value: 3 }] },
          { name: "south", data: [{ label: "May", value: 0 }] },
        ],
        axis_config: { categories: ["May"], x_label: "month", y_label: "count" },
      },
    },
    "Orders (count)\n\n| month | north | south |\n| --- | --- | --- |\n| May | 3 | 0 |",
  ],
  image: [{ title: plain("Disk"), alt_text: "usage of the disk" }, "[picture: Disk: usage of the disk]"],
  video: [
    {
      ...{ title: plain("Demo"), title_url: "https://example.com/v", alt_text: "demo" },
      ...{ author_name: "Carol", provider_name: "Tube", description: plain("How it works") },
    },
    "[video: [Demo](https://example.com/v)] · Carol · Tube\nHow it works",
  ],
  file: [{ source: "remote", file_id: "F1" }, ""],
  actions: [
    {
      elements: [
        { type: "button", text: plain("Acknowledge"), value: "a" },
        { type: "button", text: plain("Open"), url: "https://example.com/o" },
      ],
    },
    "[Open](https://example.com/o)",
  ],
  input: [
    {
      label: plain("Reason"),
      hint: plain("In one line"),
      element: { type: "plain_text_input", initial_value: "disk" },
    },
    "Reason: disk\nIn one line",
  ],
  alert: [{ text: mrkdwn("Backup is late"), level: "warning" }, "Backup is late"],
  card: [
    {
      ...{
        title: mrkdwn("Ticket 7"),
        subtitle: mrkdwn("open"),
        body: mrkdwn("It fails"),
        subtext: mrkdwn("since May"),
      },
      hero_image: { type: "image", alt_text: "a screenshot" },
      actions: [{ type: "button", text: plain("View"), url: "https://example.com/7" }],
    },
    "Ticket 7\nopen\nIt fails\nsince May\n[picture: a screenshot]\n[View](https://example.com/7)",
  ],
  carousel: [
    {
      elements: [
        { type: "card", title: mrkdwn("One") },
        { type: "card", title: mrkdwn("Two") },
      ],
    },
    "One\n\nTwo",
  ],
  container: [
    {
      ...{ title: plain("Details"), subtitle: plain("of the run") },
      child_blocks: [{ type: "section", text: mrkdwn("inside") }],
    },
    "Details\nof the run\n\ninside",
  ],
  plan: [
    { title: "Steps", tasks: [{ task_id: "1", title: "Look up", status: "in_progress" }] },
    "Steps\nLook up · in progress",
  ],
  task_card: [
    {
      ...{ title: "Look up", status: "complete", details: rich(words("where")), output: rich(words("found")) },
      sources: [{ type: "url", url: "https://example.com/s", text: "Source" }],
    },
    "Look up · complete\nwhere\nfound\n[Source](https://example.com/s)",
  ],
};

describe("a block", () => {
  it.each(Object.entries(blocks))("%s is read", (type, [block, expected]) => {
    expect(ofBlock({ type, ...block })).toBe(expected);
  });

  it("has an example for each kind that is read", () => {
    expect(Object.keys(blocks).sort()).toEqual(Object.keys(blockReaders).sort());
  });

  it.each([...wordlessBlocks])("%s holds no words", (type) => {
    const elements = [{ type: "feedback_buttons", positive_button: { text: plain("Good") } }];
    expect(read({ blocks: [{ type, elements }] })).toMatchObject({ own: "", unread: [] });
  });

  it.each(Object.entries(namedBlocks))("%s is named", (type, name) => {
    expect(read({ blocks: [{ type }] }).unread).toEqual([name]);
  });

  it("with a pie has its segments as a table", () => {
    const chart = {
      type: "pie",
      segments: [
        { label: "yes", value: 2 },
        { label: "no", value: 1 },
      ],
    };
    expect(ofBlock({ type: "data_visualization", title: "Votes", chart })).toBe(
      "Votes\n\n|  | value |\n| --- | --- |\n| yes | 2 |\n| no | 1 |",
    );
  });

  it("of a kind that Slack adds later is read by its text, and named if it has none", () => {
    const reading = read({ blocks: [{ type: "poster", text: mrkdwn("new words") }, { type: "hologram" }] });
    expect(reading.own).toBe("new words");
    expect(reading.unread).toEqual(["a part of a kind that isn't known (hologram)"]);
  });

  it("with a picture that says nothing is named", () => {
    expect(read({ blocks: [{ type: "image", image_url: "https://example.com/x.png" }] }).unread).toEqual(["a picture"]);
  });

  it("for a file of another app is named", () => {
    expect(read({ blocks: [{ type: "file", source: "remote", external_id: "x" }] }).unread).toEqual([
      "a file of another app",
    ]);
  });
});

const elements: Readonly<Record<string, readonly [element: object, words: string]>> = {
  button: [{ text: plain("Open"), url: "https://example.com" }, "[Open](https://example.com)"],
  checkboxes: [
    { options: [option("Water"), option("Feed")], initial_options: [option("Feed")] },
    "[ ] Water\n[x] Feed",
  ],
  radio_buttons: [
    { options: [option("Yes"), { ...option("No"), description: plain("never") }], initial_option: option("Yes") },
    "[x] Yes\n[ ] No never",
  ],
  static_select: [{ placeholder: plain("Choose"), initial_option: option("High") }, "High"],
  multi_static_select: [{ initial_options: [option("a"), option("b")] }, "a, b"],
  external_select: [{ initial_option: option("High") }, "High"],
  multi_external_select: [{ initial_options: [option("a")] }, "a"],
  users_select: [{ initial_user: "U0BOB" }, "@bob"],
  multi_users_select: [{ initial_users: ["U0BOB", "U0NEW"] }, "@bob, @U0NEW"],
  channels_select: [{ initial_channel: "C0OPS" }, "#ops-alerts"],
  multi_channels_select: [{ initial_channels: ["C0OPS"] }, "#ops-alerts"],
  conversations_select: [{ initial_conversation: "C0OPS" }, "#ops-alerts"],
  multi_conversations_select: [{ initial_conversations: ["C0OPS"] }, "#ops-alerts"],
  datepicker: [{ initial_date: "2026-11-26" }, "2026-11-26"],
  timepicker: [{ initial_time: "12:30" }, "12:30"],
  datetimepicker: [{ initial_date_time: 1_700_000_000 }, "2023-11-14 22:13"],
  plain_text_input: [{ initial_value: "typed" }, "typed"],
  email_text_input: [{ initial_value: "a@example.com" }, "a@example.com"],
  number_input: [{ initial_value: "12" }, "12"],
  url_text_input: [{ initial_value: "https://example.com" }, "https://example.com"],
  rich_text_input: [{ initial_value: rich(words("typed")) }, "typed"],
  image: [{ alt_text: "a chart" }, "[picture: a chart]"],
  overflow: [{ options: [option("Delete")] }, ""],
  workflow_button: [{ text: plain("Start") }, ""],
  feedback_buttons: [{ positive_button: { text: plain("Good") } }, ""],
  icon_button: [{ text: plain("Delete"), icon: "trash" }, ""],
  file_input: [{}, ""],
};

describe("an element", () => {
  it.each(Object.entries(elements))("%s is read as far as people read it as content", (type, [element, expected]) => {
    expect(ofBlock({ type: "actions", elements: [{ type, ...element }] })).toBe(expected);
  });

  it("has an example for each kind", () => {
    expect(Object.keys(elements).sort()).toEqual(Object.keys(elementReaders).sort());
  });
});

const richElements: Readonly<Record<string, readonly [element: object, words: string]>> = {
  text: [{ text: " a < b ", style: { bold: true, italic: true } }, "**_a < b_**"],
  link: [{ url: "https://example.com/p", text: "page" }, "[page](https://example.com/p)"],
  emoji: [{ name: "wave", skin_tone: 2 }, ":wave::skin-tone-2:"],
  user: [{ user_id: "U0BOB" }, "@bob"],
  channel: [{ channel_id: "C0OPS" }, "#ops-alerts"],
  usergroup: [{ usergroup_id: "S0OPS" }, "@ops"],
  broadcast: [{ range: "here" }, "@here"],
  team: [{ team_id: "T0ACME" }, "@T0ACME"],
  date: [{ timestamp: 1_700_000_000, format: "{date}", fallback: "14 November" }, "14 November"],
  color: [{ value: "#F405B3" }, "#F405B3"],
};

describe("rich text", () => {
  it.each(Object.entries(richElements))("reads %s", (type, [element, expected]) => {
    expect(ofBlock(rich({ type, ...element }))).toBe(expected);
  });

  it("has an example for each element", () => {
    expect(Object.keys(richElements).sort()).toEqual(Object.keys(richTextElements).sort());
  });

  it("reads an element that Slack adds later by its text", () => {
    expect(ofBlock(rich({ type: "sparkle", text: "shiny" }))).toBe("shiny");
  });

  const section = (text: string) => ({ type: "rich_text_section", elements: [words(text)] });
  it.each<readonly [string, object, string]>([
    ["rich_text_section", section("line"), "line"],
    ["rich_text_preformatted", { type: "rich_text_preformatted", elements: [words("a\n b")] }, "```\na\n b\n```"],
    ["rich_text_quote", { type: "rich_text_quote", elements: [words("one\ntwo")] }, "> one\n> two"],
    [
      "rich_text_list",
      { type: "rich_text_list", style: "ordered", offset: 1, elements: [section("two"), section("three")] },
      "2. two\n3. three",
    ],
  ])("reads %s", (type, part, expected) => {
    expect(Object.keys(richTextParts)).toContain(type);
    expect(ofBlock({ type: "rich_text", elements: [part] })).toBe(expected);
  });

  it("indents lists in lists", () => {
    const list = (indent: number, style: string, text: string) => ({
      ...{ type: "rich_text_list", style, indent, elements: [section(text)] },
    });
    expect(ofBlock({ type: "rich_text", elements: [list(0, "bullet", "one"), list(1, "ordered", "inner")] })).toBe(
      "• one\n  a. inner",
    );
  });
});
