/** The Audit page's data over HTTP: filters, sentences, and CSV that no spreadsheet runs. */
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createAdminRoutes } from "../../../adapters/console/admin/routes.ts";
import { localVisitor } from "../../../adapters/console/people/visitor.ts";
import type { AuditEntry } from "../../../src/core/audit.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Collection } from "../../../src/core/ports/collection.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { pagesOf } from "../../../src/overview/pages.ts";
import { appOf } from "../../doubles/app.ts";
import { noOverview } from "../../doubles/nulls/no-overview.ts";
import { nowhere, overviewAppOf } from "../../doubles/overview-app.ts";
import { silentLog } from "../../doubles/silent-log.ts";

const entry: AuditEntry = {
  version: 1,
  atMs: 1_800_000_000_000,
  actor: { id: "U1", name: '=HYPERLINK("x")\u202E' },
  place: { platform: "slack", workspace: "T1", channel: "C1" },
  role: "ingest",
  action: "kb ingest",
  about: { base: "handbook", addresses: "a,b" },
  outcome: "failed",
  code: "page_unreachable",
};

type Entries = Collection<AuditEntry, string>;

const pageOf = (...entries: readonly AuditEntry[]) => ({
  entries: entries.map((record) => ({ id: "k", record, version: 1 })),
  next: "1.k",
});

function routes(changes: Partial<Entries> = {}) {
  const asked: unknown[] = [];
  const entries: Partial<Entries> = {
    query: async (...about) => {
      asked.push(about);
      return pageOf(entry);
    },
    ...changes,
  };
  const app = appOf({ collection: () => entries as never });
  const places = {
    ...nowhere,
    kindOf: ({ channel }: { readonly channel: string }) => (channel.startsWith("D") ? "direct" : "shared") as "shared",
    nameOf: async () => ({ name: "front-desk" }),
  };
  const served = new Hono();
  served.use("*", async (context, next) => {
    context.set("visitor", localVisitor);
    await next();
  });
  served.route(
    "/",
    createAdminRoutes({
      overview: { ...noOverview, pages: pagesOf(overviewAppOf(app, { places })) },
      channels: { isOpenTo: async () => false, listFor: async () => [] },
      attached: { take: async () => ({ attachments: [], files: [] }) },
      port: () => undefined,
      clock: systemClock,
      log: silentLog,
    }),
  );
  return { asked, get: (path: string) => served.request(path) };
}

describe("the audit log over HTTP", () => {
  it("calls a direct message that, and not by its id", async () => {
    const direct = { ...entry, place: { ...entry.place, channel: "D0123" } };
    const { get } = routes({ query: async () => pageOf(direct, entry) });

    const { rows } = z
      .object({ rows: z.array(z.object({ place: z.record(z.string(), z.unknown()) })) })
      .parse(await (await get("/api/admin/audit")).json());

    expect(rows.map(({ place }) => place)).toEqual([
      { platform: "slack", workspace: "T1", isDirect: true },
      { platform: "slack", workspace: "T1", channel: "C1", name: "front-desk" },
    ]);
  });

  it("is filtered by the query, and comes without hidden characters", async () => {
    const { asked, get } = routes();
    const response = await get(
      "/api/admin/audit?from=1&until=9&person=slack%2FT1%2FU1&action=kb+ingest&outcome=failed&platform=slack&cursor=1.k",
    );

    expect(asked).toEqual([
      [
        {
          ...{ order: "atMs", from: 1, until: 9 },
          where: { person: "slack/T1/U1", action: "kb ingest", outcome: "failed", platform: "slack" },
        },
        50,
        "1.k",
      ],
    ]);
    expect(await response.json()).toEqual({
      rows: [
        {
          atMs: entry.atMs,
          place: { ...entry.place, name: "front-desk" },
          role: "ingest",
          outcome: "failed",
          action: "kb ingest",
          about: [
            ["base", "handbook"],
            ["addresses", "a,b"],
          ],
          actor: { key: "slack/T1/U1", name: '=HYPERLINK("x")' },
          workspace: "slack/T1",
          code: "page_unreachable",
        },
      ],
      next: "1.k",
    });
  });

  it.each(["from=x", "until=-1", "outcome=undone", `action=${"a".repeat(501)}`, "from=1.5"])(
    "refuses the filter %s with a sentence",
    async (query) => {
      const response = await routes().get(`/api/admin/audit?${query}`);

      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { hint: "Reload the page and choose the filters again." } });
    },
  );

  it("says so when the storage is down", async () => {
    const { get } = routes({ query: () => Promise.reject(new ParleyError("state_unavailable")) });

    expect((await get("/api/admin/audit")).status).toBe(503);
  });

  it("is a CSV file that no spreadsheet runs, read only as fast as it is taken", async () => {
    let read = 0;
    const { get } = routes({
      all: async function* () {
        for (; read < 20_000; read += 1) yield { id: "k", record: entry, version: 1 };
      },
    });
    const response = await get("/api/admin/audit.csv?outcome=failed");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="parley-audit.csv"');
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    const [head, first] = new TextDecoder().decode(value).split("\r\n");

    expect(head).toContain("time,person,person id,platform");
    expect(first).toBe(
      `2027-01-15T08:00:00.000Z,"'=HYPERLINK(""x"")",U1,slack,T1,C1,,ingest,kb ingest,"base: handbook; addresses: a,b",failed,page_unreachable,1,`,
    );
    expect(read).toBeLessThan(2_000);
    await reader?.cancel();
    const before = read;
    await new Promise(setImmediate);
    expect(read).toBe(before);
  });
});
