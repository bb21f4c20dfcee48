/** The data of Agents and channels: who answers where. */
import type { OldPage } from "./admin-page.ts";

export const agentsPage: OldPage = {
  name: "agents",
  least: "manage",
  mount: (app, { overview }) => {
    app.get("/api/admin/agents", async (context) => context.json(await overview.agents.read()));
  },
};
