/** The Overview page's data. */
import type { OldPage } from "./admin-page.ts";

export const overviewPage: OldPage = {
  name: "overview",
  least: "manage",
  mount: (app, { overview }) => {
    /** `?days=7&zone=Europe/Berlin` */
    app.get("/api/admin/overview", async (context) => {
      const days = context.req.query("days") === "7" ? 7 : 30;
      return context.json(await overview.figures.of(days, context.req.query("zone") ?? "UTC"));
    });
    app.get("/api/admin/overview/status", async (context) => context.json(await overview.status.now()));
  },
};
