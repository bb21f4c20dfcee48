/**
 * Mounts the pages of the admin part under `/api/admin`, and decides here alone who may see which of them. Errors are
 * sentences, as everywhere.
 */
import { Hono } from "hono";
import { type ErrorCode, ParleyError, toParleyError } from "../../../src/core/errors.ts";
import { adminSentences, errorText } from "../../../src/presentation/sentences.ts";
import { type Visitor, visitorOf } from "../people/visitor.ts";
import { actPage } from "./act.ts";
import type { AdminPage, AdminParts } from "./admin-page.ts";
import { agentsPage } from "./agents.ts";
import { auditPage } from "./audit.ts";
import { gapsPage } from "./gaps.ts";
import { knowledgePage } from "./knowledge.ts";
import { overviewPage } from "./overview.ts";
import { peoplePage } from "./people.ts";
import { questionsPage } from "./questions.ts";
import { schedulesPage } from "./schedules.ts";
import { systemPage } from "./system.ts";
import { worksPage } from "./works.ts";

/** Who looks at the admin pages, and which of them they may see. */
export type AdminVisitor = Visitor & { readonly pages: readonly { readonly name: string; readonly count: number }[] };

/** In the order of the sidebar. */
const adminPages: readonly AdminPage[] = [
  overviewPage,
  questionsPage,
  gapsPage,
  knowledgePage,
  agentsPage,
  schedulesPage,
  auditPage,
  worksPage,
  systemPage,
  actPage,
  peoplePage,
];

function maySee({ least }: AdminPage, { role }: Visitor): boolean {
  return role === "manage" || (role === "ingest" && least === "ingest");
}

/** Names of the pages that they may see, in the order of the sidebar. */
export function adminPagesFor(visitor: Visitor): readonly string[] {
  return adminPages.filter((page) => page.isHidden !== true && maySee(page, visitor)).map(({ name }) => name);
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

/** `pages`: those of this Parley; a test passes its own. */
export function createAdminRoutes(parts: AdminParts, pages: readonly AdminPage[] = adminPages): Hono {
  const app = new Hono();

  app.use("/api/admin/*", async (context, next) => {
    const name = pageNameOf(context.req.path);
    if (name !== "me") {
      const page = pages.find((one) => one.name === name);
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
      const count = await page.count?.(parts, visitor).catch(() => undefined);
      return { name: page.name, count: count ?? 0 };
    });
    const { id, name, role, isVerified, how } = visitor;
    const shownPages = await Promise.all(entries);
    return context.json({ id, name, role, isVerified, how, pages: shownPages } satisfies AdminVisitor);
  });

  for (const page of pages) page.mount(app, parts);

  app.onError((thrown) => {
    const error = toParleyError(thrown);
    // What someone asked for wrongly is no error of Parley's, and would push the latest of those out of the list.
    if (!causedByRequests.has(error.code)) parts.log.error({ err: thrown }, "A page of the admin part can't be read");
    return refusal(error);
  });
  return app;
}
