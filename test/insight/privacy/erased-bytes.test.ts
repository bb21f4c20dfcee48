/** What was erased, forgotten or has expired is in no file of DATA_DIR any longer, while Parley runs and after it ended. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openState } from "../../../src/state/open-state.ts";
import { createRetention } from "../../../src/state/retention.ts";
import { sampleTurn } from "../../contracts/storage/sample-records.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { alice, bob, general } from "../../doubles/people.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { openParley } from "../schedules/whole-room.ts";

type Whole = Awaited<ReturnType<typeof openParley>>;

/** How often the files have it. */
function count(dataDir: string, mark: string): number {
  const names = readdirSync(dataDir);
  return names.reduce((sum, name) => sum + readFileSync(join(dataDir, name), "latin1").split(mark).length - 1, 0);
}

/** Small and large ones: large records take whole pages. */
async function talk(at: Whole): Promise<void> {
  for (let number = 0; number < 6; number += 1) {
    const long = "pad ".repeat(number % 2 === 0 ? 4 : 800);
    await at.say(`/ask QUESTIONMARK ${number} ${long}`, { ...alice, id: "UPERSONMARK" });
    await at.answer(2 * number, `ANSWERMARK ${number} ${long}`);
    await at.say(`/ask BOBSMARK ${number}`, bob);
    await at.answer(2 * number + 1, "fine");
  }
}

describe("the files of DATA_DIR", () => {
  it("have nothing of a person who was erased", async () => {
    const at = await openParley();
    await talk(at);
    const before = count(at.dataDir, "BOBSMARK");
    expect(count(at.dataDir, "QUESTIONMARK")).toBeGreaterThan(6);

    const erasing = at.privacy().erase({ platform: "memory", workspace: "T1", id: "UPERSONMARK" });
    for (let waited = 0; waited < 30; waited += 1) await at.clock.advance(1_000);
    expect(await erasing).toMatchObject({ isComplete: true });

    for (const mark of ["QUESTIONMARK", "ANSWERMARK", "UPERSONMARK"]) expect(count(at.dataDir, mark), mark).toBe(0);
    expect(before).toBeGreaterThan(6);
    expect(count(at.dataDir, "BOBSMARK")).toBeGreaterThanOrEqual(6);
  });

  it("have nothing of a conversation that was forgotten", async () => {
    const at = await openParley();
    await at.say(`/ask QUESTIONMARK ${"pad ".repeat(800)}`);
    await at.answer(0, `ANSWERMARK ${"pad ".repeat(800)}`);

    const [turn] = await at.state().turns.recent(1);
    await at.say("/parley forget", { ...alice, isAdmin: true }, { conversation: turn?.conversation });
    for (let waited = 0; waited < 30; waited += 1) await at.clock.advance(1_000);

    for (const mark of ["QUESTIONMARK", "ANSWERMARK"]) expect(count(at.dataDir, mark), mark).toBe(0);
  });

  it("have nothing of questions whose time is over", async () => {
    const dataDir = await temporaryFolder("expired-bytes");
    const clock = createFakeClock();
    const state = await openState({ dataDir, clock, log });
    const ended = { state: "answered", createdAtMs: clock.now(), endedAtMs: clock.now(), askedIn: general } as const;
    await state.turns.create(sampleTurn("old", { ...ended, question: `QUESTIONMARK ${"pad ".repeat(5_000)}` }));
    await createRetention({ ...state, retentionMs: 86_400_000, clock, log })();
    await state.works.start();

    await clock.advance(2 * 86_400_000);

    expect(await state.turns.recent(10)).toEqual([]);
    expect(count(dataDir, "QUESTIONMARK")).toBe(0);
    await state.works.drain();
    await state.close();
  });
});
