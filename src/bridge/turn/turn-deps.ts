/** What a living Turn depends on, how the process controls it, and why it is interrupted. */

import type { Circuit } from "../../agent-service/circuit.ts";
import type { Named, Reach } from "../../core/access.ts";
import type { Audit } from "../../core/audit.ts";
import type { TurnNotes } from "../../core/content/gaps.ts";
import type { Voting } from "../../core/content/voting.ts";
import type { Conversations } from "../../core/conversations.ts";
import type { BridgeMetrics } from "../../core/metrics.ts";
import type { Place } from "../../core/model/place.ts";
import type { Source, Turn, TurnView } from "../../core/model/turn.ts";
import type { AgentService } from "../../core/ports/agent-service.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Log } from "../../core/ports/log.ts";
import type { Coordinator, TurnStore } from "../../core/ports/state.ts";
import type { Notices } from "../../delivery/notices.ts";
import type { ReplyWriter, Site } from "../../delivery/types.ts";
import type { Decisions } from "../approval/decisions.ts";
import type { ReadText } from "../conversation/read-attachments.ts";
import type { Topics } from "../conversation/topics.ts";
import type { ThreadTalk } from "../intake/thread-talk.ts";
import type { Unasked } from "../overheard/unasked.ts";
import type { People } from "../people.ts";
import type { QuestionLimit } from "../question-limit.ts";
import type { BridgeSettings } from "../settings.ts";
import type { Tidying } from "../shown/tidying.ts";
import type { Picture } from "../shown/turn-picture.ts";
import type { TurnRecord } from "./turn-record.ts";

export type TurnDeps = {
  readonly service: AgentService;
  readonly turns: TurnStore;
  readonly coordinator: Coordinator;
  readonly notices: Pick<Notices, "post">;
  /** Dates an answer's sources by when Parley read them. Absent: they keep the dates that the service gives. */
  readonly dateSources?: (agent: Named, sources: readonly Source[]) => Promise<readonly Source[]>;
  /** Notes answers that were not good enough. Absent: nobody does. */
  readonly notes?: TurnNotes;
  /** Whether the end of a schedule's question differs from the last one that was shown. Absent: always. */
  readonly isNews?: (turn: Turn, view: TurnView) => Promise<boolean>;
  /** Votes on answers. Absent: nobody can vote. */
  readonly voting?: Voting;
  /** Something that was not ready when that end was shown, such as a picture, can follow. Absent: nothing follows. */
  readonly lacked?: (turnId: string) => void;
  /** Removes progress that an end was posted beside. Absent: ends are never posted beside it. */
  readonly tidying?: Pick<Tidying, "note" | "begin">;
  readonly sites: ReadonlyMap<string, Site>;
  readonly readText: ReadText;
  readonly metrics: BridgeMetrics;
  readonly circuit: Circuit;
  readonly questionLimit: QuestionLimit;
  readonly conversations: Conversations;
  readonly reach: Reach;
  readonly decisions: Decisions;
  readonly audit: Pick<Audit, "record">;
  /** What the agent gets before each question of that channel. */
  readonly instructionsFor: (channel: Place) => Promise<string | undefined>;
  readonly people: Pick<People, "newest">;
  readonly talk: Pick<ThreadTalk, "noteAnswer">;
  readonly topics: Pick<Topics, "note">;
  readonly unasked: Pick<Unasked, "mayPost" | "count" | "noteQuiet">;
  readonly settings: BridgeSettings;
  readonly clock: Clock;
  readonly log: Log;
};

/** The reason of a living Turn's abort signal. */
export type Interruption =
  | { readonly kind: "stop" }
  /** The question was edited, or asked again. */
  | { readonly kind: "restart" }
  /** The process is shutting down. */
  | { readonly kind: "drain" }
  /** Another instance has continued the Turn. */
  | { readonly kind: "taken" };

/** Only for a signal that a Turn's control aborted. */
export function interruptionOf(signal: AbortSignal): Interruption {
  return signal.reason as Interruption;
}

/** How the process controls a living Turn. `signal` is a new one after each restart. */
export type TurnControl = {
  readonly signal: () => AbortSignal;
  /** `isForEnd`: showing an end can use the grace period of a shutdown. */
  readonly renew: (isForEnd?: boolean) => void;
  /** Called when the Turn holds its lane, for counting and for draining. */
  readonly onRunning: () => void;
  /** Called when it waits for people: a shutdown doesn't wait for them. */
  readonly onWaiting: () => void;
  /** Aborts `signal` from within. */
  readonly interrupt: (by: Interruption) => void;
};

/** What the stages of a Turn share once its Reply is open. */
export type TurnWork = {
  readonly record: TurnRecord;
  readonly control: TurnControl;
  readonly picture: Picture;
  readonly writer: ReplyWriter;
  readonly site: Site;
};

/** A fresh signal for showing the end. Aborts with an Interruption. */
export function endingSignal({ control, record }: TurnWork): AbortSignal {
  control.renew(true);
  record.onTaken(() => control.interrupt({ kind: "taken" }));
  return control.signal();
}
