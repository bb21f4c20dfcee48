/** `/api/files`: uploads and deletes files, which can be added to knowledge bases. */
import { Hono } from "hono";
import type { Store } from "../storage/store.ts";
import { readUploadedFile } from "../storage/uploaded-file.ts";
import { Problem, problems } from "./problem.ts";

export function fileRoutes(store: Store): Hono {
  const app = new Hono();
  app.get("/", (context) => context.json(store.files.list()));
  app.put("/:name", async (context) => {
    const name = context.req.param("name").toLowerCase();
    const form = await context.req.parseBody().catch(() => {
      throw problems.badRequest();
    });
    const file = form["file"];
    if (!(file instanceof File)) throw new Problem(500, "KeyError", "'file'");
    const rows = readUploadedFile(name, file.name, await file.bytes());
    if (!store.files.create(rows)) {
      throw new Problem(400, "File already exists", `File with name '${name}' already exists`);
    }
    return context.json("");
  });
  app.delete("/:name", (context) => {
    store.files.remove(context.req.param("name").toLowerCase());
    return context.json("");
  });
  return app;
}
