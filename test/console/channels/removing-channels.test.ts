/** Removing a channel of the page when a process ends in the middle, or while an earlier version's list is built. */
import { setImmediate as nextLoopTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { until } from "../../doubles/until.ts";
import { openWholePage, type WholePage } from "../whole-page.ts";

const remove = (page: WholePage, channel: string) =>
  page.request(`/api/channels/${channel}`, { method: "DELETE", body: { id: `remove-${channel}` } });

async function isEmpty({ state }: WholePage): Promise<boolean> {
  for await (const _message of state.keyValue("console-messages").entries("local/")) return false;
  const turns = await state.turns.recent(10);
  return turns.every((turn) => turn.isForgotten === true && turn.question === "");
}

async function answerIn(page: WholePage): Promise<void> {
  await page.ask("What is secret?");
  (await page.agents.run(0)).answer("The secret is forty-two.");
  await page.idle();
}

it("finishes removing a channel whose process died before it had forgotten a conversation", async () => {
  let hasFailed = false;
  const dies = async () => {
    hasFailed = true;
    throw new Error("The process is gone.");
  };
  const page = await openWholePage({ forget: dies });
  await answerIn(page);
  expect((await remove(page, "general")).status).toBe(202);
  await until("the first process died", () => hasFailed);

  const next = await openWholePage({}, page.state);

  await until("nothing of it is left", () => isEmpty(next));
});

it("removes conversations of the version before with their channel while the list of them is built", async () => {
  const page = await openWholePage();
  await answerIn(page);
  await page.state.rankings.delete("console/local/conversations/general", await onlyKey(page));
  await page.state.keyValue("console-built").delete("local/rankings");
  const lease = await page.state.coordinator.lease("console/local/build");

  const next = await openWholePage({}, page.state);
  expect((await remove(next, "general")).status).toBe(202);
  // Long enough to empty what is ranked.
  for (let turn = 0; turn < 300; turn += 1) await nextLoopTurn();
  await lease.release();

  await until("nothing of it is left", () => isEmpty(next));
});

async function onlyKey({ state }: WholePage): Promise<string> {
  for await (const [key] of state.keyValue("console-conversations").entries("local/")) return key;
  throw new Error("There is no conversation.");
}
