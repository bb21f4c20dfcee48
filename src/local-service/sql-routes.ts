/** `/api/sql/query`: what sql.ts reads. Errors come with status 200, as everywhere in this API. */
import { Hono } from "hono";
import { z } from "zod";
import { passageCells, passageColumns } from "./observation.ts";
import type { FoundPassage } from "./passage-search.ts";
import { Problem } from "./problem.ts";
import { readQuestion } from "./question.ts";
import { readJson } from "./request-body.ts";
import { parseStatement, SqlError, type Statement } from "./sql.ts";
import type { Store } from "./store.ts";

const sqlBody = z.object({ query: z.string() });

export function sqlRoutes(store: Store, project: string): Hono {
  const app = new Hono();
  const context = { show_secrets: false, db: project };

  function run(statement: Statement): unknown {
    const base = store.bases.get(statement.table);
    const isHere = statement.project === undefined || statement.project === project;
    if (base === undefined || !isHere) {
      throw new SqlError(`Table '${statement.table}' not found in database: ${statement.project ?? project}`);
    }
    if (statement.kind === "delete") {
      store.passages.deleteRows(base.id, statement.ids);
      return { type: "ok", affected_rows: null, context };
    }
    return table(find(base.id, statement), statement.columns);
  }

  function find(
    baseId: number,
    { content, ids, limit }: Extract<Statement, { kind: "select" }>,
  ): readonly FoundPassage[] {
    if (content === undefined) return store.passages.list(baseId, limit, ids);
    const search = readQuestion([{ question: content, answer: "" }]);
    const found = store.passages.search([baseId], search, limit);
    return ids === undefined ? found : found.filter((passage) => ids.includes(passage.rowId));
  }

  function table(passages: readonly FoundPassage[], asked: readonly string[]): unknown {
    const columns = asked.length === 0 ? passageColumns : asked;
    const unknown = columns.find((column) => !passageColumns.some((known) => known === column));
    if (unknown !== undefined) throw new SqlError(`Column '${unknown}' not found`);
    const data = passages.map((passage) => {
      const cells: Readonly<Record<string, unknown>> = passageCells(passage);
      return columns.map((column) => cells[column]);
    });
    return { type: "table", column_names: columns, data, context };
  }

  app.post("/query", async (request) => {
    const body = sqlBody.safeParse(await readJson(request));
    if (!body.success) throw new Problem(500, "KeyError", "'query'");
    try {
      return request.json(run(parseStatement(body.data.query)));
    } catch (thrown) {
      if (!(thrown instanceof SqlError)) throw thrown;
      return request.json({ type: "error", error_code: 0, error_message: thrown.message, context });
    }
  });
  return app;
}
