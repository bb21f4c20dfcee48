/** Other wordings, scores that say what answers, and the grade of an answer in a model's words. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createModelEndpoint } from "../../../../src/agent-service/agent-service.ts";
import type { Embedder, Reranker } from "../../../../src/agent-service/built-in/embedding/embedder.ts";
import { floorOf, unrelatedQuestions } from "../../../../src/agent-service/built-in/embedding/floors.ts";
import { unknownSentence } from "../../../../src/agent-service/built-in/model/prompt.ts";
import { saysUnknown } from "../../../../src/core/text/says-unknown.ts";
import { systemClock } from "../../../../src/core/tools/system-clock.ts";
import { project } from "../../../doubles/people.ts";
import { until } from "../../../doubles/until.ts";
import { ask, running } from "../running.ts";
import { lastText, scriptedModel } from "./scripted-model.ts";

const rows = [
  { id: "pets", title: "Animals", content: "Animals may stay in every room of the west wing." },
  { id: "wages", title: "Wages", content: "Salary comes on the last day of the month." },
];

/** Finds everything. */
const embedder: Embedder = {
  name: "same",
  embed: async (texts) => texts.map(() => new Float32Array(8).fill(1)),
  isRefused: () => false,
};

async function answering(reply: string, question: string, wordings = "", rate?: Reranker["rate"]) {
  const model = scriptedModel([reply], 60_000, wordings);
  const { client } = await running({
    model,
    ...(rate === undefined ? {} : { embedder, reranker: { name: "ranks", rate } }),
  });
  await client.createKnowledgeBase(project, { name: "handbook" });
  await client.insert(project, "handbook", { rows });
  await client.createAgent(project, { name: "helper", knowledgeBases: ["handbook"] });
  const asked = async () => {
    const { events } = await ask(client, question, [], "helper");
    return events.findLast((event) => event.type === "answer");
  };
  return { model, client, asked };
}

describe("a question that no section covers", () => {
  it("is searched in other words too, which are asked for once", async () => {
    const { model, asked } = await answering("Yes [1].", "Can I bring my dog?", "1. Do animals stay in a room?");

    expect((await asked())?.grade).toBe("sure");
    expect(lastText(model)).toContain("Animals may stay");
    await asked();
    expect(model.rewordings).toHaveLength(1);
  });

  it("reaches the model with the sections that have any of its words", async () => {
    const { model, asked } = await answering("Yes [1].", "Could a visiting poodle sleep upstairs in a room?");

    await asked();

    expect(lastText(model)).toContain("Animals may stay");
  });

  it("isn't reworded if a section covers its words", async () => {
    const { model, asked } = await answering("On the last day [1].", "Salary on which day of the month?");

    await asked();

    expect(model.rewordings).toHaveLength(0);
  });
});

describe("the grade of an answer in a model's words", () => {
  it.each([
    ["Animals may stay [1].", "sure"],
    [unknownSentence, "nothing"],
    ["Dogs are surely welcome.", "unsure"],
  ])("of %s is %s", async (reply, grade) => {
    const { asked } = await answering(reply, "May animals stay in a room of the west wing?");

    expect((await asked())?.grade).toBe(grade);
  });

  /** Unrelated questions score 0.3, the question itself as given. */
  const scoring =
    (score: number): Reranker["rate"] =>
    async (question, texts) =>
      texts.map((_, at) => (unrelatedQuestions.includes(question) ? 0.3 : score) - at / 100);

  it.each([
    ["no word of the question, above the floor", "When do we get our money?", 0.9, "sure"],
    ["no word of the question, below the floor", "When do we get our money?", 0.1, "unsure"],
    ["no person, although one is asked for", "Who wrote the anthem?", 0.9, "unsure"],
    ["words of the question, but not its rarest", "How many hamsters may stay in a room?", 0.9, "unsure"],
    ["not the question's name", "When does Frau Petersen get money?", 0.9, "unsure"],
  ])("of a cited section with %s", async (_, question, score, grade) => {
    const { asked, client } = await answering("On the last day [1].", question, "", scoring(score));

    await asked();
    await until("a floor", () => client.notices().some((notice) => notice.includes("match from")));

    expect((await asked())?.grade).toBe(grade);
  });

  it("goes by the wordings too", async () => {
    const { asked, client } = await answering(
      "On the last day [1].",
      "When is payday?",
      "salary month day",
      scoring(0.1),
    );

    await asked();
    await until("a floor", () => client.notices().some((notice) => notice.includes("match from")));

    expect((await asked())?.grade).toBe("sure");
  });

  it("names a sentence in the instructions that is recognised", () => {
    expect(saysUnknown(unknownSentence)).toBe(true);
  });
});

describe("a rerank model", () => {
  it("that fails leaves the search to words, and managers see it", async () => {
    const fails: Reranker["rate"] = async () => {
      throw new Error("The server is overloaded.");
    };
    const { asked, client } = await answering("Animals may stay [1].", "May animals stay in a room?", "", fails);

    expect((await asked())?.grade).toBe("sure");
    expect((await client.profile()).failing).toContain("The rerank model hasn't answered since");
  });

  it.each([
    ["too few", { results: [{ index: 1, relevance_score: 0.5 }] }, [undefined, 0.5]],
    ["wrong indexes", { results: [{ index: 7, relevance_score: 0.5 }] }, "service_not_understood"],
    ["no numbers", { results: [{ index: 0, relevance_score: "NaN" }] }, "service_not_understood"],
    ["nothing", {}, "service_not_understood"],
  ])("may return %s", async (_, body, expected) => {
    const endpoint = await endpointWith("/v1/rerank", body);

    const got = await endpoint.rerank("ranks", "a", ["b", "c"]).catch((thrown) => thrown.code);

    expect(got).toEqual(expected);
  });

  it.each(["/v1/rerank", "/v2/rerank", "/rerank"])("is found at %s", async (path) => {
    const results = [0, 1].map((index) => ({ index, relevance_score: index }));
    const endpoint = await endpointWith(path, { results });

    expect(await endpoint.rerank("ranks", "a", ["b", "c"])).toEqual([0, 1]);
  });
});

it("a floor is the highest score of the unrelated questions, but for one of them", () => {
  expect(floorOf([0.1, 0.1, 0.2, 0.2, 0.3, 0.9])).toBe(0.3);
  expect(floorOf([0.1, 0.2])).toBeUndefined();
});

async function endpointWith(path: string, body: unknown) {
  const server = createServer((request, response) => {
    const isThere = request.url === path;
    response.writeHead(isThere ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(isThere ? body : { error: { message: "Not found" } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const endpoint = createModelEndpoint({ baseUrl: `http://127.0.0.1:${port}/v1`, clock: systemClock });
  onTestFinished(async () => {
    await endpoint.close();
    server.close();
  });
  return endpoint;
}
