/**
 * Checks that the knowledge bases and tables in an agent form exist. It runs before the agent is created, because the
 * service's own error for a wrong name talks about the model and contains the key.
 */
import type { FieldErrors } from "../../core/document.ts";
import { ParleyError } from "../../core/errors.ts";
import { splitName } from "../../core/tools/split-name.ts";
import { withTimeout } from "../../core/tools/timeout.ts";

import type { CommandApp } from "../app.ts";
import { nearest } from "../names/nearest.ts";
import { isSafeName } from "../names/safe-name.ts";
import { missing, nameSentences } from "../words.ts";
import type { AgentFields } from "./form-drafts.ts";

/** What is wrong with a name in a form. */
const says = {
  noKnowledgeBase: (name: string, near?: string): string => missing("knowledge base", name, near),
  makeFirst: (command: string): string => `Create it first with ${command}.`,
  noSource: (name: string, near?: string): string => missing("data source", name, near),
  noFile: (name: string, near?: string): string => missing("uploaded file", name, near),
  notATable: (name: string): string =>
    `“${name}” isn't a table. Write source.table, or source.* for every table in a source.`,
} as const;

/**
 * The errors by field. Undefined when there are none, or when the service doesn't answer within `patienceMs`. Refreshes
 * the lists only when a name isn't in the cached ones.
 */
export async function missingData(
  app: CommandApp,
  fields: Pick<AgentFields, "knowledgeBases" | "tables">,
  patienceMs: number,
): Promise<FieldErrors | undefined> {
  const { names, settings, clock } = app;
  const bases = fields.knowledgeBases ?? [];
  const tables = fields.tables ?? [];
  if (bases.length === 0 && tables.length === 0) return undefined;
  if (wrongIn(known()) === undefined) return undefined;
  const untilMs = clock.now() + patienceMs;
  if ((await withTimeout(names.refresh(), patienceMs, clock)) !== true) return undefined;
  return withTimeout(checked(), untilMs - clock.now(), clock);

  /** Names in other projects aren't cached, so each is looked up separately. */
  async function checked(): Promise<FieldErrors | undefined> {
    const foreign = await Promise.all(bases.map(foreignBase));
    return wrongIn(known(), new Map(bases.map((base, index) => [base, foreign[index] ?? "unknown"])));
  }

  async function foreignBase(entry: string): Promise<"there" | "missing" | "unknown"> {
    const { project, name } = splitName(entry, settings.project);
    if (project === settings.project || name === "*") return "unknown";
    try {
      await app.service.getKnowledgeBase(project, name);
      return "there";
    } catch (failure) {
      const codes = ["knowledge_base_not_found", "project_not_found", "resource_not_found"];
      return failure instanceof ParleyError && codes.includes(failure.code) ? "missing" : "unknown";
    }
  }

  function known() {
    return {
      bases: names.knowledgeBases().map(({ name }) => name),
      projects: names.projects(),
      sources: names.dataSources(),
      files: names.files(),
    };
  }

  function wrongIn(
    lists: ReturnType<typeof known>,
    foreign?: ReadonlyMap<string, "there" | "missing" | "unknown">,
  ): FieldErrors | undefined {
    const wrongBase = bases
      .map((entry) => baseError(entry, lists, foreign?.get(entry)))
      .find((error) => error !== undefined);
    const wrongTable = tables.map((entry) => tableError(entry, lists)).find((error) => error !== undefined);
    if (wrongBase === undefined && wrongTable === undefined) return undefined;
    return {
      ...(wrongBase !== undefined && { knowledgeBases: wrongBase }),
      ...(wrongTable !== undefined && { tables: wrongTable }),
    };
  }

  function baseError(
    entry: string,
    lists: ReturnType<typeof known>,
    foreign: "there" | "missing" | "unknown" | undefined,
  ): string | undefined {
    const { project, name } = splitName(entry, settings.project);
    const isOwn = project === settings.project;
    if (!isOwn && !lists.projects.includes(project)) {
      return nameSentences.noProject(project, nearest(project, lists.projects));
    }
    if (name === "*") return undefined;
    if (isOwn) {
      if (lists.bases.includes(name)) return undefined;
      const near = nearest(name, lists.bases);
      const what = says.noKnowledgeBase(name, near);
      if (near !== undefined || !isSafeName(name)) return what;
      return `${what} ${says.makeFirst(`/${settings.commandPrefix}kb create ${name}`)}`;
    }
    // Until it has been looked up it counts as missing, which triggers the lookup.
    return foreign === undefined || foreign === "missing" ? says.noKnowledgeBase(entry) : undefined;
  }

  function tableError(entry: string, lists: ReturnType<typeof known>): string | undefined {
    const { project: source, name: table } = splitName(entry, "");
    if (source === "" || table === "") return says.notATable(entry);
    if (source === "files") {
      if (table === "*" || lists.files.includes(table)) return undefined;
      return says.noFile(table, nearest(table, lists.files));
    }
    if (lists.sources.includes(source)) return undefined;
    return says.noSource(source, nearest(source, lists.sources));
  }
}
