/** The `urls` of an insert, as whoever started the service reads them. */
import { expect, it } from "vitest";
import type { ReadPages } from "../../../src/agent-service/built-in/storage/insert.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { project } from "../../doubles/people.ts";
import { running } from "./running.ts";

type Request = Parameters<ReadPages>[0];

async function withPages(pages: ReadPages) {
  const { client } = await running({ readPages: pages });
  await client.createKnowledgeBase(project, { name: "site" });
  return client;
}

const urls = ["https://example.com/"];

/** A page reader that finds nothing and notes what it was asked for. */
async function withRequests() {
  const requests: Request[] = [];
  const client = await withPages(async function* (request) {
    requests.push(request);
    yield* [];
  });
  return { client, requests };
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

it("reads limit and depth as other agent services do", async () => {
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

it("reads within the allowed domains, where the start page must be too", async () => {
  const { client, requests } = await withRequests();
  const insert = (allowedDomains: readonly string[]) =>
    client.insert(project, "site", { urls, limit: 7, allowedDomains });

  await insert(["example.com", " DOCS.example.org "]);
  await expect(insert(["example.org"])).rejects.toMatchObject({ code: "insert_failed", reason: "no-page-matched" });

  expect(requests.map(({ domains }) => domains)).toEqual([["example.com", "docs.example.org"]]);
});

it("ends when it is stopped, takes too long or the service closes", async () => {
  const clock = createFakeClock();
  const begun: AbortSignal[] = [];
  const { client, close } = await running({
    ...{ clock, insertMs: 5_000 },
    readPages: async function* ({ signal }) {
      begun.push(signal);
      await new Promise(() => {});
      yield* [];
    },
  });
  await client.createKnowledgeBase(project, { name: "site" });
  const stop = new AbortController();

  const stopped = expect(client.insert(project, "site", { urls }, stop.signal)).rejects.toThrow("stopped");
  stop.abort();
  await stopped;
  const late = expect(client.insert(project, "site", { urls })).rejects.toThrow("service_busy");
  await clock.advance(5_000);
  await late;
  const closed = expect(client.insert(project, "site", { urls })).rejects.toThrow("service_unreachable");
  await close();
  await closed;

  expect(begun.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  expect(clock.pending()).toBe(0);
});

it("says what is wrong with a URL, and keeps what came before it", async () => {
  const client = await withPages(async function* () {
    yield page("refunds", "Refunds take five days.");
    throw new ParleyError("insert_failed", { reason: "url-failed" });
  });

  await expect(client.insert(project, "site", { urls: ["https://example.com/"] })).rejects.toMatchObject({
    code: "insert_failed",
    reason: "url-failed",
  });
  expect(await client.search(project, "site", "refunds", 5)).toHaveLength(1);
});
