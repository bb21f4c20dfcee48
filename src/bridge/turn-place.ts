/**
 * Where the Reply of a Turn stands: made, where something has to be made for it, and stored before anything is posted there.
 */
import { type ErrorCode, toParleyError } from "./errors.ts";
import { laneOf } from "./lane.ts";
import { removeOwn } from "./told-to-wait.ts";
import type { Site, TurnDeps } from "./turn-life.ts";
import { atRest, type TurnRecord } from "./turn-record.ts";
import { failWith, initialView } from "./turn-view.ts";
import { conversationKey } from "./words.ts";

/** Refusals that no waiting changes. */
const hopeless: readonly ErrorCode[] = ["not_permitted", "place_gone", "message_gone", "platform_refused"];

/**
 * False when there is no place for a Reply (the platform has told whoever asked, since nobody else can), or when somebody
 * else has gone on with it.
 */
export async function hasPlace(record: TurnRecord, site: Site, deps: TurnDeps): Promise<boolean> {
  try {
    return await settlePlace(record, site, deps);
  } catch (failure) {
    const error = toParleyError(failure);
    if (!hopeless.includes(error.code)) throw failure;
    const turn = record.turn();
    deps.log.warn({ err: error, turnId: turn.id, ref: turn.ref }, "There is no place for an answer");
    const { id, ref, question } = turn;
    const view = failWith(initialView({ id, ref, question, agent: "" }), error, deps.clock.now());
    await record.move("failed", { ...atRest, outcome: view, endedAtMs: deps.clock.now() });
    await deps.coordinator.lanes.remove(laneOf(turn), id);
    return false;
  }
}

/** Discord opens a thread first; what it opened is stored before anything is posted there. False when it was refused. */
async function settlePlace(record: TurnRecord, site: Site, deps: TurnDeps): Promise<boolean> {
  const turn = record.turn();
  if (site.platform.prepare === undefined || turn.isPrivate === true || turn.reply.parts.length > 0) return true;
  const place = await site.platform.prepare(turn);
  if (conversationKey(place) === conversationKey(turn.reply.place)) return true;
  await deps.coordinator.lanes.remove(laneOf(turn), turn.id);
  if ((await record.move(turn.state, { conversation: place, reply: { place, parts: [] } })) === "refused") return false;
  // Where no thread could be opened at first, whoever told the person to wait did so in the channel.
  if (turn.isRepeated === true)
    await removeOwn(site.platform, turn.conversation, turn.id).catch((failure: unknown) =>
      deps.log.info({ err: failure, turnId: turn.id }, "Whether somebody was told to wait could not be seen"),
    );
  return true;
}
