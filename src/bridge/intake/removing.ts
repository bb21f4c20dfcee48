/**
 * ❌ removes an answer: by the person who asked, or a manager. From anyone else it is talk. What is to be removed is stored
 * as a work before the event is acknowledged, so any instance continues after a crash; removing twice does no harm.
 */

import type { Actor, Place } from "../../core/model/place.ts";
import { historyOf, type Turn } from "../../core/model/turn.ts";
import { unfinishedTurnStates } from "../../core/ports/state.ts";
import { changeRecord } from "../../core/tools/change-record.ts";
import { infoDocument } from "../../presentation/drawing.ts";
import type { BridgeApp } from "../app.ts";
import { withoutEntry } from "../conversation/history.ts";
import { withoutThreads } from "../conversation/service-threads.ts";
import type { IntakeApp, Of } from "./app.ts";
import { withdrawTurn } from "./asking.ts";

export const removeMark = "❌";

type Removal = { readonly by: Actor };

const giveUpAfterMs = 24 * 3_600_000;
const retryMs = { first: 5_000, longest: 3_600_000 };

export function defineRemovals(app: BridgeApp): void {
  app.state.works.define<Removal>("removals", {
    concurrency: 10,
    attempts: 100,
    backoff: (attempt) => Math.min(retryMs.longest, retryMs.first * 2 ** Math.min(attempt - 1, 20)),
    giveUpAfterMs,
    run: async ({ key, payload }, signal) => {
      await removeAnswer(key, payload.by, signal, app);
      return undefined;
    },
    onGivenUp: async ({ key }, err) => app.log.warn({ err, turnId: key }, "An answer could not be removed for a day"),
  });
}

/** `where`: the reaction's message, with its thread. */
export async function removeMarked(app: IntakeApp, inbound: Of<"reaction">, where: Place): Promise<void> {
  const { actor, messageId } = inbound;
  const places = [where, inbound.place, { ...inbound.place, thread: messageId }, ...(await directPlaces(app, inbound))];
  const turn = await answerOf(app, messageId, places);
  if (turn === undefined || !mayRemove(app, actor, turn)) return;
  // It may end meanwhile.
  if (unfinishedTurnStates.includes(turn.state) && (await withdrawTurn(app, turn.id, actor))) {
    await audited(app, turn, actor);
    return;
  }
  const by = { ...actor, roles: [] };
  await app.state.works.add<Removal>("removals", turn.id, { by });
}

/** A private answer may be stored under another name of its direct message: Slack's is the person's id. */
async function directPlaces({ sites }: IntakeApp, { actor, place }: Of<"reaction">): Promise<readonly Place[]> {
  const platform = sites.get(place.platform)?.platform;
  if (platform?.isDirect?.(place) !== true) return [];
  const direct = await platform.directPlace?.(actor, place);
  return direct === undefined ? [] : [direct];
}

/** The Turn that one of these conversations has, and that shows this message. */
async function answerOf(app: IntakeApp, messageId: string, places: readonly Place[]): Promise<Turn | undefined> {
  for (const place of places) {
    for await (const turn of app.state.turns.ofConversation(place)) {
      if (turn.isForgotten !== true && messagesOf(turn).includes(messageId)) return turn;
    }
  }
  return undefined;
}

function messagesOf({ reply }: Turn): readonly string[] {
  return [...reply.parts, ...(reply.superseded ?? [])].flatMap(({ messageId }) => messageId ?? []);
}

function mayRemove({ reach }: IntakeApp, actor: Actor, { actor: asker, conversation }: Turn): boolean {
  if (!reach.may(actor, "ask", conversation).allowed) return false;
  return actor.id === asker.id || reach.may(actor, "manage", conversation).allowed;
}

/** The record first: what is edited later must not bring the answer back. */
async function removeAnswer(turnId: string, by: Actor, signal: AbortSignal, app: BridgeApp): Promise<void> {
  const { state, conversations, sites, log } = app;
  const marked = await changeRecord<Turn>(state.turns, turnId, (now) =>
    now.notAnswered === "removed" || unfinishedTurnStates.includes(now.state) ? undefined : { notAnswered: "removed" },
  );
  const turn = marked ?? (await state.turns.get(turnId));
  // Its question was asked again meanwhile: that answer is another one.
  if (turn?.notAnswered !== "removed") return;
  await conversations.update(historyOf(turn), (known) => withoutThreads(withoutEntry(known, turnId)));
  const delivery = sites.get(turn.conversation.platform)?.delivery;
  if (delivery === undefined) throw new Error(`The platform ${turn.conversation.platform} is switched off.`);
  for (const messageId of new Set(messagesOf(turn))) {
    const instead = infoDocument("This answer was removed.");
    const removed = await delivery.removeSuperseded({ place: turn.reply.place, messageId, instead, signal });
    if (removed === "later") throw new Error("The platform refuses it now.");
  }
  if (marked === undefined) return;
  log.info({ turnId, ref: turn.ref }, "An answer was removed");
  await audited(app, turn, by);
}

async function audited({ audit, reach }: BridgeApp, turn: Turn, by: Actor): Promise<void> {
  const role = reach.may(by, "manage", turn.conversation).allowed ? "manage" : "ask";
  const entry = { role, action: "remove answer", about: { ref: turn.ref }, outcome: "done" } as const;
  await audit.record({ actor: by, place: turn.conversation }, entry);
}
