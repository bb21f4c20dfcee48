/** Ends that were shown before their picture was ready: the picture follows, and nothing waits for it. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Turn } from "../../../src/core/model/turn.ts";
import type { WriteOptions } from "../../../src/core/ports/chat-platform.ts";
import { thread } from "../../doubles/people.ts";
import { untilAdvanced } from "../../doubles/until.ts";
import { createHarness, type Harness, type MemoryPlatform } from "../harness.ts";

let parley: Harness;
let isReady: boolean;
let prepared: string[];
let finishPicture: () => void;

beforeEach(async () => {
  isReady = false;
  const picture = new Promise<boolean>((resolve) => {
    finishPicture = () => {
      isReady = true;
      resolve(true);
    };
  });
  prepared = [];
  parley = await createHarness({
    platform: {
      prepare: ({ text }) => {
        prepared.push(text);
        return picture;
      },
    },
  });
  const { post, edit } = parley.platform;
  type Payload = Parameters<typeof post>[1];
  const drawn = (payload: Payload, options: WriteOptions): Payload => {
    if (!isReady && payload.tone === "done") options.onLess?.();
    return { ...payload, text: `${payload.text}\n${isReady ? "picture" : "table"}` };
  };
  const changed: Pick<MemoryPlatform, "post" | "edit"> = {
    post: (place, payload, mark, options) => post(place, drawn(payload, options), mark, options),
    edit: (ref, payload, options) => edit(ref, drawn(payload, options), options),
  };
  Object.assign(parley.platform, changed);
});
afterEach(async () => {
  expect(parley.platform.violations).toEqual([]);
  await parley.stop();
});

async function turn(): Promise<Turn> {
  const [found] = await Array.fromAsync(parley.state().turns.ofConversation(thread));
  if (found === undefined) throw new Error("Nothing was asked.");
  return found;
}

async function answered(): Promise<void> {
  await parley.say("How did bookings change?").done;
  (await parley.agents.run(0)).answer("They rose by 61%.");
  await untilAdvanced(parley.clock, "the end", async () => (await turn()).state === "answered");
}

const shown = () => parley.last()?.payload.text.split("\n").at(-1);

describe("an end whose picture was not ready", () => {
  it("is recorded without it, and the picture follows with one edit", async () => {
    await answered();
    expect(shown()).toBe("table");
    const before = parley.last()?.edits ?? 0;

    finishPicture();
    await untilAdvanced(parley.clock, "the picture", () => shown() === "picture", 100);
    await parley.settle(60_000);

    expect((parley.last()?.edits ?? 0) - before).toBe(1);
    expect((await turn()).reply.parts).not.toContainEqual(expect.objectContaining({ lacks: true }));
  });

  it("gets it with the next vote after the process died before that edit", async () => {
    await answered();
    await parley.restart();
    await parley.settle(60_000);
    expect(shown()).toBe("table");

    finishPicture();
    await parley.press("thumb-up", (await turn()).id).done;

    await untilAdvanced(parley.clock, "the picture", () => shown() === "picture", 100);
    expect(parley.texts()).toHaveLength(1);
  });

  it("stays as it is if the question is asked again before the picture is ready", async () => {
    await answered();
    await parley.press("retry", (await turn()).id).done;
    const again = await parley.agents.run(1);

    finishPicture();
    await parley.settle(1_000);

    expect(parley.last()?.payload.tone).toBe("running");
    again.answer("They rose by 62%.");
    await untilAdvanced(parley.clock, "the end", () => parley.texts()[0]?.includes("62%") === true, 100);
    expect(parley.texts()).toHaveLength(1);
  });
});

describe("a table of numbers that a tool returns", () => {
  const table = {
    columns: ["Month", "Direct"],
    rows: ["May 2026", "June 2026", "July 2026", "August 2026"].map((month, at) => [month, String(1_240 + at)]),
  };
  const found = { type: "step-finished", observation: "", outcome: { kind: "rows", count: 4 }, sources: [] } as const;

  it.each([
    ["What's the trend in direct bookings?", 1],
    ["How many direct bookings were there in May?", 0],
  ])("has its chart drawn while the agent still writes, if the question asks for one: %s", async (question, times) => {
    await parley.say(question).done;
    const run = await parley.agents.run(0);

    run.send({ type: "started" }, { type: "step-started", tool: "sql", input: "SELECT 1" }, { ...found, table });
    await parley.settle(1_000);
    run.send({ type: "status", text: "Writing" });
    await parley.settle(1_000);

    expect(prepared.filter((text) => text.includes("Direct by month"))).toHaveLength(times);
    run.answer("They rose.");
    finishPicture();
    await parley.settle(1_000);
  });
});
