/**
 * Decides what each inbound event means, and hands it to the part that handles it. The order keeps the promises:
 * store, acknowledge, work, answer.
 */

import { createCommandLimit } from "../access/command-limit.ts";
import { refusalError } from "../access/refusal.ts";
import type { App } from "../app.ts";
import type { HeardCounts } from "../commands/app.ts";
import type { AccessAction } from "../core/access.ts";
import type { CheckAskedAlone, Forget } from "../core/conversations.ts";
import type { Document } from "../core/document.ts";
import { logFailure, ParleyError, toParleyError } from "../core/errors.ts";
import type { Actor, Place } from "../core/model/place.ts";
import type { Turn } from "../core/model/turn.ts";
import type { CompletionQuery, Inbound, InboundPort, Responder } from "../core/ports/chat-platform.ts";
import type { KnowledgeReading } from "../core/ports/platform-module.ts";
import { errorDocument } from "../presentation/drawing.ts";
import { adminSentences } from "../presentation/sentences.ts";
import type { BridgeApp, BridgeParts } from "./app.ts";
import { createDecisions } from "./approval/decisions.ts";
import { createExamples } from "./contact/answerer.ts";
import { createHome } from "./contact/home.ts";
import { firstView, greetChannel } from "./contact/welcome.ts";
import { createTopics } from "./conversation/topics.ts";
import type { IntakeApp } from "./intake/app.ts";
import { type AskedBySchedule, askBySchedule, stopConversation } from "./intake/asking.ts";
import { handleCommand } from "./intake/commands.ts";
import { handleDeletion, handleEdit } from "./intake/edits.ts";
import { checkAskedAlone, forgetConversation, forgetTurns } from "./intake/forgetting.ts";
import { handleForm, handleReaction, handleShortcut } from "./intake/forms.ts";
import { handleMessage } from "./intake/messages.ts";
import { handlePress } from "./intake/presses.ts";
import { defineRemovals } from "./intake/removing.ts";
import { createThreadTalk } from "./intake/thread-talk.ts";
import { isVoteForm, submitVote } from "./intake/votes.ts";
import { createOverhearing } from "./overheard/overhearing.ts";
import { createUnasked } from "./overheard/unasked.ts";
import { createPeople, type LookUpName } from "./people.ts";
import { createShownEnd } from "./shown/shown-end.ts";
import { recover } from "./turn/recovery.ts";
import { createTurns } from "./turn/turn.ts";

/** Events that nobody waits for with an answer; unacknowledged, the platform resends them. */
const resent: readonly Inbound["kind"][] = ["message", "message-edited", "message-deleted", "joined", "home-opened"];

/** How often a person who is not served is told so when they send direct messages. */
const refusedAgainMs = 60 * 60_000;

export type Bridge = InboundPort & {
  /**
   * Takes over what an earlier process or another instance left unfinished, and keeps checking for it. `start` starts the
   * platforms: what comes in then is asked after what was found.
   */
  readonly recover: (start?: () => Promise<void>) => Promise<void>;
  /** Lets running Turns finish for `graceMs`; marks the rest as interrupted. */
  readonly drain: (graceMs: number) => Promise<void>;
  /** For /parley status. */
  readonly counts: () => { readonly waiting: number; readonly running: number };
  /** What became of lines that were said to nobody in that channel, in the last seven days. */
  readonly heard: (place: Place) => Promise<HeardCounts>;
  /**
   * Asks for a schedule, as its owner. Durable when it resolves; one with the same `eventKey` is asked once. Rejects
   * with too_many_questions.
   */
  readonly askBySchedule: (asked: AskedBySchedule) => Promise<void>;
  /** For /parley forget. */
  readonly forget: Forget;
  readonly checkAskedAlone: CheckAskedAlone;
  /** See intake/forgetting.ts. */
  readonly forgetTurns: (turns: readonly Turn[], withinMs?: number) => Promise<void>;
  /** What an empty conversation shows: who answers there, and what to ask. Within half a second; never rejects. */
  readonly firstView: (actor: Actor, place: Place) => Promise<Document>;
  readonly readKnowledge: KnowledgeReading;
};

export function createBridge(given: App, parts: BridgeParts): Bridge {
  const { log, clock, settings } = given;
  const { claims } = given.state;
  const ending = new AbortController();
  const nameOf: LookUpName = async (id, place) => given.sites.get(place.platform)?.platform.nameOf?.(id, place);
  const people = createPeople(nameOf, clock);
  const talk = createThreadTalk(given);
  const unasked = createUnasked(given);
  const topics = createTopics(given);
  const decisions = createDecisions(given);
  const lacked = (turnId: string) => shownEnd.lacked(turnId);
  const overwritten = (turnId: string) => shownEnd.overwritten(turnId);
  const shown = { lacked, overwritten };
  const base: BridgeApp = { ...given, ...parts, people, talk, unasked, topics, decisions, ...shown };
  const shownEnd = createShownEnd({ ...base, ending: ending.signal });
  defineRemovals(base);
  const living = createTurns(base);
  const commandLimit = createCommandLimit(base);
  const app: IntakeApp = {
    ...base,
    living,
    shownEnd,
    commandLimit,
    examples: createExamples(base),
    overhearing: createOverhearing(base),
    held: new Map(),
    showFailures: (inbound) => home.showFailures(inbound),
  };
  const home = createHome({ ...app, ending: ending.signal });

  async function dispatch(happened: Inbound): Promise<void> {
    // Platforms refuse private notes to bots, and no bot reads them.
    const inbound = happened.actor.isBot ? { ...happened, reply: publicOnly(happened.reply) } : happened;
    if (!isServed(inbound)) return refuseUnserved(inbound);
    // Platforms often do not say who deleted a message.
    if (inbound.kind !== "message-deleted") people.saw(inbound.actor, inbound.place);
    switch (inbound.kind) {
      case "message":
        return handleMessage(app, inbound);
      case "message-edited":
        return handleEdit(app, inbound);
      case "message-deleted":
        return handleDeletion(app, inbound);
      case "command":
        return handleCommand(app, inbound);
      case "form":
        return isVoteForm(inbound.formId) ? submitVote(app, inbound) : handleForm(app, inbound);
      case "shortcut":
        return handleShortcut(app, inbound);
      case "reaction":
        return handleReaction(app, inbound);
      case "action":
        try {
          return await handlePress(app, inbound);
        } finally {
          if (inbound.isInHome === true) await home.pressed(inbound);
        }
      case "joined":
        return greetChannel(app, inbound);
      case "home-opened":
        return home.opened(inbound);
      case "stop-conversation":
        await inbound.ack({ kind: "none" });
        if (!app.reach.may(inbound.actor, "ask", inbound.place).allowed) return;
        return stopConversation(app, inbound.conversation, inbound.actor);
      default:
        return inbound satisfies never;
    }
  }

  /**
   * Platforms often do not say who deleted a message, and a deletion only ends things. Nor is it always known who added
   * Parley somewhere.
   */
  function isServed({ kind, place, actor }: Inbound): boolean {
    return kind === "message-deleted" || kind === "joined" ? settings.serves(place) : app.reach.isServed(actor, place);
  }

  /** Tells people who used Parley directly that they are not served. Messages in a channel get no answer. */
  async function refuseUnserved(inbound: Inbound): Promise<void> {
    const isCommand = ["command", "form", "shortcut", "action"].includes(inbound.kind);
    const isDirect = inbound.kind === "message" && inbound.isDirect;
    await inbound.ack({ kind: isCommand ? "defer-private" : "none" });
    if (!isCommand && !isDirect) return;
    const { platform, workspace } = inbound.place;
    // The platform did not identify the person in time, so their next message may be served.
    const isUnknown =
      inbound.actor.memberOf === undefined && app.sites.get(platform)?.platform.memberships !== undefined;
    const key = isCommand || isUnknown ? inbound.eventKey : `${platform}/${workspace}/turned-away/${inbound.actor.id}`;
    if (inbound.actor.isBot || !(await claims.claim(key, refusedAgainMs))) return;
    // They are on the admin pages, not there.
    const why = inbound.actor.signedInAs === undefined ? {} : adminSentences.notServed;
    await inbound.reply.send(errorDocument(new ParleyError("not_served", why)), "private");
  }

  /** As for a command: throws for people who can't ask there, and for too many. */
  async function readingFor(who: { readonly actor: Actor; readonly place: Place }, counts: boolean) {
    const { actor, place } = who;
    const verdict = app.reach.isServed(actor, place) ? app.reach.may(actor, "ask", place) : undefined;
    if (verdict === undefined) throw new ParleyError("not_served");
    if (!verdict.allowed) throw refusalError(actor, verdict);
    const tooMany = counts ? await commandLimit.refuse(actor, place) : undefined;
    if (tooMany !== undefined) throw tooMany;
    const { reading } = app.commandsIn(who);
    if (reading === undefined) throw new ParleyError("knowledge_base_not_found");
    return reading;
  }

  return {
    handle: async (inbound) => {
      try {
        await dispatch(inbound);
      } catch (failure) {
        const error = toParleyError(failure);
        logFailure(log, error, { kind: inbound.kind, eventKey: inbound.eventKey }, "An event could not be handled");
        // A message that could not be stored stays unacknowledged, so the platform resends it. All other failures
        // are told to the person.
        if (resent.includes(inbound.kind)) return;
        await inbound.reply.send(errorDocument(error), "private").catch(() => undefined);
      }
    },
    complete: async (query) => {
      if (!app.reach.may(query.actor, completionRole(query.completes), query.place).allowed) return [];
      try {
        return await app.commandsIn(query).commands.complete(query);
      } catch (failure) {
        log.warn({ err: failure, completes: query.completes }, "A completion failed");
        return [];
      }
    },
    recover: (start) => recover(app, ending.signal, start),
    drain: async (graceMs) => {
      ending.abort();
      parts.circuit.close();
      await living.drain(graceMs);
    },
    counts: living.counts,
    heard: unasked.counts,
    askBySchedule: (asked) => askBySchedule(app, asked),
    forget: (conversation, by, mayForgetOthers) => forgetConversation(app, conversation, by, mayForgetOthers),
    checkAskedAlone: (conversation, by) => checkAskedAlone(app, conversation, by),
    forgetTurns: (meant, withinMs) => forgetTurns(app, meant, withinMs),
    firstView: (actor, place) => firstView(app, actor, place),
    readKnowledge: {
      search: async (who, query) => (await readingFor(who, true)).search(who, query),
      documents: async (who, base, page) => (await readingFor(who, false)).documents(who, base, page),
      read: async (who, base, id) => (await readingFor(who, true)).read(who, base, id),
    },
  };
}

/** Tables appear only in the forms of agents, jobs only in the command that cancels one. */
function completionRole(completes: CompletionQuery["completes"]): AccessAction {
  if (completes === "table") return "manage";
  return completes === "job" ? "ingest" : "see";
}

function publicOnly(reply: Responder): Responder {
  return {
    send: async (document, visibility) => (visibility === "private" ? undefined : reply.send(document, visibility)),
  };
}
