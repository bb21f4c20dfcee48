/** Gaps when clocks are set back, records were damaged by hand, and a process dies while it forgets. */
import { expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { gapsIn } from "../../../src/insight/gaps/gap-store.ts";
import { openState } from "../../../src/state/open-state.ts";
import { bob } from "../../doubles/people.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { createGapRoom } from "./gap-room.ts";

const dayMs = 86_400_000;
const wifi = "How do I reset the wifi password?";
const parking = "Where can visitors park their cars?";

async function open() {
  const state = await openState({ dataDir: await temporaryFolder("gaps"), clock: systemClock, log: silentLog });
  onTestFinished(() => state.close());
  const stores = { ...state, coordinators: [state.coordinator, state.coordinator] as const };
  return { stores, room: createGapRoom(stores) };
}

it("a question that a dead process noted is grouped soon also if its clock was a day ahead", async () => {
  const { room } = await open();
  room.pass(dayMs);
  await room.ask(room.instance(0, 2), { question: wifi });
  room.pass(-dayMs);
  expect(await room.notes()).toHaveLength(1);
  const next = room.instance(1);
  await next.recover();
  await next.settled();
  expect(await room.gaps()).toHaveLength(1);
  expect(await room.notes()).toEqual([]);
});

it("a question is forgotten also if the process dies after that, and its note was looked at before", async () => {
  const { stores, room } = await open();
  const one = room.instance();
  const turn = await room.ask(one, { question: wifi });
  await room.ask(one, { question: parking, actor: bob });
  await one.notes.noteForgotten([turn]);
  room.pass(11_000);
  const other = room.instance(1);
  await other.recover();
  await other.settled();
  await stores.turns.transition(turn.id, ["answered"], "answered", { question: "", isForgotten: true });
  // The first process died here.
  await other.recover();
  await other.settled();
  expect(JSON.stringify(await room.gaps())).not.toContain(wifi);
  expect(await room.gaps()).toHaveLength(1);
  expect(await room.notes()).toEqual([]);
  expect(await room.problems()).toEqual([]);
});

it("a note about a question that nobody forgets in the end is dropped after an hour", async () => {
  const { room } = await open();
  const one = room.instance();
  const turn = await room.ask(one, { question: wifi });
  await one.notes.noteForgotten([turn]);
  room.pass(3_600_001);
  await one.recover();
  await one.settled();
  expect(await room.notes()).toEqual([]);
  expect(await room.gaps()).toHaveLength(1);
});

it("a note of which nothing is left doesn't keep others from being grouped", async () => {
  const { stores, room } = await open();
  await room.ask(room.instance(0, 2), { question: wifi });
  await stores.keyValue("open-signals").set("memory/T0/mindsdb/support/damaged", {});
  room.pass(11_000);
  const next = room.instance(1);
  await next.recover();
  await next.settled();
  expect(await room.gaps()).toHaveLength(1);
});

it("a gap of which nothing is left keeps no other one from being deleted when it is old", async () => {
  const { stores, room } = await open();
  const one = room.instance();
  await room.ask(one, { question: wifi });
  const [damaged] = await room.gaps();
  room.pass(1_000);
  await room.ask(one, { question: parking, actor: bob });
  if (damaged === undefined) throw new Error("There is no gap.");
  await gapsIn(stores).put(`memory/T1/${damaged.id}`, { ...damaged, id: 1, forms: [] } as never);
  expect(await one.prune(room.clock.now() + 1)).toBe(1);
  expect(JSON.stringify(await room.gaps())).not.toContain(parking);
});
