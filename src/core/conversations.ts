/** The port to Conversations: a thread's history and chosen agent, and deleting them. */
import type { ServiceThread } from "./model/agent-event.ts";
import type { Actor, Place } from "./model/place.ts";

/** One earlier question and its answer, tagged with its Turn so that writing it twice is idempotent. */
export type ConversationEntry = {
  readonly turnId: string;
  readonly question: string;
  readonly answer: string;
};

/** A conversation that the service keeps of this one. */
export type KeptThread = {
  readonly ids: ServiceThread;
  readonly agent: { readonly project: string; readonly name: string };
  /** The newest Turn in it. Absent: nothing continues it, and it is only kept to be deleted. */
  readonly turnId?: string;
};

export type Conversation = {
  readonly version: 1;
  readonly entries: readonly ConversationEntry[];
  /** Order of the last message already sent as context; later ones are new. */
  readonly contextUpTo?: string;
  /** The agent a person named for this thread (`/ask … agent:x`); applies beyond that question. */
  readonly agent?: { readonly project: string; readonly name: string };
  /** The last one is continued. */
  readonly threads?: readonly KeptThread[];
};

export type Conversations = {
  readonly get: (place: Place) => Promise<Conversation>;
  /** Parley has answered there, so plain follow-ups are meant for it. */
  readonly isKnown: (place: Place) => Promise<boolean>;
  readonly update: (place: Place, change: (conversation: Conversation) => Conversation) => Promise<void>;
  /** Deletes the history; the thread stays known. */
  readonly forget: (place: Place) => Promise<void>;
  /** In every thread of every workspace that named this agent. Without `to`, threads use their channel's agent again. */
  readonly replaceAgent: (
    project: string,
    from: string,
    to: string | undefined,
    withLane: (lane: string, work: () => Promise<void>) => Promise<void>,
  ) => Promise<void>;
};

/** Throws not_allowed where others have asked: then that person can't have the conversation forgotten. */
export type CheckAskedAlone = (conversation: Place, by: Actor) => Promise<void>;

/** Returns the number of questions forgotten. Throws not_allowed where others have asked. */
export type Forget = (
  conversation: Place,
  by: Actor,
  /** Whether other people's questions can be deleted too: in a direct message, or by a manager. */
  mayForgetOthers: boolean,
) => Promise<number>;
