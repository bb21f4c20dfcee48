/**
 * Handles "stop" as a whole message: it stops one's own running questions in that conversation. People who manage stop
 * all of them.
 */

import { ParleyError } from "../../core/errors.ts";
import type { Place } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { Inbound } from "../../core/ports/chat-platform.ts";
import { unfinishedTurnStates } from "../../core/ports/state.ts";
import { errorDocument, infoDocument } from "../../presentation/drawing.ts";
import { spokenSentences } from "../../presentation/sentences.ts";
import { hasMore } from "../conversation/message-content.ts";
import { claimMs, type IntakeApp } from "../intake/app.ts";
import { stopTurn } from "../intake/asking.ts";
import { plainWords } from "../intake/pleasantries.ts";

type Message = Extract<Inbound, { kind: "message" }>;

/** In a thread its own questions; at the top of a channel or direct message all of them there. */
async function unfinishedAt(app: IntakeApp, place: Place): Promise<readonly Turn[]> {
  const { turns } = app.state;
  const found: Turn[] = [];
  if (place.thread !== undefined) {
    for await (const turn of turns.ofConversation(place)) {
      if (unfinishedTurnStates.includes(turn.state)) found.push(turn);
    }
    return found;
  }
  const isThere = ({ platform, workspace, channel }: Place) =>
    platform === place.platform && workspace === place.workspace && channel === place.channel;
  for await (const turn of turns.unfinished()) if (isThere(turn.conversation)) found.push(turn);
  return found;
}

export async function stopRunning(app: IntakeApp, message: Message): Promise<boolean> {
  const { reach } = app;
  const { claims } = app.state;
  const { actor, place, text } = message;
  if (hasMore(message) || actor.isBot || plainWords(text) !== "stop") return false;
  const { allowed } = reach.may(actor, "ask", place);
  // Refused as with every question.
  if (!allowed) return false;
  await message.ack({ kind: "none" });
  if (!(await claims.claim(message.eventKey, claimMs))) return true;
  const running = await unfinishedAt(app, place);
  const mayStopAll = reach.may(actor, "manage", place).allowed;
  const stoppable = running.filter((turn) => mayStopAll || turn.actor.id === actor.id);
  // What is stopped says so itself.
  for (const turn of stoppable) await stopTurn(app, turn.id, actor);
  if (running.length === 0) await message.reply.send(infoDocument("Nothing is running here."), "private");
  else if (stoppable.length === 0) {
    await message.reply.send(errorDocument(new ParleyError("not_allowed", spokenSentences.notYourQuestion)), "private");
  }
  return true;
}
