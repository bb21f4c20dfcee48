/** What the bridge works with: what it is given, and what its own files share. */

import type { Circuit } from "../agent-service/circuit.ts";
import type { App } from "../app.ts";
import type { Saving } from "../commands/adding/save.ts";
import type { Commands } from "../commands/contract.ts";
import type { Adopting } from "../commands/insight/adoption.ts";
import type { Named } from "../core/access.ts";
import type { TurnNotes } from "../core/content/gaps.ts";
import type { Voting } from "../core/content/voting.ts";
import type { Conversations } from "../core/conversations.ts";
import type { Actor, Place } from "../core/model/place.ts";
import type { Source, Turn, TurnView } from "../core/model/turn.ts";
import type { KnowledgeReading } from "../core/ports/platform-module.ts";
import type { Decisions } from "./approval/decisions.ts";
import type { ReadText } from "./conversation/read-attachments.ts";
import type { Topics } from "./conversation/topics.ts";
import type { ThreadTalk } from "./intake/thread-talk.ts";
import type { Unasked } from "./overheard/unasked.ts";
import type { People } from "./people.ts";
import type { Tidying } from "./shown/tidying.ts";

export type CommandsThere = {
  readonly commands: Commands;
  /** Absent: saving is not possible here. */
  readonly saving?: Saving;
  /** Absent: messages can't be used as answers here. */
  readonly adopting?: Adopting;
  /** Absent: knowledge bases can't be read here. */
  readonly reading?: KnowledgeReading;
};

/** What other rooms give it. */
export type BridgeParts = {
  /** The commands of the project that this person has there. */
  readonly commandsIn: (who: { readonly actor: Actor; readonly place: Place }) => CommandsThere;
  readonly conversations: Conversations;
  readonly circuit: Circuit;
  readonly readText: ReadText;
  /** Dates an answer's sources by when Parley read them. Absent: they keep the dates that the service gives. */
  readonly dateSources?: (agent: Named, sources: readonly Source[]) => Promise<readonly Source[]>;
  /** Notes answers that were not good enough. Absent: nobody does. */
  readonly notes?: TurnNotes;
  /** Whether the end of a schedule's question differs from the last one that was shown. Absent: always. */
  readonly isNews?: (turn: Turn, view: TurnView) => Promise<boolean>;
  /** Votes on answers. Absent: nobody can vote. */
  readonly voting?: Voting;
  /** Removes progress that an end was posted beside. Absent: ends are never posted beside it. */
  readonly tidying?: Tidying;
  /** How many questions wait for a better answer, of those that person may read. */
  readonly openGaps?: (actor: Actor, place: Place) => Promise<number>;
};

/** The newest question of each Conversation: only that one is asked again when it is edited. */
export const latestQuestions = ({ state }: App) =>
  state.keyValue<{ readonly turnId: string; readonly order: string }>("latest-questions");

export type BridgeApp = App &
  BridgeParts & {
    readonly people: People;
    readonly talk: ThreadTalk;
    readonly topics: Topics;
    readonly decisions: Decisions;
    readonly unasked: Unasked;
    /** Something that was not ready when that end was shown, such as a picture, can follow. */
    readonly lacked: (turnId: string) => void;
    /** An edit of this instance may have come after that end, which another instance had shown. */
    readonly overwritten: (turnId: string) => void;
  };
