/** The dates of an answer's sources: from the ledger if Parley read them, else the service's. */
import { describe, expect, it } from "vitest";
import type { AnswerStore } from "../../../src/core/content/answering.ts";
import type { Ledger, LedgerDocument } from "../../../src/core/content/ledger.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import type { AddedAnswer } from "../../../src/core/model/insight.ts";
import { createBasesOf } from "../../../src/knowledge/ledger/agent-bases.ts";
import { documentId } from "../../../src/knowledge/ledger/document-id.ts";
import { createSourceDates } from "../../../src/knowledge/ledger/source-dates.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { project } from "../../doubles/people.ts";

const url = "https://example.com/refunds";
const source = { title: "Refunds", url, updatedAtMs: 1 };
const sales = { project, name: "sales" };

function dates(get: Ledger["get"], knowledgeBases: readonly string[] = ["docs"], known: Partial<AnswerStore> = {}) {
  const clock = createFakeClock();
  const answers = { get: async () => undefined, named: async () => undefined, ...known };
  const names = { agent: () => ({ knowledgeBases }), knowledgeBases: () => [{ name: "docs" }, { name: "more" }] };
  const getAgent = async () => {
    throw new ParleyError("service_unreachable");
  };
  const basesOf = createBasesOf({ service: { getAgent }, namesOf: () => names, projects: [project] });
  return { clock, dateSources: createSourceDates({ ledger: { get }, answers, basesOf, clock }) };
}

/** In the base `more`, read at 5; in `docs`, read at 3. */
const get: Ledger["get"] = async ({ name }, id) =>
  id === documentId({ kind: "url", url }) ? ({ readAtMs: name === "more" ? 5 : 3 } as LedgerDocument) : undefined;

it("are when Parley last read the page into one of the agent's knowledge bases", async () => {
  expect(await dates(get).dateSources(sales, [source])).toEqual([{ ...source, updatedAtMs: 3 }]);
  expect(await dates(get, ["*"]).dateSources(sales, [source])).toEqual([{ ...source, updatedAtMs: 5 }]);
});

it("come with the whole URL and the title of a page of which the service's crawler kept neither", async () => {
  const crawled = { url: `${url}/`, title: "Refunds", way: "service", readAtMs: 7 } as LedgerDocument;
  const known =
    (document: LedgerDocument): Ledger["get"] =>
    async ({ name }, id) =>
      name === "docs" && id === documentId({ kind: "url", url: `${url}/` }) ? document : undefined;
  const bare = { title: url, url };

  expect(await dates(known(crawled)).dateSources(sales, [bare, { ...bare, title: "Own" }])).toEqual([
    { title: "Refunds", url: `${url}/`, updatedAtMs: 7 },
    { title: "Own", url: `${url}/`, updatedAtMs: 7 },
  ]);
  // Parley stores the whole URL with its own rows, so another one is of another page.
  expect(await dates(known({ ...crawled, way: "parley" })).dateSources(sales, [bare])).toEqual([bare]);
});

it("stay the service's for a page that Parley did not read, or that has no URL", async () => {
  const others = [{ ...source, url: "https://example.com/other" }, { title: "A note" }];

  expect(await dates(get).dateSources(sales, others)).toEqual(others);
});

it("stay the service's when the storage fails, or the agent is unknown and the service is away", async () => {
  const failing = async () => {
    throw new ParleyError("state_unavailable");
  };

  expect(await dates(failing).dateSources(sales, [source])).toEqual([source]);
  expect(await dates(get).dateSources({ project: "shop", name: "x" }, [source])).toEqual([source]);
});

it("never hold an answer up", async () => {
  const { clock, dateSources } = dates(() => new Promise(() => {}));
  const dated = dateSources(sales, [source]);
  await clock.advance(500);

  expect(await dated).toEqual([source]);
});

describe("the author of a source", () => {
  const ana = {
    id: "gap-1",
    by: { key: "k", name: "Ana" },
    atMs: 9,
    row: { title: "Moving a booking" },
  } as AddedAnswer;
  const addedBy = { name: "Ana", atMs: 9 };
  const byId: AnswerStore["get"] = async (base, id) => (base.name === "docs" && id === "gap-1" ? ana : undefined);
  const none: Ledger["get"] = async () => undefined;

  it("is found by the row's id, also if the service keeps no title", async () => {
    const found = dates(none, ["more", "docs"], { get: byId });

    expect(await found.dateSources(sales, [{ title: "Own title", rowId: "answer-gap-1" }])).toEqual([
      { title: "Own title", rowId: "answer-gap-1", updatedAtMs: 9, addedBy },
    ]);
    expect(await found.dateSources(sales, [{ title: "answer-gap-1", rowId: "answer-gap-1" }])).toMatchObject([
      { title: "Moving a booking", addedBy },
    ]);
    expect(await found.dateSources(sales, [{ title: "x", rowId: "answer-gone" }])).toEqual([
      { title: "x", rowId: "answer-gone" },
    ]);
  });

  it("is found by title and URL where the service tells no row, but never for a page that the ledger knows", async () => {
    const named: AnswerStore["named"] = async (_base, { title }) => (title === "Moving a booking" ? ana : undefined);
    const titled = { title: "Moving a booking", url };

    expect(await dates(none, ["docs"], { named }).dateSources(sales, [titled, { title: "Other" }])).toEqual([
      { ...titled, updatedAtMs: 9, addedBy },
      { title: "Other" },
    ]);
    // Of an agent that reads the content alone.
    const bare = { title: "", excerpt: "Moving a booking\n\nYes, once." };
    expect(await dates(none, ["docs"], { named }).dateSources(sales, [bare, { title: "", excerpt: "Else" }])).toEqual([
      { title: "Moving a booking", excerpt: bare.excerpt, updatedAtMs: 9, addedBy },
      { title: "", excerpt: "Else" },
    ]);
    expect(await dates(get, ["docs"], { named }).dateSources(sales, [titled])).toEqual([{ ...titled, updatedAtMs: 3 }]);
  });
});
