/** Gaps that people merge: their questions move together, whatever dies in between, and can be taken apart again. */
import { describe, expect, it, onTestFinished } from "vitest";
import type { Gap } from "../../../src/core/model/insight.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { openState } from "../../../src/state/open-state.ts";
import { alice, bob } from "../../doubles/people.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { createGapRoom } from "./gap-room.ts";

const wifi = "How do I reset the wifi password?";
const parking = "Where can visitors park their cars?";

async function open() {
  const state = await openState({ dataDir: await temporaryFolder("gaps"), clock: systemClock, log: silentLog });
  onTestFinished(() => state.close());
  const stores = { ...state, coordinators: [state.coordinator, state.coordinator] as const };
  return { stores, room: createGapRoom(stores) };
}

async function twoGaps() {
  const { room, stores } = await open();
  const one = room.instance();
  await room.ask(one, { question: wifi, actor: alice });
  await room.ask(one, { question: parking, actor: bob });
  const all = await room.gaps();
  const about = (question: string): Gap => {
    const found = all.find(({ askers }) => askers.some((asker) => asker.question === question));
    if (found === undefined) throw new Error(`There is no gap about ${question}`);
    return found;
  };
  return { room, stores, one, from: about(parking), into: about(wifi) };
}

const questionsOf = ({ askers }: Gap) => askers.map(({ question }) => question).sort();

describe("two gaps that people merge", () => {
  it("become one with the questions and people of both, which later questions in either wording join", async () => {
    const { room, one, from, into } = await twoGaps();

    const merged = await one.gaps.merge(from, into);
    await room.ask(one, { question: "where can a visitor park a car?", actor: { ...bob, id: "U7" } });
    await room.ask(one, { question: "How can I reset my wifi password", actor: { ...bob, id: "U8" } });

    expect(merged).toMatchObject({ id: into.id, askerCount: 2 });
    const all = await room.gaps();
    expect(all).toHaveLength(1);
    expect(all[0]).toMatchObject({ id: into.id, askerCount: 4 });
    expect(await room.problems()).toEqual([]);
    expect(await room.notes()).toEqual([]);
  });

  it("are merged once by two presses", async () => {
    const { room, one, from, into } = await twoGaps();

    const both = await Promise.all([one.gaps.merge(from, into), room.instance(1).gaps.merge(from, into)]);

    expect(both.map((gap) => gap?.askerCount)).toEqual([2, 2]);
    expect((await room.gaps()).map(questionsOf)).toEqual([[wifi, parking].sort()]);
  });

  it("stay two if one of them isn't open, or is of another workspace", async () => {
    const { room, one, from, into } = await twoGaps();
    await one.gaps.change(from, (gap) => ({ ...gap, state: "dismissed" }));

    expect(await one.gaps.merge(from, into)).toBeUndefined();
    expect(await one.gaps.merge({ ...from, workspace: "T2" }, into)).toBeUndefined();
    expect(await one.gaps.merge(into, into)).toBeUndefined();
    expect(await room.gaps()).toHaveLength(2);
  });

  it("are two again after Undo, and later questions join the right one", async () => {
    const { room, one, from, into } = await twoGaps();
    const merged = await one.gaps.merge(from, into);

    const again = await one.gaps.split(merged ?? into, from.id);
    await room.ask(one, { question: "where can a visitor park a car?", actor: { ...bob, id: "U7" } });

    expect(again).toMatchObject({ id: from.id, state: "open" });
    const all = await room.gaps();
    expect(all.find(({ id }) => id === into.id)).toMatchObject({ askerCount: 1 });
    expect(all.find(({ id }) => id === from.id)).toMatchObject({ askerCount: 2 });
    expect(await one.gaps.split(merged ?? into, from.id)).toBeUndefined();
    expect(await room.problems()).toEqual([]);
  });

  it("forget a question of either when it is forgotten, also in what Undo would bring back", async () => {
    const { room, stores, one, from, into } = await twoGaps();
    const merged = await one.gaps.merge(from, into);
    const turn = await stores.turns.get(from.askers[0]?.turnId ?? "");
    if (turn === undefined) throw new Error("The question is gone.");

    const forget = await one.notes.noteForgotten([turn]);
    await stores.turns.transition(turn.id, ["answered"], "answered", { question: "", isForgotten: true });
    await forget();

    expect(await one.gaps.split(merged ?? into, from.id)).toBeUndefined();
    expect(JSON.stringify(await room.gaps())).not.toContain("park");
  });

  it.each([2, 3, 4])(
    "forget a question that is forgotten after a process died at write %i of the merge",
    async (write) => {
      const { room, stores, from, into } = await twoGaps();
      await room
        .instance(0, write)
        .gaps.merge(from, into)
        .catch(() => undefined);
      const turn = await stores.turns.get(from.askers[0]?.turnId ?? "");
      if (turn === undefined) throw new Error("The question is gone.");
      const other = room.instance(1);

      const forget = await other.notes.noteForgotten([turn]);
      await stores.turns.transition(turn.id, ["answered"], "answered", { question: "", isForgotten: true });
      await forget();
      expect(JSON.stringify(await room.gaps())).not.toContain("park");

      await other.recover();
      await other.settled();
      expect(JSON.stringify(await room.gaps())).not.toContain("park");
      expect(await room.problems()).toEqual([]);
      expect(await room.notes()).toEqual([]);
    },
  );
});
