import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";
import type { Turn } from "../../../src/core/model/turn.ts";
import { bob, thread } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;
beforeEach(async () => {
  parley = await createHarness();
});
afterEach(async () => {
  expect(parley.platform.violations.filter((violation) => !violation.includes("changes nothing"))).toEqual([]);
  await parley.stop();
});

const minute = 60_000;
const wantsMail = (id = "mcpr_1", tool = "send_mail"): AgentEvent => ({
  type: "approval-requested",
  request: { id, tool, server: "mail", input: '{"to":"ana@acme.example","text":"Hello"}' },
});
const search = { type: "step-started", id: "s1", tool: "kb_query_tool", input: "" } as const;

const newest = async (): Promise<Turn> => {
  const [turn] = await parley.state().turns.recent(1);
  if (turn === undefined) throw new Error("No question was asked.");
  return turn;
};

/** The value of the buttons that are shown. */
const asked = async (): Promise<string> => {
  const { id, approval } = await newest();
  return `${id} ${approval?.requests.find(({ decision }) => decision === undefined)?.key}`;
};

async function askUntilItWaits(...events: AgentEvent[]): Promise<void> {
  await parley.say("Mail Ana").done;
  const run = await parley.agents.run(0);
  run.send({ type: "started" }, { type: "run", run: { responseId: "resp_1" } }, ...events, wantsMail());
  run.end();
  await parley.settle();
}

describe("an agent that asks for approval", () => {
  it("shows the tool, its server and its arguments with Approve and Deny, and stores that it waits", async () => {
    await askUntilItWaits(search);

    const text = parley.texts()[0];
    expect(text).toContain("wants to use send_mail of mail");
    expect(text).toContain('"to": "ana@acme.example"');
    expect(text).toContain("Only Alice can approve or deny this");
    expect(parley.last()?.payload.actions.map(({ label }) => label)).toEqual(["Approve", "Deny", "Stop"]);
    expect(await newest()).toMatchObject({ state: "waiting", isUnderWay: false });
  });

  it("continues with a new run that names the request when it is approved, and keeps what it had found", async () => {
    await askUntilItWaits(search, {
      ...{ type: "step-finished", id: "s1", observation: "", sources: [{ title: "Addresses" }] },
      outcome: { kind: "passages", count: 3 },
    });
    await parley.settle(5 * minute);
    const pressed = parley.press("approve", await asked());
    await pressed.done;
    await parley.settle();

    const run = await parley.agents.run(1);
    expect(pressed.acks).toEqual([{ kind: "none" }]);
    expect(run.options).toEqual({
      resume: { responseId: "resp_1" },
      approvals: [{ requestId: "mcpr_1", isApproved: true }],
    });
    run.answer("Sent.");
    await parley.settle();

    const text = parley.texts()[0];
    expect(parley.texts()).toHaveLength(1);
    expect(text).toContain("Sent.");
    expect(text).toContain("send_mail of mail approved by Alice");
    expect(text).not.toContain("5 min");
    const ended = await newest();
    expect(ended).toMatchObject({ state: "answered", outcome: { steps: [{ tool: "kb_query_tool" }] } });
    expect(ended.outcome?.sources).toMatchObject([{ title: "Addresses" }]);
    expect(ended).not.toHaveProperty("approval");
    expect(parley.audited).toMatchObject([
      { action: "approve", by: "Alice", outcome: "done", about: { tool: "send_mail" } },
    ]);
  });

  it("lets the agent answer without the tool when it is denied", async () => {
    await askUntilItWaits();
    await parley.press("deny", await asked()).done;
    await parley.settle();

    const run = await parley.agents.run(1);
    expect(run.options.approvals).toEqual([{ requestId: "mcpr_1", isApproved: false }]);
    run.answer("I didn't mail Ana.");
    await parley.settle();
    expect(parley.texts()[0]).toContain("I didn't mail Ana.");
    expect(parley.texts()[0]).toContain("denied by Alice");
  });

  it("is denied after 15 minutes, and says so", async () => {
    await askUntilItWaits();
    await parley.settle(14 * minute);
    expect(parley.agents.runs).toHaveLength(1);
    await parley.settle(2 * minute);

    const run = await parley.agents.run(1);
    expect(run.options.approvals).toEqual([{ requestId: "mcpr_1", isApproved: false }]);
    run.answer("Without it.");
    await parley.settle();
    expect(parley.texts()[0]).toContain("denied automatically: nobody decided in time");
    expect(parley.audited).toMatchObject([{ action: "deny", by: "Parley" }]);
  });

  it("holds no permit and isn't redrawn while it waits", async () => {
    parley.agents.set({ profile: { maxRuns: 1 } });
    await askUntilItWaits();
    const writes = parley.platform.writes.length;
    await parley.settle(5 * minute);
    expect(parley.platform.writes).toHaveLength(writes);

    await parley.say("Elsewhere?", { conversation: { ...thread, thread: "700" } }).done;
    (await parley.agents.run(1)).answer("Here.");
    await parley.settle();
    expect(parley.texts({ ...thread, thread: "700" })[0]).toContain("Here.");
  });

  it("asks about several requests of one run one after the other, and sends all responses at once", async () => {
    await askUntilItWaits(wantsMail("mcpr_0", "delete_mail"));
    expect(parley.texts()[0]).toContain("Request 1 of 2.");
    const first = await asked();
    await parley.press("deny", first).done;
    await parley.settle();
    expect(parley.texts()[0]).toContain("Request 2 of 2.");
    expect(parley.agents.runs).toHaveLength(1);
    await parley.press("approve", await asked()).done;
    await parley.settle();

    expect((await parley.agents.run(1)).options.approvals).toEqual([
      { requestId: "mcpr_0", isApproved: false },
      { requestId: "mcpr_1", isApproved: true },
    ]);
  });

  it("gives people 15 minutes for each of several requests, and denies all that are left at once", async () => {
    await parley.say("Mail Ana").done;
    const run = await parley.agents.run(0);
    run.send({ type: "started" }, wantsMail("mcpr_1"), wantsMail("mcpr_2", "send_sms"), wantsMail("mcpr_3", "call"));
    run.end();
    await parley.settle(14.5 * minute);
    await parley.press("approve", await asked()).done;
    await parley.settle(14.5 * minute);
    expect(parley.texts()[0]).toContain("wants to use send_sms");
    expect(await newest()).toMatchObject({ state: "waiting" });

    await parley.settle(minute);
    const approvals = (await parley.agents.run(1)).options.approvals?.map(({ isApproved }) => isApproved);
    expect(approvals).toEqual([true, false, false]);
  });

  it("counts as one question, however often people decide", async () => {
    await parley.stop();
    const questionLimits = { questionsPerPersonPerMinute: 1, questionsPerChannelPerMinute: 1 };
    parley = await createHarness({ settings: { questionLimits } });
    await askUntilItWaits();
    await parley.press("approve", await asked()).done;
    await parley.settle();

    (await parley.agents.run(1)).answer("Sent.");
    await parley.settle(1_000);
    expect(parley.texts()[0]).toContain("Sent.");
  });

  it("asks again in the same answer; an old button doesn't fit the new request", async () => {
    await askUntilItWaits();
    const old = await asked();
    await parley.press("approve", old).done;
    await parley.settle();
    const run = await parley.agents.run(1);
    run.send(wantsMail("mcpr_1"));
    run.end();
    await parley.settle();

    const late = parley.press("approve", old);
    await late.done;
    await parley.settle();
    expect(late.acks).toEqual([{ kind: "defer-private" }]);
    expect(late.sent).toHaveLength(1);
    expect(parley.agents.runs).toHaveLength(2);
    expect(parley.texts()[0]).toContain("approved by Alice");

    await parley.press("approve", await asked()).done;
    await parley.settle();
    expect((await parley.agents.run(2)).options.approvals).toEqual([{ requestId: "mcpr_1", isApproved: true }]);
  });

  it("ends an answer that never stops asking", async () => {
    await askUntilItWaits();
    for (let round = 1; round <= 10; round += 1) {
      await parley.press("deny", await asked()).done;
      await parley.settle();
      const run = await parley.agents.run(round);
      run.send(wantsMail(`mcpr_${round}`));
      run.end();
      await parley.settle();
    }
    expect(parley.texts()[0]).toContain("guide kept asking for approval");
    expect(parley.texts()[0]).toContain("denied by Alice (10 times)");
    expect(await newest()).toMatchObject({ state: "failed" });
  });
});

describe("who may decide", () => {
  it("refuses everyone but the asker, privately, and notes it in the audit log", async () => {
    await askUntilItWaits();
    const pressed = parley.press("approve", await asked(), { actor: bob });
    await pressed.done;
    await parley.settle();

    expect(pressed.sent).toHaveLength(1);
    expect(pressed.sent[0]?.visibility).toBe("private");
    expect(JSON.stringify(pressed.sent)).toContain("Only Alice, who asked the question, can");
    expect(parley.agents.runs).toHaveLength(1);
    expect(parley.audited).toMatchObject([{ action: "approve", by: "Bob", outcome: "refused" }]);
  });

  it("counts the first of two decisions, and tells the second person", async () => {
    await askUntilItWaits();
    const value = await asked();
    const approve = parley.press("approve", value);
    const deny = parley.press("deny", value);
    await Promise.all([approve.done, deny.done]);
    await parley.settle();

    expect((await parley.agents.run(1)).options.approvals).toEqual([{ requestId: "mcpr_1", isApproved: true }]);
    expect(JSON.stringify(deny.sent)).toContain("already approved by Alice");
  });

  it("doesn't mind the same button pressed twice", async () => {
    await askUntilItWaits();
    const value = await asked();
    const presses = [parley.press("approve", value), parley.press("approve", value)];
    await Promise.all(presses.map(({ done }) => done));
    await parley.settle();

    expect(presses.flatMap(({ sent }) => sent)).toEqual([]);
    expect(parley.agents.runs).toHaveLength(2);
  });
});

describe("what else happens while it waits", () => {
  it("makes a follow-up wait, which says so, and answers it afterwards", async () => {
    await askUntilItWaits();
    await parley.say("And Bo?").done;
    await parley.settle();
    expect(parley.texts()[1]).toContain("waits for someone to approve a tool");

    await parley.press("deny", await asked0()).done;
    await parley.settle();
    (await parley.agents.run(1)).answer("Without it.");
    await parley.settle();
    (await parley.agents.run(2)).answer("Neither.");
    await parley.settle();
    expect(parley.texts()[1]).toContain("Neither.");
  });

  it("stops when someone presses Stop; a later Approve runs nothing", async () => {
    await askUntilItWaits();
    const value = await asked();
    await parley.press("stop", value.split(" ")[0] ?? "").done;
    await parley.settle();
    expect(parley.texts()[0]).toContain("Stopped");

    const late = parley.press("approve", value);
    await late.done;
    await parley.settle();
    expect(JSON.stringify(late.sent)).toContain("This request is over");
    expect(parley.agents.runs).toHaveLength(1);
  });

  it("asks the new words when the question is edited; the old request is void", async () => {
    await askUntilItWaits();
    const value = await asked();
    await parley.send({
      ...{ kind: "message-edited", eventKey: "memory/T1/edit", questionKey: "memory/T1/general/101" },
      ...{ order: "0000000999", messageId: "101", text: "Mail Bo", attachments: [] },
      ...{ mentionsParley: true, addressesOthers: false, isDirect: false },
    }).done;
    await parley.settle();
    const run = await parley.agents.run(1);
    expect(run.question).toContain("Mail Bo");
    expect(run.options).toEqual({});

    const late = parley.press("approve", value);
    await late.done;
    expect(JSON.stringify(late.sent)).toContain("This request is over");
    run.answer("Done.");
    await parley.settle();
    expect(parley.texts()[0]).toContain("Done.");
  });

  it("doesn't hold up a shutdown, and waits silently after the restart", async () => {
    await askUntilItWaits();
    await parley.bridge().drain(60_000);
    expect(await newest()).toMatchObject({ state: "waiting" });

    await parley.restart();
    await parley.settle(1_000);
    expect(parley.texts()[0]).toContain("wants to use send_mail");
    expect(parley.texts()[0]).not.toContain("restarted");
    await parley.press("approve", await asked()).done;
    await parley.settle();
    (await parley.agents.run(1)).answer("Sent.");
    await parley.settle();
    expect(parley.texts()).toHaveLength(1);
    expect(parley.texts()[0]).toContain("Sent.");
  });

  it("denies at once, and says so, what an agent asks where nobody sees it", async () => {
    await parley.bridge().askBySchedule({
      ...{ scheduleId: "s1", actor: { ...bob }, place: { platform: "memory", workspace: "T1", channel: "general" } },
      ...{ eventKey: "schedule/1", question: "Weekly report" },
    } as never);
    const run = await parley.agents.run(0);
    run.send({ type: "started" }, wantsMail());
    run.end();
    await parley.settle();

    const next = await parley.agents.run(1);
    expect(next.options.approvals).toEqual([{ requestId: "mcpr_1", isApproved: false }]);
    next.answer("The report.");
    await parley.settle();
    expect((await newest()).outcome?.decisions).toMatchObject([{ how: "nobody", isApproved: false }]);
  });
});

/** Of the oldest question. */
async function asked0(): Promise<string> {
  const turns = await parley.state().turns.recent(10);
  const turn = turns.find(({ state }) => state === "waiting");
  return `${turn?.id} ${turn?.approval?.requests[0]?.key}`;
}
