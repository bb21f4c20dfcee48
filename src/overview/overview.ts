/** The face of the overview: reads what the pages for those who run Parley show. Each page has its own files here. */
import type { ChatPlatform } from "../ports/chat-platform.ts";
import type { Clock } from "../ports/clock.ts";
import type { NowCounts, Overview } from "../ports/overview/overview.ts";
import type { QuestionLogStore } from "../ports/overview/question-log.ts";
import type { TurnProjection } from "../ports/overview/turn-projection.ts";
import type { Tallies } from "../ports/storage/tallies.ts";
import { type AgentsDeps, createAgentsReader } from "./agents.ts";
import { createHourCounts, isOnesOwn } from "./figures/hour-counts.ts";
import { createGapsReader, type GapsDeps } from "./gaps.ts";
import { createJobsReader, type JobsDeps } from "./jobs.ts";
import { createKnowledgeReader, type KnowledgeDeps } from "./knowledge.ts";
import { createPlaces, type PlacesDeps } from "./places.ts";
import { createLogProjection } from "./questions/log-projection.ts";
import { createSchedulesReader, type SchedulesDeps } from "./schedules.ts";

export type OverviewDeps = PlacesDeps & {
  readonly counts: NowCounts;
  readonly gapsOf: GapsDeps;
  readonly knowledgeOf: KnowledgeDeps & JobsDeps;
  readonly agentsOf: AgentsDeps;
  readonly schedulesOf: SchedulesDeps;
};

export function createOverview(deps: OverviewDeps): Overview {
  const places = createPlaces(deps);
  const jobs = createJobsReader({ ...deps.knowledgeOf, places });
  return {
    now: deps.counts,
    places,
    gaps: createGapsReader({ ...deps.gapsOf, places }),
    knowledge: createKnowledgeReader({ ...deps.knowledgeOf, jobs }),
    agents: createAgentsReader({ ...deps.agentsOf, places }),
    schedules: createSchedulesReader({ ...deps.schedulesOf, places }),
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
