/** The data of Gaps: questions that were not answered well, as far as the visitor may see them. */
import { z } from "zod";
import { ParleyError } from "../../../src/core/errors.ts";
import { adminSentences } from "../../../src/presentation/sentences.ts";
import { actorOf, visitorOf } from "../people/visitor.ts";
import type { OldPage } from "./admin-page.ts";

const text = z.string().min(1).max(200).optional();
const filter = z.object({
  state: z.enum(["open", "answered", "dismissed"]).default("open"),
  agent: text,
  workspace: text,
  signal: z.enum(["thumbs-down", "nothing", "unsure", "asked-again"]).optional(),
  cursor: text,
});

export const gapsPage: OldPage = {
  name: "gaps",
  least: "ingest",
  count: ({ overview }, viewer) => overview.gaps.count(viewer),
  mount: (app, { overview }) => {
    app.get("/api/admin/gaps", async (context) => {
      const asked = filter.safeParse(context.req.query());
      if (!asked.success) throw new ParleyError("command_invalid");
      return context.json(await overview.gaps.page(actorOf(visitorOf(context)), asked.data));
    });
    app.get("/api/admin/gaps/choices", async (context) => {
      const asked = filter.pick({ state: true }).safeParse(context.req.query());
      if (!asked.success) throw new ParleyError("command_invalid");
      return context.json(await overview.gaps.choices(actorOf(visitorOf(context)), asked.data.state));
    });
    app.get("/api/admin/gaps/one", async (context) => {
      const found = await overview.gaps.open(actorOf(visitorOf(context)), context.req.query("key") ?? "");
      if (found === undefined) throw new ParleyError("place_gone", adminSentences.noGap);
      return context.json(found);
    });
  },
};
