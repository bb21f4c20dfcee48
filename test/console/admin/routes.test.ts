/** Who sees which page of the admin part, and what its frame loads. */
import { fileURLToPath } from "node:url";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { createAdminRoutes } from "../../../adapters/console/admin/routes.ts";
import { createAssets } from "../../../adapters/console/drawing/assets.ts";
import { localVisitor, type Visitor } from "../../../adapters/console/people/visitor.ts";
import { type ErrorCode, ParleyError } from "../../../src/core/errors.ts";
import type { Log } from "../../../src/core/ports/log.ts";
import type { AdminPage, Asked } from "../../../src/core/ports/overview.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { createCollectedLog } from "../../doubles/collected-log.ts";
import { noOverview } from "../../doubles/nulls/no-overview.ts";
import { silentLog } from "../../doubles/silent-log.ts";

const noChannels = { isOpenTo: async () => false, listFor: async () => [] };
const noFiles = { take: async () => ({ attachments: [], files: [] }) };

async function* lines() {
  yield "a,b\r\n";
}

async function* half() {
  yield "a,b\r\n".repeat(10_000);
  throw new ParleyError("state_unavailable");
}

const pages: readonly AdminPage[] = [
  {
    name: "audit",
    least: "manage",
    get: {
      "": async () => [],
      "/broken": () => Promise.reject(new ParleyError("state_unavailable")),
      "/:code": ({ input }: Asked) => Promise.reject(new ParleyError((input as { readonly code: ErrorCode }).code)),
    },
    files: {
      ".csv": () => ({ name: "audit.csv", type: "text/csv", text: lines() }),
      "/half": () => ({ name: "half.csv", type: "text/csv", text: half() }),
    },
  },
  {
    name: "gaps",
    least: "ingest",
    count: async () => 5,
    get: { "": async () => [] },
  },
  {
    name: "act",
    least: "ingest",
    isHidden: true,
    get: { "": async () => [] },
  },
];

function routesFor(role: Visitor["role"], log: Log = silentLog): Hono {
  const app = new Hono();
  app.use("*", async (context, next) => {
    context.set("visitor", { ...localVisitor, name: "Ana", role });
    await next();
  });
  app.route(
    "/",
    createAdminRoutes({
      ...{ overview: { ...noOverview, pages }, channels: noChannels, attached: noFiles, port: () => undefined },
      ...{ clock: systemClock, log },
    }),
  );
  return app;
}

const statusOf = async (role: Visitor["role"], path: string) => (await routesFor(role).request(path)).status;

describe("the pages of the admin part", () => {
  it.each([
    ["manage", "/api/admin/audit", 200],
    ["manage", "/api/admin/audit.csv", 200],
    ["manage", "/api/admin/gaps", 200],
    ["ingest", "/api/admin/audit", 403],
    ["ingest", "/api/admin/audit.csv", 403],
    ["ingest", "/api/admin/audit/broken", 403],
    ["ingest", "/api/admin/gaps", 200],
    ["ingest", "/api/admin/act", 200],
    ["ask", "/api/admin/gaps", 403],
    ["ask", "/api/admin/act", 403],
    ["nobody", "/api/admin/audit", 403],
    ["manage", "/api/admin/nothing", 404],
    ["manage", "/api/admin/", 404],
    ["manage", "/api/admin/auditx", 404],
    ["manage", "/api/admin/AUDIT", 404],
  ] as const)("answer someone with the role %s at %s with %i", async (role, path, status) => {
    expect(await statusOf(role, path)).toBe(status);
  });

  it.each([
    [
      "manage",
      [
        { name: "audit", count: 0 },
        { name: "gaps", count: 5 },
      ],
    ],
    ["ingest", [{ name: "gaps", count: 5 }]],
    ["ask", []],
    ["nobody", []],
  ] as const)("are listed for someone with the role %s as far as they can see them", async (role, shown) => {
    const response = await routesFor(role).request("/api/admin/me");

    expect(await response.json()).toMatchObject({ name: "Ana", role, pages: shown });
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it("say in sentences whom to ask, and what failed", async () => {
    const refused = await routesFor("ask").request("/api/admin/audit");
    const failed = await routesFor("manage").request("/api/admin/audit/broken");

    expect(await refused.json()).toMatchObject({
      error: { code: "not_allowed", hint: "Ask the person who runs Parley to let you manage it." },
    });
    expect(failed.status).toBe(503);
    expect(await failed.json()).toMatchObject({ error: { code: "state_unavailable" } });
  });
});

describe("the latest errors of Parley", () => {
  it.each([
    ["not_allowed", 403, 0],
    ["place_gone", 404, 0],
    ["command_invalid", 400, 0],
    ["broken", 503, 1],
  ])("aren't pushed out by requests for what isn't there or isn't allowed: %s", async (code, status, count) => {
    const { log, lines } = createCollectedLog();

    const response = await routesFor("manage", log).request(`/api/admin/audit/${code}`);

    expect(response.status).toBe(status);
    expect(lines()).toHaveLength(count);
  });
});

describe("a file of the admin part", () => {
  it("is no whole file where its content can't be read to the end, and the log says so", async () => {
    const { log, lines: logged } = createCollectedLog();

    const response = await routesFor("manage", log).request("/api/admin/audit/half");

    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow("state_unavailable");
    expect(logged()).toHaveLength(1);
  });
});

describe("the frame of the admin part", () => {
  const root = fileURLToPath(new URL("../../..", import.meta.url));

  it.each(["/admin", "/admin/", "/admin/questions", "/admin/questions/7KQ2", "/admin/knowledge/jobs/7"])(
    "loads everything by a relative address at %s",
    async (path) => {
      const assets = await createAssets(root);
      const html = await (await assets.request(path)).text();
      const named = [...html.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, address = ""]) => address);

      expect(named.length).toBeGreaterThan(5);
      for (const address of named) {
        expect(address).toMatch(/^\.{1,2}\//);
        const { pathname } = new URL(address, `http://localhost/parley${path}`);
        expect(pathname).toMatch(/^\/parley\//);
        expect([pathname, (await assets.request(pathname.slice("/parley".length))).status]).toEqual([pathname, 200]);
      }
    },
  );

  it("isn't served at paths that no page has", async () => {
    const assets = await createAssets(root);

    expect((await assets.request("/admin/a/b/c/d/e/f")).status).toBe(404);
    expect((await assets.request("/administration")).status).toBe(404);
  });
});
