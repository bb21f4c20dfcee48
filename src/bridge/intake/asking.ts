/**
 * Creates Turns from questions, asks them again, and stops them. A question is stored before its event is acknowledged:
 * `TurnStore.create` claims the event, so redeliveries and other instances lose.
 */

import type { Named } from "../../core/access.ts";
import { ParleyError } from "../../core/errors.ts";
import { type Actor, type Place, personKey } from "../../core/model/place.ts";
import type { Turn, TurnState } from "../../core/model/turn.ts";
import { unfinishedTurnStates, type WaitingLimits } from "../../core/ports/state.ts";
import { changeRecord } from "../../core/tools/change-record.ts";
import { keptId, newId, refOf } from "../../core/tools/ids.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import { traced, traceHeaders } from "../../operations/tracing.ts";
import { countText } from "../../presentation/sentences.ts";
import { latestQuestions } from "../app.ts";
import type { Continues } from "../conversation/topics.ts";
import { laneOf } from "../lane.ts";
import { clearedAtEnd, type TurnPatch } from "../turn/record.ts";
import type { IntakeApp } from "./app.ts";

const says = {
  ofAll: (count: number) => ({
    what: `${countText(count, "question is", "questions are")} waiting in total, so this one wasn't accepted.`,
    hint: "Ask again in a few minutes.",
  }),
};

export type Question = Pick<
  Turn,
  | "eventKey"
  | "askedIn"
  | "askedMessageId"
  | "conversation"
  | "order"
  | "actor"
  | "question"
  | "attachments"
  | "platformData"
  | "isRepeated"
  | "via"
  | "requestedAgent"
  | "requestedProject"
  | "isPrivate"
  | "isQuiet"
  | "context"
  | "about"
  | "repeats"
  | "scheduleId"
  | "topic"
  | "notAnswered"
> & {
  /** Decided when it is stored: storage may be away until then. */
  readonly continues?: Continues;
};

/** The platform usually knows. A question waits no longer, and is unknown and thus private then. */
const visibilityMs = 200;
const twinWindowMs = 1_000;
const endingPollMs = 50;
const maxEndingMs = 5_000;
const scheduleOrderDigits = 20;

const finalStates: readonly TurnState[] = ["answered", "failed", "stopped"];

function patch(app: IntakeApp, turnId: string, from: readonly TurnState[], changes: TurnPatch) {
  return changeRecord<Turn>(app.state.turns, turnId, (turn) => (from.includes(turn.state) ? changes : undefined));
}

/**
 * A Turn that was stored but not begun, perhaps because the store's confirmation was lost. The instance that receives
 * the event again begins it. Twins of an event arrive at the same moment, so they do not count.
 */
function wasNeverBegun(turn: Turn, nowMs: number): boolean {
  return turn.state === "queued" && turn.attempt === 1 && nowMs - turn.createdAtMs > twinWindowMs;
}

function limitsOf({ settings }: IntakeApp, { conversation, actor }: Turn): WaitingLimits {
  const asker = personKey(conversation, actor);
  return { asker, ofAsker: settings.waiting.perPerson, all: settings.waiting.inAll };
}

function tooMany({ settings }: IntakeApp, refused: "asker" | "all"): ParleyError {
  const { perPerson, inAll } = settings.waiting;
  const ofAsker = { what: `You have ${countText(perPerson, "question")} waiting, so this one wasn't accepted.` };
  return new ParleyError("too_many_questions", refused === "asker" ? ofAsker : says.ofAll(inAll));
}

/** The end is shown before it is recorded. A person who presses Try again in between waits for that moment. */
async function finished({ state, clock }: IntakeApp, turnId: string): Promise<Turn | undefined> {
  for (let waitedMs = 0; ; waitedMs += endingPollMs) {
    const turn = await state.turns.get(turnId);
    if (turn === undefined || finalStates.includes(turn.state)) return turn;
    if (turn.outcome === undefined || waitedMs >= maxEndingMs) return undefined;
    await clock.sleep(endingPollMs);
  }
}

/** As the newest of its Conversation, and its asker as one who asked there. Nobody knows yet of a quiet one. */
async function remember(app: IntakeApp, turn: Turn): Promise<void> {
  if (turn.isQuiet === true) return;
  const { id: turnId, order } = turn;
  const lane = laneOf(turn);
  const latest = latestQuestions(app);
  const newest = await latest.get(lane);
  const isNewest = newest === undefined || newest.order < order;
  // It was asked in a thread that people had begun.
  // A post of a forum begins with its own message.
  const isBegun = turn.askedIn.thread !== undefined && turn.askedIn.thread !== turn.askedMessageId;
  const isAmongOthers = turn.via === "message" && isBegun;
  await Promise.all([
    isNewest ? latest.set(lane, { turnId, order }, app.settings.retentionMs) : undefined,
    turn.isPrivate === true ? undefined : app.talk.noteAsker(turn, newest === undefined, isAmongOthers),
  ]);
}

/**
 * Durable when it resolves. `replyIn`: where its Reply will be. Undefined when the event was already claimed. Rejects
 * when the store is unreachable, and with too_many_questions.
 */
export function storeQuestion(
  app: IntakeApp,
  question: Question,
  replyIn: Place = question.conversation,
): Promise<Turn | undefined> {
  return traced("parley.question", () => store(app, question, replyIn));
}

async function store(app: IntakeApp, question: Question, replyIn: Place): Promise<Turn | undefined> {
  const { living, topics, clock } = app;
  const { turns, coordinator } = app.state;
  const { continues: _continues, ...asked } = question;
  const { askedIn } = question;
  const reading = app.sites.get(askedIn.platform)?.platform.visibility?.(askedIn);
  const seenBy = reading === undefined ? undefined : withTimeout(reading, visibilityMs, clock);
  // A repeated question stays in the topic of the first one.
  const topic = question.topic ?? (await topics.of(question));
  const visibility = await seenBy;
  const nowMs = clock.now();
  const id = question.isRepeated === true ? keptId(question.eventKey) : newId(nowMs);
  const turn: Turn = {
    version: 1,
    id,
    ref: refOf(id),
    ...asked,
    topic,
    visibility,
    state: "queued",
    attempt: 1,
    conversation: replyIn,
    reply: { place: replyIn, parts: [] },
    createdAtMs: nowMs,
    traceparent: traceHeaders()["traceparent"],
    fence: 0,
  };
  const lane = laneOf(turn);
  // Sent together with the record. If it was enqueued later, and this process stalled or died in between, a follow-up on
  // another instance would run first.
  const inLine = coordinator.lanes.enqueue(lane, id, turn.order).catch(() => undefined);
  const leave = () => coordinator.lanes.remove(lane, id).catch(() => undefined);
  const outcome = await turns.create(turn, limitsOf(app, turn)).catch((failure: unknown) => {
    void leave();
    throw failure;
  });
  await inLine;
  if ("refused" in outcome) {
    void leave();
    throw tooMany(app, outcome.refused);
  }
  if (outcome.created) return turn;
  const { existing } = outcome;
  if (existing.id !== id || finalStates.includes(existing.state)) void leave();
  if (wasNeverBegun(existing, nowMs)) living.resume(existing);
  return undefined;
}

/** Starts a stored Turn. Never rejects. */
export async function begin(app: IntakeApp, turn: Turn): Promise<void> {
  app.living.start(turn);
  // The question that it repeats stays the newest one: editing that asks it again.
  if (turn.repeats !== undefined) return;
  // The question runs. Without this note an edit of an earlier question might be asked, and a follow-up be ignored.
  await remember(app, turn).catch((err: unknown) => {
    const about = { err, turnId: turn.id, ref: turn.ref };
    app.log.warn(about, "The newest question of a thread could not be stored");
  });
}

/** Asks a finished Turn again in the same Reply; false when it is not finished, or gone. */
export async function askAgain(app: IntakeApp, turnId: string, changes: TurnPatch = {}): Promise<boolean> {
  const { living, clock } = app;
  const { turns } = app.state;
  const turn = await finished(app, turnId);
  if (turn === undefined || turn.isForgotten === true) return false;
  const admitted = await turns.admit(turnId, limitsOf(app, turn));
  if (admitted !== "admitted") throw tooMany(app, admitted);
  const afresh: TurnPatch = {
    ...changes,
    attempt: turn.attempt + 1,
    askedAgainAtMs: clock.now(),
    ...clearedAtEnd,
    outcome: undefined,
    notAnswered: undefined,
    unshown: undefined,
    shownAtMs: undefined,
    stopRequestedBy: undefined,
    isWithdrawn: undefined,
    shownAs: undefined,
    endedAtMs: undefined,
  };
  const queued = await turns.transition(turnId, finalStates, "queued", afresh, turn.fence);
  if (queued === undefined) return false;
  living.start(queued);
  return true;
}

type Words = Pick<Question, "question" | "requestedAgent" | "requestedProject">;

/**
 * Handles an edited question: asks it again if the asker edited it, it is the last of its Conversation, and the text
 * really differs. `isAddressed`: it is a question to Parley now, even if it was one to nobody in particular.
 */
export async function askEdited(
  app: IntakeApp,
  { questionKey, actor }: { readonly questionKey: string; readonly actor: Pick<Actor, "id"> },
  words: Words,
  isAddressed: boolean,
): Promise<void> {
  const { living, clock } = app;
  const turn = await app.state.turns.getByEventKey(questionKey);
  // Moderators who can edit other people's messages on a platform cannot ask in their name.
  if (turn === undefined || turn.actor.id !== actor.id || turn.isForgotten === true) return;
  const { question, requestedAgent = turn.requestedAgent, requestedProject } = words;
  const isHeardNow = isAddressed && turn.isQuiet === true;
  const isSameAgent =
    words.requestedAgent === undefined ||
    (turn.requestedAgent === requestedAgent && turn.requestedProject === requestedProject);
  if (turn.question === question && isSameAgent && !isHeardNow) return;
  const newest = await latestQuestions(app).get(laneOf(turn));
  // What was said to nobody is the newest of none.
  if (!isHeardNow && newest !== undefined && newest.turnId !== turn.id) return;
  const named: TurnPatch = words.requestedAgent === undefined ? words : { ...words, requestedProject };
  const changes = isHeardNow ? { ...named, isQuiet: undefined } : named;
  if (await askAgain(app, turn.id, changes)) return;
  const changed = await patch(app, turn.id, unfinishedTurnStates, {
    ...changes,
    attempt: turn.attempt + 1,
    askedAgainAtMs: clock.now(),
    resumptions: undefined,
    notAnswered: undefined,
  });
  if (changed !== undefined) await living.interrupt(turn.id, "restart");
}

type Person = Pick<Actor, "id" | "name">;

/** Stored first, so that it holds even if the process that runs the Turn dies now. False: it has ended. */
async function end(app: IntakeApp, turnId: string, change: TurnPatch): Promise<boolean> {
  const changed = await patch(app, turnId, unfinishedTurnStates, change);
  if (changed === undefined) return false;
  await app.living.interrupt(turnId, "stop");
  return true;
}

/** A stop after a deletion doesn't bring the question back. */
export async function stopTurn(app: IntakeApp, turnId: string, { id, name }: Person): Promise<void> {
  await end(app, turnId, { stopRequestedBy: { id, name } });
}

/** Its question was deleted: what runs is stopped, and shows nothing. False: it has ended. */
export function withdrawTurn(app: IntakeApp, turnId: string, { id, name }: Person): Promise<boolean> {
  return end(app, turnId, { stopRequestedBy: { id, name }, isWithdrawn: true });
}

/** Long enough for a platform that still sends the message itself. */
const goneMs = 15 * 60_000;
const goneQuestions = ({ state }: IntakeApp) => state.keyValue<{ readonly atMs: number }>("gone-questions");

/** The message of that question was deleted: it may be stored only after that. */
export function noteGone(app: IntakeApp, eventKey: string): Promise<void> {
  return goneQuestions(app).set(eventKey, { atMs: app.clock.now() }, goneMs);
}

/**
 * A message can be deleted before Parley has read it, and its deletion can arrive first. While the storage is down
 * nobody knows: storing the question fails too, and holds it.
 */
export async function isGone(app: IntakeApp, { eventKey }: Pick<Question, "eventKey">): Promise<boolean> {
  const gone = goneQuestions(app).get(eventKey);
  return (await gone.catch(() => undefined)) !== undefined;
}

/** Stops everything unfinished in that Conversation, on any instance. */
export async function stopConversation(app: IntakeApp, conversation: Place, by: Person): Promise<void> {
  // Read from the store: a Turn may live on another instance, and only there a command's question knows its thread.
  for await (const { id, state } of app.state.turns.ofConversation(conversation)) {
    if (unfinishedTurnStates.includes(state)) await stopTurn(app, id, by);
  }
}

/** `eventKey` is equal on every instance. */
export type AskedBySchedule = {
  readonly scheduleId: string;
  readonly actor: Actor;
  readonly place: Place;
  readonly question: string;
  readonly agent?: Named;
  readonly onlyIfChanged?: true;
  readonly eventKey: string;
};

/** Asks the question of a schedule: an ordinary Turn that no event of a platform began. */
export async function askBySchedule(app: IntakeApp, asked: AskedBySchedule): Promise<void> {
  const { sites, people, settings, clock } = app;
  const { scheduleId, actor, place, question, agent, eventKey } = asked;
  // Access is decided again when it runs, with what was last seen of them.
  people.saw(actor, place);
  const platform = sites.get(place.platform)?.platform;
  const nowMs = clock.now();
  const own = { conversation: place, order: String(nowMs).padStart(scheduleOrderDigits, "0") };
  const begun = platform?.startedByItself?.(place, eventKey.split("/").slice(-2).join("-"), nowMs) ?? own;
  const isElsewhere = agent !== undefined && agent.project !== settings.projectOf(place, actor);
  const turn = await storeQuestion(app, {
    ...begun,
    eventKey,
    askedIn: place,
    actor,
    question,
    attachments: [],
    via: "command",
    scheduleId,
    requestedAgent: agent?.name,
    requestedProject: isElsewhere ? agent.project : undefined,
    isQuiet: asked.onlyIfChanged,
  });
  if (turn !== undefined) await begin(app, turn);
}
