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

const urls = ["https://example.com/"];

/** A page reader that finds nothing and notes what it was asked for. `put` resolves with the status. */
async function withRequests() {
  const requests: Request[] = [];
  const { client, url } = await running({
    readPages: async function* (request) {
      requests.push(request);
      yield* [];
    },
  });
  await client.createKnowledgeBase(project, { name: "site" });
  const put = async (body: object) => {
    const response = await fetch(`${url}/api/projects/${project}/knowledge_bases/site`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ knowledge_base: body }),
    });
    return response.status;
  };
  return { client, requests, put };
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

it("reads limit and depth as the API's other servers do", async () => {
  const { client, requests } = await withRequests();
  await client.insert(project, "site", { urls });
  await client.insert(project, "site", { urls, limit: 7 });
  await client.insert(project, "site", { urls, limit: 7, crawlDepth: 2 });

  expect(requests.map(({ limit, depth }) => [limit, depth])).toEqual([
    [1, 0],
    [7, 100],
    [7, 2],
  ]);
});

it("takes filters as the API document has them, in one request", async () => {
  const { client, requests } = await withRequests();
  await client.insert(project, "site", { urls, limit: 7, allowedDomains: ["example.com", "docs.example.org"] });

  expect(requests.map(({ filters, domains }) => [filters, domains])).toEqual([
    [[], ["example.com", "docs.example.org"]],
  ]);
});

it("refuses a start page outside the allowed domains, and filters in no known form", async () => {
  const { put, requests } = await withRequests();

  expect(await put({ urls, filters: { allowed_domains: ["example.org"] } })).toBe(400);
  expect(await put({ urls, filters: { allowed_domains: "example.com" } })).toBe(400);
  expect(await put({ urls, filters: "example.com" })).toBe(400);
  expect(await put({ urls, filters: {} })).toBe(200);
  expect(requests).toHaveLength(1);
});

it("takes filters as regular expressions too, as the API's other servers do", async () => {
  const { put, requests } = await withRequests();

  expect(await put({ urls, limit: 7, filters: ["https://example\\.com/docs"] })).toBe(200);
  const [filter] = requests[0]?.filters ?? [];
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
