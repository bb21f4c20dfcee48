/** The data of Knowledge: bases, what is in them, and the jobs that fill them. */
import { z } from "zod";
import { ParleyError } from "../../../src/core/errors.ts";
import { adminSentences } from "../../../src/presentation/sentences.ts";
import { actorOf, visitorOf } from "../people/visitor.ts";
import type { OldPage } from "./admin-page.ts";

const text = z.string().max(200).optional();
const ofBase = z.object({
  project: z.string().min(1).max(200),
  name: z.string().min(1).max(200),
  cursor: text,
  search: text,
});
const ofJobs = z.object({ status: z.enum(["running", "failed", "done", "cancelled"]).optional(), cursor: text });

export const knowledgePage: OldPage = {
  name: "knowledge",
  least: "ingest",
  mount: (app, { overview }) => {
    app.get("/api/admin/knowledge", async (context) => context.json({ bases: await overview.knowledge.bases() }));
    app.get("/api/admin/knowledge/documents", async (context) => {
      const asked = ofBase.safeParse(context.req.query());
      if (!asked.success) throw new ParleyError("command_invalid");
      const { project, name, ...page } = asked.data;
      const found = await overview.knowledge.documents({ project, name }, page);
      if (found === undefined) throw new ParleyError("place_gone", adminSentences.noBase);
      return context.json(found);
    });
    app.get("/api/admin/knowledge/jobs", async (context) => {
      const asked = ofJobs.safeParse(context.req.query());
      if (!asked.success) throw new ParleyError("command_invalid");
      return context.json(await overview.knowledge.jobs(actorOf(visitorOf(context)), asked.data));
    });
  },
};
