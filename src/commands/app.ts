/** What the commands work with. It is built once, and every handler gets it. */

import type { Bindings, Contributions, Named, Reach } from "../core/access.ts";
import type { Audit } from "../core/audit.ts";
import type { CommandContext } from "../core/commands.ts";
import type { Answering } from "../core/content/answering.ts";
import type { Checks } from "../core/content/checks.ts";
import type { Digests } from "../core/content/digest.ts";
import type { Gaps } from "../core/content/gaps.ts";
import type { LedgerDocument } from "../core/content/ledger.ts";
import type { Voting } from "../core/content/voting.ts";
import type { Conversations, Forget } from "../core/conversations.ts";
import type { Feedback } from "../core/model/insight.ts";
import type { Actor, Place, PlatformName, Visibility } from "../core/model/place.ts";
import type { HeardCounts } from "../core/overview/agents.ts";
import type { QuestionLog } from "../core/overview/question-log.ts";
import type { AgentService } from "../core/ports/agent-service.ts";
import type { ChatPlatform, MessageRef, ThreadMessage } from "../core/ports/chat-platform.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Log } from "../core/ports/log.ts";
import type { Claims, Coordinator, KeyValue, TurnStore } from "../core/ports/state.ts";
import type { Notices } from "../delivery/notices.ts";
import type { GapList } from "../insight/gap-list.ts";
import type { GapSight } from "../insight/gap-sight.ts";
import type { Reviews } from "../insight/review/reviews.ts";
import type { Schedules } from "../insight/schedules/schedules.ts";
import type { Proving } from "../insight/trials/trials.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import type { FormDrafts } from "./agents/form-drafts.ts";
import type { Commands } from "./contract.ts";
import type { NameCache } from "./names/name-cache.ts";
import type { Pending, PendingAdoption, PendingSchedule } from "./pending.ts";
import type { Registry } from "./registry.ts";
import type { Once } from "./results.ts";

export type CommandParts = {
  readonly service: AgentService;
  readonly bindings: Bindings;
  readonly conversations: Pick<Conversations, "get" | "replaceAgent">;
  readonly forget: Forget;
  readonly names: NameCache;
  readonly reach: Reach;
  readonly contributions: Contributions;
  readonly audit: Audit;
  readonly notices: Pick<Notices, "post">;
  readonly coordinator: Pick<Coordinator, "permit" | "lanes" | "lease">;
  readonly claims: Claims;
  readonly turns: Pick<TurnStore, "get" | "ofConversation">;
  readonly questionLog: Pick<QuestionLog, "query">;
  readonly knowledge: Knowledge;
  /** The knowledge bases that an agent looks in. */
  readonly basesOf: (agent: Named) => Promise<readonly Named[]>;
  readonly gaps: Gaps;
  readonly gapList: GapList;
  readonly sight: GapSight;
  readonly reviews: Reviews;
  readonly answering: Answering;
  readonly voting: Pick<Voting, "down">;
  readonly proving: Proving;
  readonly checks: Pick<Checks, "of" | "total" | "count">;
  readonly schedules: Schedules;
  readonly digests: Digests;
  /** Namespace "pending". */
  readonly pending: KeyValue<Pending>;
  /** Namespace "pending-schedules". */
  readonly pendingSchedules: KeyValue<PendingSchedule>;
  /** By workspace, person and id. Namespace "pending-adoptions". */
  readonly adoptions: KeyValue<PendingAdoption>;
  /** Where letting an agent look in a knowledge base was offered after saving. Namespace "offers". */
  readonly offered: KeyValue<{ readonly atMs: number }>;
  /** By workspace, Turn and voter. Namespace "feedback". */
  readonly feedback: Pick<KeyValue<Feedback>, "entries">;
  /** Called when a document was removed. Never rejects. */
  readonly whenRemoved?: (document: LedgerDocument, context: CommandContext) => Promise<void>;
  /** Turns of this process. */
  readonly counts: () => { readonly waiting: number; readonly running: number };
  /** What became of lines that were said to nobody in that channel, in the last seven days. */
  readonly heard: (place: Place) => Promise<HeardCounts>;
  /** What is missing on that platform, in one sentence with the remedy. */
  readonly lacking: (platform: PlatformName) => string | undefined;
  /** Whether several people read the channels of that platform, so that a change for all is told there. */
  readonly isRead: (platform: PlatformName) => boolean;
  /**
   * Whether that is a page where nobody signs in, so that everyone there is the same actor. It is one room, although
   * nobody else is in it.
   */
  readonly isOwnPage: (platform: string) => boolean;
  readonly platformOf: (name: string) => Pick<ChatPlatform, "directPlace"> | undefined;
  readonly permalink: (ref: MessageRef) => Promise<string | undefined>;
  /** Undefined: the platform can't say. */
  readonly visibility: (place: Place) => Promise<Visibility | undefined>;
  readonly readThread: (place: Place, options: { readonly limit: number }) => Promise<readonly ThreadMessage[]>;
  /** The person's where the platform knows it, else TIME_ZONE. Never rejects. */
  readonly timeZoneOf: (actor: Actor, place: Place) => Promise<string>;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: {
    readonly project: string;
    readonly commandPrefix: string;
    readonly version: string;
    /** The knowledge base of the built-in service that holds Parley's own manual. */
    readonly ownDocsBase?: string;
    /** The reaction that saves a message; "off" for none. */
    readonly saveEmoji: string;
  };
};

export type CommandApp = CommandParts & {
  readonly registry: Registry;
  readonly once: Once;
  readonly drafts: FormDrafts;
  /** For buttons that do what a typed command does. */
  readonly commands: Pick<Commands, "plan" | "run">;
};
