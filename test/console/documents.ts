/** Documents of every state, with the words people see, for the render and browser tests. */
import type { Action, Document, Inline } from "../../src/core/document.ts";
import type { Chart } from "../../src/core/model/chart.ts";
import type { Table } from "../../src/core/model/turn.ts";
import { firstViewDocument } from "../../src/presentation/drawing.ts";

const text = (words: string): Inline => [{ text: words }];
const action = (id: Action["id"], label: string, style: Action["style"] = "plain", value = "t1"): Action => ({
  id,
  label,
  value,
  style,
});
const thumbs = [
  { ...action("thumb-up", "👍"), accessibleLabel: "Good answer" },
  { ...action("thumb-down", "👎"), accessibleLabel: "Bad answer" },
];

const looked = {
  state: "done",
  title: text("Checked which knowledge bases are available"),
  detail: text("docs, pricing, changelog"),
} as const;
const searched = {
  state: "done",
  title: [{ text: "Searched " }, { text: "pricing", style: "bold" }, { text: " for “SSO plan”" }],
  detail: text("5 passages found (best match 82%)"),
} as const;
const searching = {
  state: "running",
  title: [{ text: "Searching " }, { text: "changelog", style: "bold" }, { text: " for “SSO released”" }],
} as const;

const looking: Inline = [{ text: "product_guide", style: "bold" }, { text: " is looking it up" }];

export const running = (steps: 1 | 2 | 3): Document => ({
  tone: "running",
  blocks: [
    { kind: "headline", text: looking },
    {
      kind: "steps",
      earlier: 0,
      steps: [looked, searched, searching]
        .slice(0, steps)
        .map((step, index) => (index === steps - 1 ? { state: "running", title: step.title } : step)),
    },
    { kind: "quiet", text: text("18 s") },
  ],
  actions: [{ ...action("stop", "Stop", "danger"), asker: "you" }],
  summary: "product_guide is looking it up",
});

export const queued: Document = {
  tone: "waiting",
  blocks: [{ kind: "headline", text: text("2 questions ahead of yours.") }],
  actions: [action("stop", "Stop")],
  summary: "Waiting",
};

export const answered: Document = {
  tone: "done",
  blocks: [
    {
      kind: "markdown",
      text: [
        "Single sign-on is part of the **Business** plan since *version 4.2* [1]. Two things to know:",
        "",
        "- gift cards are credited at once [2]",
        "- transfers outside the EU take up to 21 days",
        "",
        "```yaml",
        "sso:",
        "  provider: okta",
        "```",
        "",
        "| plan | seats | SSO |",
        "|---|--:|---|",
        "| Team | 10 | no |",
        "| Business | 250 | yes |",
      ].join("\n"),
    },
    {
      kind: "sources",
      sources: [
        {
          number: 1,
          title: "Plans and prices",
          url: "https://docs.example.com/plans",
          excerpt:
            "Single sign-on is included in Business, for up to 250 seats. Team has sign-in with a password only.",
        },
        { number: 2, title: "Gift cards", url: "https://help.example.com/gift-cards" },
      ],
    },
    { kind: "quiet", text: [{ text: "product_guide", style: "code" }, { text: " · 3 steps · 12 s" }] },
  ],
  actions: [
    action("steps", "Show steps"),
    action("csv", "Get CSV"),
    ...thumbs,
    action("retry", "Try again"),
    action("another-agent", "Ask another agent"),
  ],
  byline: "product_guide",
  summary: "Single sign-on is part of the Business plan",
};

const bookings: Table = {
  columns: ["Month", "Direct", "Partner sites"],
  rows: [
    ["May", "1,240", "1,610"],
    ["Jun", "1,385", "1,655"],
    ["Jul", "1,520", "1,700"],
    ["Aug", "1,705", "1,690"],
    ["Sep", "1,815", "1,640"],
    ["Oct", "2,000", "1,605"],
  ],
};
const bookingsChart: Chart = {
  kind: "line",
  title: "Bookings per month",
  categories: bookings.rows.map(([month = ""]) => month),
  series: [
    { name: "Direct", values: [1240, 1385, 1520, 1705, 1815, 2000], isAccent: true },
    { name: "Partner sites", values: [1610, 1655, 1700, 1690, 1640, 1605] },
  ],
  says: "Line chart: Bookings per month. Direct: 1,240 (May) to 2,000 (Oct), up 61%.",
};
const chartOrTable = { chart: action("chart", "Chart"), table: action("table", "Table") };

/** An answer whose table is shown as a chart or as it is, over details that unfold. */
export const compared = (shownAs: "chart" | "table", votes = 0): Document => ({
  tone: "done",
  blocks: [
    {
      kind: "markdown",
      text: "**Direct bookings rose by 61%**, from 1,240 in May to 2,000 in October [1]. They passed partner sites in August.",
    },
    shownAs === "chart"
      ? { kind: "chart", chart: bookingsChart, table: bookings }
      : { kind: "table", table: bookings, caption: text("Bookings per month") },
    {
      kind: "fold",
      title: text("2 sources · 2 steps"),
      blocks: [
        {
          kind: "sources",
          sources: [
            {
              number: 1,
              title: "Bookings by month and channel",
              url: "https://docs.example.com/bookings",
              excerpt: "Direct: 1,240 in May, 1,385 in June, 1,520 in July. Partner sites stay at about 1,650 a month.",
            },
            {
              number: 2,
              title: "What counts as direct",
              from: text("from Ana, 12 Nov"),
              excerpt: "The site and the phone.",
            },
          ],
        },
        {
          kind: "steps",
          earlier: 0,
          steps: [
            looked,
            { ...searched, sources: [{ title: "What counts as direct", addedBy: { name: "Ana", atMs: 0 } }] },
          ],
        },
      ],
      actions: [action("steps", "Show steps")],
      quiet: [{ text: "sales", style: "code" }, { text: votes === 0 ? " · 11 s" : ` · 11 s · 👍 ${votes}` }],
      flat: [{ kind: "quiet", text: text("Bookings by month and channel · sales · 2 steps · 11 s") }],
    },
  ],
  actions: [
    action("steps", "Show steps"),
    chartOrTable[shownAs === "chart" ? "table" : "chart"],
    action("csv", "Get CSV"),
    ...thumbs,
    action("retry", "Try again"),
  ],
  byline: "sales",
  summary: "Direct bookings rose by 61%",
});

export const failed: Document = {
  tone: "failed",
  blocks: [
    { kind: "headline", text: text("The model behind support_agent didn't answer.") },
    { kind: "text", text: text("Try again, or tell your Parley admin.") },
    { kind: "quiet", text: [{ text: "after 2 steps · 41 s · ref " }, { text: "k3f9", style: "code" }] },
  ],
  actions: [action("retry", "Try again", "primary"), action("steps", "Show steps")],
  summary: "The model didn't answer.",
};

export const stopped: Document = {
  tone: "stopped",
  blocks: [
    { kind: "headline", text: text("Stopped") },
    { kind: "quiet", text: text("product_guide · after 2 steps · 7 s") },
  ],
  actions: [action("retry", "Try again"), action("steps", "Show steps")],
  summary: "Stopped",
};

export const job: Document = {
  tone: "partial",
  blocks: [
    { kind: "headline", text: text("Adding to docs · 1 of 3 done, 1 failed") },
    {
      kind: "list",
      items: [
        {
          mark: "done",
          text: [{ text: "Getting started", url: "https://docs.example.com/start" }, { text: " · 12 pages" }],
        },
        { mark: "running", text: [{ text: "FAQ", url: "https://docs.example.com/faq" }] },
        { mark: "failed", text: text("example.com/old · the page is gone (404)") },
      ],
    },
    { kind: "quiet", text: text("added by You · 48 s") },
  ],
  actions: [action("retry-job", "Retry failed"), action("ask-about", "Ask about it", "primary")],
  summary: "Adding to docs",
};

export const steps: Document = {
  tone: "info",
  blocks: [
    { kind: "headline", text: text("2 steps") },
    { kind: "text", text: [{ text: "1. Searched pricing", style: "bold" }] },
    {
      kind: "code",
      language: "sql",
      text: "SELECT chunk_content, relevance FROM pricing\nWHERE content = 'SSO plan' LIMIT 5;",
    },
    {
      kind: "table",
      caption: text("What it found"),
      table: {
        columns: ["title", "relevance"],
        rows: [
          ["Plans", "0.82"],
          ["Prices", "0.61"],
        ],
        omittedRows: 3,
      },
    },
  ],
  actions: [action("raw-steps", "Raw"), action("hide", "Hide")],
  summary: "2 steps",
};

const firstWelcome: Parameters<typeof firstViewDocument>[0] = {
  answerer: { kind: "agent", agent: "guide", bases: ["docs"] },
  examples: ["How do I connect Slack?", "How do I connect Discord?", "What does “Settings” say?"],
  isDirect: true,
};
export const firstView = firstViewDocument(firstWelcome, () => true);
