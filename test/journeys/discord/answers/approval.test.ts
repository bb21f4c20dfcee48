/** A tool call that people approve or deny, in Discord: who may press, what they read, and how the answer continues. */
import { expect, it } from "vitest";
import type { AgentEvent } from "../../../../src/core/model/agent-event.ts";
import { until } from "../../../doubles/until.ts";
import { labelsOf, openParley, shown } from "../parley.ts";

const input = '{"to":"ana@acme.example","text":"@everyone <@1> **hello** ```","token":"hunter2"}';
const wantsMail: AgentEvent = {
  type: "approval-requested",
  request: { id: "mcpr_1", tool: "send_mail", server: "mail", input },
};

it("shows the request, refuses others privately, and continues in the same message after Deny", async () => {
  const { discord, agents, alice, bob, general, own, shows, idle } = await openParley();
  const asked = alice.mention(general, "mail Ana");
  const run = await agents.run(0);
  run.send({ type: "started" }, wantsMail);
  run.end();
  const request = await shows(asked.id, "wants to use");
  expect(labelsOf(request)).toEqual(["Approve", "Deny", "Stop"]);
  expect(shown(request)).toContain("ana@acme.example");
  expect(shown(request)).not.toContain("hunter2");

  const refused = bob.press(request, "Approve");
  await until("the refusal", () => shown(refused.answer).includes("can approve or deny this"));
  expect(refused.answer?.seenBy).toBe(bob.person.id);
  expect(agents.runs).toHaveLength(1);

  alice.press(request, "Deny");
  const continued = await agents.run(1);
  expect(continued.options.approvals).toEqual([{ requestId: "mcpr_1", isApproved: false }]);
  continued.answer("I didn't mail Ana.");
  const answer = await shows(asked.id, "I didn't mail Ana.");
  expect(answer.id).toBe(request.id);
  expect(shown(answer)).toContain("denied by");
  await idle();
  expect(own(asked.id).filter(({ seenBy }) => seenBy === undefined)).toHaveLength(1);
  expect(discord.violations).toEqual([]);
});
