/**
 * Posts the welcome card: when someone asks what Parley can do, and when Parley is added to a channel. The card is a
 * notice, so that it is posted once, whatever dies in between.
 */

import type { Named } from "../../core/access.ts";
import type { Action, Document } from "../../core/document.ts";
import { wordsOf } from "../../core/languages/languages.ts";
import { type Actor, channelKey, type Place } from "../../core/model/place.ts";
import type { InboundMessage } from "../../core/ports/chat-platform.ts";
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
import { claimMs, type IntakeApp, type Message, type Of } from "../intake/app.ts";
import { plainWords } from "../intake/pleasantries.ts";
import { findAnswerer, type WhoAnswers } from "./answerer.ts";

const says = {
  /** For agents whose knowledge has no titles. */
  examples: ["What can you help me with?", "Which topics do you know about?", "Where do your answers come from?"],
};

/** Help, a greeting, "what can you do?", in ten languages. Anything beyond these words is a question. */
const welcomes: ReadonlySet<string> = new Set(wordsOf("remarks", "welcome").map(plainWords));

/** No letter, digit or picture: a bare mention, or only "?". */
const isBare = (text: string): boolean => !/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text);

type Said = Pick<InboundMessage, "text" | "quoted" | "unread" | "isOnlyNames"> & {
  readonly attachments: readonly unknown[];
};

/** `text`: without the mention of Parley. A message with a file asks something about it. */
export function asksForWelcome({ text, quoted, unread, attachments, isOnlyNames }: Said): boolean {
  // A person may be called "Hello".
  if (attachments.length > 0 || quoted !== undefined || unread !== undefined || isOnlyNames === true) return false;
  const words = plainWords(text);
  return words === "" ? isBare(text) : welcomes.has(words);
}

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
  const isManual = ({ project, name }: Named) => project === settings.projectOf(place) && name === settings.ownDocsBase;
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
  return { answerer: shownOf(who, settings.projectOf(place, actor)), examples: questions };
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

/** Posts the card to someone who asked who Parley is. */
export async function greet(app: IntakeApp, message: Message): Promise<void> {
  const { notices, sites, commandLimit, log } = app;
  const { claims } = app.state;
  const { actor, place, eventKey } = message;
  // A mention may arrive as two events with one key: the first one is counted, and gets the card. What comes again
  // may have died with its process before the card was stored, so it gets it too, uncounted.
  const isFirst = await claims.claim(`${eventKey}/card`, claimMs);
  if (!isFirst && message.isRepeated !== true) return message.ack({ kind: "none" });
  const tooMany = isFirst ? await commandLimit.refuse(actor, place) : undefined;
  if (tooMany === undefined) {
    const at = placeOfNotice(message, sites);
    await notices.post({ key: `card/${eventKey}`, place: at, document: await card(app, actor, place) });
    log.info({ eventKey }, "A welcome card was requested");
    return message.ack({ kind: "none" });
  }
  await message.ack({ kind: "none" });
  if (!(await claims.claim(eventKey, claimMs)) || !(await commandLimit.tells(actor, place))) return;
  await message.reply.send(errorDocument(tooMany), "private");
}

/** Parley was added to a channel or server. */
export async function greetChannel(app: IntakeApp, { actor, place, eventKey, ack }: Of<"joined">): Promise<void> {
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
