/**
 * Mounts the pages of the admin part under `/api/admin`, and decides here alone who may see which of them. Errors are
 * sentences, as everywhere.
 */
import { type Context, Hono } from "hono";
import { type ErrorCode, ParleyError, toParleyError } from "../../../src/core/errors.ts";
import type { AdminPage } from "../../../src/core/ports/overview.ts";
import { adminSentences, errorText } from "../../../src/presentation/sentences.ts";
import { actorOf, type Visitor, visitorOf } from "../people/visitor.ts";
import { type ActParts, mountAct } from "./act.ts";
import { fileResponse } from "./file-response.ts";

/** Who looks at the admin pages, and which of them they may see. */
export type AdminVisitor = Visitor & { readonly pages: readonly { readonly name: string; readonly count: number }[] };

type Access = Pick<AdminPage, "name" | "least" | "isOfAll" | "isHidden">;

/** What people change on the pages is carried out by the page's own server. */
const actAccess: Access = { name: "act", least: "ingest", isHidden: true };

function maySee({ least, isOfAll }: Access, { role, managesIn = [] }: Visitor): boolean {
  if (role === "manage" || (role === "ingest" && least === "ingest")) return true;
  return managesIn.length > 0 && isOfAll !== true;
}

/** Names of the pages that they may see, in the order of the sidebar. */
export function adminPagesFor(pages: readonly Access[], visitor: Visitor): readonly string[] {
  return pages.filter((page) => page.isHidden !== true && maySee(page, visitor)).map(({ name }) => name);
}

const statusOf = (code: ErrorCode) =>
  (({ not_allowed: 403, place_gone: 404, command_invalid: 400, file_refused: 422, state_unavailable: 503 }) as const)[
    code as "not_allowed"
  ] ?? 500;

const causedByRequests: ReadonlySet<ErrorCode> = new Set([
  "not_allowed",
  "place_gone",
  "command_invalid",
  "file_refused",
]);

function refusal(error: ParleyError): Response {
  const { code } = error;
  return Response.json({ error: { code, ...errorText(error) } }, { status: statusOf(code) });
}

/** "audit" of "/api/admin/audit", "/api/admin/audit/7" and "/api/admin/audit.csv". */
const pageNameOf = (path: string) => /^\/api\/admin\/([a-z]+)(?=[/.]|$)/.exec(path)?.[1];

export function createAdminRoutes(parts: ActParts): Hono {
  const app = new Hono();
  const { pages } = parts.overview;

  app.use("/api/admin/*", async (context, next) => {
    const name = pageNameOf(context.req.path);
    if (name !== "me") {
      const page = [...pages, actAccess].find((one) => one.name === name);
      if (page === undefined) return refusal(new ParleyError("place_gone", adminSentences.noPage));
      if (!maySee(page, visitorOf(context))) return refusal(new ParleyError("not_allowed", adminSentences.noRight));
    }
    await next();
    context.header("cache-control", "no-store");
  });

  /** Who the visitor is, and which pages they may see. */
  app.get("/api/admin/me", async (context) => {
    const visitor = visitorOf(context);
    const shown = pages.filter((page) => page.isHidden !== true && maySee(page, visitor));
    const entries = shown.map(async (page) => {
      // A number that can't be read leaves the entry without one.
      const count = await page.count?.(actorOf(visitor)).catch(() => undefined);
      return { name: page.name, count: count ?? 0 };
    });
    const { id, name, role, isVerified, how } = visitor;
    const shownPages = await Promise.all(entries);
    return context.json({ id, name, role, isVerified, how, pages: shownPages } satisfies AdminVisitor);
  });

  for (const page of pages) mount(app, page, parts);
  mountAct(app, parts);

  app.onError((thrown) => {
    const error = toParleyError(thrown);
    // What someone asked for wrongly is no error of Parley's, and would push the latest of those out of the list.
    if (!causedByRequests.has(error.code)) parts.log.error({ err: thrown }, "A page of the admin part can't be read");
    return refusal(error);
  });
  return app;
}

/** A page's routes, in its own order. */
function mount(app: Hono, { name, get = {}, post = {}, files = {} }: AdminPage, { log }: ActParts): void {
  const at = `/api/admin/${name}`;
  const viewerOf = (context: Context) => actorOf(visitorOf(context));
  const asked = (context: Context) => {
    return { viewer: viewerOf(context), input: { ...context.req.query(), ...context.req.param() } };
  };
  // First, because "/:question" would take their paths.
  for (const [path, open] of Object.entries(files)) {
    app.get(`${at}${path}`, (context) => fileResponse(open(asked(context)), log));
  }
  for (const [path, read] of Object.entries(get)) {
    app.get(`${at}${path}`, async (context) => context.json(await read(asked(context))));
  }
  for (const [path, change] of Object.entries(post)) {
    app.post(`${at}${path}`, async (context) => {
      // A form on another site can't send a JSON body.
      if (context.req.header("content-type")?.startsWith("application/json") !== true) {
        return context.text("Send application/json.\n", 415);
      }
      const input: unknown = await context.req.json().catch(() => undefined);
      return context.json(await change({ viewer: viewerOf(context), input }));
    });
  }
}
