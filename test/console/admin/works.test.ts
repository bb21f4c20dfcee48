/** Background work over HTTP: for people who manage, and what has failed is retried. */
import { Hono } from "hono";
import { expect, it } from "vitest";
import { z } from "zod";
import { createAdminRoutes } from "../../../adapters/console/admin/routes.ts";
import { localVisitor, type Visitor } from "../../../adapters/console/people/visitor.ts";
import type { Audit } from "../../../src/core/audit.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { pagesOf } from "../../../src/overview/pages.ts";
import { appOf } from "../../doubles/app.ts";
import { noOverview } from "../../doubles/nulls/no-overview.ts";
import { overviewAppOf } from "../../doubles/overview-app.ts";
import { silentLog } from "../../doubles/silent-log.ts";

const named = z.array(z.object({ name: z.string(), count: z.number() }));
const answer = z.object({ pages: named, kinds: z.unknown(), works: z.unknown() }).partial();

function routes(role: Visitor["role"]) {
  const retried: unknown[] = [];
  const app = new Hono();
  app.use("*", async (context, next) => {
    context.set("visitor", { ...localVisitor, name: "Ana", role });
    await next();
  });
  const works = {
    counts: async () => [{ kind: "letters", waiting: 1, active: 0, delayed: 0, failed: 2 }],
    list: async (kind: string, state: string) => [{ key: `${state} ${kind}`, dueAtMs: 1, attempts: 3 }],
    retry: async (kind: string, key: string) => {
      retried.push([kind, key]);
      return key === "a";
    },
  };
  const audit: Audit = { record: async ({ actor }, { action }) => void retried.push([actor.name, action]) };
  const pages = pagesOf(overviewAppOf(appOf({ works, audit })));
  const parts = { overview: { ...noOverview, pages }, port: () => undefined, clock: systemClock, log: silentLog };
  const channels = { isOpenTo: async () => false, listFor: async () => [] };
  const attached = { take: async () => ({ attachments: [], files: [] }) };
  app.route("/", createAdminRoutes({ ...parts, channels, attached }));
  const get = async (path: string) => {
    const response = await app.request(`/api/admin/${path}`);
    return { status: response.status, body: answer.parse(await response.json()) };
  };
  const post = (body: string, type = "application/json") =>
    app.request("/api/admin/works/retry", { method: "POST", headers: { "content-type": type }, body });
  return { retried, get, post };
}

it("is read by kind and state, and the sidebar counts what has failed", async () => {
  const { get } = routes("manage");

  expect((await get("works")).body.kinds).toMatchObject([{ kind: "letters", failed: 2 }]);
  expect((await get("works/list?state=failed&kind=letters")).body.works).toMatchObject([{ key: "failed letters" }]);
  expect((await get("works/list?state=lost")).status).toBe(400);
  expect((await get("me")).body.pages).toContainEqual({ name: "works", count: 2 });
});

it("is retried by its key, and no longer when it isn't among those that failed", async () => {
  const { retried, post } = routes("manage");

  expect((await post('{"kind":"letters","key":"a"}')).status).toBe(200);
  expect((await post('{"kind":"letters","key":"b"}')).status).toBe(404);
  expect((await post('{"kind":"letters"}')).status).toBe(404);
  expect((await post("{")).status).toBe(404);
  expect((await post('{"kind":"letters","key":"a"}', "text/plain")).status).toBe(415);
  expect(retried).toEqual([
    ["letters", "a"],
    ["Ana", "work retry"],
    ["letters", "b"],
  ]);
});

it.each(["ingest", "ask"] as const)("is not shown to people who may only %s", async (role) => {
  const { retried, get, post } = routes(role);

  for (const path of ["works", "works/list?state=failed"]) expect((await get(path)).status).toBe(403);
  expect((await post('{"kind":"letters","key":"a"}')).status).toBe(403);
  expect((await get("me")).body.pages?.map(({ name }) => name)).not.toContain("works");
  expect(retried).toEqual([]);
});
