/**
 * The record of a Turn (one question and its answer) and the view that platforms draw.
 * Stored records are plain JSON: no Date, no class, no undefined inside arrays.
 */
import type { Approval, ShownDecision, ShownRequest } from "./approval.ts";
import type { Actor, Attachment, Place, Visibility } from "./place.ts";
import type { Reply } from "./reply.ts";
import type { Tokens } from "./tokens.ts";

/** A table as the service returned it: every row has one cell per column. */
export type Table = {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Number of rows left out of `rows` because of a limit. */
  readonly omittedRows?: number;
};

/** `sure`: rests on what answers it. `unsure`: something was found that may not. `nothing`: it doesn't know. */
export type Grade = "sure" | "unsure" | "nothing";

/** A passage that supports an answer. */
export type Source = {
  /** Falls back to the URL, or to the document's id. Untrusted text. */
  readonly title: string;
  /** http or https only; anything else is dropped during parsing. */
  readonly url?: string;
  /** 0 to 1, larger is better. */
  readonly relevance?: number;
  /** The beginning of the passage, at most 300 characters. */
  readonly excerpt?: string;
  /** When the document was last read: from the ledger, else what the service says. */
  readonly updatedAtMs?: number;
  /** Of an added answer, where the service tells. */
  readonly rowId?: string;
  /** Who added it as an answer. Untrusted. */
  readonly addedBy?: { readonly name: string; readonly atMs: number };
};

/** What a tool call found, as counts and names that a sentence can use. */
export type Outcome =
  | { readonly kind: "names"; readonly names: readonly string[] }
  /** `isAtLeast`: the service returned more than Parley read. */
  | {
      readonly kind: "passages";
      readonly count: number;
      readonly isAtLeast?: boolean;
      readonly bestRelevance?: number;
    }
  | { readonly kind: "rows"; readonly count: number; readonly isAtLeast?: boolean }
  | { readonly kind: "text" }
  | { readonly kind: "nothing" }
  | { readonly kind: "failed" };

/** One tool call. `input` and `observation` are shown on demand only, privately. */
export type Step = {
  /** The service's own, unique in the run. */
  readonly id?: string;
  readonly tool: string;
  /** SQL, or empty. */
  readonly input: string;
  readonly inputOmittedChars?: number;
  readonly reasoning?: string;
  readonly reasoningOmittedChars?: number;
  readonly state: "running" | "done" | "failed";
  /** Cut at the reducer's limit; `observationOmittedChars` says by how much. */
  readonly observation?: string;
  readonly observationOmittedChars?: number;
  readonly outcome?: Outcome;
  /** Passages it found, best first, at most ten. */
  readonly sources?: readonly Source[];
  readonly startedAtMs: number;
  readonly endedAtMs?: number;
};

/** `waiting`: people are to decide about a tool call. */
export type TurnState = "queued" | "running" | "waiting" | "answered" | "failed" | "stopped" | "interrupted";

/** An error that is safe to show. docs/errors.md lists the codes. */
export type TurnError = {
  readonly code: string;
  /** One sentence: what happened. */
  readonly what: string;
  /** One sentence: what to do. */
  readonly hint: string;
  /** Until when the service is busy, which `what` says too. */
  readonly untilMs?: number;
};

/** A picture of the question that no agent gets. `name` is untrusted. */
export type UnseenPicture = {
  readonly name: string;
  /** "format": its bytes are none of a PNG, JPEG, GIF or WebP. */
  readonly why: "format" | "bytes" | "pixels" | "too-many" | "unreadable";
};

/** What a question waits for, and at which position. Position 1 is next. */
export type PlaceInLine =
  /** Behind other questions of the same Conversation. */
  | { readonly kind: "conversation"; readonly position: number }
  /** The same, and the question that is being answered waits for people to decide about a tool call. */
  | { readonly kind: "approval"; readonly position: number }
  /** Behind other runs of the service. */
  | { readonly kind: "service"; readonly position: number }
  /** Over the per-minute limit of one person, or of one channel. */
  | { readonly kind: "person-limit"; readonly position: number }
  | { readonly kind: "channel-limit"; readonly position: number };

/** The view of a Turn that every platform draws. Created by the reducer; holds no clock. */
export type TurnView = {
  readonly turnId: string;
  /** Short reference that also appears in the log. */
  readonly ref: string;
  /** The service's own reference of the run. */
  readonly traceId?: string;
  readonly state: TurnState;
  readonly agent: string;
  /** The beginning of the question. */
  readonly question: string;
  readonly questionOmittedChars?: number;
  /** Set where the platform's own message does not show the question ("NAME asked: …"). */
  readonly askedBy?: string;
  /** It repeats a question that another agent was asked before. */
  readonly isSecondAnswer?: true;
  readonly steps: readonly Step[];
  /** Number of steps beyond the reducer's limit. They are counted, not stored. */
  readonly omittedSteps?: number;
  /** The newest reasoning or status in the agent's words; untrusted. */
  readonly status?: string;
  /** Set while the state is `waiting`. */
  readonly asksFor?: ShownRequest;
  /** About tool calls of this attempt, oldest first. */
  readonly decisions?: readonly ShownDecision[];
  /** Markdown, untrusted. "" when the answer is `answerTable` alone. */
  readonly answer?: string;
  /** True: more of the answer follows. False: it came in pieces, and all of them are here. Absent: it comes whole. */
  readonly isWriting?: boolean;
  /** Why the service ended the answer early. */
  readonly answerCut?: "length" | "filter";
  /** Passages only: the model failed. Why, in the words of its endpoint; untrusted. */
  readonly modelFailed?: string;
  /** What a service that knows its own knowledge says of its answer. */
  readonly ownGrade?: Grade;
  /** The verdict on an answer that has ended. Absent in every other state. */
  readonly grade?: Grade;
  /** Number of characters cut at the reducer's limit. */
  readonly answerOmittedChars?: number;
  /** Set when the answer itself is a table (26.x); may have no rows. */
  readonly answerTable?: Table;
  /** Rows other than passages that tools returned, in order of arrival. */
  readonly tables: readonly Table[];
  readonly sources: readonly Source[];
  /** Of all calls of this attempt that told it. Absent: none did. */
  readonly tokens?: Tokens;
  readonly error?: TurnError;
  readonly unseenPictures?: readonly UnseenPicture[] | undefined;
  /** The agent takes no pictures, or refused those of the question, so it was asked without them. */
  readonly seesNoPictures?: "any" | "these" | undefined;
  /** The stream broke, so this may be incomplete. */
  readonly isPartial: boolean;
  readonly placeInLine?: PlaceInLine;
  /** The service is busy, and is asked again then. */
  readonly waitsUntilMs?: number;
  /** True from the moment the question is asked again after a restart until its first event. */
  readonly isResumed: boolean;
  readonly startedAtMs?: number;
  readonly endedAtMs?: number;
};

/** Whose history it continues, and whose lane it waits in. */
export function historyOf({ topic, conversation }: Pick<Turn, "topic" | "conversation">): Place {
  return topic ?? conversation;
}

export type Thumb = "up" | "down";

/** `id` sorts by creation time, except for questions that may have waited for storage. */
export type Turn = {
  readonly version: 1;
  readonly id: string;
  readonly ref: string;
  /** Unique key of the platform event that asked. Edits and deletions of the question carry it too. */
  readonly eventKey: string;
  /** Where the question was asked, and its message (absent for commands). */
  readonly askedIn: Place;
  readonly askedMessageId?: string;
  /** Another instance may have seen the event (a redelivery, a recent outage): part of the Reply may already exist. */
  readonly isRepeated?: boolean;
  /** Where the Conversation is; its key is the lane. */
  readonly conversation: Place;
  /** The platform's own order (ts, snowflake), padded so that string comparison sorts it. */
  readonly order: string;
  readonly actor: Actor;
  readonly question: string;
  readonly attachments: readonly Attachment[];
  /** What the adapter needs back to prepare or post the Reply; opaque to the bridge. */
  readonly platformData?: Readonly<Record<string, string>>;
  /** How it was asked; decides whether the Reply shows the question. */
  readonly via: "message" | "command" | "shortcut";
  /** Only the asker reads the answer, in a direct message: others in the channel cannot reach the agent. */
  readonly isPrivate?: boolean;
  /**
   * Nobody addressed Parley: nothing is shown while it works, and the end only if its grade is "sure". Or a
   * schedule asked that shows only what has changed.
   */
  readonly isQuiet?: true;
  /** Where its history and its lane are, if not in `conversation`: direct messages whose answers have a thread each. */
  readonly topic?: Place;
  /** Set when the asker named an agent; otherwise the Binding decides at the first run. */
  readonly requestedAgent?: string;
  /** The project of `requestedAgent`. Absent: AGENT_PROJECT. */
  readonly requestedProject?: string;
  /** The message that the question is about; it and its thread are read when the question runs. */
  readonly about?: { readonly place: Place; readonly messageId: string };
  /** Who could read `askedIn` at that time. Absent: unknown. */
  readonly visibility?: Visibility;
  /** The schedule that asked. */
  readonly scheduleId?: string;
  /** The Turn whose question this one repeats to another agent; its answer is labelled. */
  readonly repeats?: string;
  readonly agent?: { readonly project: string; readonly name: string };
  /** Thread context that preceded the question at its first run. */
  readonly context?: string;
  readonly state: TurnState;
  /** Incremented by every Try again and edit. */
  readonly attempt: number;
  /** Question, answer and steps were deleted; the rest stays so that the event is not handled again. */
  readonly isForgotten?: true;
  /** How often work restarted after a process died in it. Try again and edits reset it. */
  readonly resumptions?: number;
  /** The run at the service, and the attempt whose text it was asked. Its handle is the service's own. */
  readonly run?: { readonly handle: Readonly<Record<string, string>>; readonly attempt: number };
  /** The service's own ids of the conversation that the run is in. */
  readonly serviceThread?: Readonly<Record<string, string>>;
  /** Work has begun and has neither ended nor paused. A Turn found in this state lost its process. */
  readonly isUnderWay?: boolean;
  /** First and last of the consecutive failed attempts to create the Reply's place. */
  readonly unplaced?: { readonly sinceMs: number; readonly lastMs: number };
  /** Stored while running, so that a stop survives the death of the process that runs it. */
  readonly stopRequestedBy?: { readonly id: string; readonly name: string };
  /** Its question was deleted: nothing of it is shown, and what was shown is removed. */
  readonly isWithdrawn?: true;
  /** Tool calls that people are to decide about, or have decided about, in this or an earlier attempt. */
  readonly approval?: Approval;
  /** What was found before the service asked for `approval`. */
  readonly soFar?: TurnView;
  /** The end that is decided but perhaps not yet shown: after a crash it is delivered, not asked again. */
  readonly outcome?: TurnView;
  /** Why its end was shown to nobody. Set from the beginning where no knowledge covers what was overheard: it has no run. */
  readonly notAnswered?: "nothing" | "unsure" | "failed" | "unchanged" | "limit" | "not-for-you" | "removed";
  /** Its end could not be shown in its place: why. */
  readonly unshown?: { readonly code: string };
  /** When its end was shown. */
  readonly shownAtMs?: number;
  /** The attempt that produced `outcome`, until the Turn has ended: a newer edit is asked instead. Absent: the newest. */
  readonly outcomeAttempt?: number;
  /** Ids of the Reply's messages before its end was shown, until the Turn has ended: a new message notifies people. */
  readonly shownBefore?: readonly string[];
  readonly reply: Reply;
  /** How the answer's table was last asked to be shown. Absent: nobody asked. */
  readonly shownAs?: "chart" | "table";
  readonly createdAtMs: number;
  /** Of the trace in which it was stored, as W3C's header says it. Absent without an OpenTelemetry SDK. */
  readonly traceparent?: string | undefined;
  /** Of the newest Try again or edit. */
  readonly askedAgainAtMs?: number;
  readonly startedAtMs?: number;
  readonly endedAtMs?: number;
  /** The lease's fence at the last write; a writer with a lower one is refused. */
  readonly fence: number;
};
