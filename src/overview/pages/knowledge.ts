/** Knowledge bases and what is in them: names from the service, documents from the ledger. And the jobs that fill them. */

import { z } from "zod";
import { refOfBase } from "../../commands/names/base-ref.ts";
import type { Named } from "../../core/access.ts";
import type { LedgerDocument } from "../../core/content/ledger.ts";
import { ParleyError } from "../../core/errors.ts";
import type { Place } from "../../core/model/place.ts";
import { splitName } from "../../core/tools/split-name.ts";
import { cleanText } from "../../presentation/drawing.ts";
import { adminSentences, shorten } from "../../presentation/sentences.ts";
import type { OverviewApp } from "../app.ts";
import { projectsFor } from "../oversight.ts";
import { type Page, parsed } from "../page.ts";
import { agentsIn, basesIn, placeOfProject, unwritten } from "../projects.ts";
import { jobsQuery, listJobs } from "./jobs.ts";

const perPage = 50;
const maxTitleChars = 200;
const maxNameChars = 100;
const all = Number.MAX_SAFE_INTEGER;

const name = z.string().min(1).max(200);
const documentsQuery = z.object({
  project: name,
  name,
  cursor: z.coerce.number().int().min(0).catch(0),
  /** In the title or the URL. */
  search: z.string().max(200).default(""),
});

/** People who manage see everyone's jobs, others their own. */
export const knowledgePage: Page = {
  name: "knowledge",
  least: "ingest",
  get: {
    "": async (app, { viewer }) => ({ bases: await listBases(app, projectsFor(app, viewer)) }),
    "/documents": (app, asked) => listDocuments(app, projectsFor(app, asked.viewer), parsed(documentsQuery, asked)),
    "/jobs": (app, asked) => listJobs(app, asked.viewer, parsed(jobsQuery, asked)),
  },
};

export type BaseLine = {
  readonly project: string;
  readonly name: string;
  /** For buttons. */
  readonly ref: string;
  /** Where buttons and commands about it are pressed and given. Absent: on the page itself. */
  readonly place?: Place;
  /** Names of the agents that look in it. Absent: the service can't tell now. */
  readonly readers?: readonly string[];
  /** Documents that Parley put in. */
  readonly documents: number;
  /** Rows that others put in, as far as they were counted. */
  readonly otherRows?: number;
  /** When something was last put in or read again. */
  readonly lastReadAtMs?: number;
  /** Documents that a refresh found gone, or whose rows are missing. */
  readonly problems: number;
};

export type DocumentLine = Pick<
  LedgerDocument,
  "id" | "title" | "url" | "rows" | "pages" | "addedAtMs" | "readAtMs" | "problem"
> & {
  readonly kind: LedgerDocument["origin"]["kind"];
  readonly by: string;
  readonly answerId?: string;
};

export type DocumentPage = {
  readonly base: BaseLine;
  readonly documents: readonly DocumentLine[];
  readonly next?: string;
};

/** Rejects while the service can't list them. */
async function listBases(app: OverviewApp, projects: readonly string[]): Promise<readonly BaseLine[]> {
  const found = await basesIn(projects, app);
  const lines: BaseLine[] = [];
  for (const { project, name } of found)
    lines.push(await baseLine(app, { project, name }, await documentsOf(app, { project, name })));
  return lines.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Newest first. */
async function listDocuments(
  app: OverviewApp,
  projects: readonly string[],
  { project, name, cursor, search }: z.infer<typeof documentsQuery>,
): Promise<DocumentPage> {
  const base = { project, name };
  const isSeen = app.settings.workspaceProjects === undefined || projects.includes(project);
  if (!isSeen) throw new ParleyError("place_gone", adminSentences.noBase);
  const documents = await documentsOf(app, base);
  const known = await basesIn(projects, app).catch(() => undefined);
  const isKnown = known?.some((one) => one.project === project && one.name === name);
  if (isKnown === false && documents.length === 0) throw new ParleyError("place_gone", adminSentences.noBase);
  const wanted = search.trim().toLowerCase();
  const found = documents.filter(
    ({ title, url = "" }) =>
      wanted === "" || title.toLowerCase().includes(wanted) || url.toLowerCase().includes(wanted),
  );
  return {
    base: await baseLine(app, base, documents),
    documents: found.slice(cursor, cursor + perPage).map(documentLine),
    ...(cursor + perPage < found.length ? { next: String(cursor + perPage) } : {}),
  };
}

const documentsOf = async ({ knowledge }: OverviewApp, base: Named) =>
  (await knowledge.ledger.page(base, 0, all)).documents;

async function baseLine(app: OverviewApp, base: Named, documents: readonly LedgerDocument[]): Promise<BaseLine> {
  const { elsewhere } = app.knowledge;
  const [others, names] = await Promise.all([elsewhere.of(base).catch(() => undefined), readersOf(app, base)]);
  const lastReadAtMs = documents.reduce((latest, { readAtMs }) => Math.max(latest, readAtMs), 0);
  return {
    project: base.project,
    name: cleanText(base.name),
    place: placeOfProject(app, base.project),
    ref: refOfBase({ settings: { project: unwritten(app) } }, base),
    documents: documents.length,
    problems: documents.filter(({ problem }) => problem !== undefined).length,
    readers: names,
    otherRows: others?.rows,
    lastReadAtMs: lastReadAtMs === 0 ? undefined : lastReadAtMs,
  };
}

async function readersOf(app: OverviewApp, base: Named): Promise<readonly string[] | undefined> {
  const agents = await agentsIn([base.project], app).catch(() => undefined);
  return agents
    ?.filter(({ knowledgeBases, project }) =>
      knowledgeBases.some((entry) => {
        const looked = splitName(entry, project);
        return looked.project === base.project && (looked.name === "*" || looked.name === base.name);
      }),
    )
    .map(({ name }) => cleanText(name));
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
