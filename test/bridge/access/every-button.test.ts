/**
 * A person without the role presses every button that exists, in a whole Parley: nothing changes, the person reads whom
 * to ask, and the press is audited. A new action id needs a line in the table.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AuditEntry, auditEntriesIn } from "../../../src/core/audit.ts";
import type { ActionId, Document } from "../../../src/core/document.ts";
import type { Actor, Role } from "../../../src/core/model/place.ts";
import type { Inbound } from "../../../src/core/ports/chat-platform.ts";
import type { State } from "../../../src/core/ports/state.ts";
import { systemClock as clock } from "../../../src/core/tools/system-clock.ts";
import { createPageReading } from "../../../src/knowledge/knowledge.ts";
import { composeParley, type Parley } from "../../../src/parley.ts";
import { documentText } from "../../../src/presentation/markdown/plain-text.ts";
import { openState } from "../../../src/state/open-state.ts";
import { sampleJob, sampleTurn } from "../../contracts/storage/sample-records.ts";
import { settingsWith } from "../../doubles/composition.ts";
import { createMemoryPlatform, type MemoryPlatform } from "../../doubles/memory-platform.ts";
import { noMetrics } from "../../doubles/nulls/no-metrics.ts";
import { alice, bob, general, thread } from "../../doubles/people.ts";
import { type Agents, createAgents } from "../../doubles/service/agents.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";

type Button = {
  /** The role it needs. */
  readonly needs: Role;
  /** One for each kind of value. */
  readonly values: readonly string[];
};

const answer = "t1";
const job = "j1";

const buttons: Readonly<Record<Exclude<ActionId, "run-typed">, Button>> = {
  stop: { needs: "ask", values: [answer] },
  retry: { needs: "ask", values: [answer] },
  steps: { needs: "ask", values: [answer] },
  found: { needs: "ask", values: [answer] },
  "not-for-you": { needs: "ask", values: [answer] },
  approve: { needs: "ask", values: [`${answer} 0123456789abcdef`] },
  deny: { needs: "ask", values: [`${answer} 0123456789abcdef`] },
  "approval-input": { needs: "ask", values: [`${answer} 0123456789abcdef`] },
  csv: { needs: "ask", values: [answer] },
  chart: { needs: "ask", values: [answer] },
  table: { needs: "ask", values: [answer] },
  rest: { needs: "ask", values: [answer] },
  "thumb-up": { needs: "ask", values: [answer] },
  "thumb-down": { needs: "ask", values: [answer] },
  "choose-agent": { needs: "ask", values: [`${answer} support`] },
  "another-agent": { needs: "ask", values: [answer] },
  "ask-another": { needs: "ask", values: [`${answer} support`] },
  "raw-steps": { needs: "ask", values: [answer] },
  hide: { needs: "ask", values: [answer] },
  "always-agent": { needs: "manage", values: [`${answer} support`] },
  "cancel-job": { needs: "ingest", values: [job] },
  "retry-job": { needs: "ingest", values: [job] },
  "ask-about": { needs: "ask", values: [job] },
  "use-agent": { needs: "manage", values: ["support"] },
  confirm: { needs: "manage", values: ["agent-delete sales", "kb-use handbook", "kb-query q1", "kb-delete handbook"] },
  dismiss: { needs: "ask", values: [""] },
  "open-form": { needs: "manage", values: ["agent create", "agent edit sales", "agent instructions"] },
  "remove-saved": { needs: "ingest", values: ["s1"] },
  "ask-example": { needs: "ask", values: ["How many orders?"] },
  "choose-here": { needs: "manage", values: ["here"] },
  "add-pages": { needs: "ingest", values: ["here"] },
  "connect-base": { needs: "manage", values: ["handbook", "handbook sales"] },
  "new-topic": { needs: "ask", values: [""] },
  "kb-page": { needs: "ask", values: ["handbook 2"] },
  "show-failures": { needs: "manage", values: [answer] },
  "refresh-document": { needs: "ingest", values: ["handbook d1"] },
  "remove-gone": { needs: "ingest", values: ["j1"] },
  "remove-document": { needs: "ingest", values: ["handbook d1"] },
  "save-file": { needs: "ingest", values: ["f1"] },
  "gap-show": { needs: "ingest", values: ["g1"] },
  "gap-page": { needs: "ingest", values: ["2", "2 support"] },
  "gap-dismiss": { needs: "ingest", values: ["g1"] },
  "gap-reopen": { needs: "ingest", values: ["g1"] },
  "gap-merge": { needs: "ingest", values: ["g1"] },
  "gap-split": { needs: "ingest", values: ["g1 g2"] },
  "add-answer": { needs: "ingest", values: ["g1"] },
  "adopt-answer": { needs: "ingest", values: ["m1"] },
  "edit-answer": { needs: "ingest", values: ["a1"] },
  "restore-answer": { needs: "ingest", values: ["a1 5"] },
  "remove-answer": { needs: "ingest", values: ["a1"] },
  "tell-askers": { needs: "ingest", values: ["p1"] },
  "prove-again": { needs: "ingest", values: ["p1"] },
  "answer-holds": { needs: "ingest", values: ["a1"] },
  "run-checks": { needs: "manage", values: ["support"] },
  "schedule-once": { needs: "ask", values: ["p1"] },
  "schedule-confirm": { needs: "ask", values: ["p1"] },
  "schedule-pause": { needs: "ask", values: ["s1"] },
  "schedule-resume": { needs: "ask", values: ["s1"] },
  "schedule-run": { needs: "ask", values: ["s1"] },
  "schedule-delete": { needs: "ask", values: ["s1"] },
};

/** Of the roles, each person has these. */
const people: readonly { readonly who: string; readonly actor: Actor; readonly has: readonly Role[] }[] = [
  { who: "a person of another organisation", actor: { ...bob, id: "U4", isExternal: true }, has: [] },
  { who: "a guest", actor: { ...bob, id: "U5", isGuest: true }, has: ["ask"] },
  { who: "a person who may ask", actor: bob, has: ["ask"] },
  { who: "a person who may add", actor: { ...bob, id: "U3" }, has: ["ask", "ingest"] },
];
const user = (id: string) => ({ platform: "memory", kind: "user", id }) as const;
const roles = { managers: [user(alice.id)], ingesters: [user("U3")] };

const refusedPresses = Object.entries(buttons).flatMap(([action, { needs, values }]) =>
  values.flatMap((value) =>
    people
      .filter(({ has }) => !has.includes(needs))
      .map((person) => {
        // Nobody sends more than 30 commands in a minute.
        const id = person.has.includes("ingest") ? person.actor.id : `${person.actor.id}${action}`;
        return { action, value, needs, ...person, actor: { ...person.actor, id } };
      }),
  ),
);

const changing = [
  ...["createAgent", "updateAgent", "deleteAgent", "createKnowledgeBase", "deleteKnowledgeBase"],
  ...["insert", "uploadFile", "deleteFile", "deleteRows"],
] as const;

const reading = createPageReading({ allowsPrivate: true, version: "test", clock, log });
let state: State;
let parley: Parley;
let platform: MemoryPlatform;
let agents: Agents;
/** What was stored or changed at the service, but for the audit log. */
const changes: string[] = [];
/** Refusals are audited. */
const byItself: readonly string[] = ["audit"];
let presses = 0;

beforeAll(async () => {
  state = await openState({ dataDir: await temporaryFolder("buttons"), clock, log });
  agents = createAgents();
  const bases = ["handbook"];
  agents.set({ agents: [{ name: "sales", knowledgeBases: bases }, "support"], knowledgeBases: bases });
  const noted = changing.map((name) => [name, async () => void changes.push(name)] as const);
  platform = createMemoryPlatform({ clock });
  const keyValue: State["keyValue"] = (namespace) => {
    const store = state.keyValue(namespace);
    if (byItself.includes(namespace)) return store as never;
    const note = (key: string) => void changes.push(`${namespace}/${key}`);
    const noting = {
      ...store,
      set: async (key: string, ...rest: readonly unknown[]) => {
        note(key);
        await (store.set as (...all: readonly unknown[]) => Promise<void>)(key, ...rest);
      },
      delete: async (key: string) => {
        note(key);
        await store.delete(key);
      },
      change: async (key: string, ...rest: readonly unknown[]) => {
        note(key);
        await (store.change as (...all: readonly unknown[]) => Promise<void>)(key, ...rest);
      },
    };
    return noting as never;
  };
  parley = await composeParley({
    settings: settingsWith({ roles, commandsPerPersonPerMinute: 1_000 }),
    state: { ...state, keyValue },
    service: { ...agents, ...Object.fromEntries(noted) },
    platforms: [{ name: "memory", connect: async () => platform }],
    reading,
    metrics: noMetrics,
    clock,
    log,
  });
  const stands = { askedIn: general, conversation: thread, agent: { project: "mindsdb", name: "sales" } };
  const turn = sampleTurn(answer, { ...stands, actor: bob, state: "failed", reply: { place: thread, parts: [] } });
  await state.turns.create(turn);
  await state.jobs.create(sampleJob(job, { askedIn: general, actor: alice, state: "failed" }));
  await parley.start();
});

afterAll(async () => {
  await parley.close();
  await parley.drain(0);
  await reading.close();
  await state.close();
});

async function press(action: string, value: string, actor: Actor) {
  presses += 1;
  const acks: string[] = [];
  const sent: { readonly document: Document; readonly visibility: string }[] = [];
  await parley.bridge.handle({
    ...{ kind: "action", eventKey: `memory/T1/press/${presses}`, order: String(presses) },
    ...{ place: thread, actor, action, value },
    ack: async ({ kind }: { readonly kind: string }) => void acks.push(kind),
    reply: { send: async (document: Document, visibility: string) => void sent.push({ document, visibility }) },
  } as unknown as Inbound);
  return { acks, sent, text: sent.map(({ document }) => documentText(document)).join("\n") };
}

async function audited(actor: Actor): Promise<readonly AuditEntry[]> {
  const found: AuditEntry[] = [];
  for await (const { record } of auditEntriesIn(state).entries())
    if (record.actor.id === actor.id && record.outcome === "refused") found.push(record);
  return found;
}

const timesOf = (entries: readonly AuditEntry[]) => entries.reduce((sum, { count = 1 }) => sum + count, 0);

describe("a button pressed by a person without the role", () => {
  it.each(refusedPresses)("refuses $action $value to $who, and changes nothing", async (pressed) => {
    const { action, value, actor, needs } = pressed;
    const before = { turn: await state.turns.get(answer), job: await state.jobs.get(job), audit: await audited(actor) };
    changes.length = 0;
    const writes = platform.writes.length;

    const { acks, sent, text } = await press(action, value, actor);

    expect(acks).toHaveLength(1);
    expect(sent.map(({ visibility }) => visibility)).toEqual(["private"]);
    expect(text).toContain("You can't");
    expect(text).toContain("Ask a Parley manager");
    expect(changes).toEqual([]);
    expect(platform.writes).toHaveLength(writes);
    expect(agents.runs).toEqual([]);
    expect({ turn: await state.turns.get(answer), job: await state.jobs.get(job) }).toEqual({
      turn: before.turn,
      job: before.job,
    });
    // Those who can't even ask are refused before anything is looked at.
    if (needs !== "ask" && pressed.has.length > 0)
      expect(timesOf(await audited(actor))).toBe(timesOf(before.audit) + 1);
  });
});
