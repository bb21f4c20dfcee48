import { describe, expect, it } from "vitest";
import type { Feedback } from "../../../src/core/model/insight.ts";
import type { Turn } from "../../../src/core/model/turn.ts";
import type { KeyValue } from "../../../src/core/ports/state.ts";
import { createVotes } from "../../../src/insight/votes.ts";
import { appOf } from "../../doubles/app.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { alice, bob, thread } from "../../doubles/people.ts";

const turn = { id: "t1", conversation: thread } as unknown as Turn;
const voter = (actor: typeof alice) => ({ id: actor.id, actor });

/** Says what happened in which order; the process dies at the step named `dies`. */
function votesWith({ dies }: { readonly dies?: string } = {}) {
  const steps: string[] = [];
  const stored = new Map<string, Feedback>();
  const step = (name: string) => {
    steps.push(name);
    if (name === dies) throw new Error(`died: ${name}`);
  };
  const store: KeyValue<Feedback> = {
    get: async (key) => stored.get(key),
    set: async (key, value) => {
      step("store");
      stored.set(key, value);
    },
    delete: async (key) => {
      step("delete");
      stored.delete(key);
    },
    entries: async function* (prefix) {
      for (const entry of stored) if (entry[0].startsWith(prefix)) yield entry;
    },
  };
  const note = (name: string) => async () => {
    step(name);
    return () => step("begin");
  };
  const votes = createVotes(appOf({ keyValue: () => store as never, clock: createFakeClock() }), {
    notes: { noteSignal: note("note"), withdrawSignal: note("withdraw") },
  });
  return { votes, steps, stored };
}

describe("a stored vote", () => {
  it("is noted before it is stored, and worked off after it: a crash in between loses nothing", async () => {
    const { votes, steps } = votesWith();
    await votes.give(turn, voter(alice), "down");
    await votes.give(turn, voter(alice), "up");
    await votes.give(turn, voter(alice), "down");
    await votes.takeBack(turn, alice.id);

    const down = ["note", "store", "begin"];
    expect(steps).toEqual([...down, "withdraw", "store", "begin", ...down, "withdraw", "delete", "begin"]);
  });

  it("needs no note as a thumbs up", async () => {
    const { votes, steps } = votesWith();
    await votes.give(turn, voter(alice), "up");
    await votes.takeBack(turn, alice.id);

    expect(steps).toEqual(["store", "delete"]);
  });

  it("is neither stored nor worked off when it can't be noted", async () => {
    const { votes, steps, stored } = votesWith({ dies: "note" });

    await expect(votes.give(turn, voter(alice), "down")).rejects.toThrow("died");
    expect(steps).toEqual(["note"]);
    expect(stored.size).toBe(0);
  });

  it("keeps its reason when the same thumb comes again, and loses it with the other thumb", async () => {
    const { votes, stored } = votesWith();
    await votes.explain(turn, voter(alice), { reason: "wrong", comment: "No.", tell: true });
    await votes.give(turn, voter(alice), "down");
    expect([...stored.values()]).toMatchObject([{ thumb: "down", reason: "wrong", comment: "No." }]);

    await votes.give(turn, voter(alice), "up");
    expect([...stored.values()][0]).not.toHaveProperty("reason");
  });

  it("is one of each person's", async () => {
    const { votes } = votesWith();
    await votes.give(turn, voter(alice), "up");
    await votes.give(turn, voter(alice), "down");
    await votes.give(turn, voter(bob), "up");

    expect(await votes.counts(turn)).toEqual({ up: 1, down: 1 });
    expect(await votes.own(turn, alice.id)).toBe("down");
    expect(await votes.own(turn, "toString")).toBeUndefined();
  });

  it("is counted on the last eight bad answers, and as one on those before", async () => {
    const { votes } = votesWith();
    const turnOf = (at: number) => ({ ...turn, id: `t${at}` });
    for (const at of [0, 1, 9]) {
      await votes.give(turnOf(at), voter(alice), "down");
      await votes.give(turnOf(at), voter(bob), "down");
    }
    const askers = Array.from({ length: 10 }, (_, at) => ({ turnId: `t${at}`, signals: ["thumbs-down" as const] }));

    expect(await votes.down(thread, askers.slice(0, 2))).toBe(4);
    expect(await votes.down(thread, askers)).toBe(4);
    expect(await votes.down(thread, [{ turnId: "t0", signals: ["nothing"] }])).toBe(0);
  });
});
