import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ParleyError } from "../../../src/core/errors.ts";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";
import type { Turn } from "../../../src/core/model/turn.ts";
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
const wantsMail: AgentEvent = {
  type: "approval-requested",
  request: { id: "mcpr_1", tool: "send_mail", server: "mail", input: "{}" },
};
const approved = [{ requestId: "mcpr_1", isApproved: true }];
const denied = [{ requestId: "mcpr_1", isApproved: false }];

const newest = async (): Promise<Turn> => {
  const [turn] = await parley.state().turns.recent(1);
  if (turn === undefined) throw new Error("No question was asked.");
  return turn;
};
const asked = async () => `${(await newest()).id} ${(await newest()).approval?.requests[0]?.key}`;

async function askUntilItWaits(): Promise<void> {
  await parley.say("Mail Ana").done;
  const run = await parley.agents.run(0);
  run.send({ type: "started" }, { type: "run", run: { response: "resp_1" } }, wantsMail);
  run.end();
  await parley.settle();
  expect(await newest()).toMatchObject({ state: "waiting" });
}

/** As if the process had died before it could do anything about the decision. */
async function pressAndDie(action: "approve" | "deny"): Promise<void> {
  const value = await asked();
  Object.assign(parley.state().coordinator, { publish: async () => undefined });
  await parley.press(action, value).done;
  await parley.restart();
}

describe("a process that dies", () => {
  it("while people decide: the next one waits on, however often it happens, and the agent isn't asked again", async () => {
    await askUntilItWaits();
    for (let life = 1; life <= 4; life += 1) {
      await parley.restart();
      await parley.settle(minute);
      expect(parley.texts()[0]).toContain("wants to use send_mail");
    }
    expect(parley.agents.runs).toHaveLength(1);
    await parley.press("approve", await asked()).done;
    await parley.settle();
    expect((await parley.agents.run(1)).options).toMatchObject({ approvals: approved, resume: { response: "resp_1" } });
  });

  it("after Approve was stored: the next one sends it, once", async () => {
    await askUntilItWaits();
    await pressAndDie("approve");
    await parley.settle();

    const run = await parley.agents.run(1);
    expect(run.options.approvals).toEqual(approved);
    run.answer("Sent.");
    await parley.settle();
    expect(parley.agents.runs).toHaveLength(2);
    expect(parley.texts()).toHaveLength(1);
    expect(parley.texts()[0]).toContain("Sent.");
  });

  it("after Approve was sent: nothing is sent again, and people read that the tool may have run", async () => {
    await askUntilItWaits();
    await parley.press("approve", await asked()).done;
    await parley.settle();
    await parley.agents.run(1);
    await parley.restart();
    await parley.settle();

    expect(parley.agents.runs).toHaveLength(2);
    expect(parley.texts()[0]).toContain("doesn't know whether it ran");
    expect(parley.texts()[0]).toContain("send_mail of mail approved by Alice");
    expect(await newest()).toMatchObject({ state: "failed" });
  });

  it("after Approve was sent to a service that can be read on: the same run is read on", async () => {
    parley.agents.set({ profile: { resumes: true } });
    await askUntilItWaits();
    await parley.press("approve", await asked()).done;
    await parley.settle();
    (await parley.agents.run(1)).send({ type: "run", run: { response: "resp_2" } });
    await parley.settle();
    await parley.restart();
    await parley.settle();

    const run = await parley.agents.run(2);
    expect(run.options).toEqual({ resume: { response: "resp_2" } });
    run.answer("Sent.");
    await parley.settle();
    expect(parley.texts()[0]).toContain("Sent.");
  });

  it("after Deny was sent: it is sent again, since a denied tool can't run twice", async () => {
    await askUntilItWaits();
    await parley.press("deny", await asked()).done;
    await parley.settle();
    await parley.agents.run(1);
    await parley.restart();
    await parley.settle();

    expect((await parley.agents.run(2)).options.approvals).toEqual(denied);
  });

  it("until the 15 minutes are over: the request is denied at the next start", async () => {
    await askUntilItWaits();
    await parley.restart();
    await parley.clock.advance(20 * minute);
    await parley.restart();
    await parley.settle();
    expect((await parley.agents.run(1)).options.approvals).toEqual(denied);
  });
});

describe("between request and response", () => {
  it("a message between instances is lost: the decision is found a little later", async () => {
    await askUntilItWaits();
    const value = await asked();
    Object.assign(parley.state().coordinator, { publish: async () => undefined });
    await parley.press("approve", value).done;
    await parley.settle(11_000);
    expect((await parley.agents.run(1)).options.approvals).toEqual(approved);
  });

  it("two people press at once on two instances: one decision counts, and the agent hears one", async () => {
    await askUntilItWaits();
    const value = await asked();
    const neighbour = parley.neighbour();
    const press = (action: string, to?: typeof neighbour) =>
      parley.send(
        { kind: "action", eventKey: `memory/T1/press/${action}`, order: action, action, value },
        to ?? parley.bridge(),
      );
    const presses = [press("approve"), press("deny", neighbour)];
    await Promise.all(presses.map(({ done }) => done));
    await parley.settle();

    expect(parley.agents.runs).toHaveLength(2);
    expect(presses.flatMap(({ sent }) => sent)).toHaveLength(1);
    expect((await parley.agents.run(1)).options.approvals).toHaveLength(1);
  });

  it("the service goes down: the answer fails, says so, and Try again asks for approval again", async () => {
    await askUntilItWaits();
    await parley.press("approve", await asked()).done;
    await parley.settle();
    (await parley.agents.run(1)).fail(new ParleyError("service_unreachable"));
    await parley.settle();
    expect(parley.texts()[0]).toContain("can't be reached");

    await parley.settle(5 * minute);
    await parley.press("retry", (await newest()).id).done;
    await parley.settle();
    const again = await parley.agents.run(2);
    expect(again.options.approvals).toBeUndefined();
    again.send(wantsMail);
    again.end();
    await parley.settle();
    expect(parley.texts()[0]).toContain("wants to use send_mail");
  });

  it("the asker loses access to the agent: the press is refused, and nothing runs", async () => {
    parley.agents.set({ agents: ["guide", "sales"] });
    await parley.bindings().setChannel({ platform: "memory", workspace: "T1", channel: "general" }, guide);
    await askUntilItWaits();
    await parley
      .bindings()
      .setChannel({ platform: "memory", workspace: "T1", channel: "general" }, { ...guide, agent: "sales" });
    await parley.bindings().setChannel({ platform: "memory", workspace: "T1", channel: "other" }, guide);
    const pressed = parley.press("approve", await asked());
    await pressed.done;
    await parley.settle();

    expect(pressed.sent).toHaveLength(1);
    expect(parley.agents.runs).toHaveLength(1);
    expect(await newest()).toMatchObject({ state: "waiting" });
  });

  it("the conversation is forgotten: it stops, and nothing of the request is left", async () => {
    await askUntilItWaits();
    const turn = await newest();
    const forgetting = parley.bridge().forget(turn.conversation, turn.actor, true);
    await parley.settle(5_000);
    await forgetting;
    expect(JSON.stringify(await newest())).not.toContain("send_mail");
  });
});

const guide = { project: "mindsdb", agent: "guide" };
