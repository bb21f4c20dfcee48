/** How a gap's record changes, where it has more askers than it keeps. */
import { expect, it } from "vitest";
import type { Asker } from "../../../src/core/model/insight.ts";
import { newGap, type StoredGap, withAsker } from "../../../src/insight/gaps/gap-record.ts";

const place = { platform: "memory", workspace: "T1", channel: "general" };
const agent = { project: "mindsdb", name: "support" };

function asker(at: number): Asker {
  const actor = { id: `U${at}`, name: `Person ${at}` };
  return { turnId: `t${at}`, actor, question: "Where is the key?", place, signals: ["thumbs-down"], atMs: at };
}

function gapOf(people: number): StoredGap {
  let gap = newGap({ id: "g1", platform: "memory", workspace: "T1", agent, nowMs: 0 });
  for (let at = 1; at <= people; at += 1) gap = withAsker(gap, asker(at));
  return gap;
}

it("counts a person once, however often votes on their old answer change after newer askers came", () => {
  let gap = gapOf(300);
  expect(gap.askers).toHaveLength(100);
  expect(gap.askerCount).toBe(300);

  for (let times = 0; times < 50; times += 1) gap = withAsker(gap, asker(1));

  expect(gap.askerCount).toBe(300);
});

it("stays small, however many people ask", () => {
  expect(JSON.stringify(gapOf(10_000)).length).toBeLessThan(30_000);
});

it("counts a person whose Turn was noted as the gap's before a process died, and who isn't in it yet", () => {
  expect(withAsker(gapOf(3), asker(4)).askerCount).toBe(4);
});
