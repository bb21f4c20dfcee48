/**
 * A finished answer that cannot be shown where it was asked reaches whoever asked, and the log does not call it answered.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Place } from "../../../src/core/model/place.ts";
import { createHarness, type Harness } from "../../bridge/harness.ts";
import type { MemoryPlatform } from "../../doubles/memory-platform.ts";
import { general, thread } from "../../doubles/people.ts";

const direct: Place = { ...general, channel: "direct-U1" };
const key = "memory/T1/general/101";

let parley: Harness;
let log: Record<string, unknown>[];

async function start(directPlace: MemoryPlatform["directPlace"]): Promise<void> {
  log = [];
  const note = (fields: object, message: string) => void log.push({ ...fields, message });
  parley = await createHarness({
    platform: directPlace === undefined ? {} : { directPlace },
    log: { debug: () => {}, info: note, warn: note, error: note },
  });
}

beforeEach(() => start(async () => direct));
afterEach(() => parley.stop());

async function answerUnshown(
  answer: string,
  isBarred: (place: Place) => boolean,
  error: "not_permitted" | "place_gone",
) {
  await parley.say("When?").done;
  const run = await parley.agents.run(0);
  await parley.settle();
  const when = ({ place }: { readonly place: Place }) => isBarred(place);
  for (const on of ["post", "edit", "upload"] as const) parley.platform.fail({ on, error, times: 1_000, when });
  run.answer(answer);
  await parley.settle(120_000);
}

const endOf = () => log.find(({ message }) => String(message).startsWith("A question ended"));

describe("a choice of agents that cannot be shown", () => {
  async function askUnreachably(): Promise<void> {
    parley.agents.set({ agents: ["sales", "support"] });
    const when = ({ place }: { readonly place: Place }) => place.thread !== undefined;
    parley.platform.fail({ on: "post", error: "platform_unreachable", times: 100_000, when });
    parley.platform.fail({ on: "find", error: "platform_unreachable", times: 100_000, when });
    await parley.say("How many?").done;
  }

  it("is tried for ten minutes, and then said once outside the thread", async () => {
    await askUnreachably();
    await parley.settle(11 * 60_000);

    expect(await parley.state().turns.getByEventKey(key)).toMatchObject({ state: "failed" });
    expect(parley.texts(general)).toEqual([expect.stringMatching(/choice couldn't be shown.*Ask again/s)]);
    await parley.bridge().recover();
    await parley.settle(11 * 60_000);
    expect(parley.texts(general)).toHaveLength(1);
  });

  it("ends immediately when the asker stops it, and when Parley shuts down", async () => {
    await askUnreachably();
    await parley.settle(5_000);
    const turn = await parley.state().turns.getByEventKey(key);
    await parley.press("stop", turn?.id ?? "").done;
    await parley.settle(1_000);
    expect(await parley.state().turns.getByEventKey(key)).toMatchObject({ outcome: { state: "stopped" } });

    await parley.say("And how few?", { eventKey: `${key}2`, conversation: { ...thread, thread: "200" } }).done;
    await parley.settle(5_000);
    let isDrained = false;
    void parley
      .bridge()
      .drain(1_000)
      .then(() => {
        isDrained = true;
      });
    await parley.settle(3_000);
    expect(isDrained).toBe(true);
    expect(await parley.state().turns.getByEventKey(`${key}2`)).toMatchObject({ state: "interrupted" });
  });
});

describe("an answer that cannot be shown", () => {
  it("because Parley was muted in the channel is sent to the asker", async () => {
    await answerUnshown("At two, as **always**.", ({ channel: where }) => where === "general", "not_permitted");

    expect(parley.texts(direct)).toHaveLength(1);
    expect(parley.texts(direct)[0]).toMatch(/Alice asked: When\?.*couldn't be shown.*At two, as \*\*always\*\*\./s);
    expect(parley.platform.thread(direct)[0]?.payload.actions).toEqual([]);
    expect(endOf()).toMatchObject({ outcome: "not_shown", code: "not_permitted", said: "directly" });
    expect(await parley.state().turns.getByEventKey(key)).toMatchObject({ state: "answered" });
  });

  it("because its thread is locked is sent to the asker, and the channel gets a note", async () => {
    await answerUnshown("At two.", (place) => place.thread !== undefined, "place_gone");

    expect(parley.texts(direct).join("")).toContain("At two.");
    expect(parley.texts(general)).toEqual([expect.stringContaining("sent privately to the person who asked")]);
    expect(parley.texts(general).join("")).not.toContain("At two.");
  });

  it("and is longer than ten messages is sent with a file", async () => {
    const words = Array.from({ length: 12_000 }, (_, at) => `word${at}`);
    await answerUnshown(words.join(" "), ({ channel: where }) => where === "general", "not_permitted");

    const sent = [...parley.texts(direct), ...parley.platform.files.map(({ content }) => content)].join(" ");
    expect(parley.texts(direct)).toHaveLength(10);
    expect(sent.match(/word\d+/g)).toEqual(words);
  });

  it("isn't recorded as answered where nobody could be reached", async () => {
    await parley.stop();
    await start(undefined);
    await answerUnshown("At two.", () => true, "not_permitted");

    expect(endOf()).toMatchObject({ outcome: "not_shown", said: "nowhere" });
  });

  it("is called answered where it was shown", async () => {
    await parley.say("When?").done;
    (await parley.agents.run(0)).answer("At two.");
    await parley.settle(1_000);

    expect(endOf()).toMatchObject({ outcome: "answered" });
    expect(parley.texts(thread).join("")).toContain("At two.");
    expect(parley.texts(direct)).toEqual([]);
  });
});
