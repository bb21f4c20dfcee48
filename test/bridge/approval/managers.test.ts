import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Turn } from "../../../src/core/model/turn.ts";
import { admin, alice, bob } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;
beforeEach(async () => {
  parley = await createHarness({ settings: { approvers: "manage", notifyAfterMs: 0 } });
});
afterEach(async () => {
  expect(parley.platform.violations).toEqual([]);
  await parley.stop();
});

const manager = { ...bob, isAdmin: true };
const newest = async (): Promise<Turn> => {
  const [turn] = await parley.state().turns.recent(1);
  if (turn === undefined) throw new Error("No question was asked.");
  return turn;
};
const asked = async () => `${(await newest()).id} ${(await newest()).approval?.requests[0]?.key}`;

async function askForMail(changes: Record<string, unknown> = {}): Promise<void> {
  await parley.say("Mail Ana", changes).done;
  const run = await parley.agents.run(0);
  run.send({ type: "approval-requested", request: { id: "mcpr_1", tool: "send_mail", input: "{}" } });
  run.end();
  await parley.settle();
}

describe("where people who manage Parley decide", () => {
  it("refuses the asker, and takes the decision of a manager", async () => {
    await askForMail();
    expect(parley.texts()[0]).toContain("Only people who manage Parley can approve or deny this");
    const own = parley.press("approve", await asked(), { actor: alice });
    await own.done;
    expect(own.sent).toHaveLength(1);
    expect(own.sent[0]?.visibility).toBe("private");
    expect(parley.agents.runs).toHaveLength(1);

    await parley.press("approve", await asked(), { actor: manager }).done;
    await parley.settle();
    expect((await parley.agents.run(1)).options.approvals).toEqual([{ requestId: "mcpr_1", isApproved: true }]);
    expect(parley.audited).toMatchObject([
      { action: "approve", by: "Alice", outcome: "refused" },
      { action: "approve", by: "Bob", outcome: "done" },
    ]);
  });

  it("lets an asker decide who manages Parley", async () => {
    await askForMail({ actor: admin });
    await parley.press("deny", await asked(), { actor: admin }).done;
    await parley.settle();
    expect((await parley.agents.run(1)).options.approvals).toEqual([{ requestId: "mcpr_1", isApproved: false }]);
  });

  it("doesn't accept a press that comes from another channel", async () => {
    await askForMail();
    const elsewhere = { platform: "memory", workspace: "T1", channel: "random" };
    const pressed = parley.press("approve", await asked(), { actor: manager, place: elsewhere });
    await pressed.done;
    await parley.settle();
    expect(JSON.stringify(pressed.sent)).toContain("no longer available");
    expect(parley.agents.runs).toHaveLength(1);
  });
});
