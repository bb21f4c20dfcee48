/** An overview of a Parley in which nothing has happened, or what a test says. */
import type { Overview } from "../../../src/core/overview/overview.ts";
import type { AdminPage, Asked } from "../../../src/core/ports/overview.ts";
import { pagesOf } from "../../../src/overview/pages.ts";
import { appOf } from "../app.ts";
import { sampleFigureReader, sampleStatusReader } from "../figures.ts";
import { overviewAppOf } from "../overview-app.ts";

type Answer = (asked: Asked) => unknown;

const nothing: Readonly<Record<string, object>> = {
  schedules: { schedules: [] },
  audit: { rows: [] },
  "audit/choices": { people: [], actions: [], workspaces: [] },
};

/**
 * The pages as they are, with what they answer: by the path below /api/admin. A number beside a page's entry in the sidebar
 * is the answer to its name and "#".
 */
export function answering(answers: Readonly<Record<string, Answer>>): readonly AdminPage[] {
  const answer = async (path: string, asked: Asked) =>
    ((await answers[path]?.(asked)) ?? nothing[path] ?? {}) as Record<string, unknown>;
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
  gaps: {
    page: async () => ({ gaps: [], total: 0 }),
    choices: async () => ({ agents: [], workspaces: [] }),
    open: async () => undefined,
    line: async () => undefined,
    count: async () => 0,
  },
  knowledge: { bases: async () => [], documents: async () => undefined, jobs: async () => ({ jobs: [] }) },
  agents: { read: async () => ({ channels: [], agents: [], knowledgeBases: [], canChange: false }) },
  people: { export: async function* () {}, erase: async () => ({ kinds: [], stays: [], isComplete: true }) },
  now: () => ({ running: 0, waiting: 0 }),
  figures: sampleFigureReader,
  status: sampleStatusReader,
  system: { read: async () => ({ instances: [], budgets: [], settings: [], errors: [] }) },
  works: { counts: async () => [], list: async () => [], retry: async () => false },
  places: { all: async () => [], kindOf: () => "unknown", isPublic: async () => false, nameOf: async () => ({}) },
  questions: {
    choices: async () => ({ platforms: [], channels: [], agents: [] }),
    list: async () => ({ running: [], moreRunning: 0, rows: [] }),
    one: async () => undefined,
    raw: async () => undefined,
    all: async function* () {},
  },
};
