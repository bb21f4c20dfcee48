/** Removing a channel of the page when a process ends in the middle. */
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
