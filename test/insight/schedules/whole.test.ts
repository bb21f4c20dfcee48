/** A whole Parley with schedules, over a platform in memory: from the words of a question to its answers. */
import { beforeEach, describe, expect, it } from "vitest";
import { ParleyError } from "../../../src/core/errors.ts";
import { admin, alice, bob, general } from "../../doubles/people.ts";
import type { PlayedRun } from "../../doubles/service/agents.ts";
import { openParley } from "./whole-room.ts";

const quarterHourMs = 15 * 60_000;

let at: Awaited<ReturnType<typeof openParley>>;

beforeEach(async () => {
  at = await openParley();
});

const everyQuarter = "/ask How many orders came in? every 15 minutes";

describe("a question that ends with a time", () => {
  it("asks its asker first, with the time zone that the platform tells", async () => {
    const asked = await at.say("/ask how many orders came in? every monday 9:00");
    expect(at.textOf(asked)).toContain("Ask every Monday at 9:00 (Europe/Berlin)?");
    expect(at.textOf(asked)).toContain("how many orders came in?");
    expect(at.agents.runs).toHaveLength(0);
    const other = await at.say("/ask how many orders came in? every monday", bob);
    expect(at.textOf(other)).toContain("(UTC)?");
  });

  it("is asked at once as it was typed with Ask now instead", async () => {
    const asked = await at.say("/ask do we really meet every monday");
    expect(await at.press(asked, "Ask now instead")).toBeUndefined();
    expect((await at.agents.run(0)).question).toBe("do we really meet every monday");
    expect(at.textOf(await at.say("/schedule list"))).toContain("You have no schedules.");
  });

  it("isn't confirmed by anyone else", async () => {
    const asked = await at.say(everyQuarter);
    expect(at.textOf(await at.press(asked, "Confirm", bob))).toContain("Only the person who asked");
    expect(at.textOf(await at.press(asked, "Ask now instead", bob))).toContain("Only the person who asked");
    expect(at.textOf(await at.say("/schedule list", bob))).toContain("You have no schedules.");
    expect(at.agents.runs).toHaveLength(0);
  });

  it("every minute is refused, and can be asked as it was typed", async () => {
    const refused = await at.say("/ask how many orders came in? every minute");
    expect(at.textOf(refused)).toContain("Schedules have to be at least 15 minutes apart.");
    await at.press(refused, "Ask now instead");
    expect((await at.agents.run(0)).question).toBe("how many orders came in? every minute");
  });
});

describe("a confirmed schedule", () => {
  it("asks in the channel with its owner's name, also after a restart", async () => {
    const confirmed = await at.press(await at.say(everyQuarter), "Confirm");
    expect(at.textOf(confirmed)).toContain("I'll ask every 15 minutes (Europe/Berlin). Next: Fri 15 Jan, 9:15.");
    await at.clock.advance(quarterHourMs);
    await at.answer(0, "Seven.");
    expect(at.shown().join("\n")).toMatch(/Alice asked: How many orders came in\?[\s\S]*Seven\./);
    await at.restart();
    await at.clock.advance(quarterHourMs);
    await at.answer(1, "Eight.");
    expect(at.shown().join("\n")).toContain("Eight.");
    expect(at.agents.runs).toHaveLength(2);
  });

  it("shows only what has changed if it was asked to", async () => {
    await at.press(await at.say(`${everyQuarter} only if it changed`), "Confirm");
    for (const [index, answer] of ["Seven.", "**seven**", "Eight.", "Eight.", "Seven."].entries()) {
      await at.clock.advance(quarterHourMs);
      await at.answer(index, answer);
    }
    const shown = at.shown().filter((text) => /seven|eight/i.test(text));
    expect(shown.map((text) => /(seven|eight)/i.exec(text)?.[0])).toEqual(["Seven", "Eight", "Seven"]);
    expect(at.memory.violations).toEqual([]);
  });

  it("that shows only what has changed doesn't promise an answer when it is run", async () => {
    await at.press(await at.say(`${everyQuarter} only if it changed`), "Confirm");
    const ran = at.textOf(await at.press(await at.say("/schedule list"), "Run now"));
    expect(ran).toContain("If the answer has changed, it will be in the channel.");
  });

  it("writes nothing at all while its answer stays the same, and says once that it fails", async () => {
    await at.press(await at.say(`${everyQuarter} only if it changed`), "Confirm");
    const writesOf = async (index: number, end: (run: PlayedRun) => void) => {
      const before = at.memory.writes.length;
      await at.clock.advance(quarterHourMs);
      end(await at.agents.run(index));
      await at.clock.advance(1_000);
      return at.memory.writes.length - before;
    };
    const answers = (run: PlayedRun) => run.answer("Seven.");
    const fails = (run: PlayedRun) => run.fail(new ParleyError("no_answer"));
    expect(await writesOf(0, answers)).toBe(1);
    expect(await writesOf(1, answers)).toBe(0);
    expect(await writesOf(2, fails)).toBe(1);
    expect(await writesOf(3, fails)).toBe(0);
    expect(await writesOf(4, answers)).toBe(1);
  });

  it("shows a changed answer once, by the next process, if it could not be posted before Parley ended", async () => {
    await at.press(await at.say(`${everyQuarter} only if it changed`), "Confirm");
    let isDown = true;
    at.memory.fail({ on: "post", error: "platform_unreachable", times: 1_000, when: () => isDown });
    await at.clock.advance(quarterHourMs);
    await at.answer(0, "Seven.");
    expect(at.shown()).toEqual([]);
    await at.restart();
    isDown = false;
    await at.clock.advance(120_000);
    expect(at.shown().filter((text) => text.includes("Seven."))).toHaveLength(1);
    expect(at.agents.runs).toHaveLength(1);
  });

  it("is paused, resumed, run and deleted with its buttons", async () => {
    await at.press(await at.say(everyQuarter), "Confirm");
    const list = () => at.say("/schedule list");
    expect(at.textOf(await list())).toMatch(/How many orders came in\? · every 15 minutes · next Fri 15 Jan, 9:15/);
    expect(at.textOf(await at.press(await list(), "Pause"))).toContain("Paused.");
    expect(at.textOf(await list())).toContain("paused");
    await at.clock.advance(quarterHourMs);
    expect(at.agents.runs).toHaveLength(0);
    await at.press(await list(), "Run now");
    expect((await at.agents.run(0)).question).toContain("How many orders came in?");
    await at.answer(0, "Seven.");
    expect(at.textOf(await at.press(await list(), "Resume"))).toContain("A time passed meanwhile");
    await at.clock.advance(61_000);
    await at.answer(1, "Eight.");
    const listed = await list();
    expect(at.textOf(await at.press(listed, "Delete"))).toContain("The schedule is deleted.");
    expect(at.textOf(await at.press(listed, "Delete"))).toContain("doesn't exist");
    await at.clock.advance(quarterHourMs);
    expect(at.agents.runs).toHaveLength(2);
  });

  it("asks again after the conversation with its answers was forgotten", async () => {
    await at.press(await at.say(everyQuarter), "Confirm");
    await at.clock.advance(quarterHourMs);
    await at.answer(0, "Seven.");
    const forgotten = await at.say("/parley forget", alice, { conversation: general });
    expect(at.textOf(forgotten)).toContain("1");
    await at.clock.advance(quarterHourMs);
    expect(JSON.stringify((await at.agents.run(1)).messages)).not.toContain("Seven.");
    await at.answer(1, "Eight.");
    expect(at.shown().join("\n")).toContain("Eight.");
  });

  it("is seen and changed by its owner, and by managers in its channel", async () => {
    await at.press(await at.say(everyQuarter), "Confirm");
    const list = await at.say("/schedule list");
    const ref = /\b[a-z0-9]{4}\b/.exec(at.textOf(list))?.[0] ?? "";
    expect(at.textOf(await at.say(`/schedule delete ${ref}`, bob))).toContain("There's no schedule");
    expect(at.textOf(await at.press(list, "Delete", bob))).toContain("someone else's schedule");
    const manager = { ...admin, id: "U9", name: "Mona" };
    expect(at.textOf(await at.say("/schedule list", manager))).toContain("by Alice");
    expect(at.textOf(await at.press(list, "Delete", manager))).toContain("deleted");
    expect(at.textOf(await at.say("/schedule list"))).toContain("You have no schedules.");
  });

  it("is paused and resumed by what /schedule list shows of it", async () => {
    await at.press(await at.say(everyQuarter), "Confirm");
    const ref = /\b[a-z0-9]{4}\b/.exec(at.textOf(await at.say("/schedule list")))?.[0] ?? "";
    expect(at.textOf(await at.say(`/schedule pause ${ref}`))).toContain("Paused.");
    expect(at.textOf(await at.say(`/schedule resume ${ref}`))).toContain("Resumed. Next: Fri 15 Jan, 9:15");
    expect(at.textOf(await at.say("/schedule pause zzzz"))).toContain("There's no schedule zzzz of yours.");
  });
});
