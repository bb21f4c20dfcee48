/** The System page's data: what runs, budgets, settings in force without secrets, and the latest errors. */
import type { OldPage } from "./admin-page.ts";

export const systemPage: OldPage = {
  name: "system",
  least: "manage",
  mount: (app, { overview }) => {
    app.get("/api/admin/system", async (context) =>
      context.json({ ...(await overview.system.read()), status: await overview.status.now() }),
    );
  },
};
