/** The Overview page's data. */
import type { AdminPage } from "./admin-page.ts";

export const overviewPage: AdminPage = {
  name: "overview",
  least: "manage",
  mount: (app, { overview }) => {
    app.get("/api/admin/overview/now", (context) => context.json(overview.now()));
  },
};
