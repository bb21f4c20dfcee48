/** Contract of every TurnStore and JobStore. */
import { describe, expect, it } from "vitest";
import type { Damage, JobStore, RecordCursor, TurnStore } from "../../../src/core/ports/state.ts";
import { sampleJob, sampleTurn } from "./sample-records.ts";

export type RecordStoresUnderTest = {
  readonly turns: TurnStore;
  readonly jobs: JobStore;
  /** Spoils a stored record: cut in the middle, without the required field `reply`, or with empty places. */
  readonly spoil: (store: "turns" | "jobs", id: string, how: Spoiled) => Promise<void>;
  readonly damage: () => Damage;
  /** The log that the stores write to, as text. */
  readonly logged: () => string;
  readonly close: () => Promise<void>;
};

export type Spoiled = "cut" | "incomplete" | "placeless";

async function ids(records: AsyncIterable<{ readonly id: string }>): Promise<string[]> {
  const found: string[] = [];
  for await (const record of records) found.push(record.id);
  return found;
}

/** Every test gets empty stores. */
export function describeRecordStore(name: string, create: () => Promise<RecordStoresUnderTest>): void {
  describe(`TurnStore and JobStore on ${name}`, () => {
    async function withStores(run: (stores: RecordStoresUnderTest) => Promise<void>): Promise<void> {
      const stores = await create();
      try {
        await run(stores);
      } finally {
        await stores.close();
      }
    }

    it("creates a record and finds it by id and by event", () =>
      withStores(async ({ turns }) => {
        const turn = sampleTurn("t1", { question: 'Ünïcode "quoted" __proto__ \u2028 😀' });

        expect(await turns.create(turn)).toEqual({ created: true });

        expect(await turns.get("t1")).toEqual(turn);
        expect(await turns.getByEventKey(turn.eventKey)).toEqual(turn);
        expect(await turns.get("t2")).toBeUndefined();
        expect(await turns.getByEventKey("other")).toBeUndefined();
      }));

    it("lets one of many win an event and shows the others who did", () =>
      withStores(async ({ turns }) => {
        const claims = Array.from({ length: 20 }, (_, index) => sampleTurn(`t${index}`, { eventKey: "same" }));

        const results = await Promise.all(claims.map((claim) => turns.create(claim)));

        const winners = claims.filter((_, index) => results[index]?.created);
        expect(winners).toHaveLength(1);
        for (const result of results) if ("existing" in result) expect(result.existing.id).toBe(winners[0]?.id);
        expect(await ids(turns.unfinished())).toEqual([winners[0]?.id]);
      }));

    it("refuses a new record when its asker, or all together, have too many that are not finished", () =>
      withStores(async ({ turns }) => {
        const limits = { asker: "slack/T1/U1", ofAsker: 2, all: 4 };
        const bob = { ...limits, asker: "slack/T1/U2" };
        expect(await turns.create(sampleTurn("a1"), limits)).toEqual({ created: true });
        expect(await turns.create(sampleTurn("a2"), limits)).toEqual({ created: true });
        expect(await turns.create(sampleTurn("a3"), limits)).toEqual({ created: false, refused: "asker" });
        expect(await turns.get("a3")).toBeUndefined();
        expect(await turns.getByEventKey(sampleTurn("a3").eventKey)).toBeUndefined();

        expect(await turns.create(sampleTurn("b1"), bob)).toEqual({ created: true });
        expect(await turns.create(sampleTurn("b2"), bob)).toEqual({ created: true });
        const carol = { ...limits, asker: "slack/T1/U3" };
        expect(await turns.create(sampleTurn("c1"), carol)).toEqual({ created: false, refused: "all" });
        expect(await ids(turns.unfinished())).toEqual(["a1", "a2", "b1", "b2"]);
      }));

    it("counts nothing that waits for a person who was forgotten", () =>
      withStores(async ({ turns }) => {
        const limits = { asker: "slack/T1/U1", ofAsker: 1, all: 10 };
        await turns.create(sampleTurn("a1"), limits);
        expect(await turns.create(sampleTurn("a2"), limits)).toEqual({ created: false, refused: "asker" });

        await turns.forgetAsker(limits.asker);

        expect(await turns.create(sampleTurn("a3"), limits)).toEqual({ created: true });
      }));

    it("returns the stored record to anyone who brings its event again, also when there are too many", () =>
      withStores(async ({ turns }) => {
        const limits = { asker: "slack/T1/U1", ofAsker: 1, all: 1 };
        await turns.create(sampleTurn("a1", { eventKey: "same" }), limits);

        const again = await turns.create(sampleTurn("a2", { eventKey: "same" }), limits);
        expect(again).toMatchObject({ created: false, existing: { id: "a1" } });
      }));

    it("no longer counts what is finished, and counts what is resumed", () =>
      withStores(async ({ turns }) => {
        const limits = { asker: "slack/T1/U1", ofAsker: 1, all: 10 };
        await turns.create(sampleTurn("a1"), limits);
        await turns.transition("a1", ["queued"], "answered");
        expect(await turns.create(sampleTurn("a2"), limits)).toEqual({ created: true });
        expect(await turns.admit("a1", limits)).toBe("asker");

        await turns.transition("a2", ["queued"], "stopped");
        expect(await turns.admit("a1", limits)).toBe("admitted");
        await turns.transition("a1", ["answered"], "queued");
        expect(await turns.create(sampleTurn("a3"), limits)).toEqual({ created: false, refused: "asker" });
        await turns.delete("a1");
        expect(await turns.create(sampleTurn("a4"), limits)).toEqual({ created: true });
      }));

    it("lets no more through than the limit, however many come at the same moment", () =>
      withStores(async ({ turns }) => {
        const limits = { asker: "slack/T1/U1", ofAsker: 5, all: 100 };
        const all = Array.from({ length: 30 }, (_, index) => turns.create(sampleTurn(`a${index}`), limits));
        const outcomes = await Promise.all(all);

        expect(outcomes.filter(({ created }) => created)).toHaveLength(5);
      }));

    it("returns the requested unfinished ones, oldest first, and reads only ids of the others", () =>
      withStores(async ({ turns }) => {
        for (const index of [3, 1, 2]) await turns.create(sampleTurn(`t${index}`, { createdAtMs: index }));
        const seen: [string, number][] = [];
        const isWanted = ({ id, createdAtMs }: { id: string; createdAtMs: number }) => {
          seen.push([id, createdAtMs]);
          return id !== "t2";
        };

        const found = [];
        for await (const { id, createdAtMs } of turns.unfinished(isWanted)) found.push([id, createdAtMs]);
        expect(found).toEqual([
          ["t1", 1],
          ["t3", 3],
        ]);
        expect(seen).toEqual([
          ["t1", 1],
          ["t2", 2],
          ["t3", 3],
        ]);
      }));

    it("finds all Turns of a Conversation, finished or not, also one that moved there", () =>
      withStores(async ({ turns }) => {
        const { conversation } = sampleTurn("t1");
        const other = { ...conversation, thread: "other" };
        const encoded = {
          ...conversation,
          channel: `${conversation.channel}/${conversation.thread ?? ""}`,
          thread: "",
        };
        await turns.create(sampleTurn("t1"));
        await turns.create({ ...sampleTurn("t2"), conversation: other });
        await turns.create({ ...sampleTurn("t3"), conversation: encoded });
        await turns.create(sampleTurn("t4"));
        await turns.transition("t1", ["queued"], "answered");
        expect(await ids(turns.ofConversation(conversation))).toEqual(["t1", "t4"]);
        expect(await ids(turns.ofConversation(other))).toEqual(["t2"]);

        await turns.transition("t4", ["queued"], "running", { conversation: other });
        expect(await ids(turns.ofConversation(conversation))).toEqual(["t1"]);
        expect((await ids(turns.ofConversation(other))).toSorted()).toEqual(["t2", "t4"]);
        await turns.delete("t2");
        expect(await ids(turns.ofConversation(other))).toEqual(["t4"]);
      }));

    it("keeps Turns and Jobs apart, also with the same id and event", () =>
      withStores(async ({ turns, jobs }) => {
        await turns.create(sampleTurn("x"));

        expect(await jobs.get("x")).toBeUndefined();
        expect(await jobs.create(sampleJob("x"))).toEqual({ created: true });
        expect((await jobs.get("x"))?.knowledgeBase).toBe("docs");
      }));

    it("changes a record that is in one of the expected states", () =>
      withStores(async ({ turns }) => {
        await turns.create(sampleTurn("t1", { stopRequestedBy: { id: "U2", name: "Bob" }, context: "before" }));

        const changed = await turns.transition("t1", ["queued", "interrupted"], "running", {
          startedAtMs: 5,
          attempt: 2,
          stopRequestedBy: undefined,
        });

        const { stopRequestedBy: _, ...rest } = sampleTurn("t1", { context: "before" });
        expect(changed).toEqual({ ...rest, state: "running", startedAtMs: 5, attempt: 2 });
        expect(changed).not.toHaveProperty("stopRequestedBy");
        expect(await turns.get("t1")).toEqual(changed);
      }));

    it("refuses a record in another state, and one that is not there", () =>
      withStores(async ({ turns }) => {
        await turns.create(sampleTurn("t1"));

        expect(await turns.transition("t1", ["running"], "answered", { attempt: 9 })).toBeUndefined();
        expect(await turns.transition("t2", ["queued"], "running")).toBeUndefined();
        expect(await turns.get("t1")).toEqual(sampleTurn("t1"));
      }));

    it("lets one of many make the same transition", () =>
      withStores(async ({ turns }) => {
        await turns.create(sampleTurn("t1"));

        const results = await Promise.all(
          Array.from({ length: 20 }, (_, index) => turns.transition("t1", ["queued"], "running", { attempt: index })),
        );

        const winners = results.filter((result) => result !== undefined);
        expect(winners).toHaveLength(1);
        expect(await turns.get("t1")).toEqual(winners[0]);
      }));

    it("refuses a writer whose fence is older than the stored one", () =>
      withStores(async ({ turns }) => {
        await turns.create(sampleTurn("t1"));
        const fences = [7, 7_000_000_000_000];

        expect((await turns.transition("t1", ["queued"], "running", {}, fences[0]))?.fence).toBe(7);
        expect((await turns.transition("t1", ["running"], "running", { attempt: 2 }, 7))?.attempt).toBe(2);
        expect((await turns.transition("t1", ["running"], "running", {}, fences[1]))?.fence).toBe(fences[1]);
        expect(await turns.transition("t1", ["running"], "answered", {}, 8)).toBeUndefined();
        expect((await turns.get("t1"))?.state).toBe("running");
      }));

    it("keeps the stored fence when a writer brings none", () =>
      withStores(async ({ turns }) => {
        await turns.create(sampleTurn("t1", { fence: 4 }));

        expect((await turns.transition("t1", ["queued"], "queued", { attempt: 3 }))?.fence).toBe(4);
      }));

    it("keeps a record's identity, whatever a patch says", () =>
      withStores(async ({ turns }) => {
        await turns.create(sampleTurn("t1"));

        await turns.transition("t1", ["queued"], "running", { id: "t9", eventKey: "other", createdAtMs: 1 });

        expect(await turns.get("t1")).toEqual(sampleTurn("t1", { state: "running" }));
        expect(await turns.getByEventKey("event-of-t1")).toBeDefined();
      }));

    it("keeps empty lists and empty objects as what they are", () =>
      withStores(async ({ turns }) => {
        await turns.create(sampleTurn("t1"));

        const changed = await turns.transition("t1", ["queued"], "running", {
          attachments: [],
          platformData: {},
        });

        expect(changed).toEqual(sampleTurn("t1", { state: "running", platformData: {} }));
        expect(await turns.get("t1")).toEqual(changed);
      }));

    it("lists what is not final, oldest first, however many there are", () =>
      withStores(async ({ turns, jobs }) => {
        const states = ["queued", "running", "waiting", "interrupted", "answered", "failed", "stopped"] as const;
        const all = Array.from({ length: 450 }, (_, index) =>
          sampleTurn(`t${index}`, { state: states[index % 7] ?? "queued", createdAtMs: 1_000 - Math.floor(index / 2) }),
        );
        await Promise.all(all.map((turn) => turns.create(turn)));
        await jobs.create(sampleJob("j1", { state: "done" }));
        await jobs.create(sampleJob("j2", { state: "running" }));

        const expected = all
          .filter((_, index) => index % 7 < 4)
          .sort((a, b) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1))
          .map((turn) => turn.id);
        expect(await ids(turns.unfinished())).toEqual(expected);
        expect(await ids(jobs.unfinished())).toEqual(["j2"]);
      }));

    it("removes a finished record from the unfinished ones, and adds it again when it is asked again", () =>
      withStores(async ({ turns }) => {
        await turns.create(sampleTurn("t1"));

        await turns.transition("t1", ["queued"], "answered");
        expect(await ids(turns.unfinished())).toEqual([]);

        await turns.transition("t1", ["answered"], "queued");
        expect(await ids(turns.unfinished())).toEqual(["t1"]);
      }));

    it("can be changed while the unfinished ones are being listed", () =>
      withStores(async ({ turns }) => {
        for (const id of ["t1", "t2", "t3"]) await turns.create(sampleTurn(id));
        const seen: string[] = [];

        for await (const turn of turns.unfinished()) {
          seen.push(turn.id);
          await turns.transition(turn.id, ["queued"], "failed");
        }

        expect(seen).toEqual(["t1", "t2", "t3"]);
        expect(await ids(turns.unfinished())).toEqual([]);
      }));

    it("shows the newest first, finished ones included, up to the limit", () =>
      withStores(async ({ turns }) => {
        for (const [index, id] of ["t1", "t2", "t3", "t4"].entries()) {
          await turns.create(sampleTurn(id, { createdAtMs: 100 + index, state: index === 3 ? "answered" : "queued" }));
        }

        expect((await turns.recent(3)).map((turn) => turn.id)).toEqual(["t4", "t3", "t2"]);
        expect(await turns.recent(100)).toHaveLength(4);
      }));

    it("pages through all records, also through many of one moment and damaged ones", () =>
      withStores(async ({ turns, spoil }) => {
        const all = Array.from({ length: 130 }, (_, index) => `t${String(index).padStart(3, "0")}`);
        for (const id of all) {
          await turns.create(sampleTurn(id, { createdAtMs: id < "t100" ? 1_790_000_000_000 : 1_790_000_000_001 }));
        }
        for (const id of ["t020", "t050", "t099"]) await spoil("turns", id, "cut");

        const found: string[] = [];
        for (let before: RecordCursor | undefined; ; ) {
          const page = await turns.recent(25, before);
          found.push(...page.map(({ id }) => id));
          if (page.length < 25) break;
          before = page.at(-1);
        }

        expect(found).toEqual(all.filter((id) => !["t020", "t050", "t099"].includes(id)).reverse());
        expect(await turns.recent(25, { id: "t000", createdAtMs: 1_790_000_000_000 })).toEqual([]);
      }));

    it("prunes finished records older than a moment, and counts them", () =>
      withStores(async ({ turns }) => {
        await turns.create(sampleTurn("old", { createdAtMs: 100, state: "answered" }));
        await turns.create(sampleTurn("old-running", { createdAtMs: 100, state: "running" }));
        await turns.create(sampleTurn("at", { createdAtMs: 200, state: "failed" }));
        await turns.create(sampleTurn("new", { createdAtMs: 300, state: "stopped" }));

        expect(await turns.prune(200)).toBe(1);

        expect((await turns.recent(10)).map((turn) => turn.id)).toEqual(["new", "at", "old-running"]);
        expect(await turns.get("old")).toBeUndefined();
        expect(await turns.getByEventKey("event-of-old")).toBeUndefined();
      }));

    it("prunes more than it deletes at a time", () =>
      withStores(async ({ turns }) => {
        const old = Array.from({ length: 230 }, (_, index) =>
          sampleTurn(`t${index}`, { createdAtMs: index, state: "answered" }),
        );
        await Promise.all(old.map((turn) => turns.create(turn)));

        expect(await turns.prune(225)).toBe(225);

        expect(await turns.recent(10)).toHaveLength(5);
      }));

    it("deletes a record and its event, and accepts that there is none", () =>
      withStores(async ({ turns }) => {
        await turns.create(sampleTurn("t1"));

        await turns.delete("t1");
        await turns.delete("t1");

        expect(await turns.get("t1")).toBeUndefined();
        expect(await turns.recent(10)).toEqual([]);
        expect(await ids(turns.unfinished())).toEqual([]);
        expect(await turns.create(sampleTurn("t2", { eventKey: "event-of-t1" }))).toEqual({ created: true });
      }));

    describe.each<Spoiled>(["cut", "incomplete", "placeless"])("with a record that is %s", (how) => {
      it("skips it and yields the records behind it, Turns and Jobs", () =>
        withStores(async ({ turns, jobs, spoil }) => {
          for (const id of ["t1", "t2", "t3"]) await turns.create(sampleTurn(id));
          for (const id of ["j1", "j2"]) await jobs.create(sampleJob(id));
          await spoil("turns", "t1", how);
          await spoil("jobs", "j1", how);

          expect(await ids(turns.unfinished())).toEqual(["t2", "t3"]);
          expect(await ids(jobs.unfinished())).toEqual(["j2"]);
          expect((await turns.recent(10)).map((turn) => turn.id).sort()).toEqual(["t2", "t3"]);
        }));

      it("treats it as absent when it is asked for, and does not change it", () =>
        withStores(async ({ turns, spoil }) => {
          await turns.create(sampleTurn("t1", { question: "What does Ada earn?" }));
          await spoil("turns", "t1", how);

          expect(await turns.get("t1")).toBeUndefined();
          expect(await turns.getByEventKey("event-of-t1")).toBeUndefined();
          expect(await turns.transition("t1", ["queued"], "running", { attempt: 2 })).toBeUndefined();
        }));

      it("logs it once with its key and counts it once, without its content", () =>
        withStores(async ({ turns, jobs, spoil, damage, logged }) => {
          await turns.create(sampleTurn("t1", { question: "What does Ada earn?" }));
          await jobs.create(sampleJob("j1"));
          await spoil("turns", "t1", how);
          await spoil("jobs", "j1", how);
          expect(damage()).toEqual({ count: 0, keys: [] });

          for (let time = 0; time < 3; time += 1) await ids(turns.unfinished());
          await jobs.get("j1");

          expect(damage()).toEqual({ count: 2, keys: ["turns/t1", "jobs/j1"] });
          expect(logged().match(/turns\/t1/g)).toHaveLength(1);
          expect(logged()).not.toMatch(/Ada/);
        }));

      it("stores its event again, and leaves the damaged record in place", () =>
        withStores(async ({ turns, spoil, damage }) => {
          await turns.create(sampleTurn("t1"));
          await spoil("turns", "t1", how);

          expect(await turns.create(sampleTurn("t2", { eventKey: "event-of-t1" }))).toEqual({ created: true });

          expect((await turns.getByEventKey("event-of-t1"))?.id).toBe("t2");
          expect(await ids(turns.unfinished())).toEqual(["t2"]);
          expect(damage().keys).toEqual(["turns/t1"]);
          await turns.delete("t1");
          expect((await turns.getByEventKey("event-of-t1"))?.id).toBe("t2");
        }));

      it("no longer counts it when it was deleted", () =>
        withStores(async ({ turns, spoil, damage }) => {
          await turns.create(sampleTurn("t1"));
          await spoil("turns", "t1", how);
          await ids(turns.unfinished());

          await turns.delete("t1");

          expect(damage().count).toBe(0);
          expect(await ids(turns.unfinished())).toEqual([]);
        }));

      it("deletes a finished one when it is too old, also one that nobody has read", () =>
        withStores(async ({ turns, spoil }) => {
          await turns.create(sampleTurn("old", { createdAtMs: 100, state: "answered" }));
          await turns.create(sampleTurn("older", { createdAtMs: 90, state: "answered" }));
          await spoil("turns", "old", how);

          expect(await turns.prune(200)).toBe(2);
        }));

      it("deletes it with the finished ones when it is too old, and counts it no more", () =>
        withStores(async ({ turns, spoil, damage }) => {
          await turns.create(sampleTurn("old", { createdAtMs: 100 }));
          await turns.create(sampleTurn("new", { createdAtMs: 300 }));
          await turns.create(sampleTurn("old-running", { createdAtMs: 100, state: "running" }));
          for (const id of ["old", "new"]) await spoil("turns", id, how);
          await ids(turns.unfinished());
          expect(damage().count).toBe(2);

          expect(await turns.prune(200)).toBe(1);

          expect(damage().keys).toEqual(["turns/new"]);
          expect(await ids(turns.unfinished())).toEqual(["old-running"]);
        }));
    });
  });
}
