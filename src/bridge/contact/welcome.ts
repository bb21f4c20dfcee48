/**
 * Posts the welcome card: when someone asks what Parley can do, and when Parley is added to a channel. The card is a
 * notice, so that it is posted once, whatever dies in between.
 */

import type { Named } from "../../core/access.ts";
import type { Action, Document } from "../../core/document.ts";
import { type Actor, channelKey, type Place } from "../../core/model/place.ts";
import type { Inbound } from "../../core/ports/chat-platform.ts";
import { nameIn } from "../../core/tools/split-name.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import {
  type Answerer,
  errorDocument,
  firstViewDocument,
  type Welcome,
  welcomeDocument,
} from "../../presentation/drawing.ts";
import type { BridgeApp } from "../app.ts";
import { claimMs, type Edited, type IntakeApp, type Message } from "../intake/app.ts";
import { findAnswerer, type WhoAnswers } from "./answerer.ts";
import { asksForWelcome } from "./welcome-words.ts";

const says = {
  /** For agents whose knowledge has no titles. */
  examples: ["What can you help me with?", "Which topics do you know about?", "Where do your answers come from?"],
};

/** The card never waits longer for the service. */
const factsMs = 500;
/** Of Parley's own accord, per channel: when it is added, and once more when it is added again. */
const maxWelcomes = 2;

/** The events that caused a welcome in a channel. */
type WelcomeRecord = { readonly eventKeys: readonly string[] };

/** Parley's own manual is suggested on its own page alone: elsewhere Parley is set up already. */
async function titled(app: IntakeApp, who: WhoAnswers, place: Place): Promise<readonly string[]> {
  const { sites, settings } = app;
  if (who.kind !== "agent") return [];
  const isPage = sites.get(place.platform)?.platform.isOwnPage === true;
  const isManual = ({ project, name }: Named) => project === settings.project && name === settings.ownDocsBase;
  return app.examples.of(who.agent, isPage ? who.bases : who.bases.filter((base) => !isManual(base)));
}

/** What is known within `factsMs`; never rejects. */
async function gather(app: IntakeApp, actor: Actor, place: Place): Promise<Pick<Welcome, "answerer" | "examples">> {
  const { clock, settings } = app;
  const startedAtMs = clock.now();
  const who = await withTimeout(findAnswerer(app, actor, place), factsMs, clock);
  if (who === undefined) return { answerer: { kind: "unknown" }, examples: says.examples };
  const leftMs = Math.max(0, factsMs - (clock.now() - startedAtMs));
  const found = await withTimeout(titled(app, who, place), leftMs, clock);
  const questions = found === undefined || found.length === 0 ? says.examples : found;
  return { answerer: shownOf(who, settings.project), examples: questions };
}

export async function welcomeFor(app: IntakeApp, actor: Actor, place: Place): Promise<Welcome> {
  const { reach, sites, settings } = app;
  const platform = sites.get(place.platform)?.platform;
  return {
    ...(await gather(app, actor, place)),
    isDirect: reach.isDirect(place),
    saveEmoji: platform?.reactions === undefined || settings.saveEmoji === "off" ? undefined : settings.saveEmoji,
  };
}

async function card(app: IntakeApp, actor: Actor, place: Place): Promise<Document> {
  return welcomeDocument(await welcomeFor(app, actor, place));
}

/** Within `factsMs`; never rejects. */
export async function firstView(app: IntakeApp, actor: Actor, place: Place): Promise<Document> {
  const { reach } = app;
  const mayPress = ({ id }: Action) => reach.may(actor, id === "choose-here" ? "manage" : "ingest", place).allowed;
  return firstViewDocument(await welcomeFor(app, actor, place), mayPress);
}

/** True when the message asked who Parley is, and got the card. */
export async function answersGreeting(app: IntakeApp, message: Message): Promise<boolean> {
  const { reach, notices, sites, commandLimit, log } = app;
  const { claims } = app.state;
  const { actor, place, eventKey } = message;
  if (!(message.mentionsParley || message.isDirect) || actor.isBot) return false;
  // A person who can't ask is refused as with every question.
  if (!reach.may(actor, "ask", place).allowed || !asksForWelcome(message)) return false;
  // A mention may arrive as two events with one key: the first one is counted, and gets the card. What comes again
  // may have died with its process before the card was stored, so it gets it too, uncounted.
  const isFirst = await claims.claim(`${eventKey}/card`, claimMs);
  if (!isFirst && message.isRepeated !== true) {
    await message.ack({ kind: "none" });
    return true;
  }
  const tooMany = isFirst ? await commandLimit.refuse(actor, place) : undefined;
  if (tooMany === undefined) {
    await notices.post({
      key: `card/${eventKey}`,
      place: placeOfNotice(message, sites),
      document: await card(app, actor, place),
    });
    log.info({ eventKey }, "A welcome card was requested");
    await message.ack({ kind: "none" });
    return true;
  }
  await message.ack({ kind: "none" });
  if (!(await claims.claim(eventKey, claimMs)) || !(await commandLimit.tells(actor, place))) return true;
  await message.reply.send(errorDocument(tooMany), "private");
  return true;
}

/** True when a message that asked nothing was edited so that it asks who Parley is, and got the card. */
export async function answersGreetingInEdit(app: IntakeApp, message: Edited): Promise<boolean> {
  const { reach, notices, sites, commandLimit } = app;
  const { turns } = app.state;
  const { actor, place, questionKey } = message;
  if (!(message.mentionsParley || message.isDirect) || actor.isBot) return false;
  if (!reach.may(actor, "ask", place).allowed || !asksForWelcome(message)) return false;
  if ((await turns.getByEventKey(questionKey)) !== undefined) return false;
  // The key of the message: one that got the card already gets no other.
  if ((await commandLimit.refuse(actor, place)) === undefined) {
    await notices.post({
      key: `card/${questionKey}`,
      place: placeOfNotice(message, sites),
      document: await card(app, actor, place),
    });
  }
  await message.ack({ kind: "none" });
  return true;
}

/** Parley was added to a channel or server. */
export async function greetChannel(
  app: IntakeApp,
  { actor, place, eventKey, ack }: Extract<Inbound, { kind: "joined" }>,
): Promise<void> {
  const { notices, log } = app;
  const welcomes = app.state.keyValue<WelcomeRecord>("welcomes");
  const key = channelKey(place);
  const { eventKeys } = (await welcomes.get(key)) ?? { eventKeys: [] };
  if (!eventKeys.includes(eventKey) && eventKeys.length < maxWelcomes) {
    // Posted before it is counted: after a crash in between, the redelivered event finds the notice.
    await notices.post({ key: `welcome/${eventKey}`, place, document: await card(app, actor, place) });
    await welcomes.set(key, { eventKeys: [...eventKeys, eventKey] });
    log.info({ eventKey }, "Parley was added to a channel and says hello");
  }
  await ack({ kind: "none" });
}

/** In the conversation; where that would need a new thread, in the channel. */
export function placeOfNotice(
  { conversation, place }: Pick<Message, "conversation" | "place">,
  sites: BridgeApp["sites"],
): Place {
  const places = sites.get(place.platform)?.platform.replyPlaces;
  return places === undefined || places.isPrepared?.(conversation) === true ? conversation : place;
}

function shownOf(who: WhoAnswers, project: string): Answerer {
  const nameOf = (named: Named) => nameIn(named, project);
  switch (who.kind) {
    case "agent":
      return { kind: "agent", agent: nameOf(who.agent), bases: who.bases.map(nameOf) };
    case "gone":
      return { kind: "gone", agent: nameOf(who.agent) };
    default:
      return who;
  }
}
