/** Creates the place of a Turn's Reply if needed (a Discord thread), and stores it first. */

import { type ErrorCode, ParleyError, toParleyError } from "../../core/errors.ts";
import { conversationKey } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import { sayElsewhere } from "../../delivery/say-elsewhere.ts";
import type { Site } from "../../delivery/types.ts";
import { errorDocument, unshownDocument } from "../../presentation/drawing.ts";
import { errorSentences } from "../../presentation/sentences.ts";
import type { BridgeApp } from "../app.ts";
import { laneOf } from "../lane.ts";
import { isUnseen } from "./quiet-end.ts";
import { isGivenUp } from "./resumption.ts";
import { clearedAtEnd, type TurnRecord } from "./turn-record.ts";
import { failWith, initialView } from "./view.ts";

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
export async function ensurePlace(record: TurnRecord, site: Site, app: BridgeApp): Promise<boolean> {
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
