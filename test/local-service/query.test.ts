/** The rows of a SELECT as content, and files as tables. */
import { beforeEach, describe, expect, it } from "vitest";
import { project } from "../doubles/people.ts";
import { type Running, running } from "./running.ts";

let service: Running;

beforeEach(async () => {
  service = await running();
  await service.client.createKnowledgeBase(project, { name: "birds" });
  await service.client.createKnowledgeBase(project, { name: "owls" });
  const csv = ["number,answer,heading,legs", ...birds.map((row) => row.join(","))].join("\n");
  await service.client.uploadFile("faq", { fileName: "faq.csv", mediaType: "text/csv", content: bytes(csv) });
});

const birds = Array.from({ length: 30 }, (_, index) => [
  `n${index}`,
  `Bird ${index} flies at dusk.`,
  `Bird ${index}`,
  "2",
]);

async function* bytes(text: string) {
  yield new TextEncoder().encode(text);
}

const insert = (query: string, base = "birds") => service.client.insert(project, base, { query });

describe("a query's rows", () => {
  it("go in from a file, under the names that the query gives them, and replace what their ids held", async () => {
    await insert("SELECT number AS id, answer AS content, heading AS title, legs FROM files.faq");
    await insert("SELECT number AS id, answer AS content, heading AS title, legs FROM files.faq");

    const found = await service.client.search(project, "birds", "dusk", 100);
    expect(found).toHaveLength(30);
    expect(found[0]?.source.title).toMatch(/^Bird \d+$/);
  });

  it("go in from another knowledge base, as far as the query says", async () => {
    await insert("SELECT answer AS content FROM files.faq");
    await insert("SELECT id, chunk_content AS content FROM mindsdb.birds WHERE content = 'dusk' LIMIT 3;", "owls");

    expect(await service.client.search(project, "owls", "dusk", 100)).toHaveLength(3);
  });

  it.each([
    ["SELECT heading FROM files.faq", "row-empty"],
    ["SELECT nothing AS content FROM files.faq", "query-names-missing"],
    ["SELECT answer AS content FROM files.nowhere", "query-names-missing"],
    ["SELECT chunk_content AS content FROM nowhere", "query-names-missing"],
    ["SELECT answer AS content FROM files.faq WHERE content = 'x'", "query-invalid"],
    ["DELETE FROM birds WHERE id = '1'", "query-invalid"],
    ["SELECT count(*) FROM files.faq", "query-invalid"],
  ])("do not go in from %s: %s", async (query, reason) => {
    await expect(insert(query)).rejects.toMatchObject({ code: "insert_failed", reason });
    expect(await service.client.search(project, "birds", "dusk", 100)).toEqual([]);
  });
});
