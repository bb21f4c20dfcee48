/** Erasing a person while a job of theirs reads a file, or puts it into a knowledge base. */
import { expect, it, onTestFinished } from "vitest";
import { systemClock as clock } from "../../../src/core/tools/system-clock.ts";
import { createPrivacy } from "../../../src/insight/privacy/privacy.ts";
import { appOf } from "../../doubles/app.ts";
import { admin, alice, project } from "../../doubles/people.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { createGate, openRoom } from "../../knowledge/room.ts";
import { everythingOnSqlite } from "./whole-store.ts";

const person = { platform: "memory", workspace: "T1", id: alice.id };

async function openWithBase() {
  const room = await openRoom();
  onTestFinished(room.close);
  await room.makeBase("docs");
  await room.client.createAgent(project, { name: "guide", knowledgeBases: ["docs"] });
  await room.parts().names.refresh();
  const { state, knowledge } = room.parts();
  const privacy = createPrivacy(appOf({ ...state, clock, log }), {
    cancelJob: knowledge.jobs.cancel,
    forgetTurns: async () => undefined,
    notes: { noteForgotten: async () => async () => undefined, withdrawSignal: async () => () => undefined },
    derive: async () => undefined,
    schedules: { delete: async () => "gone" },
  });
  const add = async () => {
    const file = { id: "F1", name: "faq.md", mediaType: "text/markdown", sizeBytes: 33, reference: "" };
    const values = { text: "", into: "docs" };
    await room.submit("kb add", values, "", { attachments: [file], actor: { ...admin, name: "Alice Liddell" } });
  };
  const stored = () => everythingOnSqlite(room.dataDir).filter((line) => /Alice|"U1"|\/U1/.test(line));
  return { room, privacy, add, stored };
}

it("cancels it, and nothing that it still stores names them", async () => {
  const { room, privacy, add, stored } = await openWithBase();
  const gate = createGate();
  room.attach(async function* () {
    yield Buffer.from("# Refunds\n");
    await gate.wait();
    yield Buffer.from("Refunds take five days.");
  });
  await add();
  await gate.arrived;

  const erasing = privacy.erase(person);
  gate.open();
  const report = await erasing;
  const job = await room.over();

  expect(report.isComplete).toBe(true);
  expect(job).toMatchObject({ state: "cancelled", actor: { id: "former-member" } });
  expect(stored()).toEqual([]);
  expect(room.shown().join("\n")).toContain("faq.md");
});

it("waits until an insert that has begun is over, and renames what it stored", async () => {
  const { room, privacy, add, stored } = await openWithBase();
  const gate = createGate();
  room.attach(async function* () {
    yield Buffer.from("# Refunds\nRefunds take five days.");
  });
  room.faults.insert = async (...about) => {
    await gate.wait();
    return room.client.insert(...about);
  };
  await add();
  await gate.arrived;
  expect(stored().join("\n")).toContain("Alice Liddell");

  const erasing = privacy.erase(person);
  gate.open();

  expect(await erasing).toMatchObject({ isComplete: true });
  await room.over();
  expect(stored()).toEqual([]);
});
