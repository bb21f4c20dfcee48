/** An overview of a Parley in which nothing has happened. */
import type { Overview } from "../../../src/core/overview/overview.ts";
import { sampleFigureReader, sampleStatusReader } from "../figures.ts";

export const noOverview: Overview = {
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
  schedules: { page: async () => ({ schedules: [] }) },
  people: { export: async function* () {}, erase: async () => ({ kinds: [], stays: [], isComplete: true }) },
  now: () => ({ running: 0, waiting: 0 }),
  figures: sampleFigureReader,
  status: sampleStatusReader,
  system: { read: async () => ({ instances: [], budgets: [], settings: [], errors: [] }) },
  works: { counts: async () => [], list: async () => [], retry: async () => false },
  places: { all: async () => [], kindOf: () => "unknown", isPublic: async () => false, nameOf: async () => ({}) },
  audit: {
    page: async () => ({ entries: [] }),
    all: async function* () {},
    choices: async () => ({ people: [], actions: [], workspaces: [] }),
  },
  questions: {
    choices: async () => ({ platforms: [], channels: [], agents: [] }),
    list: async () => ({ running: [], moreRunning: 0, rows: [] }),
    one: async () => undefined,
    raw: async () => undefined,
    all: async function* () {},
  },
};
