/** A tool call that people approve or deny, in Slack: who may press, what they read, and how the answer continues. */
import { expect, it } from "vitest";
import type { AgentEvent } from "../../../../src/core/model/agent-event.ts";
import { buttonsOf, openParley, wordsOf } from "../parley.ts";

const input = '{"to":"ana@acme.example","text":"<!channel> <@U0BOB> *hello* ```","password":"hunter2"}';
const wantsMail: AgentEvent = {
  type: "approval-requested",
  request: { id: "mcpr_1", tool: "send_mail", server: "mail", input },
};

it("shows the request, refuses others privately, and continues in the same message after Approve", async () => {
  const { slack, agents, alice, bob, shows, replies, seenOnlyBy, idle } = await openParley();
  const asked = alice.mention("C0GENERAL", "mail Ana");
  const run = await agents.run(0);
  run.send({ type: "started" }, wantsMail);
  run.end();
  const request = await shows(asked.ts, "wants to use");
  expect(buttonsOf(request)).toEqual(["Approve", "Deny", "Stop"]);
  expect(wordsOf(request)).toContain("ana@acme.example");
  expect(wordsOf(request)).not.toContain("hunter2");

  await bob.click(request.ts, "Approve");
  await expect.poll(() => seenOnlyBy("U0BOB").join(" ")).toContain("who asked the question, can approve or deny this");
  expect(agents.runs).toHaveLength(1);
  const followUp = alice.mention("C0GENERAL", "and Bo?", { thread: asked.ts });
  await shows(asked.ts, "waits for someone to approve a tool");

  await alice.click(request.ts, "Approve");
  const continued = await agents.run(1);
  expect(continued.options.approvals).toEqual([{ requestId: "mcpr_1", isApproved: true }]);
  continued.answer("Sent.");
  const answer = await shows(asked.ts, "Sent.");
  expect(answer.ts).toBe(request.ts);
  expect(wordsOf(answer)).toContain("approved by");
  (await agents.run(2)).answer("Bo, too.");
  await shows(asked.ts, "Bo, too.");

  await idle();
  expect(followUp.ts).not.toBe(asked.ts);
  expect(replies(asked.ts).filter(({ visibleTo }) => visibleTo === undefined)).toHaveLength(2);
  expect(slack.violations).toEqual([]);
});

it("lets the agent answer without the tool after Deny, and is stopped by Stop", async () => {
  const { slack, agents, alice, shows, idle } = await openParley();
  const asked = alice.mention("C0GENERAL", "mail Ana");
  const run = await agents.run(0);
  run.send(wantsMail);
  run.end();
  const request = await shows(asked.ts, "wants to use");
  await alice.click(request.ts, "Deny");
  const continued = await agents.run(1);
  expect(continued.options.approvals).toEqual([{ requestId: "mcpr_1", isApproved: false }]);
  continued.send({ ...wantsMail, request: { ...wantsMail.request, id: "mcpr_2", tool: "post_letter" } });
  continued.end();
  const second = await shows(asked.ts, "post_letter");
  await alice.click(second.ts, "Stop");
  await shows(asked.ts, "Stopped");
  await idle();
  expect(agents.runs).toHaveLength(2);
  expect(slack.violations).toEqual([]);
});
