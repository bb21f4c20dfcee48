import { setImmediate as nextLoopTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { render } from "../../../adapters/console/drawing/render.ts";
import type { Ending } from "../../../adapters/console/writing/messages.ts";
import { createConsoleStore } from "../../../adapters/console/writing/store.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import { openState } from "../../../src/state/open-state.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { answered, failed, running } from "../documents.ts";

const partsOf = (clock: Clock) => ({
  clock,
  log: silentLog,
  removeFiles: async () => undefined,
  onChange: () => undefined,
});

it("gives what arrives in the same moment after a start orders of their own", async () => {
  const dataDir = await temporaryFolder("console-store");
  const clock = createFakeClock();
  const { close, ...state } = await openState({ dataDir, clock, log: silentLog });
  const begin = () => createConsoleStore({ ...state, ...partsOf(clock) });
  const before = await begin().nextOrder();

  const after = begin();
  const orders = await Promise.all([after.nextOrder(), after.nextOrder(), after.nextOrder()]);

  expect(new Set([before, ...orders]).size).toBe(4);
  await close();
});

it("keeps a question deleted that another tab was editing, over two instances", async () => {
  const dataDir = await temporaryFolder("console-store");
  const clock = createFakeClock();
  const { close, ...state } = await openState({ dataDir, clock, log: silentLog });
  const at = { channel: "general", thread: "t" };
  const [writing, permission] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow: typeof state.keyValue = (namespace) => {
    const store = state.keyValue<never>(namespace);
    const set = async (...given: Parameters<typeof store.set>) => {
      if (JSON.stringify(given).includes("EDITED")) {
        writing.resolve();
        await permission.promise;
      }
      return store.set(...given);
    };
    return { ...store, set } as never;
  };
  const editing = createConsoleStore({ ...state, keyValue: slow, ...partsOf(clock) });
  const deleting = createConsoleStore({ ...state, ...partsOf(clock) });
  await editing.putQuestion(at, "t", "Where is it?", { id: "you", name: "You", isVerified: false });

  const edit = editing.changeText(at, "t", "EDITED");
  await writing.promise;
  const removal = deleting.remove(at, "t");
  for (let turn = 0; turn < 100; turn += 1) await nextLoopTurn();
  permission.resolve();
  await Promise.all([edit, removal]);

  expect(await deleting.list(at)).toEqual([]);
  expect(await deleting.summary(at)).toBeUndefined();
  await Promise.all([editing.texts.close(), deleting.texts.close()]);
  await close();
});

it("keeps a conversation in order and its ends apart over two instances whose clocks differ by five minutes", async () => {
  const dataDir = await temporaryFolder("console-store");
  const ahead = createFakeClock(1_800_000_300_000);
  const behind = createFakeClock(1_800_000_000_000);
  const { close, ...state } = await openState({ dataDir, clock: behind, log: silentLog });
  const [one, other] = [ahead, behind].map((clock) => createConsoleStore({ ...state, ...partsOf(clock) }));
  if (one === undefined || other === undefined) throw new Error("two stores");
  const at = { channel: "general", thread: "q1" };
  const by = { id: "you", name: "You", isVerified: false };
  const show = (store: typeof one, replyId: string, document: typeof answered) =>
    store.putOwn(at, `${replyId}.0`, render(document)[0], { replyId, part: 0 });
  const ends: (Ending | undefined)[] = [];

  await one.putQuestion(at, "q1", "First?", by);
  await show(one, "r1", running(1));
  await show(other, "r1", answered);
  ends.push((await one.summary(at))?.ended);
  await other.putQuestion(at, "q2", "Second?", by);
  await show(one, "r2", answered);
  ends.push((await one.summary(at))?.ended);
  await show(other, "r3", failed);
  ends.push((await one.summary(at))?.ended);

  expect((await other.list(at)).map(({ id }) => id)).toEqual(["q1", "r1.0", "q2", "r2.0", "r3.0"]);
  expect(ends.map((end) => end?.tookMs)).toEqual([0, 0, 0]);
  const atMs = ends.map((end) => end?.atMs ?? 0);
  expect(atMs).toEqual(atMs.toSorted((a, b) => a - b));
  expect(new Set(atMs).size).toBe(3);
  await Promise.all([one.texts.close(), other.texts.close()]);
  await close();
});

describe("the end of an answer", () => {
  const at = { channel: "general", thread: "t" };
  const mark = { replyId: "r1", part: 0 };

  async function open() {
    const clock = createFakeClock();
    const dataDir = await temporaryFolder("console-store");
    const { close, ...state } = await openState({ dataDir, clock, log: silentLog });
    const store = createConsoleStore({ ...state, ...partsOf(clock) });
    const show = (document: typeof answered) => store.putOwn(at, "r1.0", render(document)[0], mark);
    const ended = async (): Promise<Ending | undefined> => (await store.summary(at))?.ended;
    return { clock, show, ended, close };
  }

  it("is noted with its time and how long it took, and not before it has ended", async () => {
    const { clock, show, ended, close } = await open();
    await show(running(1));
    await clock.advance(70_000);
    await show(running(2));
    expect(await ended()).toBeUndefined();

    await clock.advance(1_000);
    await show(answered);

    expect(await ended()).toEqual({ atMs: clock.now(), tookMs: 71_000, tone: "done" });
    await close();
  });

  it("is no news when only its buttons change", async () => {
    const { clock, show, ended, close } = await open();
    await show(answered);
    const first = await ended();
    await clock.advance(5_000);

    await show({ ...answered, actions: [] });

    expect(await ended()).toEqual(first);
    await close();
  });

  it("counts the time from the press when it is asked again", async () => {
    const { clock, show, ended, close } = await open();
    await show(running(1));
    await clock.advance(90_000);
    await show(failed);
    await clock.advance(3_600_000);
    await show(running(1));
    await clock.advance(2_000);

    await show(answered);

    expect(await ended()).toMatchObject({ tookMs: 2_000, tone: "done" });
    await close();
  });

  it("is always later than the one before, even in the same moment", async () => {
    const { show, ended, close } = await open();
    await show(answered);
    const first = await ended();
    await show(running(1));

    await show(answered);

    expect((await ended())?.atMs).toBeGreaterThan(first?.atMs ?? 0);
    await close();
  });
});
