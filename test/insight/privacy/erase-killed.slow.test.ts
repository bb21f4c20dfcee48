/**
 * A process that dies between any two writes of an erasure: the next one finishes it, leaves nothing of the person, and
 * touches nothing of others. What they were called is needed to find bare names, so it may not go before those.
 */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type AuditEntry, auditEntriesIn } from "../../../src/core/audit.ts";
import { personKey } from "../../../src/core/model/place.ts";
import { schedulesIn } from "../../../src/core/model/schedule.ts";
import type { Turn } from "../../../src/core/model/turn.ts";
import type { State } from "../../../src/core/ports/state.ts";
import { systemClock as clock } from "../../../src/core/tools/system-clock.ts";
import { answersIn } from "../../../src/insight/answers/answer-store.ts";
import { gapsIn } from "../../../src/insight/gaps/gap-store.ts";
import { proofsIn } from "../../../src/insight/proof/proof.ts";
import { composeParley } from "../../../src/parley.ts";
import { openState } from "../../../src/state/open-state.ts";
import { connectRedis } from "../../../src/state/redis/connection.ts";
import { readingFor, settingsWith } from "../../doubles/composition.ts";
import { createMemoryPlatform } from "../../doubles/memory-platform.ts";
import { noMetrics } from "../../doubles/nulls/no-metrics.ts";
import { alice, bob, general, thread } from "../../doubles/people.ts";
import { hasRedisServer, type RedisServer, startRedisServer } from "../../doubles/processes/redis-server.ts";
import { createAgents } from "../../doubles/service/agents.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { everythingOnRedis, everythingOnSqlite } from "./whole-store.ts";

const person = { platform: "memory", workspace: "T1", id: alice.id };
const erased = { ...alice, name: "Alice Liddell" };
const trace = /Alice|"U1"|\/U1|SECRET/;
const agent = { project: "mindsdb", name: "guide" };

/** Calls that change what is stored. */
const writes: ReadonlySet<string> = new Set([
  ...[
    "set",
    "delete",
    "change",
    "transition",
    "prune",
    "put",
    "remove",
    "forget",
    "exchange",
    "create",
    "forgetAsker",
    "update",
  ],
]);

/** Of a process that dies at its write number `last`: from then on nothing reaches the store. */
function mortal(state: State, last: number) {
  let count = 0;
  const dead = () => Promise.reject(new Error("The process is dead."));
  const guard = (method: unknown, target: object, name: string) => {
    if (typeof method !== "function" || !writes.has(name)) return method;
    return (...args: readonly unknown[]) => {
      count += 1;
      return count > last ? dead() : Reflect.apply(method, target, args);
    };
  };
  const guarded = <T extends object>(store: T): T =>
    new Proxy(store, { get: (target, name) => guard(Reflect.get(target, name), target, String(name)) });
  const { keyValue, turns, jobs } = state;
  const stores = {
    turns: guarded(turns),
    jobs: guarded(jobs),
    collections: () => state.collections().map(guarded),
  };
  const dying: State = {
    ...state,
    ...stores,
    keyValue: (namespace) => guarded(keyValue(namespace)),
    collection: (...about) => guarded(state.collection(...about)),
  };
  return { dying, count: () => count };
}

function turnOf(id: string, actor: Turn["actor"], changes: Partial<Turn> = {}): Turn {
  const question = `Question ${id}?`;
  const outcome = { turnId: id, ref: id, state: "answered", agent: "guide", question, answer: `Answer ${id}` } as const;
  const view = { ...outcome, steps: [], tables: [], sources: [], isPartial: false, isResumed: false, startedAtMs: 1 };
  return {
    ...{ version: 1, id, ref: id, eventKey: `memory/T1/${id}`, askedIn: general, conversation: thread, order: id },
    ...{ actor, question, attachments: [], via: "message", visibility: "public", agent, state: "answered", attempt: 1 },
    ...{ outcome: view, reply: { place: thread, parts: [] }, createdAtMs: 1, endedAtMs: 2, fence: 0 },
    ...changes,
  };
}

/** One of everything, and as much of someone else. */
async function plant(state: State): Promise<void> {
  const { keyValue, collection, turns, jobs } = state;
  const named = { id: alice.id, name: erased.name };
  const by = { key: personKey(general, alice), name: erased.name };
  const source = { title: "Pets", addedBy: { name: erased.name, atMs: 1 } };
  const asked = turnOf("a1", erased, { question: "Where is SECRET-ONE?" });
  const bobs = turnOf("b1", bob, { question: "BOBS-GAP?", context: `${erased.name}: SECRET words` });
  const again = turnOf("b2", bob, { question: "Where is SECRET-ONE?", repeats: "a1" });
  for (const turn of [asked, turnOf("a2", erased), bobs, again]) await turns.create(turn);
  const entries = ["a1", "b1"].map((id) => ({ turnId: id, question: id === "a1" ? "SECRET" : "BOBS", answer: "" }));
  await keyValue("conversations").set("memory/T1/general/100", { version: 1, entries });
  const vote = { version: 1, turnId: "b1", thumb: "down", comment: "SECRET", atMs: 1 };
  await keyValue("feedback").set("memory/T1/b1/U1", { ...vote, voter: alice.id, actor: named });
  const asker = {
    turnId: "a1",
    actor: named,
    question: "Where is SECRET-ONE?",
    place: thread,
    signals: ["nothing"],
    atMs: 1,
  };
  const others = { ...asker, turnId: "b1", actor: { id: bob.id, name: bob.name }, question: "BOBS-GAP?" };
  const gap = {
    ...{ version: 1, platform: "memory", workspace: "T1", agent, askers: [asker, others], askerCount: 2 },
    ...{ state: "dismissed", createdAtMs: 1, lastAtMs: 1, forms: [] },
  };
  const dismissedBy = { id: erased.id, name: erased.name, atMs: 1 };
  await gapsIn(state).put("memory/T1/g1", { ...gap, id: "g1", dismissedBy } as never);
  const proof = { platform: "memory", workspace: "T1", id: "j1", gapId: "g1", question: "Where is SECRET-ONE?" };
  const said = { answer: "No.", sources: [source] };
  const result = { kind: "used", after: said, note: said };
  await proofsIn(state).put("memory/T1/j1", { ...proof, answer: { question: "KEPT?", by }, result } as never);
  const job = {
    version: 1,
    ref: "j",
    askedIn: general,
    project: "mindsdb",
    knowledgeBase: "docs",
    way: "parley",
  } as const;
  const rest = { items: [], state: "done", reply: { place: general, parts: [] }, createdAtMs: 1, fence: 0 } as const;
  await jobs.create({ ...job, ...rest, id: "j1", eventKey: "memory/T1/j1", actor: erased, options: {} });
  await jobs.create({
    ...job,
    ...rest,
    id: "j2",
    eventKey: "memory/T1/j2",
    actor: bob,
    options: { cancelledBy: "U1" },
  });
  const document = { title: "Pets", knowledgeBase: "docs", project: "mindsdb" };
  await keyValue("ledger").set("mindsdb/docs/d1", { ...document, by });
  await answersIn(state).put("mindsdb/docs/a1", { id: "a1", question: "KEPT?", answer: "Yes.", by } as never);
  await schedulesIn({ collection }).put("memory/T1/s1", {
    ...{ version: 1, id: "s1", owner: erased, place: general, state: "paused", dueAtMs: 9e15, createdAtMs: 1 },
    time: { cron: "0 9 * * 1", timeZone: "UTC", text: "every Monday" },
    what: { kind: "question", question: "SECRET" },
  });
  await keyValue("typed").set("memory/T1/x/U1", { actorId: "U1", text: "SECRET" });
  await keyValue("contributions").set("memory/T1/U1/mindsdb/docs", { atMs: 1 });
  for (const [id, actor] of Object.entries({ e1: named, e2: { id: bob.id, name: bob.name } })) {
    const did = { role: "manage", action: "agent use", about: {}, outcome: "done", atMs: 1 } as const;
    const entry: AuditEntry = { version: 1, actor, place: general, ...did };
    await auditEntriesIn({ collection }).put(`memory/T1/${id}`, entry);
  }
}

async function open(state: State) {
  const agents = createAgents();
  const platform = createMemoryPlatform({ clock });
  const parley = await composeParley({
    ...{ settings: settingsWith(), state, service: agents, clock, log },
    platforms: [{ name: "memory", connect: async () => platform }],
    ...{ reading: readingFor(clock), metrics: noMetrics },
  });
  return {
    erase: () => parley.privacy.erase(person),
    close: async () => {
      await parley.drain(0).catch(() => undefined);
      await parley.close();
    },
  };
}

async function eraseOn(state: State) {
  const parley = await open(state);
  return parley.erase().finally(parley.close);
}

/** Dies at that write, then erases again. Returns whether it died, and what is stored afterwards. */
async function killedAt(last: number, state: State, everything: () => Promise<readonly string[]>) {
  await plant(state);
  const { dying, count } = mortal(state, last);
  const first = await eraseOn(dying).then(
    () => "finished",
    () => "died",
  );
  const report = await eraseOn(state);
  const again = await eraseOn(state);
  return { first, count: count(), report, again, left: await everything() };
}

function judge({ report, again, left }: Awaited<ReturnType<typeof killedAt>>, last: number): void {
  expect(report.isComplete, `after write ${last}`).toBe(true);
  expect(again, `after write ${last}`).toMatchObject({ kinds: [], isComplete: true });
  expect(
    left.filter((line) => trace.test(line)),
    `after write ${last}`,
  ).toEqual([]);
  const text = left.join("\n");
  for (const kept of ["BOBS-GAP?", "Answer b1", "KEPT?", "agent use", "Pets"]) expect(text, kept).toContain(kept);
}

it("is finished on SQLite by the next run, whichever write was the last", async () => {
  for (let last = 0; ; last += 1) {
    const dataDir = await temporaryFolder("erase-killed");
    const state = await openState({ dataDir, clock, log });
    const outcome = await killedAt(last, state, async () => everythingOnSqlite(dataDir)).finally(() => state.close());
    judge(outcome, last);
    if (outcome.first === "died") continue;
    expect(last).toBeGreaterThan(40);
    return;
  }
});

describe.skipIf(!hasRedisServer())("on Redis", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterAll(() => server.stop());

  it("is finished on Redis by the next run, whichever write was the last", async () => {
    const connection = await connectRedis({ url: server.url, clock, log });
    onTestFinished(() => connection.close());
    for (let last = 0; ; last += 3) {
      await connection.run((client) => client.flushAll());
      const state = await openState({ dataDir: "", redisUrl: server.url, clock, log });
      const everything = async () =>
        (await everythingOnRedis(server.url)).filter((line) => !line.startsWith("parley:bucket:"));
      const outcome = await killedAt(last, state, everything).finally(() => state.close());
      judge(outcome, last);
      if (outcome.first !== "died") return;
    }
  });
});
