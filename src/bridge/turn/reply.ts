/**
 * A living Turn and its Reply: creates its place if needed (a Discord thread) and stores it first, opens the Reply, holds
 * the newest view and draws it, unless nobody is to see it.
 */

import { type ErrorCode, ParleyError, toParleyError } from "../../core/errors.ts";
import { conversationKey } from "../../core/model/place.ts";
import type { Turn, TurnView } from "../../core/model/turn.ts";
import type { ChatPlatform } from "../../core/ports/chat-platform.ts";
import type { Lease } from "../../core/ports/state.ts";
import { sayElsewhere } from "../../delivery/say-elsewhere.ts";
import type { News, ReplyWriter, Site } from "../../delivery/types.ts";
import { startSpan } from "../../operations/tracing.ts";
import { errorDocument, turnDocument, unshownDocument } from "../../presentation/drawing.ts";
import { errorSentences } from "../../presentation/sentences.ts";
import type { BridgeApp } from "../app.ts";
import { waitingView } from "../approval/approval.ts";
import { type HeldLane, laneOf } from "../lane.ts";
import { clearedAtEnd, isGivenUp, isUnseen, type TurnControl, type TurnRecord } from "./record.ts";
import { failWith, initialView } from "./view.ts";

/** A Turn in this process, and what it holds there until it is over. */
export type Living = {
  readonly record: TurnRecord;
  readonly control: TurnControl;
  readonly site: Site;
  /** It was found in the store. */
  readonly isRecovered: boolean;
  /** The lane it holds or waits for. */
  lane: string;
  held?: HeldLane;
  lastAttempt?: Lease | undefined;
  /** Absent until it has a place, or needs none. */
  reply?: OpenReply;
  /** Its Reply has no place yet, because nobody is to see anything of it. */
  isUnplaced?: boolean;
};

/** The messages that show a living Turn, and the newest view of it. */
export type OpenReply = Omit<ReplyWriter, "show"> & {
  readonly view: () => TurnView;
  readonly show: (view: TurnView) => void;
  /** Keeps the view without drawing it. */
  readonly keep: (view: TurnView) => void;
  /**
   * Draws the view again after `everyMs` without a change, so that the elapsed time moves, until the result is called.
   * Not more often: it would cost one more write.
   */
  readonly keepMoving: (everyMs: number) => () => void;
  /** Begins anew, after the question was edited or asked again. */
  readonly reset: (turn: Turn) => void;
};

/** Errors that waiting does not fix. */
const permanentErrors: readonly ErrorCode[] = [
  "not_permitted",
  "place_gone",
  "thread_gone",
  "message_gone",
  "platform_refused",
];

/** Nothing is retried forever. A shorter outage, of the platform or of one place, costs no question. */
const maxUnplacedMs = 3_600_000;
/** Maximum gap between two attempts; after a longer one (Parley was down) the hour starts again. */
const maxSilenceMs = 900_000;
/** A longer outage of storage says nothing about the place. */
const patienceMs = 1_500;

/**
 * False when there is no place for a Reply (the adapter has told the asker, since nobody else can), or when another
 * instance has continued the Turn.
 */
export async function ensurePlace({ record, site }: Living, app: BridgeApp): Promise<boolean> {
  try {
    return await preparePlace(record, site, app);
  } catch (failure) {
    const error = toParleyError(failure);
    if (permanentErrors.includes(error.code)) {
      await endWithoutPlace(record, error, app);
      return false;
    }
    if (!(await hasFailedLong(record, app))) throw failure;
    const gaveUp = new ParleyError("gave_up", { ...errorSentences.noPlace, cause: failure });
    // Told once: if the end could not be stored, it is tried again later.
    if ((await endWithoutPlace(record, gaveUp, app)) === "unstored") throw failure;
    if (!record.isTaken()) await tellElsewhere(record.turn(), gaveUp, site, app);
    return false;
  }
}

async function endWithoutPlace(record: TurnRecord, error: ParleyError, app: BridgeApp) {
  const turn = record.turn();
  const { id, ref, question } = turn;
  app.log.warn({ err: error, turnId: id, ref }, "An answer has no place to be posted");
  const view = failWith(initialView({ id, ref, question, agent: "" }), error, app.clock.now());
  const written = await record.move("failed", { ...clearedAtEnd, outcome: view, endedAtMs: app.clock.now() });
  await app.state.coordinator.lanes.remove(laneOf(turn), id);
  return written;
}

/** Also records when the failures began. */
async function hasFailedLong(record: TurnRecord, { clock }: BridgeApp): Promise<boolean> {
  const nowMs = clock.now();
  const { state, unplaced } = record.turn();
  const isInARow = unplaced !== undefined && nowMs - unplaced.lastMs <= maxSilenceMs;
  const sinceMs = isInARow ? unplaced.sinceMs : nowMs;
  if (nowMs - sinceMs >= maxUnplacedMs) return true;
  // The process is alive: failures are retried for an hour, crashes three times.
  await record.move(state, { unplaced: { sinceMs, lastMs: nowMs }, isUnderWay: false }, patienceMs);
  return false;
}

/** Tells people outside the thread what can't be shown in its place, or else the asker alone. */
export async function tellElsewhere(turn: Turn, error: ParleyError, site: Site, { log }: BridgeApp): Promise<void> {
  if (turn.isQuiet === true) return;
  const documents = { outside: errorDocument(error, turn.ref), direct: unshownDocument(turn, error) };
  const said = await sayElsewhere({ ...turn, shownIn: turn.conversation }, documents, { ...site, log });
  const fields = { turnId: turn.id, ref: turn.ref, outcome: "not_shown", ended: turn.state, code: error.code, said };
  log.warn(fields, "A question ended, but its result could not be shown in its place");
}

/** Discord opens a thread first; its id is stored before anything is posted. False when storing was refused. */
async function preparePlace(record: TurnRecord, site: Site, app: BridgeApp): Promise<boolean> {
  const turn = record.turn();
  const { replyPlaces } = site.platform;
  if (isUnseen(turn)) return true;
  if (replyPlaces === undefined || turn.isPrivate === true || turn.reply.parts.length > 0) return true;
  // A Turn that was given up says so in its intended place, or elsewhere if that was never created.
  if (replyPlaces.isPrepared?.(turn.conversation) === true || isGivenUp(turn)) return true;
  // Stored first, so that a crash in here is counted. A Turn that was taken over has already stored it.
  const isFirst = turn.isUnderWay === undefined;
  if (isFirst && (await record.move(turn.state, { isUnderWay: true }, patienceMs)) === "refused") return false;
  const place = await replyPlaces.prepare(turn);
  const placed = { unplaced: undefined, ...(isFirst ? { isUnderWay: undefined } : {}) };
  if (conversationKey(place) === conversationKey(turn.reply.place)) {
    const wasAway = turn.unplaced !== undefined;
    return !(wasAway || isFirst) || (await record.move(turn.state, placed)) !== "refused";
  }
  if (turn.topic === undefined) await app.state.coordinator.lanes.remove(laneOf(turn), turn.id);
  // So that what is asked in that thread continues it.
  else await app.topics.note(turn.topic, place, turn.actor);
  const moved = { conversation: place, reply: { place, parts: [] }, ...placed };
  return (await record.move(turn.state, moved)) !== "refused";
}

/** In every state after "placing". */
export function replyOf({ reply, record }: Living): OpenReply {
  if (reply === undefined) throw new Error(`The Turn ${record.turn().id} has no Reply yet.`);
  return reply;
}

/** `agent`: who will probably answer, if known before the first post. */
export function openReply(living: Living, agent: string | undefined, app: BridgeApp): OpenReply {
  const { record, site, isRecovered } = living;
  const { tidying } = app;
  const turn = record.turn();
  // Without a stored part: the process may have died right after its first post, or have posted an outage notice.
  // Search before posting.
  const isNotTheFirst = isRecovered || turn.state !== "queued" || turn.isRepeated === true;
  const mayHavePosted = isNotTheFirst && turn.reply.parts.length === 0;
  const parts = mayHavePosted ? [{ index: 0, state: "intended" as const }] : turn.reply.parts;
  const endFirstWrite = turn.reply.parts.length === 0 ? startSpan("parley.first_write") : undefined;
  const writer = site.delivery.open({
    replyId: turn.id,
    reply: { ...turn.reply, parts },
    save: async (reply) => {
      if (reply.parts.some(({ messageId }) => messageId !== undefined)) endFirstWrite?.();
      const isNoted = record.turn().reply.superseded !== undefined;
      if (reply.superseded !== undefined && !isNoted) await tidying?.note(turn);
      await record.saveReply(reply);
    },
    mayHaveTwins: turn.isRepeated === true || (isRecovered && mayHaveTwins(turn)),
    mayHaveStatus: isRecovered,
    // What a dead process showed of an end that is stored already must not be shown twice.
    mayPostAnew: tidying !== undefined && turn.outcome === undefined,
    mayShow: () => living.held?.mayShow() ?? true,
  });
  return withView(writer, turn, site.platform, agent, app);
}

function withView(
  writer: ReplyWriter,
  turn: Turn,
  platform: ChatPlatform,
  agent: string | undefined,
  { clock, settings }: BridgeApp,
): OpenReply {
  // In a thread opened for the question, the question is visible above. A Reply on its own, as in an existing thread,
  // shows the question itself.
  const { conversation, askedIn } = turn;
  const isAlone =
    platform.replyPlaces === undefined ||
    conversation.thread === askedIn.thread ||
    conversation.thread === undefined ||
    platform.replyPlaces.isInPlace?.(conversation) === true;
  const showsQuestion = turn.isPrivate === true || (turn.via !== "message" && isAlone);
  const fresh = (of: Turn, isResumed: boolean): TurnView => ({
    ...initialView({
      id: of.id,
      ref: of.ref,
      question: of.question,
      agent: of.agent?.name ?? of.requestedAgent ?? agent ?? "",
      askedBy: showsQuestion ? of.actor.name : undefined,
      repeats: of.repeats,
    }),
    state: "running",
    isResumed,
  });
  let { isQuiet } = turn;
  let view = waitingView(turn, settings.approvers) ?? fresh(turn, turn.state !== "queued");
  const isNameless = platform.isOwnPage === true;
  const asker = turn.actor.id;
  /** The view drawn last, in this attempt. */
  let drawn: TurnView | undefined;
  let shownAtMs = clock.now();
  /** Tables of the view for which a chart was prepared last. */
  let preparedTables = 0;
  /** A table of a tool is probably the answer's: what takes long to draw is begun while the agent still writes. */
  const prepare = (next: TurnView) => {
    if (platform.prepare === undefined || isQuiet === true || next.tables.length === preparedTables) return;
    preparedTables = next.tables.length;
    const likely = turnDocument({ ...next, state: "answered" }, clock.now());
    if (!likely.blocks.some(({ kind }) => kind === "chart")) return;
    for (const payload of platform.render(likely, 1)) void platform.prepare(payload);
  };
  const show = (next: TurnView) => {
    prepare(next);
    const news = newsOf(drawn, next);
    view = next;
    drawn = next;
    shownAtMs = clock.now();
    if (isQuiet === true) return;
    const atMs = shownAtMs;
    // Drawing a long answer for each of its words would block everything else.
    if (next.isWriting !== undefined)
      writer.show((maxGrowingChars) => turnDocument(next, atMs, { maxGrowingChars, asker }), news);
    else writer.show(turnDocument(next, atMs, { isNameless, asker }), news);
  };
  // If the end is already shown or about to be, don't draw progress.
  if (turn.outcome === undefined) show(view);
  return {
    ...writer,
    view: () => view,
    show,
    keep: (next) => {
      view = next;
    },
    keepMoving: (everyMs) => {
      let cancel = clock.after(everyMs, look);
      function look() {
        if (clock.now() - shownAtMs >= everyMs) show(view);
        cancel = clock.after(shownAtMs + everyMs - clock.now(), look);
      }
      return () => cancel();
    },
    reset: (of) => {
      isQuiet = of.isQuiet;
      drawn = undefined;
      show(fresh(of, false));
    },
  };
}

/**
 * What is new in a view: where edits are short, new steps go first. `before`: the view drawn last. Undefined when none
 * was, or when the question is asked again.
 */
export function newsOf(before: TurnView | undefined, after: TurnView): News {
  if (before === undefined) return "first-step";
  const steps = [stepsOf(before), stepsOf(after)] as const;
  if (steps[1] > steps[0]) return steps[0] === 0 ? "first-step" : "step";
  // The wait may be over before a result would be shown.
  if (after.waitsUntilMs !== undefined && after.waitsUntilMs !== before.waitsUntilMs) return "step";
  if (after.isWriting !== undefined && lengthOf(after) !== lengthOf(before)) {
    return before.isWriting === undefined ? "first-text" : "text";
  }
  return isSame(before, after) ? "elapsed" : "result";
}

function stepsOf({ steps, omittedSteps = 0 }: TurnView): number {
  return steps.length + omittedSteps;
}

/** Views are never changed, so what is the same object shows the same. */
function isSame(before: TurnView, after: TurnView): boolean {
  if (before === after) return true;
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]) as ReadonlySet<keyof TurnView>;
  return [...fields].every((field) => before[field] === after[field]);
}

/** Comparing the texts themselves would read a long answer for each of its pieces. */
function lengthOf({ answer = "", answerOmittedChars = 0 }: TurnView): number {
  return answer.length + answerOmittedChars;
}

/**
 * A process that died or froze while it posted an end of several messages may have posted one that isn't stored, or all of
 * them while storage was away. And a post that the next process didn't find, so that it posted another generation, may
 * have arrived after it had looked.
 */
function mayHaveTwins({ state, reply: { parts } }: Turn): boolean {
  const wasShown = state !== "queued" && parts.length > 0;
  return wasShown || parts.length > 1 || parts.some(({ generation = 0 }) => generation > 0);
}
