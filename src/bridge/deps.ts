/** What the bridge needs from outside. Its parts that handle events get all of it. */

import type { Saving } from "../commands/adding/save.ts";
import type { Commands } from "../commands/contract.ts";
import type { Adopting } from "../commands/insight/adoption.ts";
import type { Actor, Attachment, Mode, Place } from "../core/model/place.ts";
import type { Claims, JobStore, KeyValue } from "../core/ports/state.ts";
import type { TopicRecord } from "./conversation/topics.ts";
import type { TalkFact } from "./intake/thread-talk.ts";
import type { OverheardFact } from "./overheard/unasked.ts";
import type { TurnDeps } from "./turn/turn-deps.ts";

/** The events that caused a welcome in a channel. */
type WelcomeRecord = { readonly eventKeys: readonly string[] };

/** What was typed, until its button is pressed. */
type TypedCommand = {
  readonly text: string;
  readonly actorId: string;
  readonly attachments: readonly Attachment[];
};

export type BridgeDeps = Omit<
  TurnDeps,
  "circuit" | "questionLimit" | "people" | "talk" | "topics" | "decisions" | "unasked"
> & {
  readonly commands: Commands;
  /** Absent: saving is not possible here. */
  readonly saving?: Saving;
  /** Absent: messages can't be used as answers here. */
  readonly adopting?: Adopting;
  readonly claims: Claims;
  /** Those of all instances. */
  readonly jobs: Pick<JobStore, "unfinished">;
  /** The newest question of each Conversation: only that one is asked again when it is edited. */
  readonly latest: KeyValue<{ readonly turnId: string; readonly order: string }>;
  /** Number of consecutive Turns of bots, by Conversation. */
  readonly botTurns: KeyValue<number>;
  /** Messages that were deleted before Parley read them, by event key. */
  readonly goneQuestions: KeyValue<{ readonly atMs: number }>;
  /** The events that caused a welcome, by channel. */
  readonly welcomes: KeyValue<WelcomeRecord>;
  /** Commands typed without a slash that wait for their button. */
  readonly typed: KeyValue<TypedCommand>;
  /** The reaction that saves a message. Absent: saving by reaction is off. */
  readonly saveEmoji?: string;
  /** Which Turn asks people to decide about a tool call, by lane. */
  readonly approvals: KeyValue<{ readonly turnId: string }>;
  /** Who asked, and when Parley answered, by Conversation. */
  readonly threadTalk: KeyValue<TalkFact>;
  /** What was said unasked, and where Parley was told to keep quiet. */
  readonly overheard: KeyValue<OverheardFact>;
  /** Which topic direct messages continue. */
  readonly topicRecords: KeyValue<TopicRecord>;
  /** How many questions wait for a better answer, of those that person may read. */
  readonly openGaps?: (actor: Actor, place: Place) => Promise<number>;
  readonly modeOf: (place: Place) => Promise<Mode>;
  readonly retentionMs: number;
};
