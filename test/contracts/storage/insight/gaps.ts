/** Contract of gaps on a backend: questions of one meaning are one gap, whatever dies, however many instances there are. */
import { describe, expect, it } from "vitest";
import type { Gap } from "../../../../src/core/model/insight.ts";
import { bob } from "../../../doubles/people.ts";
import {
  createGapRoom,
  type GapRoom,
  type GapStores,
  scopeIn,
  signalsIn,
  sourced,
} from "../../../insight/gaps/gap-room.ts";

const wifi = "How do I reset the wifi password?";
const wifiToo = "how can I reset my wifi password";
const parking = "Where do visitors park their cars?";

/** `open` gives a store that nothing is in. */
export function describeGaps(
  name: string,
  open: () => Promise<GapStores & { readonly close: () => Promise<void> }>,
): void {
  async function withRoom(work: (room: GapRoom, stores: GapStores) => Promise<void>): Promise<void> {
    const stores = await open();
    try {
      await work(createGapRoom(stores), stores);
    } finally {
      await stores.close();
    }
  }

  describe(`gaps on ${name}`, () => {
    it("are one for two people who ask the same at once on two instances", () =>
      withRoom(async (room) => {
        const [one, other] = [room.instance(0), room.instance(1)];
        await Promise.all([room.ask(one, { question: wifi }), room.ask(other, { question: wifiToo, actor: bob })]);
        await room.ask(one, { question: parking });

        const gaps = await room.gaps();
        expect(gaps.map(({ askerCount }) => askerCount).toSorted()).toEqual([1, 2]);
        expect(await room.problems()).toEqual([]);
        expect(await room.notes()).toEqual([]);
        const listed = await one.gaps.list(scopeIn(), "open", { kind: "public" }, 10);
        expect(listed[0]?.id).toBe(gaps.find(({ askerCount }) => askerCount === 2)?.id);
      }));

    it("come and go with the answer of a question that is asked again", () =>
      withRoom(async (room, stores) => {
        const one = room.instance();
        const turn = await room.ask(one, { question: wifi });
        expect(await room.gaps()).toHaveLength(1);
        await stores.turns.transition(turn.id, ["answered"], "running", { attempt: 2 });
        await room.end(one, { ...turn, attempt: 2 }, sourced);

        expect(await room.gaps()).toEqual([]);
        expect(await room.problems()).toEqual([]);
      }));

    it("follow a question that is edited to mean something else", () =>
      withRoom(async (room, stores) => {
        const one = room.instance();
        const turn = await room.ask(one, { question: wifi });
        await room.ask(one, { question: wifiToo, actor: bob });
        const edited = { attempt: 2, question: parking };
        await stores.turns.transition(turn.id, ["answered"], "running", edited);
        await room.end(one, { ...turn, ...edited });

        const gaps = await room.gaps();
        expect(gaps.map(({ askers }) => askers.map(({ question }) => question)).toSorted()).toEqual([
          [parking],
          [wifiToo],
        ]);
        expect(await room.problems()).toEqual([]);
      }));

    it("know who voted, wants to be told and shares, and forget a vote that is taken back", () =>
      withRoom(async (room) => {
        const one = room.instance();
        const turn = await room.ask(one, { question: wifi, visibility: "direct" }, sourced);
        expect(await room.gaps()).toEqual([]);
        await room.vote(one, turn, "down", { tell: true });
        const [gap] = await room.gaps();
        expect(gap?.askers[0]).toMatchObject({ signals: ["thumbs-down"], tell: true, visibility: "direct" });
        expect(await one.gaps.count(scopeIn(), "open", { kind: "person", person: "U1" })).toBe(1);
        await room.vote(one, turn, "down", { isShared: true });
        expect(await one.gaps.count(scopeIn(), "open", { kind: "person", person: "U1" })).toBe(0);
        expect(await one.gaps.count(scopeIn(), "open", { kind: "public" })).toBe(1);
        await room.vote(one, turn, undefined);
        expect(await room.gaps()).toEqual([]);
        expect(await room.problems()).toEqual([]);
      }));

    it("count the earlier question when the same person asks it again within ten minutes", () =>
      withRoom(async (room) => {
        const one = room.instance();
        await room.ask(one, { question: wifi }, sourced);
        await room.ask(one, { question: parking }, sourced);
        await room.ask(one, { question: wifi, actor: bob }, sourced);
        expect(await room.gaps()).toEqual([]);
        await room.ask(one, { question: "how do I reset my wifi password", actor: bob }, sourced);
        const [gap] = await room.gaps();
        expect(signalsIn(gap)).toEqual([["asked-again"]]);
        expect(gap?.askers[0]?.actor.id).toBe(bob.id);
        room.pass(600_001);
        await room.ask(one, { question: parking }, sourced);
        expect(await room.gaps()).toHaveLength(1);
      }));

    it("are open again when someone asks after the answer, and a dismissed one when three people have", () =>
      withRoom(async (room) => {
        const one = room.instance();
        await room.ask(one, { question: wifi });
        const [gap] = await room.gaps();
        if (gap === undefined) throw new Error("There is no gap.");
        room.pass(1_000);
        const answeredBy = { answerId: gap.id, atMs: room.clock.now() };
        await one.gaps.change(gap, (newest) => ({ ...newest, state: "answered", answeredBy }));
        expect(await one.gaps.count(scopeIn(), "open", { kind: "public" })).toBe(0);
        expect(await one.gaps.count(scopeIn(), "answered", { kind: "public" })).toBe(1);
        room.pass(1_000);
        await room.ask(one, { question: wifi, actor: bob });
        expect((await one.gaps.get(scopeIn(), gap.id))?.state).toBe("open");

        const dismissedBy = { id: "ana", name: "Ana", atMs: room.clock.now(), askerCount: 2 };
        await one.gaps.change(gap, (newest) => ({ ...newest, state: "dismissed", dismissedBy }));
        for (const id of ["U3", "U4"]) await room.ask(one, { question: wifi, actor: { ...bob, id } });
        expect((await one.gaps.get(scopeIn(), gap.id))?.state).toBe("dismissed");
        await room.ask(one, { question: wifi, actor: { ...bob, id: "U5" } });
        expect((await one.gaps.get(scopeIn(), gap.id))?.state).toBe("open");
        expect(await room.problems()).toEqual([]);
      }));

    it("forget what is forgotten, with its votes, and keep what others asked", () =>
      withRoom(async (room, stores) => {
        const one = room.instance();
        const turn = await room.ask(one, { question: wifi });
        await room.vote(one, turn, "down", { comment: "The password is secret." });
        await room.ask(one, { question: wifiToo, actor: bob });
        const finish = await one.notes.noteForgotten([turn]);
        await stores.turns.transition(turn.id, ["answered"], "answered", { question: "", isForgotten: true });
        await finish();

        const [gap] = await room.gaps();
        expect(JSON.stringify(gap)).not.toContain(turn.id);
        expect(gap?.askers.map(({ question }) => question)).toEqual([wifiToo]);
        expect(await stores.keyValue("feedback").get(`memory/T1/${turn.id}/U1`)).toBeUndefined();
        expect(await one.gaps.ofTurn(turn)).toBeUndefined();
        await room.ask(one, { question: wifi, actor: { ...bob, id: "U3" } });
        expect(await room.gaps()).toHaveLength(1);
        expect(await room.problems()).toEqual([]);
        expect(await room.notes()).toEqual([]);
      }));

    it("delete old questions, and keep a public one of an answered gap without its name", () =>
      withRoom(async (room) => {
        const one = room.instance();
        await room.ask(one, { question: wifi });
        await room.ask(one, { question: parking, visibility: "private" });
        const gaps = await room.gaps();
        for (const gap of gaps) {
          const answeredBy = { answerId: gap.id, atMs: room.clock.now() };
          await one.gaps.change(gap, (newest) => ({ ...newest, state: "answered", answeredBy }));
        }
        room.pass(1_000);
        expect(await one.prune(room.clock.now())).toBe(1);
        expect(await one.prune(room.clock.now())).toBe(0);
        const [left, ...others] = await room.gaps();
        expect(others).toEqual([]);
        expect(left?.askers[0]).toMatchObject({ question: wifi, actor: { id: "", name: "" } });
        expect(await room.problems()).toEqual([]);
      }));
  });

  const scenarios = {
    "a first question": async (room: GapRoom, diesAt: number) => {
      const dying = room.instance(0, diesAt);
      const turn = await room.ask(dying, { question: wifi });
      return { dying, turn, view: {}, askers: [[wifi]] };
    },
    "a question that joins": async (room: GapRoom, diesAt: number) => {
      await room.ask(room.instance(), { question: wifi });
      const dying = room.instance(0, diesAt);
      const turn = await room.ask(dying, { question: wifiToo, actor: bob });
      return { dying, turn, view: {}, askers: [[wifi, wifiToo]] };
    },
    "an edit to another meaning": async (room: GapRoom, diesAt: number, stores: GapStores) => {
      const first = await room.ask(room.instance(), { question: wifi });
      await room.ask(room.instance(), { question: wifiToo, actor: bob });
      const edited = { attempt: 2, question: parking };
      await stores.turns.transition(first.id, ["answered"], "running", edited);
      const turn = { ...first, ...edited };
      const dying = room.instance(0, diesAt);
      await room.end(dying, turn);
      return { dying, turn, view: {}, askers: [[parking], [wifiToo]] };
    },
    "a better answer": async (room: GapRoom, diesAt: number, stores: GapStores) => {
      const first = await room.ask(room.instance(), { question: wifi });
      await stores.turns.transition(first.id, ["answered"], "running", { attempt: 2 });
      const turn = { ...first, attempt: 2 };
      const dying = room.instance(0, diesAt);
      await room.end(dying, turn, sourced);
      return { dying, turn, view: sourced, askers: [] as string[][] };
    },
  };

  describe(`gaps on ${name}, when a process dies at any write of`, () => {
    it.each(Object.entries(scenarios))("%s, are as if it had lived", async (_, scenario) => {
      for (let diesAt = 1, hasDied = true; hasDied; diesAt += 1) {
        await withRoom(async (room, stores) => {
          const { dying, turn, view, askers } = await scenario(room, diesAt, stores);
          hasDied = dying.isDead();
          const living = room.instance(1);
          // Another process shows the end that wasn't recorded.
          if ((await stores.turns.get(turn.id))?.state !== "answered") await room.end(living, turn, view);
          room.pass(11_000);
          await living.recover();
          await living.settled();

          const found = (await room.gaps()).map((gap) => gap.askers.map(({ question }) => question).toSorted());
          expect(found.toSorted(), `died at write ${diesAt}`).toEqual(askers);
          expect(await room.problems(), `died at write ${diesAt}`).toEqual([]);
          expect(await room.notes(), `died at write ${diesAt}`).toEqual([]);
        });
      }
    });

    it("a first question, let the next one with that meaning join it before it is found again", async () => {
      for (let diesAt = 1, hasDied = true; hasDied; diesAt += 1) {
        await withRoom(async (room, stores) => {
          const dying = room.instance(0, diesAt);
          const turn = await room.ask(dying, { question: wifi });
          hasDied = dying.isDead();
          const living = room.instance(1);
          if ((await stores.turns.get(turn.id))?.state !== "answered") await room.end(living, turn);
          await room.ask(living, { question: wifiToo, actor: bob });
          room.pass(11_000);
          await living.recover();
          await living.settled();

          const gaps = await room.gaps();
          expect(
            gaps.map(({ askerCount }) => askerCount),
            `died at write ${diesAt}`,
          ).toEqual([2]);
          expect(await room.problems(), `died at write ${diesAt}`).toEqual([]);
        });
      }
    });

    it.each(["merge", "split"] as const)("a %s of gaps, is finished by another process", async (which) => {
      const questionsOf = (gaps: readonly Gap[]) => gaps.map(({ askers }) => askers.map(({ question }) => question));
      for (let diesAt = 2, hasDied = true; hasDied; diesAt += 1) {
        await withRoom(async (room) => {
          const one = room.instance(0);
          await room.ask(one, { question: wifi });
          await room.ask(one, { question: parking, actor: bob });
          const [first, second] = await room.gaps();
          if (first === undefined || second === undefined) throw new Error("There are no two gaps.");
          const before = which === "split" ? await one.gaps.merge(first, second) : second;
          const dying = room.instance(0, diesAt);
          const work =
            which === "merge" ? dying.gaps.merge(first, second) : dying.gaps.split(before ?? second, first.id);
          await work.catch(() => undefined);
          hasDied = dying.isDead();
          const living = room.instance(1);
          await living.recover();
          await living.settled();

          const gaps = await room.gaps();
          expect(gaps, `died at write ${diesAt}`).toHaveLength(which === "merge" ? 1 : 2);
          expect(questionsOf(gaps).flat().toSorted(), `died at write ${diesAt}`).toEqual([wifi, parking].toSorted());
          expect(
            gaps.reduce((sum, { askerCount }) => sum + askerCount, 0),
            `died at write ${diesAt}`,
          ).toBe(2);
          expect(await room.problems(), `died at write ${diesAt}`).toEqual([]);
          expect(await room.notes(), `died at write ${diesAt}`).toEqual([]);
        });
      }
    });
  });
}
