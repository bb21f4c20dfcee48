/**
 * Handles forms, message shortcuts and the reactions that save a message or use it as an answer. They are checked and
 * answered as commands are; the form of "Ask about this" asks a question.
 */

import type { Saving } from "../../commands/adding/save.ts";
import type { Adopting } from "../../commands/insight/adoption.ts";
import type { Document } from "../../core/document.ts";
import { ParleyError } from "../../core/errors.ts";
import type { Place } from "../../core/model/place.ts";
import type { ChatPlatform, Responder } from "../../core/ports/chat-platform.ts";
import type { Log } from "../../core/ports/log.ts";
import { errorDocument } from "../../presentation/drawing.ts";
import { formSentences } from "../../presentation/sentences.ts";
import { aboutContext, readAboutContext } from "../conversation/about.ts";
import type { IntakeApp, Of } from "./app.ts";
import { type AskedQuestion, ask, contextOf, isTooMany, mayDo, runCounted, runOnce, runThenAck } from "./commands.ts";
import { removeMark, removeMarked } from "./removing.ts";

const askAboutForm = "ask-about";
const answerForm = "kb answer";
const [savedMark, failedMark] = ["✅", "❌"];

function askInForm(
  app: IntakeApp,
  inbound: Of<"form">,
  asked: Pick<AskedQuestion, "agent" | "context" | "about">,
): Promise<void> {
  const { conversation, platformData } = inbound;
  const { question } = inbound.values;
  const words = typeof question === "string" ? question : "";
  return ask(app, inbound, { conversation, question: words, attachments: [], platformData, ...asked });
}

async function openIngestForm(
  app: IntakeApp,
  inbound: Of<"shortcut">,
  shortcut: "save" | "use-as-answer",
): Promise<void> {
  const { saving, adopting } = app.commandsIn(inbound);
  const attempt = shortcut === "save" ? ({ kind: "save" } as const) : ({ kind: "form", formId: answerForm } as const);
  if (!(await mayDo(app, inbound, "ingest", attempt)) || (await isTooMany(app, inbound))) return;
  const { place, conversation, about } = inbound;
  const context = contextOf(app, inbound, conversation);
  const opening = shortcut === "save" ? saving?.openForm : adopting?.openForm;
  const opened = await opening?.({ ...about, place }, context);
  if (opened?.kind === "form") return inbound.ack(opened);
  await inbound.ack({ kind: "defer-private" });
  await inbound.reply.send(opened?.document ?? errorDocument(new ParleyError("unknown_command")), "private");
}

/** Where the reaction's message is, with its thread. */
async function threadOf(app: IntakeApp, { place, messageId }: Of<"reaction">): Promise<Place> {
  const { sites } = app;
  const thread = place.thread ?? (await sites.get(place.platform)?.platform.threadOf?.({ place, messageId }));
  return thread === undefined ? place : { ...place, thread };
}

async function saveMarked(app: IntakeApp, inbound: Of<"reaction">, to: Saving): Promise<void> {
  const { sites, log } = app;
  const { place, messageId } = inbound;
  const reply = reactionResponder(inbound, sites.get(place.platform)?.platform, log);
  await runCounted(app, { ...inbound, reply }, async () => {
    const where = await threadOf(app, inbound);
    return to.saveMarked({ place: where, messageId }, contextOf(app, inbound, where));
  });
}

/** Only below an answer of Parley's: elsewhere people mean something else by it, and hear nothing. */
async function adoptMarked(app: IntakeApp, inbound: Of<"reaction">, by: Adopting): Promise<void> {
  const { log } = app;
  const where = await threadOf(app, inbound).catch((err: unknown) => {
    log.info({ err, place: inbound.place }, "The thread of a reaction could not be found out");
    return undefined;
  });
  if (where === undefined || !(await by.hasAnswered(where))) return;
  const { messageId } = inbound;
  await runCounted(app, inbound, () => by.show({ place: where, messageId }, contextOf(app, inbound, where)));
}

export async function handleForm(app: IntakeApp, inbound: Of<"form">): Promise<void> {
  const { commands } = app.commandsIn(inbound);
  const { formId } = inbound;
  const role = formId === askAboutForm ? "ask" : commands.roleOfForm(formId);
  if (!(await mayDo(app, inbound, role, inbound))) return;
  const context = contextOf(app, inbound, inbound.conversation, inbound.attachments);
  if (formId === askAboutForm) return askInForm(app, inbound, readAboutContext(inbound.context, inbound.place));
  const askedWith = await commands.askedWith(formId, inbound.context, context);
  if (askedWith?.kind === "refused") {
    await inbound.ack({ kind: "defer-private" });
    return runOnce(app, inbound, async () => ({ kind: "document", document: askedWith.document }));
  }
  if (askedWith !== undefined) {
    const { kind: _kind, ...asked } = askedWith;
    return askInForm(app, inbound, asked);
  }
  if (await isTooMany(app, inbound)) return;
  const errors = await commands.checkForm(inbound.formId, inbound.values, inbound.context, context);
  if (errors !== undefined) return inbound.ack({ kind: "form-errors", errors });
  await runThenAck(app, inbound, () => commands.submitForm(inbound.formId, inbound.values, inbound.context, context));
}

export async function handleShortcut(app: IntakeApp, inbound: Of<"shortcut">): Promise<void> {
  if (inbound.shortcut !== "ask-about") return openIngestForm(app, inbound, inbound.shortcut);
  if (!(await mayDo(app, inbound, "ask")) || (await isTooMany(app, inbound))) return;
  const context = aboutContext(inbound.about, inbound.place);
  await inbound.ack({ kind: "form", form: { ...formSentences.askAbout, id: askAboutForm, context } });
}

export async function handleReaction(app: IntakeApp, inbound: Of<"reaction">): Promise<void> {
  const { reach } = app;
  const { saving, adopting } = app.commandsIn(inbound);
  const { actor, place, emoji } = inbound;
  // Stored before it is acknowledged.
  if (inbound.added && !actor.isBot && emoji === removeMark) {
    const where = await threadOf(app, inbound).catch(() => undefined);
    await removeMarked(app, inbound, where ?? place);
  }
  await inbound.ack({ kind: "none" });
  // People react casually, so a reaction by someone who can't add knowledge is ignored.
  if (!inbound.added || actor.isBot || !reach.may(actor, "ingest", place).allowed) return;
  if (saving?.isSaveMark(emoji) === true) return saveMarked(app, inbound, saving);
  if (adopting?.isAnswerMark(emoji) === true) return adoptMarked(app, inbound, adopting);
}

/**
 * Answers a reaction that saves: by a reaction where a private reply would be a note in the channel, else privately. A
 * failure and an offer need words; the rest is said by the mark alone.
 */
export function reactionResponder(inbound: Of<"reaction">, platform: ChatPlatform | undefined, log: Log): Responder {
  const { place, messageId, reply } = inbound;
  const reactions = platform?.reactions;
  if (reactions?.areAnswers !== true || platform?.isDirect?.(place) === true) return reply;

  const mark = async (added: string, removed: string): Promise<boolean> => {
    try {
      await reactions.add({ place, messageId }, added);
      await reactions.remove({ place, messageId }, removed);
      return true;
    } catch (failure) {
      log.info({ err: failure, place }, "A saved message could not be marked");
      return false;
    }
  };

  return {
    send: async (document, visibility) => {
      if (document.tone === "running") return;
      const isSaved = document.tone === "done";
      const isMarked = await mark(
        ...(isSaved ? ([savedMark, failedMark] as const) : ([failedMark, savedMark] as const)),
      );
      if (!isSaved || !isMarked || offersMore(document)) await reply.send(document, visibility);
    },
  };
}

/** Removing what was saved is offered by `/kb show` too; any other offer is made only here. */
function offersMore({ blocks, actions }: Document): boolean {
  const offered = [...actions, ...blocks.flatMap((block) => (block.kind === "actions" ? block.actions : []))];
  return offered.some(({ id }) => id !== "remove-saved");
}
