/** `/api/sql/query`: runs the statements of sql.ts. Errors have status 200, as in the API's other servers. */
import { Hono } from "hono";
import { z } from "zod";
import { select } from "../storage/selection.ts";
import { parseStatement, SqlError, type Statement } from "../storage/sql.ts";
import type { Store } from "../storage/store.ts";
import { Problem } from "./problem.ts";
import { readJson } from "./request-body.ts";

const sqlBody = z.object({ query: z.string() });

export function sqlRoutes(store: Store, project: string): Hono {
  const app = new Hono();
  const context = { show_secrets: false, db: project };

  async function run(statement: Statement): Promise<unknown> {
    if (statement.kind === "select") {
      const { columns, rows } = await select(store, project, statement);
      const data = rows.map((cells) => columns.map((column) => cells[column]));
      return { type: "table", column_names: columns, data, context };
    }
    const base = store.bases.get(statement.table);
    if (base === undefined || (statement.project ?? project) !== project) {
      throw new SqlError(`Table '${statement.table}' not found in database: ${statement.project ?? project}`);
    }
    store.passages.deleteRows(base.id, statement.ids);
    return { type: "ok", affected_rows: null, context };
  }

  app.post("/query", async (request) => {
    const body = sqlBody.safeParse(await readJson(request));
    if (!body.success) throw new Problem(500, "KeyError", "'query'");
    try {
      return request.json(await run(parseStatement(body.data.query)));
    } catch (thrown) {
      if (!(thrown instanceof SqlError)) throw thrown;
      return request.json({ type: "error", error_code: 0, error_message: thrown.message, context });
    }
  });
  return app;
}
