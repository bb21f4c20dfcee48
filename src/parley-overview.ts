/** Composes the overview, which the pages at /admin show, from the parts that `parley.ts` created. */
import type { createBindings } from "./access/bindings.ts";
import type { CommandApp } from "./commands/app.ts";
import { refOfBase } from "./commands/names/base-ref.ts";
import type { NameCache } from "./commands/names/name-cache.ts";
import type { Audit, AuditEntries } from "./core/audit.ts";
import type { Privacy } from "./core/content/privacy.ts";
import type { Feedback } from "./core/model/insight.ts";
import type { Place } from "./core/model/place.ts";
import { idAway } from "./core/model/place.ts";
import type { HeardCounts } from "./core/overview/agents.ts";
import type { Installation } from "./core/overview/installation.ts";
import type { QuestionLog } from "./core/overview/question-log.ts";
import type { ChatPlatform } from "./core/ports/chat-platform.ts";
import type { State } from "./core/ports/state.ts";
import type { Insight } from "./insight/insight.ts";
import { addsAnswer, checkedAgent, isRefresh, type Knowledge } from "./knowledge/knowledge.ts";
import { type BudgetWatch, createOverview, type OverviewDeps, type OverviewWork } from "./overview/overview.ts";

export type OverviewParts = Pick<OverviewDeps, "counts" | "clock" | "log"> & {
  readonly settings: CommandApp["settings"];
  /** LOG_PRIVATE. */
  readonly isLogPrivate: boolean;
  readonly state: State;
  readonly audit: Audit;
  readonly auditEntries: AuditEntries;
  readonly questionLog: QuestionLog;
  readonly bindings: ReturnType<typeof createBindings>;
  readonly knowledge: Knowledge;
  readonly insight: Insight;
  readonly names: NameCache;
  readonly privacy: Privacy;
  /** Those that are connected by now. */
  readonly platforms: () => readonly ChatPlatform[];
  readonly platformOf: (name: string) => ChatPlatform | undefined;
  readonly installation: Installation;
  readonly heard: (place: Place) => Promise<HeardCounts>;
  readonly budgets: BudgetWatch["read"];
};

export function composeOverview(parts: OverviewParts): OverviewWork {
  const {
    settings,
    state,
    questionLog,
    bindings,
    knowledge,
    insight,
    names,
    platforms,
    platformOf,
    isLogPrivate,
    clock,
  } = parts;
  const { keyValue, turns, jobs, tallies } = state;
  const { project, version } = settings;
  const { installation } = parts;
  const { agents } = names.current;
  const feedback = keyValue<Feedback>("feedback");

  return createOverview({
    counts: parts.counts,
    platforms,
    platformOf,
    names: keyValue("channel-names"),
    gapsOf: {
      gaps: insight.gaps,
      see: insight.sight.see,
      turns,
      answering: insight.answering,
      feedback,
      voting: insight.voting,
      project,
    },
    knowledgeOf: {
      ledger: knowledge.ledger,
      lists: names.current,
      elsewhere: knowledge.elsewhere,
      refOf: (base) => refOfBase(parts, base),
      jobStore: jobs,
      showsPrivate: isLogPrivate,
      checkedAgent,
      addsAnswer,
      isRefresh,
      isOf: ({ actor, askedIn }, viewer) =>
        actor.id === (platformOf(askedIn.platform)?.isOwnPage === true ? viewer.id : idAway(viewer)),
    },
    agentsOf: {
      bindings,
      lists: names.current,
      checks: insight.checks,
      jobs,
      checkedAgent,
      offersChanges: () => names.offers("agent-changes"),
      heard: parts.heard,
      project,
    },
    schedulesOf: { schedules: keyValue("schedules"), showsPrivate: isLogPrivate },
    questionsOf: {
      questionLog,
      turns,
      feedback,
      votes: insight.voting.counts,
      gapOfTurn: insight.gaps.ofTurn,
      permalink: async (ref) => platformOf(ref.place.platform)?.permalink(ref),
      visibilityOf: (place) => platformOf(place.platform)?.visibility?.(place),
      agents,
      project,
      isLogPrivate,
    },
    systemOf: { installation, version, questionLog, instances: keyValue("instances"), budgets: parts.budgets },
    statusOf: { installation, version, turns, platforms },
    figuresOf: { tallies, questionLog, modeOf: bindings.modeOf, agents, project },
    auditEntries: parts.auditEntries,
    peopleOf: {
      privacy: parts.privacy,
      audit: parts.audit,
      pageOf: ({ workspace }) => ({ platform: "console", workspace, channel: "admin" }),
      visibilityOf: (place) => platformOf(place.platform)?.visibility?.(place),
      turns,
      isLogPrivate,
    },
    clock,
    log: parts.log,
  });
}
