/** `/api/projects/{project}/knowledge_bases`: knowledge bases, and inserts into them. */
import { type Context, Hono } from "hono";
import { insertContent, type ReadPages } from "../storage/insert.ts";
import { baseName, baseRecord, envelope } from "../storage/records.ts";
import type { Stored } from "../storage/resource-store.ts";
import type { Store } from "../storage/store.ts";
import { problems } from "./problem.ts";
import { readJson } from "./request-body.ts";

export function knowledgeBaseRoutes(store: Store, project: string, readPages: ReadPages | undefined): Hono {
  const app = new Hono();

  function baseOf(context: Context): Stored {
    const name = context.req.param("base") ?? "";
    const base = store.bases.get(name);
    if (base === undefined) throw problems.noBase(name);
    return base;
  }

  app.get("/", (context) => context.json(store.bases.list().map(baseRecord)));
  app.post("/", async (context) => {
    const name = baseName(envelope(await readJson(context), "knowledge_base", "POST"));
    // Models for embedding and reranking are accepted and ignored: this is a full-text search.
    const base = store.bases.create(name, {});
    if (base === undefined) throw problems.baseExists(name);
    return context.json(baseRecord(base), 201);
  });
  app.get("/:base", (context) => context.json(baseRecord(baseOf(context))));
  app.delete("/:base", (context) => {
    const base = baseOf(context);
    store.passages.deleteAll(base.id);
    store.bases.remove(base.id);
    return context.body(null, 204);
  });
  app.put("/:base", async (context) => {
    const what = envelope(await readJson(context), "knowledge_base", "PUT");
    await insertContent({ store, project, readPages }, baseOf(context), what);
    return context.json("");
  });
  return app;
}
