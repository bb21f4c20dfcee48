/** A full page of gaps on the platforms: one message, with every button, and nothing in it that could ping. */
import { describe, expect, it } from "vitest";
import { render as renderDiscord } from "../../adapters/discord/drawing/render.ts";
import { render as renderSlack } from "../../adapters/slack/drawing/render.ts";
import { type GapFacts, gapDocument, gapsDocument } from "../../src/commands/insight/gap-documents.ts";
import { blockText } from "../../src/presentation/markdown.ts";
import { pings } from "../fakes/slack/check-blocks.ts";

const nowMs = Date.UTC(2026, 10, 22, 12);
const dayMs = 86_400_000;

const gap = (index: number, changes: Partial<GapFacts> = {}): GapFacts => ({
  id: `gap${index}`.padEnd(16, "0"),
  question: "Can a guest move a non-refundable booking to new dates, and what does it cost? ".repeat(4),
  agent: "support",
  people: 1_204,
  lastAtMs: nowMs - index * dayMs,
  thumbsDown: index,
  signal: "nothing",
  ...changes,
});
const listing = {
  gaps: [0, 1, 2, 3].map((index) => gap(index)),
  ...{ total: 60, hidden: 12, page: 2, pages: 10, ref: "", nowMs },
};

describe("a full page of gaps", () => {
  it("is one message in Slack and in Discord, with all of its buttons", () => {
    for (const payloads of [renderSlack(gapsDocument(listing)), renderDiscord(gapsDocument(listing))]) {
      expect(payloads).toHaveLength(1);
      const drawn = JSON.stringify(payloads);
      expect(drawn.match(/Dismiss/g)?.length).toBeGreaterThanOrEqual(4);
      expect(drawn.match(/Add the answer/g)?.length).toBeGreaterThanOrEqual(4);
      expect(drawn).toContain("page 2 of 10");
      expect(drawn).toContain("+12 in private channels");
    }
  });

  it("ends with its last gap when nothing is said below, without a line", () => {
    const { hidden: _, ...all } = listing;
    const kinds = (document: ReturnType<typeof gapsDocument>) => document.blocks.map(({ kind }) => kind);
    expect(kinds(gapsDocument({ ...all, page: 1, pages: 1 })).at(-1)).toBe("actions");
    expect(kinds(gapsDocument({ ...listing, page: 1, pages: 1 }))).toContain("quiet");
    expect(kinds(gapsDocument({ ...listing, page: 1, pages: 1 })).filter((kind) => kind === "divider")).toHaveLength(5);
  });

  it("says when each was last asked, and what was wrong", () => {
    const drawn = JSON.stringify(gapsDocument({ ...listing, gaps: [0, 1, 3, 20, 400].map((index) => gap(index)) }));
    const texts = ["a moment ago", "a day ago", "3 days ago", "on 2 Nov", "on 18 Oct 2025"];
    for (const text of texts) expect(drawn).toContain(`last asked ${text}`);
    expect(drawn).toContain("no answer");
    expect(drawn).toContain("👎 20");
  });
});

it("shows the last answer of a gap in one line, without marks, and the added one with its lines", () => {
  const document = gapDocument({
    ...gap(1),
    asked: [],
    answer: "I found **nothing**.\n\nI know about:\n\n- [Start](https://example.com/start)\n- Settings\n\nAsk me",
    added: { id: "answer1", answer: "Yes:\n\n- once\n- for free", name: "Ana", atMs: nowMs },
    nowMs,
  });

  const texts = document.blocks.map((block) => blockText(block));
  expect(texts).toContain("I found nothing. I know about: Start, Settings. Ask me");
  expect(texts).toContain("Yes:\n\n- once\n- for free");
});

it("questions and comments about a gap are plain text on every platform", () => {
  const document = gapDocument({
    ...gap(1, { question: "@everyone <!channel> **who** [pays](https://evil.example)?" }),
    asked: [
      {
        ...{ question: "<@U1> pays?", atMs: nowMs, signals: ["thumbs-down"], url: "javascript:alert(1)" },
        votes: [{ reason: "outdated", comment: "<!here> \u202Eno\n# big" }],
      },
    ],
    answer: "**Ana** pays <!channel>",
    nowMs,
  });

  const slack = JSON.stringify(renderSlack(document));
  const discord = JSON.stringify(renderDiscord(document));
  // Text elements of Slack are literal; only these two notify.
  expect(slack).not.toMatch(/"type":"(user|usergroup|broadcast)"/);
  expect(pings(renderSlack(document))).toEqual([]);
  expect(slack).not.toContain("javascript:");
  expect(discord).not.toContain("javascript:");
  expect(slack + discord).not.toContain("\u202E");
});
