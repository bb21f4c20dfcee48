/** All pages at /admin, in the order of the sidebar. */
import type { AdminPage, Asked } from "../core/ports/overview.ts";
import type { OverviewApp } from "./app.ts";
import type { Page } from "./page.ts";
import { auditPage } from "./pages/audit.ts";
import { schedulesPage } from "./pages/schedules.ts";

const pages: readonly Page[] = [schedulesPage, auditPage];

/** As they are mounted: each function has the app already. */
export function pagesOf(app: OverviewApp): readonly AdminPage[] {
  const all = <T>(by: Readonly<Record<string, (app: OverviewApp, asked: Asked) => T>> = {}) =>
    Object.fromEntries(Object.entries(by).map(([path, read]) => [path, (asked: Asked) => read(app, asked)]));
  return pages.map(({ count, get, post, files, ...page }) => ({
    ...page,
    count: count && ((viewer) => count(app, viewer)),
    get: all(get),
    post: all(post),
    files: all(files),
  }));
}
