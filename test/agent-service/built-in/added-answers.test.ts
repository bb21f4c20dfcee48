/** Answers that people added, as the built-in agent quotes them. */
import { expect, it } from "vitest";
import { project } from "../../doubles/people.ts";
import { ask, type Running, running } from "./running.ts";

const question = "Can a guest move a non-refundable booking?";
const answer = "Yes, once, up to 48 hours before check-in.";

async function withRow(title: string, content: string): Promise<Running> {
  const service = await running();
  await service.client.createKnowledgeBase(project, { name: "handbook" });
  await service.client.createAgent(project, { name: "guide", knowledgeBases: ["handbook"] });
  await service.client.insert(project, "handbook", { rows: [{ id: "answer-1", title, content }] });
  return service;
}

it("says the question of an added answer once, above the answer", async () => {
  const { client } = await withRow(question, `${question}\n\n${answer}`);

  const { text } = await ask(client, "Can guests move a non-refundable booking?");

  expect(text).toContain(`**${question}** [1]\n\n${answer}`);
  expect(text.split(question)).toHaveLength(2);
});

it("says a question once that is too long for a title", async () => {
  const long = `${question.slice(0, -1)} ${"of this house ".repeat(20).trim()}?`;
  const { client } = await withRow(`${long.slice(0, 199)}…`, `${long}\n\n${answer}`);

  const { text } = await ask(client, question);

  expect(text).toContain(`…** [1]\n\n${answer}`);
});

it("keeps a first line that says more than the title, and a text that is its title", async () => {
  const more = await withRow("Bookings", `Bookings can be moved once.\n\n${answer}`);
  expect((await ask(more.client, "Can bookings be moved?")).text).toContain("Bookings can be moved once.\n\nYes");

  const same = await withRow(question, question);
  expect((await ask(same.client, question)).text).toContain(`**${question}** [1]\n\n${question}`);
});
