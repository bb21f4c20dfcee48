/** How a platform must draw documents: purely, within its limits, without loss, and safely whatever an agent wrote. */
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Action, Document } from "../../src/core/document.ts";
import {
  type Abilities,
  aMoment,
  final,
  type Link,
  markdown,
  newMark,
  openAlone,
  type PlatformUnderTest,
  payloadOf,
} from "./platform-under-test.ts";

const evil = "https://evil.example/";

/** What an agent may be made to write. */
const hostile: Readonly<Record<string, string>> = {
  "calls for everybody": "@everyone @here <!channel> <!here> <!everyone> @channel",
  "mentions of people, channels and groups":
    "<@U0ALICE> <@100000000000000001> <@&800000000000000002> <#C0GENERAL> @alice",
  "a label that names another address": `[mybank.com](${evil}) and [https://mybank.com/login](${evil})`,
  "a picture": `![mybank.com](${evil}pixel.png)`,
  "a definition": `[mybank.com]: ${evil}\n\nSee [mybank.com].`,
  "a link of the platform's own": `<${evil}|mybank.com> <${evil}>`,
  "links that run something": "[press](javascript:alert(1)) [press](data:text/html,x)",
  "text that turns around and hides": "safe \u202Etxt.exe\u202C \u2066x\u2069 a\u200Bb",
  "marks that never close": "**bold `code ```\n> ||spoiler ~~struck [a](",
  "raw HTML": "<script>alert(1)</script><b>bold</b>",
};

const name = "@everyone <!channel> <@U0ALICE> *bold* _it_ `code` [x](https://evil.example/) \u202Eevil";

const actions: readonly Action[] = [
  { id: "stop", label: "Stop", value: "turn1", style: "danger" },
  { id: "retry", label: "Try again", value: "turn1", style: "plain" },
];

const documents: Readonly<Record<string, Document>> = {
  "a running answer": {
    tone: "running",
    blocks: [
      { kind: "headline", text: [{ text: "guide", style: "bold" }, { text: " is looking it up" }] },
      {
        kind: "steps",
        earlier: 2,
        steps: [
          { state: "done", title: [{ text: "Searched docs" }], detail: [{ text: "5 passages" }] },
          { state: "running", title: [{ text: "Searching pricing" }] },
          { state: "failed", title: [{ text: "Searching changelog" }] },
        ],
      },
      { kind: "quiet", text: [{ text: "18 s" }] },
    ],
    actions: actions.slice(0, 1),
    summary: "guide is looking it up",
  },
  "an answer with everything": {
    tone: "done",
    blocks: [
      {
        kind: "markdown",
        text: "# Title\n\nIt is **42**.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```sql\nSELECT 1\n```\n",
      },
      { kind: "table", table: { columns: ["a", "b"], rows: [["1", "2"]] }, caption: [{ text: "Rows" }] },
      { kind: "code", text: "SELECT 1", language: "sql" },
      { kind: "list", items: [{ mark: "failed", text: [{ text: "one" }] }, { text: [{ text: "two" }] }] },
      { kind: "sources", sources: [{ number: 1, title: "Docs", url: "https://docs.example/a" }] },
    ],
    actions,
    summary: "Answer ready.",
  },
  "names that strangers chose": {
    tone: "info",
    blocks: [
      { kind: "headline", text: [{ text: name }] },
      {
        kind: "text",
        text: [
          { text: name, style: "bold" },
          { text: name, style: "code" },
        ],
      },
      { kind: "list", items: [{ text: [{ text: name, style: "italic" }] }] },
      { kind: "sources", sources: [{ number: 1, title: name, url: evil }] },
      { kind: "table", table: { columns: [name], rows: [[name]] } },
      {
        kind: "chart",
        chart: { kind: "bar", title: name, categories: [name], series: [{ name, values: [1] }], says: name },
        table: { columns: [name, name], rows: [[name, "1"]] },
      },
      {
        kind: "fold",
        title: [{ text: name }],
        blocks: [
          { kind: "quiet", text: [{ text: name }] },
          {
            kind: "steps",
            earlier: 0,
            steps: [{ state: "done", title: [{ text: name }], sources: [{ title: name }] }],
          },
        ],
        actions: [],
        quiet: [{ text: name }],
        flat: [{ kind: "quiet", text: [{ text: name }] }],
      },
      { kind: "quiet", text: [{ text: name }] },
    ],
    actions: [],
    summary: "names",
  },
  "a chart and folded details": {
    tone: "done",
    blocks: [
      {
        kind: "chart",
        chart: {
          kind: "line",
          title: "Orders by month",
          categories: ["May", "June"],
          series: [{ name: "Orders", values: [3, 5] }],
          says: "Orders rose from 3 in May to 5 in June.",
        },
        table: {
          columns: ["Month", "Orders"],
          rows: [
            ["May", "3"],
            ["June", "5"],
          ],
        },
      },
      {
        kind: "fold",
        title: [{ text: "1 source · 1 step" }],
        blocks: [
          { kind: "sources", sources: [{ number: 1, title: "Docs", url: "https://docs.example/a" }] },
          { kind: "steps", earlier: 0, steps: [{ state: "done", title: [{ text: "Searched docs" }] }] },
        ],
        actions: actions.slice(0, 1),
        quiet: [{ text: "support_agent · 12 s" }],
        flat: [
          { kind: "sources", sources: [{ number: 1, title: "Docs", url: "https://docs.example/a" }] },
          { kind: "quiet", text: [{ text: "support_agent · 1 step · 12 s" }] },
        ],
      },
    ],
    actions,
    summary: "Answer ready.",
  },
  "nothing but a summary": { tone: "info", blocks: [], actions: [], summary: "Nothing." },
};

/** A bank's address is in its words, and it leads elsewhere without saying so. */
function isForged({ label, url }: Link): boolean {
  const { host } = new URL(url);
  return label.includes("mybank.com") && host !== "mybank.com" && !label.includes(host);
}

/** Plain text that names the bank beside a link, without the address that it leads to. */
function isUnexplained(text: string): boolean {
  return text.includes("mybank.com") && !text.includes(evil);
}

const hidden = /[\u202A-\u202E\u2066-\u2069]/;

export function describeDrawing(has: Abilities, create: () => Promise<PlatformUnderTest>): void {
  async function open() {
    const alone = await openAlone(await create());
    await alone.start();
    const place = alone.subject.place();
    /** Posts the document, all its messages, and sees what stands there. */
    const post = async (document: Document) => {
      const mark = newMark();
      for (const [part, payload] of alone.platform.render(document).entries())
        await alone.platform.post(place, payload, { ...mark, part }, final);
      return alone.subject.shown(place);
    };
    return { ...alone, place, post };
  }

  describe("drawing", () => {
    it.each(Object.keys(documents))("%s is pure, plain JSON, and never empty", async (which) => {
      const { platform } = await open();
      const document = documents[which] as Document;

      const payloads = platform.render(document);

      expect(payloads.length).toBeGreaterThan(0);
      expect(platform.render(document)).toEqual(payloads);
      expect(JSON.parse(JSON.stringify(payloads))).toEqual(payloads);
    });

    it.each(Object.keys(documents))("%s is accepted by the platform", async (which) => {
      const { subject, post } = await open();

      const shown = await post(documents[which] as Document);

      expect(shown.length).toBeGreaterThan(0);
      expect(shown.every(({ markup }) => !hidden.test(markup))).toBe(true);
      expect(subject.violations()).toEqual([]);
    });

    it.each(Object.keys(hostile))("pings nobody, forges no label and hides nothing: %s", async (which) => {
      const { subject, post } = await open();

      const shown = await post(markdown(hostile[which] ?? ""));

      const markup = shown.map((message) => message.markup).join("\n");
      expect(markup).not.toMatch(hidden);
      expect(subject.violations()).toEqual([]);
      const { links } = subject;
      expect(links !== undefined).toBe(has.linkLabels);
      if (links === undefined) {
        // Whoever reads the label reads where it leads, too.
        for (const { text } of shown) expect(isUnexplained(text)).toBe(false);
      } else if (typeof links === "object") expect(existsSync(links.testedIn)).toBe(true);
      else expect(shown.flatMap((message) => links(message.markup)).filter(isForged)).toEqual([]);
    });

    it("loses no word of a text that is longer than one message", async () => {
      const { platform, subject, post } = await open();
      const { charsPerMessage } = platform.limits.answers ?? { charsPerMessage: 4_000 };
      const words = Array.from({ length: Math.ceil((charsPerMessage * 2.5) / 9) }, (_, at) => `word${at}`);

      const shown = await post(markdown(words.join(" ")));

      const read = shown.map(({ text }) => text).join(" ");
      expect(read.match(/\bword\d+\b/g)).toEqual(words);
      expect(subject.violations()).toEqual([]);
    });
  });

  describe("an action", () => {
    it("is a button, or is written out, and comes back with its id and value", async () => {
      const { subject, platform, place, first } = await open();
      const document = markdown("forty-two", actions);
      const messageId = await platform.post(place, payloadOf(platform, document), newMark(), final);

      const [shown] = await subject.shown(place);
      if (has.buttons) expect(shown?.actions).toEqual(["Stop", "Try again"]);
      else for (const { label } of actions) expect(shown?.text).toContain(label);
      await subject.press({ place, messageId }, "Try again");

      const pressed = await first("action");
      expect(pressed).toMatchObject({ action: "retry", value: "turn1" });
      expect({ ...pressed.place, thread: "" }).toMatchObject({
        platform: place.platform,
        workspace: place.workspace,
        channel: place.channel,
      });
    });

    it("that is gone with an edit is gone from the message", async () => {
      const { subject, platform, place } = await open();
      const posted = payloadOf(platform, markdown("one moment", actions));
      const messageId = await platform.post(place, posted, newMark(), final);

      await platform.edit({ place, messageId }, payloadOf(platform, markdown("forty-two")), final);
      await aMoment();

      const [shown] = await subject.shown(place);
      expect(shown?.actions).toEqual([]);
      for (const { label } of actions) expect(shown?.text).not.toContain(label);
    });
  });
}
