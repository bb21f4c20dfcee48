/**
 * Removes what was shown of a question that its author deleted: nobody waits for it. An answer that has ended stays
 * when it is older, or when someone else has written below it: others have read it.
 */

import type { App } from "../../app.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { ChatPlatform } from "../../core/ports/chat-platform.ts";
import type { Log } from "../../core/ports/log.ts";
import type { Site } from "../../delivery/types.ts";
import { infoDocument } from "../../presentation/drawing.ts";
import { clearedAtEnd } from "../turn/record.ts";
import type { Living } from "../turn/reply.ts";
import { initialView, stopView } from "../turn/view.ts";

/** Who deletes a question so soon takes it back. */
const takenBackWithinMs = 60_000;
const maxRead = 50;
/** With the pauses, about two minutes. */
const maxTries = 6;
const firstPauseMs = 2_000;

type Shown = Pick<Turn, "id" | "ref" | "reply" | "isRepeated">;

/**
 * Ends a Turn whose question was deleted. What was shown goes first: a process that dies in between is followed by one
 * that does it. "left": another instance has continued it.
 */
export async function endWithdrawn({ record, site, lane }: Living, app: App): Promise<"ended" | "left"> {
  const turn = record.turn();
  const { id, ref, question } = turn;
  await removeShown(turn, site, app);
  const nowMs = app.clock.now();
  const outcome = stopView(initialView({ id, ref, question, agent: "" }), nowMs);
  const moved = await record.move("stopped", { ...clearedAtEnd, outcome, endedAtMs: nowMs });
  if (moved === "refused") return "left";
  await app.state.coordinator.lanes.remove(lane, id).catch(() => undefined);
  app.log.info({ turnId: id, ref, outcome: "stopped" }, "A question was deleted before its end");
  app.metrics.turnEnded("stopped", { totalMs: nowMs - turn.createdAtMs });
  return "ended";
}

/** Never rejects: what can't be removed stays, and the log says so. `signal`: aborts the pauses. */
export async function removeShown(turn: Shown, { platform, delivery }: Site, app: App): Promise<void> {
  const { id, ref, reply, isRepeated } = turn;
  const about = { turnId: id, ref };
  const known = [...reply.parts, ...(reply.superseded ?? [])].flatMap(({ messageId }) => messageId ?? []);
  // Its post may have arrived although nobody heard of it, and a notice of an outage may have taken its place.
  const mayHaveNotice = isRepeated === true && reply.parts.length === 0;
  const isUncertain =
    mayHaveNotice || reply.parts.some(({ messageId, state }) => messageId === undefined && state === "intended");
  const found = isUncertain ? await foundOf(reply, id, platform, app.log) : [];
  for (const messageId of new Set([...known, ...found])) {
    const removed = await removeOne({ place: reply.place, messageId }, delivery, app);
    if (!removed) app.log.warn(about, "A message below a deleted question could not be removed");
  }
  await platform.replyPlaces?.discard?.(reply.place);
}

async function foundOf(reply: Turn["reply"], id: string, platform: ChatPlatform, log: Log): Promise<readonly string[]> {
  const newest = Math.max(0, ...reply.parts.map(({ generation = 0 }) => generation));
  try {
    return (await platform.findOwn(reply.place, id, newest)).map(({ messageId }) => messageId);
  } catch (err) {
    log.info({ err, turnId: id }, "Can't look for messages below a deleted question");
    return [];
  }
}

async function removeOne(
  message: { readonly place: Turn["reply"]["place"]; readonly messageId: string },
  delivery: Site["delivery"],
  { clock, log }: App,
): Promise<boolean> {
  const instead = infoDocument("The question was deleted.");
  for (let tries = 0; tries < maxTries; tries += 1) {
    if (tries > 0) await clock.sleep(firstPauseMs * 2 ** (tries - 1));
    try {
      if ((await delivery.removeSuperseded({ ...message, instead })) === "done") return true;
    } catch (err) {
      log.info({ err, ...message }, "A message below a deleted question was not removed yet");
    }
  }
  return false;
}

/** Whether an answer that has ended can still go with its question. Undefined if it can't be found out. */
export async function isTakenBack(turn: Turn, platform: ChatPlatform, nowMs: number): Promise<boolean> {
  const { endedAtMs, reply, actor, askedMessageId } = turn;
  if (endedAtMs === undefined || nowMs - endedAtMs > takenBackWithinMs) return false;
  const { thread } = reply.place;
  if (thread === undefined || platform.isOwnPage === true) return false;
  const read = await platform.readThread(reply.place, { limit: maxRead });
  const isOthers = (one: (typeof read)[number]) =>
    !one.isOwn && one.messageId !== askedMessageId && one.messageId !== thread && one.authorId !== actor.id;
  return !read.some(isOthers);
}
