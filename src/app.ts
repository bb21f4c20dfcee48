/** What is built once and handed to every room. A room adds what only its own files share. */

import type { Settings } from "./config/settings.ts";
import type { Bindings, Reach, RoleSettings } from "./core/access.ts";
import type { Audit } from "./core/audit.ts";
import type { ParleyMetrics } from "./core/metrics.ts";
import type { Actor, Place, Workspace } from "./core/model/place.ts";
import type { AgentService } from "./core/ports/agent-service.ts";
import type { Clock } from "./core/ports/clock.ts";
import type { Log } from "./core/ports/log.ts";
import type { State } from "./core/ports/state.ts";
import type { Notices } from "./delivery/notices.ts";
import type { Site } from "./delivery/types.ts";

/** Limits that no variable changes. Tests do. */
export const limits = {
  commandsPerPersonPerMinute: 30,
  maxQuestionChars: 120_000,
  /** Maximum number of unanswered questions, per person and in total, over all instances. */
  waiting: { perPerson: 50, inAll: 20_000 },
  /** Maximum number of thread messages read as context. */
  maxThreadMessages: 200,
  /** A running answer is redrawn after this time without an event, so that the elapsed time moves. */
  heartbeatMs: 10_000,
  /**
   * How long a Turn waits before it takes its lane, if other instances use the same storage, so that neighbours that
   * arrived there are journaled.
   */
  laneSettleMs: 150,
  /** Consecutive Turns of bots in one Conversation before it falls silent. */
  maxBotTurnsInARow: 3,
  /** How often to look for Turns that another instance abandoned; 0 never. */
  recoveryIntervalMs: 5_000,
};

/** The settings, with what the program and the platforms say about themselves. */
export type AppSettings = Omit<Settings, "project"> &
  Readonly<typeof limits> & {
    readonly version: string;
    /** Are removed from what goes into the audit log. */
    readonly secrets: readonly string[];
    /** The knowledge base of the built-in service that holds Parley's own manual. Read-only. */
    readonly ownDocsBase?: string;
    readonly roles: RoleSettings;
    /** Those that any workspace has: AGENT_PROJECT, or the ones of WORKSPACE_PROJECTS. */
    readonly projects: readonly string[];
    /**
     * The project whose agents answer there; `noProject` if WORKSPACE_PROJECTS doesn't name the workspace. `actor`: who is
     * there; a direct message outside any workspace belongs to the person's only one.
     */
    readonly projectOf: (place: Workspace, actor?: Pick<Actor, "memberOf">) => string;
    /** WORKSPACES: whether a place is served. */
    readonly serves: (place: Place) => boolean;
    /** Other instances use the same storage. */
    readonly isShared: boolean;
  };

/** What there is before any room is built. */
export type Runtime = {
  readonly settings: AppSettings;
  readonly state: State;
  readonly service: AgentService;
  /** The connected platforms by name, each with the delivery that writes to it. */
  readonly sites: ReadonlyMap<string, Site>;
  readonly metrics: ParleyMetrics;
  readonly clock: Clock;
  readonly log: Log;
};

export type App = Runtime & {
  /** Which agent answers where, and with what. */
  readonly bindings: Bindings;
  /** The one way to ask who may do what. */
  readonly reach: Reach;
  readonly audit: Audit;
  readonly notices: Pick<Notices, "post">;
};
