import { describe, expect, it } from "vitest";
import { createExamples } from "../../../src/bridge/contact/answerer.ts";
import type { AgentService, ListedDocument } from "../../../src/core/ports/agent-service.ts";
import { appOf } from "../../doubles/app.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { project } from "../../doubles/people.ts";
import { createAgents } from "../../doubles/service/agents.ts";

const guide = { project, name: "guide" };
const bases = ["handbook", "pricing"].map((name) => ({ project, name }));
const titled = (...titles: readonly string[]) => titles.map((title) => ({ title }));

function room(listDocuments: AgentService["listDocuments"]) {
  const clock = createFakeClock();
  let reads = 0;
  const service = {
    ...createAgents(),
    listDocuments: (...given: Parameters<AgentService["listDocuments"]>) => {
      reads += 1;
      return listDocuments(...given);
    },
  };
  return { clock, reads: () => reads, examples: createExamples(appOf({ service, clock })) };
}

describe("example questions", () => {
  it("come from each knowledge base in turn, at most three", async () => {
    const listed: Record<string, readonly ListedDocument[]> = {
      handbook: titled("Leave", "Sick days").map((one) => ({ id: one.title, ...one })),
      pricing: titled("Plans").map((one) => ({ id: one.title, ...one })),
    };
    const { examples } = room(async (_project, base) => listed[base] ?? []);

    expect(await examples.of(guide, bases)).toEqual([
      "Tell me about sick days",
      "Tell me about plans",
      "Tell me about leave",
    ]);
  });

  it("are read once in ten minutes, however many ask at once, and soon again if there were none", async () => {
    let documents: readonly ListedDocument[] = [];
    const { examples, reads, clock } = room(async () => documents);

    expect(await examples.of(guide, bases)).toEqual([]);
    documents = [{ id: "1", title: "Refund policy" }];
    expect(await examples.of(guide, bases)).toEqual([]);
    await clock.advance(15_001);
    const many = await Promise.all(Array.from({ length: 50 }, () => examples.of(guide, bases)));
    await clock.advance(9 * 60_000);
    await examples.of(guide, bases);

    expect(new Set(many.flat())).toEqual(new Set(["Tell me about refund policy"]));
    expect(reads()).toBe(4);
    await clock.advance(60_001);
    await examples.of(guide, bases);
    expect(reads()).toBe(6);
  });

  it("come from the knowledge bases that can be read when one can't", async () => {
    const { examples } = room(async (_project, base) => {
      if (base === "handbook") throw new Error("Index is already used");
      return [{ id: "1", title: "Plans" }];
    });

    expect(await examples.of(guide, bases)).toEqual(["Tell me about plans"]);
  });

  it("are read again after a failure", async () => {
    let isDown = true;
    const { examples } = room(async () => {
      if (isDown) throw new Error("down");
      return [{ id: "1", title: "Plans" }];
    });

    await expect(examples.of(guide, bases)).rejects.toThrow("down");
    isDown = false;
    expect(await examples.of(guide, bases)).toEqual(["Tell me about plans"]);
  });
});
