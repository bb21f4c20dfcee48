/** The face of the overview: reads what the pages for those who run Parley show. Each page has its own files here. */
import type { AuditEntries } from "../core/audit.ts";
import type { NowCounts, Overview } from "../core/overview/overview.ts";
import type { QuestionLog } from "../core/overview/question-log.ts";
import type { TurnProjection } from "../core/overview/turn-projection.ts";
import type { ChatPlatform } from "../core/ports/chat-platform.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Log } from "../core/ports/log.ts";
import type { Tallies } from "../core/ports/storage/tallies.ts";
import { type AgentsDeps, createAgentsReader } from "./agents.ts";
import { createAuditLog } from "./audit-log.ts";
import { createFigures, type FiguresDeps } from "./figures/figures.ts";
import { createHourCounts, isOnesOwn } from "./figures/hour-counts.ts";
import { createGapsReader, type GapsDeps } from "./gaps.ts";
import { createInstances, type InstancesDeps } from "./instances.ts";
import { createJobsReader, type JobsDeps } from "./jobs.ts";
import { createKnowledgeReader, type KnowledgeDeps } from "./knowledge.ts";
import { createPeopleActions, type PeopleDeps } from "./people.ts";
import { createPlaces, type PlacesDeps } from "./places.ts";
import { createLogProjection } from "./questions/log-projection.ts";
import { createOccurring } from "./questions/occurring.ts";
import { createQuestions, type QuestionsDeps } from "./questions/questions.ts";
import { createSchedulesReader, type SchedulesDeps } from "./schedules.ts";
import { createStatus, type StatusDeps } from "./status.ts";
import { createSystem, type SystemDeps } from "./system.ts";

export { type BudgetWatch, createBudgetWatch } from "./budgets.ts";
export { noInstallation } from "./no-installation.ts";

export type OverviewDeps = PlacesDeps & {
  readonly counts: NowCounts;
  readonly questionsOf: Omit<QuestionsDeps, "places" | "occurring" | "clock">;
  readonly systemOf: SystemDeps & Omit<InstancesDeps, "clock" | "log">;
  readonly statusOf: Omit<StatusDeps, "counts" | "clock">;
  readonly figuresOf: Omit<FiguresDeps, "places" | "clock">;
  readonly gapsOf: GapsDeps;
  readonly knowledgeOf: KnowledgeDeps & JobsDeps;
  readonly agentsOf: AgentsDeps;
  readonly schedulesOf: SchedulesDeps;
  readonly auditEntries: AuditEntries;
  readonly peopleOf: PeopleDeps;
  readonly log: Log;
};

export type OverviewWork = Overview & {
  /** Works in the background, until the signal aborts. Never rejects. */
  readonly work: (signal: AbortSignal) => Promise<void>;
};

export function createOverview(deps: OverviewDeps): OverviewWork {
  const { counts, clock, log } = deps;
  const places = createPlaces(deps);
  const instances = createInstances({ ...deps.systemOf, clock, log });
  const jobs = createJobsReader({ ...deps.knowledgeOf, places });
  return {
    showsPrivate: deps.peopleOf.isLogPrivate,
    now: counts,
    status: createStatus({ ...deps.statusOf, counts, clock }),
    system: createSystem({ ...deps.systemOf, instances, places }),
    figures: createFigures({ ...deps.figuresOf, places, clock }),
    places,
    questions: createQuestions({
      ...deps.questionsOf,
      places,
      occurring: createOccurring({ tallies: deps.figuresOf.tallies, clock }),
      clock,
    }),
    gaps: createGapsReader({ ...deps.gapsOf, places, clock }),
    knowledge: createKnowledgeReader({ ...deps.knowledgeOf, jobs }),
    agents: createAgentsReader({ ...deps.agentsOf, places }),
    schedules: createSchedulesReader({ ...deps.schedulesOf, places }),
    audit: createAuditLog(deps.auditEntries),
    work: instances.beat,
    people: createPeopleActions({ ...deps.peopleOf, clock: deps.clock }),
  };
}

/** What the overview keeps of every Turn. */
export function createProjections(deps: {
  readonly tallies: Tallies;
  readonly questionLog: QuestionLog;
  readonly platformOf: (name: string) => Pick<ChatPlatform, "isOwnPage" | "isDirect"> | undefined;
  readonly clock: Clock;
}): readonly TurnProjection[] {
  const { platformOf } = deps;
  const isDirect = (turn: Parameters<typeof isOnesOwn>[0]) => isOnesOwn(turn, platformOf(turn.askedIn.platform));
  return [createHourCounts({ ...deps, isDirect }), createLogProjection(deps.questionLog)];
}
