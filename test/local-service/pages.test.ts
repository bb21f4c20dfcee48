/** The `urls` of an insert, as whoever started the service reads them. */
import { expect, it } from "vitest";
import type { ReadPages } from "../../src/local-service/storage/insert.ts";
import { project } from "../doubles/people.ts";
import { running } from "./running.ts";

type Request = Parameters<ReadPages>[0];

async function withPages(pages: ReadPages) {
  const { client } = await running({ readPages: pages });
  await client.createKnowledgeBase(project, { name: "site" });
  return client;
}

const page = (name: string, content: string) => ({
  id: `page-${name}`,
  url: `https://example.com/${name}`,
  title: name,
  content,
});

it("inserts each page with its title and URL", async () => {
  const client = await withPages(async function* () {
    yield page("refunds", "Refunds take five days.");
    yield page("shipping", "Parcels leave at noon.");
  });

  await client.insert(project, "site", { urls: ["https://example.com/"], limit: 5, crawlDepth: 1 });

  expect((await client.search(project, "site", "parcels noon", 5))[0]?.source).toMatchObject({
    title: "shipping",
    url: "https://example.com/shipping",
  });
});

it("replaces a page's older version", async () => {
  let days = "five";
  const client = await withPages(async function* () {
    yield page("refunds", `Refunds take ${days} days.`);
  });
  await client.insert(project, "site", { urls: ["https://example.com/refunds"] });
  days = "nine";
  await client.insert(project, "site", { urls: ["https://example.com/refunds"] });

  expect((await client.search(project, "site", "refunds days", 5)).map(({ content }) => content)).toEqual([
    "Refunds take nine days.",
  ]);
});

it("reads limit, depth and filters as the API's other servers do", async () => {
  const requests: Request[] = [];
  const client = await withPages(async function* (request) {
    requests.push(request);
    yield* [];
  });
  const urls = ["https://example.com/"];
  await client.insert(project, "site", { urls });
  await client.insert(project, "site", { urls, limit: 7 });
  await client.insert(project, "site", { urls, limit: 7, crawlDepth: 2, filters: ["https://example\\.com/docs"] });

  expect(requests.map(({ limit, depth }) => [limit, depth])).toEqual([
    [1, 0],
    [7, 100],
    [7, 2],
  ]);
  const [filter] = requests[2]?.filters ?? [];
  expect(["https://example.com/docs/a", "x https://example.com/docs"].map((url) => filter?.test(url))).toEqual([
    true,
    false,
  ]);
});

it("says what is wrong with a URL, and keeps what came before it", async () => {
  const client = await withPages(async function* () {
    yield page("refunds", "Refunds take five days.");
    throw new Error("https://example.com/gone: page not found (404)");
  });

  await expect(client.insert(project, "site", { urls: ["https://example.com/"] })).rejects.toMatchObject({
    code: "insert_failed",
    cause: { message: expect.stringContaining("page not found") },
  });
  expect(await client.search(project, "site", "refunds", 5)).toHaveLength(1);
});
