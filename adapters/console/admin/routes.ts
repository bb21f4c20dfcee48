/**
 * Mounts the pages of the admin part under `/api/admin`, and decides here alone who may see which of them. Errors are
 * sentences, as everywhere.
 */
import { type Context, Hono } from "hono";
import { type ErrorCode, ParleyError, toParleyError } from "../../../src/core/errors.ts";
import type { AdminPage } from "../../../src/core/ports/overview.ts";
import { adminSentences, errorText } from "../../../src/presentation/sentences.ts";
import { actorOf, type Visitor, visitorOf } from "../people/visitor.ts";
import { actPage } from "./act.ts";
import type { AdminParts, OldPage } from "./admin-page.ts";
import { agentsPage } from "./agents.ts";
import { fileResponse } from "./file-response.ts";
import { gapsPage } from "./gaps.ts";
import { knowledgePage } from "./knowledge.ts";
import { overviewPage } from "./overview.ts";
import { peoplePage } from "./people.ts";
import { questionsPage } from "./questions.ts";
import { systemPage } from "./system.ts";
import { worksPage } from "./works.ts";

/** Who looks at the admin pages, and which of them they may see. */
export type AdminVisitor = Visitor & { readonly pages: readonly { readonly name: string; readonly count: number }[] };

const oldPages: readonly OldPage[] = [
  overviewPage,
  questionsPage,
  gapsPage,
  knowledgePage,
  agentsPage,
  worksPage,
  systemPage,
  actPage,
  peoplePage,
];

const order = [
  ...["overview", "questions", "gaps", "knowledge", "agents", "schedules", "audit", "works", "system", "act", "people"],
];
const inOrder = <T extends { readonly name: string }>(pages: readonly T[]) =>
  pages.toSorted((one, other) => order.indexOf(one.name) - order.indexOf(other.name));

type Access = Pick<AdminPage, "name" | "least" | "isHidden">;

function maySee({ least }: Access, { role }: Visitor): boolean {
  return role === "manage" || (role === "ingest" && least === "ingest");
}

/** Names of the pages that they may see, in the order of the sidebar. */
export function adminPagesFor(pages: readonly Access[], visitor: Visitor): readonly string[] {
  return inOrder([...pages, ...oldPages])
    .filter((page) => page.isHidden !== true && maySee(page, visitor))
    .map(({ name }) => name);
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

function mount(app: Hono, { name, get = {}, post = {}, files = {} }: AdminPage): void {
  const asked = (context: Context, input: unknown) => ({ viewer: actorOf(visitorOf(context)), input });
  const queried = (context: Context) => asked(context, { ...context.req.query(), ...context.req.param() });
  for (const [path, read] of Object.entries(get)) {
    app.get(`/api/admin/${name}${path}`, async (context) => context.json(await read(queried(context))));
  }
  for (const [path, open] of Object.entries(files)) {
    app.get(`/api/admin/${name}${path}`, (context) => fileResponse(open(queried(context))));
  }
  for (const [path, change] of Object.entries(post)) {
    app.post(`/api/admin/${name}${path}`, async (context) => {
      // A form on another site can't send a JSON body.
      if (context.req.header("content-type")?.startsWith("application/json") !== true) {
        return context.text("Send application/json.\n", 415);
      }
      const body: unknown = await context.req.json().catch(() => undefined);
      return context.json(await change(asked(context, body)));
    });
  }
}

export function createAdminRoutes(parts: AdminParts, old: readonly OldPage[] = oldPages): Hono {
  const app = new Hono();
  const pages =
    old.length === 0
      ? parts.overview.pages
      : inOrder([...parts.overview.pages, ...old.map((page) => oldAs(page, parts))]);

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
      const count = await page.count?.(actorOf(visitor)).catch(() => undefined);
      return { name: page.name, count: count ?? 0 };
    });
    const { id, name, role, isVerified, how } = visitor;
    const shownPages = await Promise.all(entries);
    return context.json({ id, name, role, isVerified, how, pages: shownPages } satisfies AdminVisitor);
  });

  for (const page of parts.overview.pages) mount(app, page);
  for (const page of old) page.mount(app, parts);

  app.onError((thrown) => {
    const error = toParleyError(thrown);
    // What someone asked for wrongly is no error of Parley's, and would push the latest of those out of the list.
    if (!causedByRequests.has(error.code)) parts.log.error({ err: thrown }, "A page of the admin part can't be read");
    return refusal(error);
  });
  return app;
}

const oldAs = ({ count, mount: _, ...page }: OldPage, parts: AdminParts): AdminPage => ({
  ...page,
  count: count && ((viewer) => count(parts, viewer)),
});
