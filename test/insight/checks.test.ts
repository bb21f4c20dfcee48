/** Answered questions asked again: what is found, what it is compared with, and in whose words it is told. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ParleyError } from "../../src/core/errors.ts";
import type { AddedAnswer, Gap } from "../../src/core/model/insight.ts";
import type { Source, TurnView } from "../../src/core/model/turn.ts";
import type { State } from "../../src/core/ports/state.ts";
import { createAnswerStore } from "../../src/insight/answers/answer-store.ts";
import type { InsightApp, RunOnce } from "../../src/insight/app.ts";
import { createChecks } from "../../src/insight/checks.ts";
import type { GapReader } from "../../src/insight/gaps/gap-sight.ts";
import { openState } from "../../src/state/open-state.ts";
import { appOf } from "../doubles/app.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";
import { createMemoryGaps } from "../doubles/gaps.ts";
import { alice, bob, general } from "../doubles/people.ts";
import { silentLog as log } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";
import { until } from "../doubles/until.ts";

const agent = { project: "p", name: "support" };
const scope = { platform: general.platform, workspace: general.workspace, agent };
const direct = { ...general, channel: "direct-alice" };
const signal = new AbortController().signal;
const row: Source = { title: "Row", rowId: "answer-g1" };
const other: Source = { title: "Refunds", rowId: "7" };

let state: State;
let clock: ReturnType<typeof createFakeClock>;
let gaps: ReturnType<typeof createMemoryGaps>;
let answers: Map<string, AddedAnswer>;
let sources: readonly Source[];
let run: RunOnce;
let read: GapReader[];

beforeEach(async () => {
  clock = createFakeClock();
  state = await openState({ dataDir: await temporaryFolder("checks"), clock, log });
  gaps = createMemoryGaps();
  answers = new Map();
  sources = [row];
  run = async () => ({ state: "answered", sources, tables: [] }) as unknown as TurnView;
  read = [];
});
afterEach(() => state.close());

function checks() {
  const app = appOf({
    keyValue: state.keyValue,
    clock,
    coordinator: state.coordinator,
    reach: { isDirect: ({ channel }) => channel.startsWith("direct-") },
  });
  const others: Partial<InsightApp> = {
    gaps,
    answerStore: { ...createAnswerStore(state), byId: async (id) => answers.get(id) },
    sight: {
      see: async (reader, gap) => {
        read.push(reader);
        const question = gap.askers[0]?.question ?? "";
        return reader.kind === "person" || question.startsWith("Public")
          ? { kind: "listed", question, askers: [] }
          : { kind: "counted" };
      },
    },
    runOnce: (...about) => run(...about),
  };
  return createChecks({ ...app, ...others } as InsightApp);
}

function answered(id: string, question = "Public?"): Gap {
  const gap: Gap = {
    ...{ version: 1, id, ...scope, askerCount: 1, createdAtMs: 0, lastAtMs: 1 },
    askers: [{ turnId: `t-${id}`, actor: bob, question, place: general, visibility: "public", signals: [], atMs: 1 }],
    state: "answered",
    answeredBy: { answerId: id, atMs: 2 },
  };
  gaps.put(gap);
  answers.set(id, {
    ...{ version: 1, id, project: "p", knowledgeBase: "docs", question: "Row", answer: "Yes.", urls: [] },
    ...{ by: { key: "k", name: "Ana" }, origin: { kind: "gap", gapId: id }, atMs: 1 },
  });
  return gap;
}

const job = (id: string, place = general) => ({ id, actor: alice, askedIn: place, reply: { place, parts: [] } });

describe("a check", () => {
  it("holds only while its answer rests on the added row", async () => {
    answered("g1");
    const results: unknown[] = [];
    for (const found of [[row, other], [other], [], [{ title: "row " }], [{ title: "Other", rowId: "answer-g10" }]]) {
      sources = found;
      results.push((await checks().ask("g1", job(`j${results.length}`), signal)).checked?.result);
    }
    expect(results).toEqual(["held", "other-source", "no-source", "held", "other-source"]);
  });

  it("is compared with the time before, also when its Job resumes after a crash", async () => {
    answered("g1");
    await checks().ask("g1", job("j1"), signal);
    const firstMs = clock.now();
    await clock.advance(60_000);
    sources = [];

    const before = { result: "held", atMs: firstMs };
    expect(await checks().ask("g1", job("j2"), signal)).toEqual({
      checked: { result: "no-source", before },
      title: "Public?",
    });
    // Stored, but its process died before the Job knew.
    sources = [row];
    expect((await checks().ask("g1", job("j2"), signal)).checked).toEqual({ result: "held", before });
    expect((await checks().ask("g1", job("j3"), signal)).checked?.before).toMatchObject({ result: "held" });
  });

  it("asks nothing once its answer was removed, or its question is open again", async () => {
    const gap = answered("g1");
    run = async () => {
      throw new Error("It was asked");
    };
    answers.clear();
    expect(await checks().ask("g1", job("j1"), signal)).toEqual({ checked: { result: "gone" } });
    answered("g1");
    gaps.put({ ...gap, state: "open" });
    expect(await checks().ask("g1", job("j1"), signal)).toEqual({ checked: { result: "gone" } });
    expect(await checks().ask("nothing", job("j1"), signal)).toEqual({ checked: { result: "gone" } });
  });

  it("names a question only to those who may read it where the result is shown", async () => {
    answered("g1", "Salaries?");
    sources = [];
    expect((await checks().ask("g1", job("j1"), signal)).title).toBeUndefined();
    expect((await checks().ask("g1", job("j2", direct), signal)).title).toBe("Salaries?");
    const alone = { ...job("j3"), reply: { place: direct, parts: [] } };
    expect((await checks().ask("g1", alone, signal)).title).toBe("Salaries?");
    expect(read.map(({ kind }) => kind)).toEqual(["channel", "person", "person"]);
  });

  it("says why it couldn't be asked, and keeps what was known", async () => {
    answered("g1");
    await checks().ask("g1", job("j1"), signal);
    run = async () => ({ state: "failed", error: new ParleyError("service_unreachable") }) as unknown as TurnView;
    await expect(checks().ask("g1", job("j2"), signal)).rejects.toThrow(ParleyError);
    run = async () => ({ state: "answered", sources: [], tables: [] }) as unknown as TurnView;
    expect((await checks().ask("g1", job("j3"), signal)).checked?.before?.result).toBe("held");
  });

  it("is asked one at a time over all instances, as work that nobody waits for", async () => {
    for (const id of ["g1", "g2", "g3"]) answered(id);
    let most = 0;
    let now = 0;
    const gate = Promise.withResolvers<void>();
    const shares: unknown[] = [];
    run = async (_agent, _question, _signal, share) => {
      shares.push(share);
      now += 1;
      most = Math.max(most, now);
      await gate.promise;
      now -= 1;
      return { state: "answered", sources: [row], tables: [] } as unknown as TurnView;
    };
    const all = ["g1", "g2", "g3"].map((id) => checks().ask(id, job("j1"), signal));
    await until("the first is asked", () => now === 1);
    gate.resolve();
    await Promise.all(all);
    expect(most).toBe(1);
    expect(shares[0]).toEqual({ platform: general.platform, workspace: general.workspace, isSpare: true });
  });

  it("is listed by people who asked, also where nobody else may read it", async () => {
    answered("g1", "Salaries?");
    answered("g2");
    gaps.put({ ...answered("g3"), state: "open" });
    expect([...(await checks().of(scope))].sort()).toEqual(["g1", "g2"]);
    expect(await checks().count(scope)).toBe(2);
    expect(await checks().total(scope)).toBe(2);
    expect(await checks().count({ ...scope, agent: { project: "p", name: "hr" } })).toBe(0);
  });
});
