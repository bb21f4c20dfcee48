/** The face of the overview: reads what the pages for those who run Parley show. Each page has its own files here. */

import type { App } from "../app.ts";
import type { OfBridge } from "../commands/app.ts";
import type { NameCache } from "../commands/names/name-cache.ts";
import type { Privacy } from "../core/content/privacy.ts";
import type { Installation } from "../core/overview/installation.ts";
import type { Overview } from "../core/overview/overview.ts";
import { questionLogIn } from "../core/overview/question-log.ts";
import type { TurnProjection } from "../core/overview/turn-projection.ts";
import type { Insight } from "../insight/insight.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import { createAgentsReader } from "./agents.ts";
import { createAuditLog } from "./audit-log.ts";
import type { BudgetWatch } from "./budgets.ts";
import { createFigures } from "./figures/figures.ts";
import { createGapsReader } from "./gaps.ts";
import { createInstances } from "./instances.ts";
import { createJobsReader } from "./jobs.ts";
import { createKnowledgeReader } from "./knowledge.ts";
import { createPeopleActions } from "./people.ts";
import { createPlaces } from "./places.ts";
import { createLogProjection } from "./questions/log-projection.ts";
import { createOccurring } from "./questions/occurring.ts";
import { createQuestions } from "./questions/questions.ts";
import { createSchedulesReader } from "./schedules.ts";
import { createStatus } from "./status.ts";
import { createSystem } from "./system.ts";
import { createWorksReader } from "./works.ts";

export { type BudgetWatch, createBudgetWatch } from "./budgets.ts";
export { noInstallation } from "./no-installation.ts";

export type OverviewWork = Overview & {
  /** Works in the background, until the signal aborts. Never rejects. */
  readonly work: (signal: AbortSignal) => Promise<void>;
};

export function createOverview(
  app: App,
  parts: {
    readonly insight: Insight;
    readonly knowledge: Knowledge;
    readonly names: NameCache;
    readonly privacy: Privacy;
    readonly installation: Installation;
    readonly budgets: BudgetWatch["read"];
  } & Pick<OfBridge, "counts" | "heard">,
): OverviewWork {
  const { insight, privacy, counts } = parts;
  const places = createPlaces(app);
  const instances = createInstances(app, parts);
  return {
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
    schedules: createSchedulesReader(app, { places }),
    audit: createAuditLog(app),
    work: instances.beat,
    works: createWorksReader(app),
    people: createPeopleActions(app, privacy),
  };
}

/** What the overview keeps of every Turn. */
export const createProjections = (app: App): readonly TurnProjection[] => [
  createLogProjection(questionLogIn(app.state)),
];
