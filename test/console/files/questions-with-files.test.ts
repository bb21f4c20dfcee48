import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { openWholePage, upload, type WholePage } from "../whole-page.ts";

async function ask(page: WholePage, text: string, files: readonly string[], thread?: string): Promise<string> {
  const id = randomUUID();
  const body = { id, tab: "tab-1", channel: "general", text, files, ...(thread === undefined ? {} : { thread }) };
  expect((await page.request("/api/messages", { method: "POST", body })).status).toBe(202);
  return id;
}

const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1]);

it("gives the agent the text of attached files, and says of a picture that it isn't read", async () => {
  const page = await openWholePage();
  const files = [
    await upload(page, "prices.csv", "text/csv", Buffer.from("plan,price\nTeam,10")),
    await upload(page, "screen.png", "image/png", picture),
    await upload(page, "long.txt", "text/plain", Buffer.alloc(1_000_001, "a")),
  ];

  await ask(page, "What does Team cost?", files);

  const { question, answer } = await page.agents.run(0);
  expect(question).toContain('Attached file "prices.csv" (text/csv):\nplan,price\nTeam,10');
  expect(question).toContain('Attached file "screen.png" (image/png), not read: it is not a text file.');
  expect(question).toContain('Attached file "long.txt" (text/plain), not read: it is larger than 976 kB.');
  expect(question.endsWith("Question:\nWhat does Team cost?")).toBe(true);
  answer("10.");
  await page.idle();
});

it("answers a question of only a file, and the question after it", async () => {
  const page = await openWholePage();
  const thread = await ask(page, "", [await upload(page, "notes.txt", "text/plain", Buffer.from("It is Tuesday."))]);
  const first = await page.agents.run(0);
  expect(first.question).toContain("It is Tuesday.");
  first.answer("A note about Tuesday.");
  await page.idle();

  await ask(page, "And what day is it?", [], thread);

  const second = await page.agents.run(1);
  expect(second.question).toBe("And what day is it?");
  second.answer("Tuesday.");
  await page.idle();
  const { body } = await page.request(`/api/conversations/general/${thread}`);
  expect(body.messages.map(({ author }: { readonly author: string }) => author)).toEqual([
    "you",
    "parley",
    "you",
    "parley",
  ]);
});

it("tells the agent when an attached file was removed before it was read", async () => {
  const page = await openWholePage();
  const id = await upload(page, "notes.txt", "text/plain", Buffer.from("It is Tuesday."));
  await page.state.keyValue("console-upload-pieces").delete(`local/${id}/00000`);

  await ask(page, "What day is it?", [id]);

  const { question, answer } = await page.agents.run(0);
  expect(question).toContain('Attached file "notes.txt" (text/plain), not read');
  answer("I can't tell.");
  await page.idle();
});
