/** Which question a message answers. */
import { describe, expect, it } from "vitest";
import type { Turn } from "../../src/core/model/turn.ts";
import { hasSeenTurn, turnBefore } from "../../src/insight/turn-before.ts";
import { sampleTurn } from "../contracts/storage/sample-records.ts";

const turn = (id: string, order: string, changes: Partial<Turn> = {}) =>
  sampleTurn(id, { order, state: "answered", ...changes });

async function* of(turns: readonly Turn[]) {
  yield* turns;
}

const found = async (order: string, ...turns: readonly Turn[]) => (await turnBefore(of(turns), order))?.id;

describe("the question that a message answers", () => {
  it("is the newest one before it, in whichever order they are stored", async () => {
    const [one, two, three] = [turn("one", "0010"), turn("two", "0020"), turn("three", "0040")];

    expect(await found("0030", three, two, one)).toBe("two");
    expect(await found("0015", one, two, three)).toBe("one");
    expect(await found("0050", two, three, one)).toBe("three");
  });

  it("is none if it was said before the first one, or asked that one itself", async () => {
    expect(await found("0009", turn("one", "0010"))).toBeUndefined();
    expect(await found("0010", turn("one", "0010"))).toBeUndefined();
  });

  it("can be one that failed: its answer is missing, and a person gives it", async () => {
    expect(await found("0030", turn("one", "0010"), turn("two", "0020", { state: "failed" }))).toBe("two");
  });

  it.each<[string, Partial<Turn>]>([
    ["is being answered", { state: "running" }],
    ["was stopped", { state: "stopped" }],
    ["was forgotten", { isForgotten: true }],
    ["was answered to its asker alone", { isPrivate: true }],
    ["was overheard, and its end shown to nobody", { isQuiet: true, notAnswered: "nothing" }],
  ])("is not one that %s", async (_why, changes) => {
    expect(await found("0030", turn("one", "0010"), turn("two", "0020", changes))).toBe("one");
    expect(await hasSeenTurn(of([turn("two", "0020", changes)]))).toBe(false);
    expect(await hasSeenTurn(of([turn("two", "0020", changes), turn("one", "0010")]))).toBe(true);
  });
});
