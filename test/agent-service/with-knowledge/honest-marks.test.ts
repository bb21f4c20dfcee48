/** Numbers that an agent cites beside the passages it was sent. */
import { expect, it } from "vitest";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";
import { openRoom } from "./room.ts";

const refunds = "Refunds\nRefunds are paid within five days after a parcel has come back.";

/** What people read when the agent answers with these events after one passage was sent. */
async function answered(events: readonly AgentEvent[], texts: readonly string[] = [refunds]) {
  const { main, fill, look, ask } = await openRoom();
  await fill("handbook", texts);
  await look(["handbook"]);
  main.state.events = () => [{ type: "started" }, ...events, { type: "ended" }];
  const asked = await ask("How long do refunds take?");
  const shown: string[] = [];
  for (const event of asked.events) {
    if (event.type === "answer") shown.push(event.text);
    if (event.type === "answer-delta") shown.push((shown.at(-1) ?? "") + event.text);
  }
  return { shown, answer: shown.at(-1) };
}

const pieces = (text: string): readonly AgentEvent[] =>
  [...text].map((char) => ({ type: "answer-delta", text: char }) as const);

it("a number without a passage is never shown, also while the answer is written", async () => {
  const { shown, answer } = await answered(pieces("Five days [1]. Or more [9]. See `a[9]` and array[3]."));

  expect(answer).toBe("Five days [1]. Or more. See `a[9]` and array[3].");
  expect(shown.filter((text) => text.includes("[9"))).toEqual(shown.filter((text) => text.includes("`a[9")));
});

it("a number without a passage is removed from an answer that comes whole", async () => {
  const { answer } = await answered([{ type: "answer", text: "Five days [1]. Or more [9]." }]);

  expect(answer).toBe("Five days [1]. Or more.");
});

it("a number that the agent itself explains stays", async () => {
  const text = "Five days [1]. As the law says [9].\n\n[9]: https://law.example";

  expect((await answered(pieces(text))).answer).toBe(text);
  expect((await answered([{ type: "answer", text }])).answer).toBe(text);
});

it("a number of a source that the agent itself names stays", async () => {
  const sources = [{ title: "The law", url: "https://law.example" }];
  const { answer } = await answered([{ type: "answer", text: "Five days [1], by law [2], or not [3].", sources }]);

  expect(answer).toBe("Five days [1], by law [2], or not.");
});

it("an agent that was sent no passage keeps its numbers", async () => {
  const { answer } = await answered(pieces("Five days [9]."), ["Zebras\nZebras live in Africa."]);

  expect(answer).toBe("Five days [9].");
});

it("what is held back comes when the stream breaks", async () => {
  const { answer } = await answered(pieces("Five days [1"));

  expect(answer).toBe("Five days [1");
});
