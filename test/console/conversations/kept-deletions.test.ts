/** What a person deleted on the page is never given up, and never more than they may delete. */
import { expect, it } from "vitest";
import { createDeletions } from "../../../adapters/console/conversations/deletions.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Inbound } from "../../../src/core/ports/chat-platform.ts";
import { openState } from "../../../src/state/open-state.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { alice } from "../../doubles/people.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";

it("begins again to delete a question that couldn't be deleted for eight days", async () => {
  const clock = createFakeClock();
  const state = await openState({ dataDir: await temporaryFolder("deletions"), clock, log });
  let isStuck = true;
  const removed: string[] = [];
  const deletions = createDeletions({
    works: state.works,
    store: {
      nextOrder: async () => "1",
      remove: async (_at: object, messageId: string) => void removed.push(messageId),
    } as never,
    forget: async () => 0,
    checkAskedAlone: async () => {},
    attached: { of: async () => [] },
    port: () =>
      ({ handle: ({ ack }: Inbound) => (isStuck ? new Promise<void>(() => {}) : ack({ kind: "none" })) }) as never,
    clock,
  });
  await state.works.start();
  const at = { channel: "general", thread: "1", id: "d1", messageId: "m1" };
  void deletions.question(at, alice);

  await clock.advance(8 * 86_400_000);
  const stuck = await state.works.counts();
  isStuck = false;
  removed.length = 0;
  await clock.advance(86_400_000);

  expect(stuck).toMatchObject([{ kind: "page-deletions", failed: 0 }]);
  expect(removed).toEqual(["m1"]);
  expect(await Array.fromAsync(state.works.entries("page-deletions"))).toEqual([]);
  await state.works.drain();
  await state.close();
});

it("lists a conversation again in which someone else has asked since it was decided", async () => {
  const clock = createFakeClock();
  const state = await openState({ dataDir: await temporaryFolder("deletions"), clock, log });
  const done: string[] = [];
  const step = (name: string) => async () => void done.push(name);
  const deletions = createDeletions({
    works: state.works,
    store: { hide: step("hidden"), gone: step("listed again"), removeAll: step("removed") } as never,
    forget: () => Promise.reject(new ParleyError("not_allowed")),
    checkAskedAlone: async () => {},
    attached: { of: async () => [] },
    port: () => ({ handle: async () => {} }) as never,
    clock,
  });
  await state.works.start();

  await deletions.conversation({ channel: "general", thread: "1", id: "d1" }, alice, false);
  await clock.advance(10_000);

  expect(done).toEqual(["hidden", "listed again"]);
  expect(await Array.fromAsync(state.works.entries("page-deletions"))).toEqual([]);
  await state.works.drain();
  await state.close();
});
