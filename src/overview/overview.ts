/** The face of the overview: reads what the pages for those who run Parley show. Each page has its own files here. */

import type { App } from "../app.ts";
import type { Overview } from "../core/overview/overview.ts";
import { questionLogIn } from "../core/overview/question-log.ts";
import type { TurnProjection } from "../core/overview/turn-projection.ts";
import { createAgentsReader } from "./agents.ts";
import type { OverviewApp, OverviewParts } from "./app.ts";
import { createFigures } from "./figures/figures.ts";
import { createGapsReader } from "./gaps.ts";
import { createInstances } from "./instances.ts";
import { createJobsReader } from "./jobs.ts";
import { createKnowledgeReader } from "./knowledge.ts";
import { pagesOf } from "./pages.ts";
import { createPeopleActions } from "./people.ts";
import { createPlaces } from "./places.ts";
import { createLogProjection } from "./questions/log-projection.ts";
import { createOccurring } from "./questions/occurring.ts";
import { createQuestions } from "./questions/questions.ts";
import { createRemember } from "./remember.ts";
import { createStatus } from "./status.ts";
import { createSystem } from "./system.ts";
import { createWorksReader } from "./works.ts";

export { createBudgetWatch } from "./budgets.ts";
export { noInstallation } from "./no-installation.ts";

export type OverviewWork = Overview & {
  /** Works in the background, until the signal aborts. Never rejects. */
  readonly work: (signal: AbortSignal) => Promise<void>;
};

export function createOverview(app: App, parts: OverviewParts): OverviewWork {
  const { insight, privacy, counts } = parts;
  const places = createPlaces(app);
  const instances = createInstances(app, parts);
  const own: OverviewApp = { ...app, ...parts, places, instances, remember: createRemember(app.clock) };
  return {
    pages: pagesOf(own),
    showsPrivate: app.settings.logPrivate,
    now: counts,
    status: createStatus(app, parts),
    system: createSystem(app, { ...parts, instances, places }),
    figures: createFigures(app, { places }),
    places,
    questions: createQuestions(app, { insight, places, occurring: createOccurring(app) }),
    gaps: createGapsReader(app, { insight, places }),
    knowledge: createKnowledgeReader(app, { ...parts, jobs: createJobsReader(app, { places }) }),
    agents: createAgentsReader(app, { ...parts, checks: insight.checks, places }),
    work: instances.beat,
    works: createWorksReader(app),
    people: createPeopleActions(app, privacy),
  };
}

/** What the overview keeps of every Turn. */
export const createProjections = (app: App): readonly TurnProjection[] => [
  createLogProjection(questionLogIn(app.state)),
];
