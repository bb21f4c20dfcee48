import { expect, it } from "vitest";
import { conversationKey, type Place } from "../../../src/core/model/place.ts";
import { until } from "../../doubles/until.ts";
import { openWholePage, type WholePage } from "../whole-page.ts";

const place = (thread: string): Place => ({ platform: "console", workspace: "local", channel: "general", thread });

const shown = async ({ request }: WholePage, thread: string): Promise<readonly string[]> => {
  const { body } = await request(`/api/conversations/general/${thread}`);
  return (body.messages ?? []).map(({ author, text, payload }: Shown) => `${author}: ${text ?? payload?.summary}`);
};
type Shown = { readonly author: string; readonly text?: string; readonly payload?: { readonly summary: string } };

const deleteQuestion = (page: WholePage, thread: string, messageId: string) =>
  page.request("/api/messages", {
    method: "DELETE",
    body: { id: `delete-${messageId}`, tab: "tab-1", channel: "general", thread, messageId },
  });

async function turnsOf(page: WholePage, thread: string) {
  const found = [];
  for await (const turn of page.state.turns.ofConversation(place(thread))) found.push(turn);
  return found;
}

it("deletes a question with its answer and its part of the history, and keeps the rest", async () => {
  const page = await openWholePage();
  const thread = await page.ask("What is secret?");
  (await page.agents.run(0)).answer("The secret is forty-two.");
  await page.idle();
  await page.ask("And what is open?", { thread });
  (await page.agents.run(1)).answer("Everything else.");
  await page.idle();

  expect((await deleteQuestion(page, thread, thread)).status).toBe(202);

  const left = await shown(page, thread);
  expect(left).toHaveLength(2);
  expect(left[0]).toBe("you: And what is open?");
  const [forgotten, kept] = await turnsOf(page, thread);
  expect(forgotten).toMatchObject({ question: "", isForgotten: true });
  expect(kept).toMatchObject({ question: "And what is open?" });
  await page.ask("And now?", { thread });
  const asked = JSON.stringify((await page.agents.run(2)).messages);
  expect(asked).toContain("Everything else.");
  expect(asked).not.toContain("secret");
  const list = await page.request("/api/conversations");
  expect(list.body.conversations).toMatchObject([{ title: "And what is open?" }]);
});

it("deletes the last question with its running answer, and nothing of it comes back", async () => {
  const page = await openWholePage();
  const thread = await page.ask("What is secret?");
  const run = await page.agents.run(0);
  await until("it is being answered", async () => (await shown(page, thread)).length === 2);

  expect((await deleteQuestion(page, thread, thread)).status).toBe(202);
  await page.idle();

  expect(run.isAborted()).toBe(true);
  expect(await shown(page, thread)).toEqual([]);
  expect((await page.request("/api/conversations")).body.conversations).toEqual([]);
  expect(await turnsOf(page, thread)).toMatchObject([{ question: "", isForgotten: true }]);
});

it("deletes what waits behind another question", async () => {
  const page = await openWholePage();
  const thread = await page.ask("First?");
  const run = await page.agents.run(0);
  const second = await page.ask("Second?", { thread });
  await until("the second one is shown", async () => (await shown(page, thread)).length >= 3);

  expect((await deleteQuestion(page, thread, second)).status).toBe(202);
  expect((await shown(page, thread)).map((line) => line.split(":")[0])).toEqual(["you", "parley"]);
  run.answer("One.");
  await page.idle();

  expect(page.agents.runs).toHaveLength(1);
  await until("the second one is forgotten", async () => (await turnsOf(page, thread))[1]?.isForgotten === true);
  expect((await shown(page, thread)).map((line) => line.split(":")[0])).toEqual(["you", "parley"]);
});

it("deletes a whole conversation everywhere, as /parley forget does", async () => {
  const page = await openWholePage();
  const thread = await page.ask("What is secret?");
  (await page.agents.run(0)).answer("The secret is forty-two.");
  await page.idle();
  await page.ask("More?", { thread });
  await page.agents.run(1);

  const { status } = await page.request(`/api/conversations/general/${thread}`, {
    method: "DELETE",
    body: { id: "d1" },
  });

  expect(status).toBe(202);
  expect((await page.request("/api/conversations")).body.conversations).toEqual([]);
  await until("nothing is left to do", async () => {
    for await (const _one of page.state.works.entries("page-deletions")) return false;
    return true;
  });
  await page.idle();
  expect(await shown(page, thread)).toEqual([]);
  for (const turn of await turnsOf(page, thread)) expect(turn).toMatchObject({ question: "", isForgotten: true });
  const history = await page.state.keyValue("conversations").get(conversationKey(place(thread)));
  expect(history).toMatchObject({ entries: [] });
});
