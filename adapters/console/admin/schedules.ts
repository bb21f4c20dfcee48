/** The data of Schedules: what is asked at which times. */
import type { AdminPage } from "./admin-page.ts";

export const schedulesPage: AdminPage = {
  name: "schedules",
  least: "manage",
  mount: (app, { overview }) => {
    app.get("/api/admin/schedules", async (context) =>
      context.json(await overview.schedules.page(context.req.query("cursor"))),
    );
  },
};
