/** Runs a SELECT: returns passages of a knowledge base or rows of an uploaded file. */
import { passageCells, passageColumns } from "../answering/observation.ts";
import type { FoundPassage } from "../answering/passage-search.ts";
import { readQuestion } from "../answering/question.ts";
import { type Column, SqlError, type Statement } from "./sql.ts";
import type { Store } from "./store.ts";

type Select = Extract<Statement, { kind: "select" }>;
type Cells = Readonly<Record<string, unknown>>;

export type Selected = { readonly columns: readonly string[]; readonly rows: readonly Cells[] };

/** Files are tables of a project of this name. */
const filesProject = "files";
const defaultPassages = 10;

/** Throws SqlError. */
export async function select(store: Store, project: string, statement: Select): Promise<Selected> {
  return statement.project === filesProject ? ofFile(store, statement) : ofPassages(store, project, statement);
}

function ofFile(store: Store, { table, content, ids, columns, limit }: Select): Selected {
  const file = store.files.get(table.toLowerCase());
  if (file === undefined) throw new SqlError(`Table '${table}' not found in database: ${filesProject}`);
  if (content !== undefined || ids !== undefined) {
    throw new SqlError("The SQL statement cannot be parsed: a file is only read as a whole.");
  }
  return named(file.rows.slice(0, limit), file.columns, columns);
}

async function ofPassages(
  store: Store,
  project: string,
  { columns, limit = defaultPassages, ...from }: Select,
): Promise<Selected> {
  const { table, content, ids } = from;
  const base = store.bases.get(table);
  if (base === undefined || (from.project ?? project) !== project) {
    throw new SqlError(`Table '${table}' not found in database: ${from.project ?? project}`);
  }
  const find = async (): Promise<readonly FoundPassage[]> => {
    if (content === undefined) return store.passages.list(base.id, limit, ids);
    const search = readQuestion([{ question: content, answer: "" }]);
    const found = await store.passages.search([base.id], search, limit);
    return ids === undefined ? found : found.filter((passage) => ids.includes(passage.rowId));
  };
  return named((await find()).map(passageCells), passageColumns, columns);
}

function named(rows: readonly Cells[], known: readonly string[], asked: readonly Column[]): Selected {
  const columns = asked.length === 0 ? known.map((name) => ({ name, as: name })) : asked;
  const unknown = columns.find(({ name }) => !known.includes(name));
  if (unknown !== undefined) throw new SqlError(`Column '${unknown.name}' not found in the table`);
  return {
    columns: columns.map(({ as }) => as),
    rows: rows.map((cells) => Object.fromEntries(columns.map(({ name, as }) => [as, cells[name]]))),
  };
}
