/** Passages found by meaning, beside their words. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import type { Embedder } from "../../../../src/agent-service/built-in/embedding/embedder.ts";
import { createSignIndex } from "../../../../src/agent-service/built-in/embedding/sign-index.ts";
import { cosine, countBits, toBytes, toSigns } from "../../../../src/agent-service/built-in/embedding/vectors.ts";
import { startLocalService } from "../../../../src/agent-service/built-in/local-service.ts";
import { createFakeClock } from "../../../doubles/fake-clock.ts";
import { project } from "../../../doubles/people.ts";
import { until } from "../../../doubles/until.ts";
import { scriptedModel } from "../model/scripted-model.ts";
import { ask, type Running, running } from "../running.ts";

const meanings: Readonly<Record<string, number>> = {
  sleep: 0,
  nap: 0,
  tired: 0,
  eat: 1,
  food: 1,
  lunch: 1,
  pay: 2,
  money: 2,
  salary: 2,
};
const dimensions = 48;

/** Words of one meaning point in one direction. */
function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(dimensions).fill(0.01);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const meaning = meanings[word];
    if (meaning !== undefined) for (let at = 0; at < 16; at += 1) vector[meaning * 16 + at] = 1 + at / 16;
  }
  return vector.map((value) => value - 0.2);
}

type Fake = Embedder & { isDown: boolean; readonly asked: string[] };

function fakeEmbedder(name = "small"): Fake {
  const asked: string[] = [];
  const embedder: Fake = {
    name,
    asked,
    isDown: false,
    embed: async (texts) => {
      if (embedder.isDown) throw new Error("down");
      if (texts.some((text) => text.includes("refused"))) throw new RangeError("refused");
      asked.push(...texts);
      return texts.map(vectorOf);
    },
    isRefused: (thrown) => thrown instanceof RangeError,
  };
  return embedder;
}

const rows = [
  { id: "beds", title: "Rooms", content: "There is a place to nap on the third floor." },
  { id: "canteen", title: "Canteen", content: "Lunch is at noon." },
  { id: "wages", title: "Wages", content: "Salary comes on the last day." },
];

async function birdsWith(
  embedder: Fake,
  more: { readonly dataDir?: string } = {},
): Promise<Running & { readonly model: ReturnType<typeof scriptedModel> }> {
  const model = scriptedModel(["I see [1]."]);
  const service = await running({ model, embedder, ...more });
  if (more.dataDir === undefined) {
    await service.client.createKnowledgeBase(project, { name: "office" });
    await service.client.insert(project, "office", { rows });
    await service.client.createAgent(project, { name: "host", knowledgeBases: ["office"] });
  }
  return { ...service, model };
}

const stored = (dataDir: string) => {
  const db = new DatabaseSync(join(dataDir, "local-service.db"), { readOnly: true });
  const row = db.prepare("SELECT count(*) AS n FROM embeddings").get();
  const model = db.prepare("SELECT value FROM meta WHERE key = 'embeddings.model'").get();
  db.close();
  return { count: Number(row?.["n"]), model: model?.["value"] };
};
const complete = (dataDir: string, model = "small") =>
  until("all vectors", () => stored(dataDir).count === rows.length && stored(dataDir).model === model, 15_000);

describe("with an embedding model", () => {
  it("a passage is found that shares no word with the question", async () => {
    const service = await birdsWith(fakeEmbedder());
    await complete(service.dataDir);

    await ask(service.client, "I am tired", [], "host");

    const passages = service.model.requests[0]?.messages.at(-1)?.text ?? "";
    expect(passages).toContain('"passage":1,"title":"Rooms"');
  });

  it("the vectors are kept over a restart, and only new passages get one", async () => {
    const first = await birdsWith(fakeEmbedder());
    await complete(first.dataDir);
    await first.close();
    const embedder = fakeEmbedder();

    const second = await birdsWith(embedder, { dataDir: first.dataDir });
    await second.client.insert(project, "office", { rows: [{ id: "coins", content: "Money is in the safe." }] });
    await until("the new vector", () => stored(first.dataDir).count === 4, 15_000);

    expect(embedder.asked).toEqual(["Money is in the safe."]);
  });

  it("another model replaces the vectors of the one before", async () => {
    const first = await birdsWith(fakeEmbedder());
    await complete(first.dataDir);
    await first.close();

    const second = await birdsWith(fakeEmbedder("large"), { dataDir: first.dataDir });
    await complete(first.dataDir, "large");

    await ask(second.client, "I am tired", [], "host");
    expect(second.model.requests[0]?.messages.at(-1)?.text).toContain('"title":"Rooms"');
  });

  it("a deleted passage takes its vector along", async () => {
    const { client, dataDir } = await birdsWith(fakeEmbedder());
    await complete(dataDir);

    await client.deleteRows(project, "office", ["beds"]);

    expect(stored(dataDir).count).toBe(2);
  });

  it("questions are searched by their words while it is down, and admins are told", async () => {
    const embedder = fakeEmbedder();
    const dataDir = await birdsWith(embedder).then(async (service) => {
      await complete(service.dataDir);
      embedder.isDown = true;
      const { urls, text } = await ask(service.client, "When does the salary come?", [], "host");
      expect(text).toBe("I see [1].");
      expect(urls).toHaveLength(1);
      await service.client.insert(project, "office", { rows: [{ id: "new", content: "Something new." }] });
      await service.close();
      return service.dataDir;
    });
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
    const again = await startLocalService({ dataDir, embedder, clock: createFakeClock(), log });

    expect(again.notices()).toEqual([expect.stringMatching(/^3 of 4 passages have an embedding by small\./)]);
    await again.close();
  });

  it("a text that it refuses costs only that passage its vector", async () => {
    const { client, dataDir } = await birdsWith(fakeEmbedder());
    await complete(dataDir);

    await client.insert(project, "office", {
      rows: [
        { id: "bad", content: "This one is refused." },
        { id: "good", content: "Food for all." },
      ],
    });

    await until("the vector of the other", () => stored(dataDir).count === 4, 15_000);
  });
});

describe("vectors", () => {
  it("keep their directions in one byte for each number, and their signs in bits", () => {
    const one = toBytes(Float32Array.from({ length: 100 }, (_, at) => Math.sin(at)));
    const near = toBytes(Float32Array.from({ length: 100 }, (_, at) => Math.sin(at + 0.1)));
    const far = toBytes(Float32Array.from({ length: 100 }, (_, at) => Math.cos(at)));

    expect(cosine(one, one)).toBeCloseTo(1);
    expect(cosine(one, near)).toBeCloseTo(Math.cos(0.1), 2);
    expect(Math.abs(cosine(one, far))).toBeLessThan(0.1);
    expect([0, 1, 255, 0xffffffff, 0x80000001].map(countBits)).toEqual([0, 1, 8, 32, 2]);
    expect(toBytes(new Float32Array(8))).toEqual(new Int8Array(8));
  });

  it("of a knowledge base are compared with that base's only, nearest first", () => {
    const index = createSignIndex(64);
    const signs = (ones: number) => toSigns(Int8Array.from({ length: 64 }, (_, at) => (at < ones ? 1 : -1)));
    for (let id = 0; id < 3_000; id += 1) index.add(id, id % 2, signs(id % 64));

    const nearest = index.nearest(1, signs(33), 5);

    expect(nearest).toHaveLength(5);
    expect(nearest.every((id) => id % 2 === 1 && id % 64 === 33)).toBe(true);
    expect(index.nearest(7, signs(1), 5)).toEqual([]);
  });
});
