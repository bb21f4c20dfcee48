/** An overview of a Parley in which nothing has happened, or what a test says. */

import { ParleyError } from "../../../src/core/errors.ts";
import type { AdminPage, Asked, Overview } from "../../../src/core/ports/overview.ts";
import { pagesOf } from "../../../src/overview/pages.ts";
import { adminSentences } from "../../../src/presentation/sentences.ts";
import { appOf } from "../app.ts";
import { sampleFigures, sampleStatus } from "../figures.ts";
import { nowhere, overviewAppOf } from "../overview-app.ts";

export type Answers = Readonly<Record<string, (asked: Asked) => unknown>>;

const nothing: Readonly<Record<string, object>> = {
  overview: sampleFigures(30),
  "overview/status": sampleStatus,
  questions: { running: [], moreRunning: 0, rows: [] },
  "questions/choices": { platforms: [], channels: [], agents: [] },
  gaps: { gaps: [], total: 0 },
  "gaps/choices": { agents: [], workspaces: [] },
  knowledge: { bases: [] },
  "knowledge/jobs": { jobs: [] },
  agents: { channels: [], agents: [], tokens: [], knowledgeBases: [], canChange: false },
  schedules: { schedules: [] },
  audit: { rows: [] },
  "audit/choices": { people: [], actions: [], workspaces: [] },
  works: { kinds: [] },
  "works/list": { works: [] },
  system: { instances: [], budgets: [], settings: [], errors: [], status: sampleStatus },
  "people/erase": { kinds: [], stays: [], isComplete: true },
};

const missing: Readonly<Record<string, { readonly what: string; readonly hint: string }>> = {
  "gaps/one": adminSentences.noGap,
  "knowledge/documents": adminSentences.noBase,
  "questions/:question": adminSentences.noQuestion,
  "works/retry": adminSentences.noWork,
};

/**
 * The pages as they are, with what they answer: by the path below /api/admin. A number beside a page's entry in the sidebar
 * is the answer to its name and "#". What is undefined isn't there.
 */
export function answering(answers: Answers): readonly AdminPage[] {
  const answer = async (path: string, asked: Asked) => {
    const said = answers[path] === undefined ? nothing[path] : await answers[path](asked);
    if (said === undefined) throw new ParleyError("place_gone", missing[path] ?? {});
    return said as object;
  };
  return pagesOf(overviewAppOf(appOf({}))).map(({ name, get = {}, post = {}, files: _, count, ...page }): AdminPage => {
    const all = (paths: object) =>
      Object.fromEntries(Object.keys(paths).map((path) => [path, (asked: Asked) => answer(`${name}${path}`, asked)]));
    const counted = answers[`${name}#`];
    return {
      ...page,
      name,
      get: all(get),
      post: all(post),
      ...(count && { count: async (viewer) => Number((await counted?.({ viewer, input: {} })) ?? 0) }),
    };
  });
}

export const noOverview: Overview = {
  pages: answering({}),
  showsPrivate: false,
  kindOf: nowhere.kindOf,
  isPublic: nowhere.isPublic,
};
