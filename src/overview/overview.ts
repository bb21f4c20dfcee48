/** The face of the overview: reads what the pages for those who run Parley show. Each page has its own files here. */
import type { AuditEntry } from "../ports/audit.ts";
import type { ChatPlatform } from "../ports/chat-platform.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { OlderQuestions } from "../ports/overview/older-questions.ts";
import type { NowCounts, Overview } from "../ports/overview/overview.ts";
import type { QuestionLogStore } from "../ports/overview/question-log.ts";
import type { TurnProjection } from "../ports/overview/turn-projection.ts";
import type { Coordinator, KeyValue, KeyValueFactory } from "../ports/state.ts";
import type { AuditIndex } from "../ports/storage/audit-index.ts";
import type { Tallies } from "../ports/storage/tallies.ts";
import { type AgentsDeps, createAgentsReader } from "./agents.ts";
import { createAuditLog } from "./audit/audit-log.ts";
import { type AuditIndexing, createOlderEntries } from "./audit/older-entries.ts";
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
export { createOlderTurns } from "./older-turns.ts";

export type OverviewDeps = PlacesDeps & {
  readonly counts: NowCounts;
  readonly questionsOf: Omit<QuestionsDeps, "places" | "older" | "occurring" | "clock">;
  readonly systemOf: SystemDeps & Omit<InstancesDeps, "clock" | "log">;
  readonly statusOf: Omit<StatusDeps, "counts" | "older" | "clock">;
  readonly figuresOf: Omit<FiguresDeps, "places" | "countedSince" | "clock">;
  readonly olderTurns: OlderQuestions;
  readonly gapsOf: GapsDeps;
  readonly knowledgeOf: KnowledgeDeps & JobsDeps;
  readonly agentsOf: AgentsDeps;
  readonly schedulesOf: SchedulesDeps;
  readonly auditOf: {
    readonly entries: KeyValue<AuditEntry>;
    readonly index: AuditIndex;
    readonly keyValue: KeyValueFactory;
    readonly coordinator: Pick<Coordinator, "lease">;
    readonly log: Log;
  };
  readonly peopleOf: PeopleDeps;
};

export type OverviewWork = Overview & {
  /** Works in the background, until the signal aborts. Never rejects. */
  readonly work: (signal: AbortSignal) => Promise<void>;
  /** What it does there now, for /readyz. Rejects with state_unavailable. */
  readonly progress: () => Promise<string | undefined>;
};

export function createOverview(deps: OverviewDeps): OverviewWork {
  const { counts, olderTurns, clock } = deps;
  const places = createPlaces(deps);
  const countedSince = async () => (await olderTurns.left())?.sinceMs;
  const { entries: store, index, keyValue, coordinator, log } = deps.auditOf;
  const indexing = keyValue<AuditIndexing>("audit-indexing");
  const older = createOlderEntries({ store, index, indexing, coordinator, clock: deps.clock, log });
  const instances = createInstances({ ...deps.systemOf, clock, log });
  const jobs = createJobsReader({ ...deps.knowledgeOf, places });
  return {
    showsPrivate: deps.peopleOf.isLogPrivate,
    now: counts,
    status: createStatus({ ...deps.statusOf, counts, older: olderTurns.left, clock }),
    system: createSystem({ ...deps.systemOf, instances, places }),
    figures: createFigures({ ...deps.figuresOf, places, countedSince, clock }),
    places,
    questions: createQuestions({
      ...deps.questionsOf,
      places,
      older: olderTurns.left,
      occurring: createOccurring({ tallies: deps.figuresOf.tallies, clock }),
      clock,
    }),
    gaps: createGapsReader({ ...deps.gapsOf, places, clock }),
    knowledge: createKnowledgeReader({ ...deps.knowledgeOf, jobs }),
    agents: createAgentsReader({ ...deps.agentsOf, places }),
    schedules: createSchedulesReader({ ...deps.schedulesOf, places }),
    audit: createAuditLog({ store, index, sinceMs: older.sinceMs }),
    work: async (signal) => {
      await Promise.all([older.index(signal), instances.beat(signal)]);
    },
    progress: older.progress,
    people: createPeopleActions({ ...deps.peopleOf, clock: deps.clock }),
  };
}

/** What the overview keeps of every Turn. */
export function createProjections(deps: {
  readonly tallies: Tallies;
  readonly questionLog: QuestionLogStore;
  readonly platformOf: (name: string) => Pick<ChatPlatform, "isOwnPage" | "isDirect"> | undefined;
  readonly clock: Clock;
}): readonly TurnProjection[] {
  const { platformOf } = deps;
  const isDirect = (turn: Parameters<typeof isOnesOwn>[0]) => isOnesOwn(turn, platformOf(turn.askedIn.platform));
  return [createHourCounts({ ...deps, isDirect }), createLogProjection(deps.questionLog)];
}
