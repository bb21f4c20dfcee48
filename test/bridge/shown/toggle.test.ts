/** Chart and Table below an answer: pressed by several people, late, after a restart and over two instances. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Turn } from "../../../src/core/model/turn.ts";
import { admin, alice, bob, general, project, thread } from "../../doubles/people.ts";
import { untilAdvanced } from "../../doubles/until.ts";
import { createHarness, type Event, type Harness } from "../harness.ts";

const table =
  "| Month | Direct | Partner sites |\n|---|---|---|\n| May 2026 | 1,240 | 1,610 |\n| June 2026 | 1,385 | 1,655 |\n| July 2026 | 1,520 | 1,700 |\n| August 2026 | 1,705 | 1,690 |";
const sentence = "Direct bookings rise.";
const title = "Direct and Partner sites by month";
const trend = "What's the trend in direct bookings?";

let parley: Harness;

beforeEach(async () => {
  parley = await createHarness();
  parley.agents.set({ agents: ["guide"] });
  await parley.bindings().setChannel(general, { project, agent: "guide" });
});
afterEach(async () => {
  expect(parley.platform.violations).toEqual([]);
  await parley.stop();
});

async function answered(question = trend, answer = `${sentence}\n\n${table}`): Promise<string> {
  const { length } = parley.agents.runs;
  await parley.say(question).done;
  (await parley.agents.run(length)).answer(answer);
  await parley.settle();
  return (await turn()).id;
}

async function turn(): Promise<Turn> {
  const [found] = await Array.fromAsync(parley.state().turns.ofConversation(thread));
  if (found === undefined) throw new Error("Nothing was asked.");
  return found;
}

async function press(action: string, id: string, changes: Record<string, unknown> = {}): Promise<Event> {
  const event = parley.press(action, id, changes);
  let isDone = false;
  void event.done.then(() => (isDone = true));
  await untilAdvanced(parley.clock, "the end of the press", () => isDone);
  return event;
}

const text = () => parley.last()?.payload.text ?? "";
const labels = () => parley.last()?.payload.actions.map(({ label }) => label);
/** In which form the answer stands. */
const form = () => (text().includes(title) ? "chart" : text().includes("| Month |") ? "table" : "neither");
const said = ({ sent }: Event) => sent.map(({ document, visibility }) => `${visibility}: ${document.summary}`);

describe("the end of an answer with a table of numbers", () => {
  it("is a chart with Table, if the question asks for a trend", async () => {
    await answered();

    expect(form()).toBe("chart");
    expect(text().match(/June 2026/g)).toHaveLength(1);
    expect(labels()).toEqual(["Table", "Get CSV", "👍", "👎", "Try again"]);
  });

  it("is the table with Chart, if the question asks for anything else", async () => {
    await answered("How many bookings did we have?");

    expect(form()).toBe("table");
    expect(labels()).toEqual(["Chart", "Get CSV", "👍", "👎", "Try again"]);
  });
});

describe("Chart and Table", () => {
  it("show the same answer in the other form, silently and in its message", async () => {
    const id = await answered();
    const messages = parley.platform.thread(thread).length;

    const pressed = await press("table", id);
    expect(pressed.acks).toEqual([{ kind: "none" }]);
    expect(pressed.sent).toEqual([]);
    expect([form(), labels()?.[0], (await turn()).shownAs]).toEqual(["table", "Chart", "table"]);

    await press("chart", id);
    expect([form(), labels()?.[0], (await turn()).shownAs]).toEqual(["chart", "Table", "chart"]);
    expect(parley.platform.thread(thread)).toHaveLength(messages);
  });

  it("cost no edit when it is shown like that already", async () => {
    const id = await answered();
    const before = parley.last()?.edits;

    const pressed = await press("chart", id);

    expect(pressed.sent).toEqual([]);
    expect(parley.last()?.edits).toBe(before);
  });

  it("keep the votes, and votes keep the form", async () => {
    const id = await answered();
    await press("thumb-up", id, { actor: bob });
    await parley.settle();
    await press("table", id);
    expect(form()).toBe("table");
    expect(text()).toMatch(/ · 👍 1$/);

    await press("thumb-up", id);
    await parley.settle(30_000);
    expect(form()).toBe("table");
    expect(text()).toMatch(/ · 👍 2$/);
  });

  it("end with what was pressed last, when many people press and vote on two instances", async () => {
    const id = await answered();
    const other = parley.neighbour();
    const press = (action: string, at: number, to?: typeof other) =>
      parley.send(
        {
          ...{ kind: "action", action, value: id, eventKey: `memory/T1/press/at-${at}`, order: String(1_000 + at) },
          actor: { ...alice, id: `P${at}` },
        },
        to,
      );
    const events: Event[] = [];
    for (let at = 0; at < 12; at += 1) {
      events.push(press(at % 2 === 0 ? "table" : "chart", at, at % 3 === 0 ? other : undefined));
      events.push(press("thumb-up", 100 + at, at % 3 === 1 ? other : undefined));
      await parley.settle(at * 40);
    }
    let left = events.length;
    for (const { done } of events) void done.then(() => (left -= 1));
    await untilAdvanced(parley.clock, "all presses", () => left === 0);
    await parley.settle(120_000);

    expect((await turn()).shownAs).toBe("chart");
    expect(form()).toBe("chart");
    expect(text()).toMatch(/ · 👍 12$/);
  });

  it("hold after a restart, and votes of the next process keep the form", async () => {
    const id = await answered();
    await press("table", id);
    await parley.restart();
    await press("thumb-up", id);
    await parley.settle();
    expect([form(), text().endsWith("👍 1")]).toEqual(["table", true]);

    await press("chart", id);
    expect(form()).toBe("chart");
  });

  it("are shown with the next press if the process died between storing and the edit", async () => {
    const id = await answered();
    const { turns } = parley.state();
    const { state, fence } = await turn();
    await turns.transition(id, [state], state, { shownAs: "table" }, fence);
    expect(form()).toBe("chart");

    await press("table", id);
    expect(form()).toBe("table");
  });

  it("are forgotten when the question is asked again", async () => {
    const id = await answered();
    await press("table", id);
    await parley.press("retry", id).done;
    (await parley.agents.run(1)).answer(`${sentence}\n\n${table}`);
    await parley.settle();

    expect(form()).toBe("chart");
    expect((await turn()).shownAs).toBeUndefined();
  });

  it("never touch a question that is being asked again", async () => {
    const id = await answered();
    await parley.press("retry", id).done;
    const run = await parley.agents.run(1);
    const pressed = await press("table", id);

    expect(said(pressed)).toEqual(["private: The answer isn't finished yet."]);
    run.answer(`${sentence}\n\n${table}`);
    await parley.settle();
    expect(form()).toBe("chart");
  });
});

it.each(["table", "chart", "csv"])(
  "%s does nothing for people who can no longer ask that agent there",
  async (action) => {
    parley.agents.set({ agents: ["guide", "other"] });
    const id = await answered();
    await parley.bindings().setChannel({ ...general, channel: "elsewhere" }, { project, agent: "guide" });
    await parley.bindings().setChannel(general, { project, agent: "other" });
    const before = parley.last()?.edits;

    const pressed = await press(action, id, { actor: bob });

    expect(pressed.sent).toMatchObject([{ visibility: "private", document: { tone: "failed" } }]);
    expect([form(), (await turn()).shownAs, parley.last()?.edits]).toEqual(["chart", undefined, before]);
    expect(parley.platform.files).toEqual([]);
  },
);

describe("where the answer can't change", () => {
  it("shows the table to who pressed when it is too old to be edited, and votes still count", async () => {
    const id = await answered();
    parley.platform.fail({ on: "edit", error: "message_not_editable" });

    const pressed = await press("table", id);

    expect(pressed.sent).toMatchObject([{ visibility: "private", document: { blocks: [{ kind: "table" }, {}] } }]);
    expect(form()).toBe("chart");
    expect((await turn()).shownAs).toBeUndefined();
    await press("thumb-up", id);
    await parley.settle(30_000);
    expect(text()).toMatch(/ · 👍 1$/);
  });

  it("shows the chart to who pressed when the table is in an earlier message of a long answer", async () => {
    const words = Array.from({ length: 60 }, (_, at) => `Paragraph ${at}: ${"word ".repeat(18)}.`).join("\n\n");
    const id = await answered("How many bookings did we have?", `${table}\n\n${words}`);
    const before = parley.texts();

    const pressed = await press("chart", id);

    expect(before.length).toBeGreaterThan(1);
    expect(pressed.sent).toMatchObject([{ visibility: "private", document: { blocks: [{ kind: "chart" }, {}] } }]);
    expect(parley.texts()).toEqual(before);
  });

  it("says so when the answer is no longer stored, or never could be drawn", async () => {
    const id = await answered("How long do refunds take?", "Within 14 days.");

    expect(said(await press("chart", id))).toEqual(["private: That answer is no longer available."]);
    expect(said(await press("chart", "t-unknown"))).toEqual(["private: That answer is no longer available."]);
    expect(said(await press("table", id, { place: { ...general, channel: "random" } }))).toEqual([
      "private: That answer is no longer available.",
    ]);
  });

  it.each(["edited for too long", "edited until then"])(
    "shows nothing of an answer that was forgotten meanwhile, while it was %s",
    async (how) => {
      const id = await answered();
      const lease = await parley.state().coordinator.lease(`shown/${id}`);
      const pressed = parley.press("table", id);
      await parley.settle(100);
      const forgotten = parley.bridge().forget(thread, alice, false);
      await parley.settle(500);
      expect(await forgotten).toBe(1);
      if (how === "edited until then") await lease.release();
      let isDone = false;
      void pressed.done.then(() => (isDone = true));
      await untilAdvanced(parley.clock, "the end of the press", () => isDone, 500);
      await lease.release();

      expect(said(pressed)).toEqual(["private: That answer is no longer available."]);
    },
  );

  it("shows it to who pressed when edits are short, and to all with the next change", async () => {
    const id = await answered();
    parley.platform.fail({ on: "edit", error: "platform_rate_limited", retryAfterMs: 60_000 });

    const pressed = await press("table", id);
    expect(pressed.sent).toMatchObject([{ visibility: "private", document: { blocks: [{ kind: "table" }, {}] } }]);
    expect([form(), (await turn()).shownAs]).toEqual(["chart", "table"]);

    await press("thumb-up", id);
    await parley.settle(180_000);
    expect(form()).toBe("table");
  });
});

it("switch a private answer for its asker alone", async () => {
  await parley.stop();
  const direct = { ...general, channel: "D-admin" };
  parley = await createHarness({ platform: { directPlace: async () => direct } });
  const place = { ...general, channel: "random" };
  await parley.say(`shop.guide: ${trend}`, { place, conversation: { ...place, thread: "7" }, actor: admin }).done;
  (await parley.agents.run(0)).answer(`${sentence}\n\n${table}`);
  await parley.settle();
  const [asked] = await Array.fromAsync(parley.state().turns.ofConversation(direct));
  const shown = () => parley.last(direct)?.payload.text ?? "";
  expect([asked?.isPrivate, shown().includes(title)]).toEqual([true, true]);

  const other = await press("table", asked?.id ?? "", { place: direct, actor: bob });
  expect(said(other)).toEqual(["private: That answer is no longer available."]);
  await press("table", asked?.id ?? "", { place: direct, actor: admin });
  expect([shown().includes(title), shown().includes("| Month |")]).toEqual([false, true]);
});

it("draws an answer whose form nobody chose", async () => {
  const id = await answered("How many bookings did we have?");
  const stored = await turn();
  expect(stored).not.toHaveProperty("shownAs");

  await press("thumb-up", id);
  await parley.settle();
  expect([form(), labels()?.[0]]).toEqual(["table", "Chart"]);
});
