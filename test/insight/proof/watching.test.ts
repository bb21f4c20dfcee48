/** What came of a proof reaches the person who waits for it, whichever instance did the proof. */
import { expect, it } from "vitest";
import type { Document } from "../../../src/core/document.ts";
import type { Proof } from "../../../src/insight/proof/proof.ts";
import { createWatching } from "../../../src/insight/proof/showing.ts";
import { infoDocument } from "../../../src/presentation/drawing.ts";
import { createMemoryCoordinator } from "../../../src/state/memory/coordinator.ts";
import { appOf } from "../../doubles/app.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { alice, general, project } from "../../doubles/people.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { said } from "./proof-room.ts";

const proof: Proof = {
  ...general,
  version: 1,
  id: "job1",
  agent: { project, name: "support" },
  question: "When?",
  answer: {
    id: "a1",
    project,
    knowledgeBase: "handbook",
    question: "When?",
    by: { key: "memory/T1/U1", name: "Ana" },
    atMs: 1,
  },
  actor: alice,
  place: general,
  tell: false,
  begun: 0,
  createdAtMs: 1,
};

/** `drawMs`: how long it takes to draw. */
function twoInstances(drawMs = 0) {
  const clock = createFakeClock();
  const coordinator = createMemoryCoordinator({ clock, log });
  const posted: string[] = [];
  const platform = { isDirect: () => false, directPlace: async () => general };
  const notices = { post: async (notice: { readonly document: Document }) => posted.push(said(notice.document)) > 0 };
  const app = appOf({ clock, coordinator, notices, siteOf: () => ({ platform }) });
  const drawing = { now: 0, most: 0 };
  const draw = async () => {
    drawing.now += 1;
    drawing.most = Math.max(drawing.most, drawing.now);
    if (drawMs > 0) await clock.sleep(drawMs);
    drawing.now -= 1;
    return infoDocument("It works.");
  };
  const watching = () => createWatching(app, draw);
  return { clock, posted, drawing, doing: watching(), waiting: watching() };
}

it("is shown on another instance, also to someone who begins to wait a second later, and not posted besides", async () => {
  const { clock, posted, doing, waiting } = twoInstances();
  const shown = doing.show(proof);
  await clock.advance(1_000);
  const end = waiting.watch("memory/T1/job1");
  await clock.advance(500);

  expect(await shown).toBe("done");
  expect(said(await end)).toBe("It works.");
  expect(posted).toEqual([]);
});

it("is posted when nobody waits for it anywhere, and says when it takes long", async () => {
  const { clock, posted, doing, waiting } = twoInstances();
  const end = waiting.watch("memory/T1/job1");
  doing.leave("memory/T1/job1");
  expect(said(await end)).toContain("It takes longer than usual.");

  const shown = doing.show(proof);
  await clock.advance(5_000);

  expect(await shown).toBe("done");
  expect(posted).toEqual(["It works."]);
});

it("is drawn once at a time for someone who waits, however often it is offered", async () => {
  const { clock, posted, doing, waiting, drawing } = twoInstances(1_000);
  const end = waiting.watch("memory/T1/job1");

  const shown = doing.show(proof);
  await clock.advance(5_000);

  expect(await shown).toBe("done");
  expect(said(await end)).toBe("It works.");
  expect(posted).toEqual([]);
  expect(drawing.most).toBe(1);
});
