/** "from Ana, 12 Nov": an answer that rests on an added one names its author beside the source, on every platform. */
import { describe, expect, it } from "vitest";
import { render as renderConsole } from "../../adapters/console/drawing/render.ts";
import { render as renderDiscord } from "../../adapters/discord/drawing/render.ts";
import { render as renderSlack } from "../../adapters/slack/drawing/render.ts";
import { stepsDocument, turnDocument } from "../../src/presentation/drawing.ts";
import { documentText } from "../../src/presentation/markdown/plain-text.ts";
import { pings } from "../fakes/slack/check-blocks.ts";
import { step, view } from "./views.ts";

const endedAtMs = Date.UTC(2026, 10, 22, 12);
const addedBy = { name: "Ana", atMs: Date.UTC(2026, 10, 12) };
const source = { title: "Moving a booking", url: "https://example.com/moving", addedBy, excerpt: "Yes, once." };
const answered = (sources = [source]) =>
  view({ state: "answered", answer: "Yes [1].", sources, steps: [step({ sources })], endedAtMs });
const drawn = (sources = [source]) => turnDocument(answered(sources), endedAtMs, { sourceOldMs: 1 });

describe("a source that a person added as an answer", () => {
  it("names its author and the day on Slack, Discord and the page, and in plain text", () => {
    expect(JSON.stringify(renderSlack(drawn()))).toContain(
      `Moving a booking> · *from Ana,* <!date^${addedBy.atMs / 1000}^{date_short}|12 Nov>`,
    );
    expect(JSON.stringify(renderDiscord(drawn()))).toContain(` · **from Ana,** <t:${addedBy.atMs / 1000}:D>`);
    expect(JSON.stringify(renderConsole(drawn()))).toContain('{"text":"12 Nov","moment":');
    expect(documentText(drawn())).toContain("Moving a booking · from Ana, 12 Nov");
  });

  it("names the year of another year, and says nothing about other sources", () => {
    const old = { ...source, addedBy: { ...addedBy, atMs: Date.UTC(2025, 10, 12) } };
    const { addedBy: _none, ...other } = source;

    expect(documentText(drawn([old]))).toContain("from Ana, 12 Nov 2025");
    expect(documentText(drawn([other as typeof source]))).not.toContain("from");
  });

  it("names its author in the steps too", () => {
    expect(documentText(stepsDocument(answered(), () => true))).toContain(
      "Moving a booking (https://example.com/moving) · from Ana, 12 Nov: Yes, once.",
    );
  });

  it("shows a name as text: it pings nobody and formats nothing", () => {
    const loud = { ...source, addedBy: { ...addedBy, name: "<!channel> *@everyone* \u202Eevil" } };

    expect(pings(renderSlack(drawn([loud])))).toEqual([]);
    expect(JSON.stringify(renderDiscord(drawn([loud])))).not.toMatch(/@everyone\*\*\*|\u202E/);
  });
});
