/** The data of Agents and channels: who answers where. */
import type { AdminPage } from "./admin-page.ts";

export const agentsPage: AdminPage = {
  name: "agents",
  least: "manage",
  mount: (app, { overview }) => {
    app.get("/api/admin/agents", async (context) => context.json(await overview.agents.read()));
  },
};
