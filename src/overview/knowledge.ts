/** Reads knowledge bases and what is in them: names from the service, documents from the ledger. */

import type { App } from "../app.ts";
import { refOfBase } from "../commands/names/base-ref.ts";
import type { Named } from "../core/access.ts";
import type { LedgerDocument } from "../core/content/ledger.ts";
import type { BaseLine, DocumentLine, KnowledgeReader } from "../core/overview/knowledge.ts";
import { splitName } from "../core/tools/split-name.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import { cleanText } from "../presentation/drawing.ts";
import { shorten } from "../presentation/sentences.ts";
import type { JobsReader } from "./jobs.ts";

const perPage = 50;
const maxTitleChars = 200;
const maxNameChars = 100;
const all = Number.MAX_SAFE_INTEGER;

export function createKnowledgeReader(
  app: App,
  {
    knowledge: { ledger, elsewhere },
    jobs,
  }: { readonly knowledge: Pick<Knowledge, "ledger" | "elsewhere">; readonly jobs: JobsReader },
): KnowledgeReader {
  const { lists } = app.reach;

  async function readers(base: Named): Promise<readonly string[] | undefined> {
    const agents = await lists.agents().catch(() => undefined);
    return agents
      ?.filter(({ knowledgeBases, project }) =>
        knowledgeBases.some((entry) => {
          const looked = splitName(entry, project);
          return looked.project === base.project && (looked.name === "*" || looked.name === base.name);
        }),
      )
      .map(({ name }) => cleanText(name));
  }

  async function lineOf(base: Named, documents: readonly LedgerDocument[]): Promise<BaseLine> {
    const [others, names] = await Promise.all([elsewhere.of(base).catch(() => undefined), readers(base)]);
    const lastReadAtMs = documents.reduce((latest, { readAtMs }) => Math.max(latest, readAtMs), 0);
    return {
      project: base.project,
      name: cleanText(base.name),
      ref: refOfBase(app, base),
      documents: documents.length,
      problems: documents.filter(({ problem }) => problem !== undefined).length,
      readers: names,
      otherRows: others?.rows,
      lastReadAtMs: lastReadAtMs === 0 ? undefined : lastReadAtMs,
    };
  }

  const documentsOf = async (base: Named) => (await ledger.page(base, 0, all)).documents;

  return {
    bases: async () => {
      const found = await lists.knowledgeBases();
      const lines: BaseLine[] = [];
      for (const { project, name } of found)
        lines.push(await lineOf({ project, name }, await documentsOf({ project, name })));
      return lines.sort((one, other) => (one.name < other.name ? -1 : 1));
    },

    documents: async (base, { cursor, search }) => {
      const documents = await documentsOf(base);
      const isKnown = (await lists.knowledgeBases().catch(() => undefined))?.some(
        ({ project, name }) => project === base.project && name === base.name,
      );
      if (isKnown === false && documents.length === 0) return undefined;
      const wanted = search?.trim().toLowerCase() ?? "";
      const found = documents.filter(
        ({ title, url = "" }) =>
          wanted === "" || title.toLowerCase().includes(wanted) || url.toLowerCase().includes(wanted),
      );
      const from = Math.max(0, Math.trunc(Number(cursor ?? 0)) || 0);
      return {
        base: await lineOf(base, documents),
        documents: found.slice(from, from + perPage).map(documentLine),
        ...(from + perPage < found.length ? { next: String(from + perPage) } : {}),
      };
    },

    jobs: jobs.page,
  };
}

function documentLine(document: LedgerDocument): DocumentLine {
  const { id, title, url, rows, pages, addedAtMs, readAtMs, problem, origin, by } = document;
  const said = shorten(cleanText(title), maxTitleChars);
  return {
    id,
    title: said === "" ? shorten(cleanText(url ?? id), maxTitleChars) : said,
    kind: origin.kind,
    by: shorten(cleanText(by.name), maxNameChars),
    addedAtMs,
    readAtMs,
    url: url !== undefined && /^https?:\/\//i.test(url) ? cleanText(url) : undefined,
    rows,
    pages,
    problem: problem === undefined ? undefined : cleanText(problem),
    answerId: origin.kind === "answer" ? origin.answerId : undefined,
  };
}
