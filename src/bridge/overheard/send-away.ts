/** Not for you, below an answer that nobody asked for: it goes, and the thread is left to people. */

import { historyOf, type Turn } from "../../core/model/turn.ts";
import { changeRecord } from "../../core/tools/change-record.ts";
import { infoDocument } from "../../presentation/drawing.ts";
import type { BridgeApp } from "../app.ts";
import { withoutEntry } from "../conversation/history.ts";
import { removeShown } from "../shown/withdrawn.ts";

/** An answer to what was overheard. */
function isUnasked({ isQuiet, scheduleId, state, notAnswered }: Turn): boolean {
  return isQuiet === true && scheduleId === undefined && state === "answered" && notAnswered === undefined;
}

/** The caller has asked whether that person may ask there. False: the answer was asked for. */
export async function sendAway(app: BridgeApp, turn: Turn): Promise<boolean> {
  const { sites, conversations, unasked, log } = app;
  const { turns } = app.state;
  const stored = await changeRecord<Turn>(turns, turn.id, (now) =>
    isUnasked(now) ? { notAnswered: "not-for-you" } : undefined,
  );
  if (stored === undefined) return false;
  // First the silence: what is removed twice does no harm.
  await unasked.leave(turn.conversation);
  await unasked.count(turn.conversation, "notForYou");
  await conversations.update(historyOf(turn), (known) => withoutEntry(known, turn.id));
  const site = sites.get(turn.conversation.platform);
  if (site !== undefined) await removeShown(stored, site, app);
  log.info({ turnId: turn.id, ref: turn.ref }, "An unasked answer was sent away");
  return true;
}

export const sentAway = infoDocument("Removed. I'll keep quiet in this thread until I'm mentioned.");
