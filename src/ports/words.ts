/**
 * The words of Parley, as types. Every room speaks in these; nothing here does anything.
 * What is stored (Turn, Reply, Job, Binding, Conversation) is plain JSON: no Date, no class, no undefined inside arrays.
 */

/** "console", "slack", "discord", or the name of whatever folder comes next under adapters/. */
export type PlatformName = string;

/** Where something is said. A direct message is a Place too: its channel is the direct-message channel. */
export type Place = {
  readonly platform: PlatformName;
  /** Slack team, Discord guild (or "dm"), "local" on the console. */
  readonly workspace: string;
  readonly channel: string;
  /** Absent at a channel's top level. */
  readonly thread?: string;
};

/** Who says it, as the adapter resolved them. */
export type Actor = {
  readonly id: string;
  readonly workspace: string;
  /** Display name; untrusted text. */
  readonly name: string;
  readonly isAdmin: boolean;
  readonly isGuest: boolean;
  /** From another organisation (a shared channel's other side). */
  readonly isExternal: boolean;
  /** The platform did not say in time who they are: they have the least rights there are, and may try again. */
  readonly isUnverified?: true;
  readonly isBot: boolean;
  /**
   * In a direct message that belongs to no workspace: the served workspaces that the person is a member of. Absent
   * elsewhere, and where the platform did not say.
   */
  readonly memberOf?: readonly string[];
  /** The platform's role ids, for `discord:role:456` in MANAGERS and its like. */
  readonly roles: readonly string[];
};

export type Role = "ask" | "ingest" | "manage";

export type Mode = "mention" | "thread" | "channel";

/** Which agent answers in a channel, or in a workspace as its default. */
export type Binding = {
  readonly project: string;
  readonly agent: string;
  /** The default target of what is ingested here. */
  readonly knowledgeBase?: string;
  readonly mode: Mode;
};

/** A file that came with a message. Its bytes are read through `ChatPlatform.openAttachment`. */
export type Attachment = {
  readonly id: string;
  readonly name: string;
  /** As the platform claims it, e.g. "text/csv"; untrusted. */
  readonly mediaType: string;
  readonly sizeBytes: number;
  /** What the adapter needs to fetch it again (an address, a file id). Never a token. */
  readonly reference: string;
};

/** One earlier question and its answer, tagged with its Turn so that writing it twice changes nothing. */
export type ConversationEntry = {
  readonly turnId: string;
  readonly question: string;
  readonly answer: string;
};

export type Conversation = {
  readonly version: 1;
  readonly entries: readonly ConversationEntry[];
  /** The platform's order of the last message already folded in as context; later ones are new. */
  readonly contextUpTo?: string;
  /** The agent that a person named for this thread (`/ask … agent:x`); outlives the single question. */
  readonly agent?: { readonly project: string; readonly name: string };
};

/** A table as the service gave it: every row has as many cells as there are columns. */
export type Table = {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Rows that were there but are not in `rows`, because of a limit. */
  readonly omittedRows?: number;
};

/** A passage that an answer rests on. */
export type Source = {
  /** Falls back to the address, or to the document's id. Untrusted text. */
  readonly title: string;
  /** http or https only; anything else is dropped when it is parsed. */
  readonly url?: string;
  /** 0 to 1, larger is better. */
  readonly relevance?: number;
  /** The beginning of the passage, at most 300 characters. */
  readonly excerpt?: string;
};

/** What a tool call found, in numbers and names that can be said in words. */
export type Outcome =
  | { readonly kind: "names"; readonly names: readonly string[] }
  /** `isAtLeast`: more came than was read. */
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
  readonly tool: string;
  /** SQL, or empty. */
  readonly input: string;
  readonly inputOmittedChars?: number;
  readonly reasoning?: string;
  readonly reasoningOmittedChars?: number;
  readonly state: "running" | "done" | "failed";
  /** Cut at the reducer's limit, with `observationOmittedChars` telling how much. */
  readonly observation?: string;
  readonly observationOmittedChars?: number;
  readonly outcome?: Outcome;
  readonly startedAtMs: number;
  readonly endedAtMs?: number;
};

export type TurnState = "queued" | "running" | "answered" | "failed" | "stopped" | "interrupted";

/** What went wrong, safe to show: `code` is in docs/errors.md. */
export type TurnError = {
  readonly code: string;
  /** One sentence: what happened. */
  readonly what: string;
  /** One sentence: what to do. */
  readonly hint: string;
};

export type PlaceInLine =
  /** 1 = next. Behind other questions of the same Conversation. */
  | { readonly kind: "conversation"; readonly position: number }
  /** 1 = next. Behind other runs of the Service. */
  | { readonly kind: "service"; readonly position: number }
  /** 1 = next. More questions a minute than one person, or one channel, has. */
  | { readonly kind: "person-limit"; readonly position: number }
  | { readonly kind: "channel-limit"; readonly position: number };

/** The pure picture of a Turn that every platform draws. Made by the reducer; holds no clock. */
export type TurnView = {
  readonly turnId: string;
  /** Short reference that the log has too. */
  readonly ref: string;
  readonly state: TurnState;
  readonly agent: string;
  /** Its beginning. */
  readonly question: string;
  readonly questionOmittedChars?: number;
  /** Set where the platform's own message does not show the question ("NAME asked: …"). */
  readonly askedBy?: string;
  readonly steps: readonly Step[];
  /** Steps beyond the reducer's limit: counted, not kept. */
  readonly omittedSteps?: number;
  /** The newest reasoning or status in the agent's words; untrusted. */
  readonly status?: string;
  /** Markdown, untrusted. "" when the answer is `answerTable` alone. */
  readonly answer?: string;
  /** Cut at the reducer's limit. */
  readonly answerOmittedChars?: number;
  /** Set when the answer itself is a table (26.x); may have no rows. */
  readonly answerTable?: Table;
  /** Rows that tools returned, other than passages, in the order they came. */
  readonly tables: readonly Table[];
  readonly sources: readonly Source[];
  readonly error?: TurnError;
  /** The stream broke off: what stands here may not be all. */
  readonly isPartial: boolean;
  readonly placeInLine?: PlaceInLine;
  /** True from the moment the answer is asked again after a restart until its first event. */
  readonly isResumed: boolean;
  readonly startedAtMs?: number;
  readonly endedAtMs?: number;
};

export type ReplyPart = {
  readonly index: number;
  readonly messageId?: string;
  /**
   * intended: about to be posted, perhaps posted; posted: stands there, may change; final: shows its last content;
   * gone: was deleted, and what takes its place is another generation.
   */
  readonly state: "intended" | "posted" | "final" | "gone";
  /** How many messages of this part are gone. Absent: none, as in what was stored before there were generations. */
  readonly generation?: number;
  /** Of the payload last accepted; equal hash means nothing to write. */
  readonly hash?: string;
};

/** The part that is an attached file; every other part is a message. */
export const filePart = 63;

/** The messages that show a Turn or a Job; stored, so that any instance can go on with it. */
export type Reply = {
  readonly place: Place;
  readonly parts: readonly ReplyPart[];
};

export type Thumb = "up" | "down";

/** One question and its answer. `id` sorts by creation time, but for what may have waited for the storage. */
export type Turn = {
  readonly version: 1;
  readonly id: string;
  readonly ref: string;
  /** Of the platform event that asked; unique. Edits and deletions of the question name it again. */
  readonly eventKey: string;
  /** Where it was said, and the message that asked (absent for commands). */
  readonly askedIn: Place;
  readonly askedMessageId?: string;
  /** The platform had handed over the event before: something of the Reply may stand already. */
  readonly isRepeated?: boolean;
  /** Where the Conversation is; its key is the lane. */
  readonly conversation: Place;
  /** The platform's own order (ts, snowflake), padded so that string comparison orders it. */
  readonly order: string;
  readonly actor: Actor;
  readonly question: string;
  readonly attachments: readonly Attachment[];
  /** What the adapter wants back when it prepares or posts the Reply; opaque to the bridge. */
  readonly platformData?: Readonly<Record<string, string>>;
  /** How it was asked; decides whether the question is shown in the Reply. */
  readonly via: "message" | "command" | "shortcut";
  /** Only the asker reads the answer, in a direct message: others where it was asked cannot reach the agent. */
  readonly isPrivate?: boolean;
  /** Set when the asker named one; otherwise the Binding decides when it first runs. */
  readonly requestedAgent?: string;
  readonly agent?: { readonly project: string; readonly name: string };
  /** Thread context that stood before the question when it was first run. */
  readonly context?: string;
  readonly state: TurnState;
  /** Raised by every Try again and edit. */
  readonly attempt: number;
  /** Its words, its answer and its steps were removed; what is left keeps the event from being taken again. */
  readonly isForgotten?: true;
  /** How often work on it was begun again after a process had died in it; Try again and an edit begin anew. */
  readonly resumptions?: number;
  /** Work on it has begun, and nothing tells that it ended or waits: found so, a process died in it. */
  readonly isUnderWay?: boolean;
  /** The first and the last of the tries in a row to make the place of its Reply that failed. */
  readonly unplaced?: { readonly sinceMs: number; readonly lastMs: number };
  /** Kept while running so that a stop survives the death of the process that ran it. */
  readonly stopRequestedBy?: { readonly id: string; readonly name: string };
  /** The end that is decided but perhaps not yet shown: delivered again after a crash, not asked again. */
  readonly outcome?: TurnView;
  /** The attempt whose outcome that is, until the Turn has ended: words that were edited since are asked. Absent: the newest. */
  readonly outcomeAttempt?: number;
  readonly reply: Reply;
  readonly feedback: Readonly<Record<string, Thumb>>;
  readonly createdAtMs: number;
  readonly startedAtMs?: number;
  readonly endedAtMs?: number;
  /** The lease number under which it was last written; an older writer is refused. */
  readonly fence: number;
};

export type JobState = "queued" | "running" | "done" | "failed" | "cancelled";

/** One address, file, batch of rows or query of a Job. */
export type JobItem = {
  readonly label: string;
  readonly kind: "url" | "file" | "rows" | "query" | "thread";
  readonly state: "waiting" | "running" | "done" | "failed" | "cancelled";
  readonly title?: string;
  readonly url?: string;
  readonly pages?: number;
  readonly rows?: number;
  readonly reason?: string;
  /** Begun, or about to begin, in processes that did not end in order. Absent: none. */
  readonly attempts?: number;
  readonly startedAtMs?: number;
  readonly endedAtMs?: number;
};

/** Durable work that puts something into a knowledge base. */
export type Job = {
  readonly version: 1;
  readonly id: string;
  readonly ref: string;
  readonly eventKey: string;
  readonly askedIn: Place;
  readonly actor: Actor;
  readonly project: string;
  readonly knowledgeBase: string;
  readonly way: "service" | "parley";
  readonly options: Readonly<Record<string, string | number | readonly string[]>>;
  readonly items: readonly JobItem[];
  readonly state: JobState;
  readonly reply: Reply;
  readonly createdAtMs: number;
  readonly endedAtMs?: number;
  readonly fence: number;
};

/** Key of a Conversation, of its lane and of what is stored about it. Begins with platform and workspace. */
export function conversationKey(place: Place): string {
  return [place.platform, place.workspace, place.channel, place.thread ?? ""].map(encodeURIComponent).join("/");
}

/** Key of a channel, as Bindings use it. */
export function channelKey(place: Place): string {
  return [place.platform, place.workspace, place.channel].map(encodeURIComponent).join("/");
}

/** Key of a workspace: Bindings' defaults, budgets. */
export function workspaceKey(place: Pick<Place, "platform" | "workspace">): string {
  return [place.platform, place.workspace].map(encodeURIComponent).join("/");
}

/** Key of a person in a workspace: Jobs, lines that take turns. */
export function personKey(place: Pick<Place, "platform" | "workspace">, actor: Pick<Actor, "id">): string {
  return `${workspaceKey(place)}/${encodeURIComponent(actor.id)}`;
}
