/**
 * The question log: one entry per finished Turn, without its texts. Entries are derived from Turns again and again, so
 * they can always be replaced.
 */
import { z } from "zod";
import { type Place, personKey, type Visibility } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { Collection, CollectionDefinition, CollectionFactory, Query } from "../../core/ports/collection.ts";
import type { ProjectedTurn, TurnProjection } from "./turn-work.ts";

export const questionOutcomes = [
  "answered",
  "unsure",
  "nothing",
  "passages-only",
  "failed",
  "stopped",
  "not-shown",
] as const;
/** "answered": for sure; "unsure" and "nothing" are the other grades of an answer. "passages-only": its model failed. "not-shown": its end was not shown where it was asked. */
export type QuestionOutcome = (typeof questionOutcomes)[number];

/** Why an end was not shown where it was asked. */
export const reasonsNotShown = [
  "nothing",
  "unsure",
  "failed",
  "unchanged",
  "limit",
  "not-for-you",
  "removed",
  "unshown",
] as const;
/** "unshown": its place could not be written in. */
export type NotShown = (typeof reasonsNotShown)[number];

export type QuestionEntry = {
  /** The Turn's. */
  readonly id: string;
  readonly ref: string;
  /** By the clock of the instance that took the question. */
  readonly askedAtMs: number;
  /** Of the newest attempt. */
  readonly endedAtMs?: number;
  /** From the first moment of the newest attempt to its end; never negative. */
  readonly durationMs?: number;
  readonly place: Place;
  /** Who could read `place` when it was asked. Absent: unknown. */
  readonly visibility?: Visibility;
  /** Only its asker reads the answer. */
  readonly isPrivate?: true;
  /** "PROJECT.NAME". Absent: none was asked. */
  readonly agent?: string;
  readonly outcome: QuestionOutcome;
  /** Set with "not-shown". */
  readonly why?: NotShown;
  /** The error's, if there was one. */
  readonly code?: string;
  readonly hasSource: boolean;
  readonly up: number;
  readonly down: number;
  /** The asker's key: `personKey` of the place and the person. */
  readonly asker: string;
  /** A schedule asked. */
  readonly isScheduled?: true;
};

/** All that are set must apply. */
export type QuestionFilter = {
  /** Asked at that time or later. */
  readonly fromMs?: number;
  /** Asked before that time. */
  readonly untilMs?: number;
  readonly platform?: string;
  readonly workspace?: string;
  readonly channel?: string;
  /** "PROJECT.NAME". */
  readonly agent?: string;
  readonly outcome?: QuestionOutcome;
  /** Together with "not-shown". */
  readonly why?: NotShown;
  readonly feedback?: "up" | "down";
  readonly ref?: string;
  /** `personKey`. */
  readonly asker?: string;
};

/** `isMore`: counting ended there. */
export type QuestionCount = { readonly count: number; readonly isMore: boolean };

export type QuestionField =
  | "askedAtMs"
  | "platform"
  | "workspace"
  | "channel"
  | "agent"
  | "outcome"
  | "unanswered"
  | "why"
  | "up"
  | "down"
  | "ref"
  | "asker";

export type QuestionLog = Collection<QuestionEntry, QuestionField>;

const text = z.string();

export const questionLogCollection: CollectionDefinition<QuestionEntry, QuestionField> = {
  holds: "List of questions for `/admin`, without texts",
  person: { kind: "questions", erase: "delete" },
  retain: { days: "RETENTION_DAYS", since: "askedAtMs" },
  isDerived: true,
  schema: z.looseObject({
    id: text,
    ref: text,
    askedAtMs: z.number(),
    endedAtMs: z.number().optional(),
    durationMs: z.number().optional(),
    place: z.looseObject({ platform: text, workspace: text, channel: text }),
    agent: text.optional(),
    outcome: z.enum(questionOutcomes),
    why: z.enum(reasonsNotShown).optional(),
    code: text.optional(),
    hasSource: z.boolean(),
    up: z.number(),
    down: z.number(),
    asker: text,
  }),
  fields: {
    askedAtMs: ({ askedAtMs }) => askedAtMs,
    platform: ({ place }) => place.platform,
    workspace: ({ place }) => place.workspace,
    channel: ({ place }) => place.channel,
    agent: ({ agent }) => agent,
    outcome: ({ outcome }) => outcome,
    // Most questions are answered: an index of the others is small.
    unanswered: ({ outcome }) => (outcome === "answered" ? undefined : outcome),
    why: ({ why }) => why,
    up: ({ up }) => (up > 0 ? 1 : undefined),
    down: ({ down }) => (down > 0 ? 1 : undefined),
    ref: ({ ref }) => ref,
    asker: ({ asker }) => asker,
  },
  indexes: [
    { by: [], order: "askedAtMs" },
    { by: ["ref"], order: "askedAtMs" },
    { by: ["asker"], order: "askedAtMs" },
    { by: ["down"], order: "askedAtMs" },
    { by: ["up"], order: "askedAtMs" },
    // A channel has some hundred answers for each failure.
    { by: ["channel", "unanswered"], order: "askedAtMs" },
    { by: ["unanswered"], order: "askedAtMs" },
    { by: ["channel"], order: "askedAtMs" },
    { by: ["workspace"], order: "askedAtMs" },
    { by: ["agent"], order: "askedAtMs" },
  ],
};

export const questionLogIn = ({ collection }: { readonly collection: CollectionFactory }): QuestionLog =>
  collection("question-log", questionLogCollection);

/** Newest first. */
export function questionQuery({ fromMs, untilMs, feedback, outcome, ...where }: QuestionFilter): Query<QuestionField> {
  const ended = outcome === "answered" ? { outcome } : { unanswered: outcome };
  const votes = feedback === undefined ? {} : { [feedback]: 1 };
  return { order: "askedAtMs", from: fromMs, until: untilMs, where: { ...where, ...ended, ...votes } };
}

/** Keeps it current: an entry for each Turn that has ended, and none for one that was forgotten. */
export function createLogProjection(log: Pick<QuestionLog, "put" | "delete">): TurnProjection {
  return {
    derive: async (_quarter, turns, gone, lease) => {
      const kept = turns.filter(({ turn }) => turn.isForgotten !== true);
      const removed = turns.filter(({ turn }) => turn.isForgotten === true).map(({ turn }) => turn.id);
      if (!lease.isCurrent()) throw new Error("The lease of a quarter's questions was lost.");
      await Promise.all([...removed, ...gone].map((id) => log.delete(id)));
      await Promise.all(kept.map(entryOf).map((entry) => log.put(entry.id, entry)));
    },
  };
}

/** The error that people would have read, had nothing been found. */
const modelFailedCode = "model_unavailable";

/** What is kept of a finished Turn. */
export function entryOf({ turn, votes }: ProjectedTurn): QuestionEntry {
  const { id, ref, createdAtMs, endedAtMs, askedIn, agent, actor, outcome, unshown } = turn;
  const beganAtMs = turn.askedAgainAtMs ?? createdAtMs;
  return {
    visibility: turn.visibility,
    isPrivate: turn.isPrivate === true ? (true as const) : undefined,
    isScheduled: turn.scheduleId === undefined ? undefined : (true as const),
    endedAtMs, // Another instance, whose clock is behind, may have ended it.
    durationMs: endedAtMs === undefined ? undefined : Math.max(0, endedAtMs - beganAtMs),
    agent: agent === undefined ? undefined : `${agent.project}.${agent.name}`,
    why: unshown === undefined ? turn.notAnswered : ("unshown" as const),
    code: unshown?.code ?? outcome?.error?.code ?? (outcome?.modelFailed === undefined ? undefined : modelFailedCode),
    id,
    ref,
    askedAtMs: createdAtMs,
    place: askedIn,
    outcome: outcomeOf(turn),
    hasSource: outcome?.grade === "sure",
    up: votes.up,
    down: votes.down,
    asker: personKey(askedIn, actor),
  };
}

function outcomeOf({ state, notAnswered, unshown, outcome }: Turn): QuestionOutcome {
  if (state === "stopped") return "stopped";
  if (notAnswered !== undefined || unshown !== undefined) return "not-shown";
  if (state !== "answered" || outcome === undefined) return "failed";
  if (outcome.modelFailed !== undefined) return "passages-only";
  return outcome.grade === "sure" ? "answered" : (outcome.grade ?? "nothing");
}
