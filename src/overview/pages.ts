/** All pages at /admin, in the order of the sidebar. */
import type { AdminPage, Asked } from "../core/ports/overview.ts";
import type { OverviewApp } from "./app.ts";
import type { Page } from "./page.ts";
import { agentsPage } from "./pages/agents.ts";
import { auditPage } from "./pages/audit.ts";
import { gapsPage } from "./pages/gaps.ts";
import { installsPage } from "./pages/installs.ts";
import { knowledgePage } from "./pages/knowledge.ts";
import { overviewPage } from "./pages/overview.ts";
import { peoplePage } from "./pages/people.ts";
import { questionsPage } from "./pages/questions.ts";
import { schedulesPage } from "./pages/schedules.ts";
import { systemPage } from "./pages/system.ts";
import { worksPage } from "./pages/works.ts";

const pages: readonly Page[] = [
  overviewPage,
  questionsPage,
  gapsPage,
  knowledgePage,
  agentsPage,
  schedulesPage,
  auditPage,
  worksPage,
  systemPage,
  peoplePage,
  installsPage,
];

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
