/**
 * Where the Reply of a Turn stands: made, where something has to be made for it, and stored before anything is posted there.
 */

import type { Site } from "../../ports/delivery.ts";
import { type ErrorCode, ParleyError, toParleyError } from "../../ports/errors.ts";
import { conversationKey } from "../../ports/model/place.ts";
import type { Turn } from "../../ports/model/turn.ts";
import { errorDocument, unshownDocument } from "../../presentation/drawing.ts";
import { sayElsewhere } from "../intake/say-elsewhere.ts";
import { laneOf } from "../lane/lane.ts";
import { removeOwn } from "../lane/told-to-wait.ts";
import { isGivenUp } from "./resumption.ts";
import type { TurnDeps } from "./turn-deps.ts";
import { atRest, type TurnRecord } from "./turn-record.ts";
import { failWith, initialView } from "./turn-view.ts";

/** Refusals that no waiting changes. */
const hopeless: readonly ErrorCode[] = ["not_permitted", "place_gone", "message_gone", "platform_refused"];

/** Nothing is tried forever. Whatever is away for less, the platform or one place in it, costs no question. */
const maxUnplacedMs = 3_600_000;
/** Between two tries; after a longer one (Parley itself was away) the hour begins anew. */
const maxSilenceMs = 900_000;
/** A storage that is away for longer says nothing about the place. */
const patienceMs = 1_500;

/**
 * False when there is no place for a Reply (the platform has told whoever asked, since nobody else can), or when somebody
 * else has gone on with it.
 */
export async function hasPlace(record: TurnRecord, site: Site, deps: TurnDeps): Promise<boolean> {
  try {
    return await settlePlace(record, site, deps);
  } catch (failure) {
    const error = toParleyError(failure);
    if (hopeless.includes(error.code)) {
      await endWithout(record, error, deps);
      return false;
    }
    if (!(await hasFailedLong(record, deps))) throw failure;
    const gaveUp = new ParleyError("gave_up", { ...noPlace, cause: failure });
    // Told once: whoever could not store that it ended tries again.
    if ((await endWithout(record, gaveUp, deps)) === "unstored") throw failure;
    if (!record.isTaken()) await tellElsewhere(record.turn(), gaveUp, site, deps);
    return false;
  }
}

const noPlace = {
  what: "The chat platform gave this answer no place for an hour, so Parley stopped trying.",
  hint: "Ask the question again.",
};

async function endWithout(record: TurnRecord, error: ParleyError, deps: TurnDeps) {
  const turn = record.turn();
  const { id, ref, question } = turn;
  deps.log.warn({ err: error, turnId: id, ref }, "There is no place for an answer");
  const view = failWith(initialView({ id, ref, question, agent: "" }), error, deps.clock.now());
  const written = await record.move("failed", { ...atRest, outcome: view, endedAtMs: deps.clock.now() });
  await deps.coordinator.lanes.remove(laneOf(turn), id);
  return written;
}

/** Notes since when. */
async function hasFailedLong(record: TurnRecord, { clock }: TurnDeps): Promise<boolean> {
  const nowMs = clock.now();
  const { state, unplaced } = record.turn();
  const isInARow = unplaced !== undefined && nowMs - unplaced.lastMs <= maxSilenceMs;
  const sinceMs = isInARow ? unplaced.sinceMs : nowMs;
  if (nowMs - sinceMs >= maxUnplacedMs) return true;
  // The process lives: what failed is tried for an hour, and what ends processes three times.
  await record.move(state, { unplaced: { sinceMs, lastMs: nowMs }, isUnderWay: false }, patienceMs);
  return false;
}

/** What is not shown where it was asked is told outside, else to whoever asked alone. */
export async function tellElsewhere(turn: Turn, error: ParleyError, site: Site, { log }: TurnDeps): Promise<void> {
  const documents = { outside: errorDocument(error, turn.ref), direct: unshownDocument(turn, error) };
  const said = await sayElsewhere({ ...turn, shownIn: turn.conversation }, documents, { ...site, log });
  const fields = { turnId: turn.id, ref: turn.ref, outcome: "not_shown", ended: turn.state, code: error.code, said };
  log.warn(fields, "A question ended unshown");
}

/** Discord opens a thread first; what it opened is stored before anything is posted there. False when it was refused. */
async function settlePlace(record: TurnRecord, site: Site, deps: TurnDeps): Promise<boolean> {
  const turn = record.turn();
  const { platform } = site;
  if (platform.prepare === undefined || turn.isPrivate === true || turn.reply.parts.length > 0) return true;
  // What was given up is said where its place would be, or elsewhere if that was never made.
  if (platform.isPrepared?.(turn.conversation) === true || isGivenUp(turn)) return true;
  // Stored first, so that a process that dies of it is counted. Whoever has taken the Turn up has stored it already.
  const isFirst = turn.isUnderWay === undefined;
  if (isFirst && (await record.move(turn.state, { isUnderWay: true }, patienceMs)) === "refused") return false;
  const place = await platform.prepare(turn);
  const made = { unplaced: undefined, ...(isFirst ? { isUnderWay: undefined } : {}) };
  if (conversationKey(place) === conversationKey(turn.reply.place)) {
    const wasAway = turn.unplaced !== undefined;
    return !(wasAway || isFirst) || (await record.move(turn.state, made)) !== "refused";
  }
  await deps.coordinator.lanes.remove(laneOf(turn), turn.id);
  const moved = { conversation: place, reply: { place, parts: [] }, ...made };
  if ((await record.move(turn.state, moved)) === "refused") return false;
  // Where no thread could be opened at first, whoever told the person to wait did so in the channel.
  if (turn.isRepeated === true)
    await removeOwn(site.platform, turn.conversation, turn.id).catch((failure: unknown) =>
      deps.log.info({ err: failure, turnId: turn.id }, "Whether somebody was told to wait could not be seen"),
    );
  return true;
}
