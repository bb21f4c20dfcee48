/**
 * Handles forms, message shortcuts and the reactions that save a message or use it as an answer. They are checked and
 * answered as commands are; the form of "Ask about this" asks a question.
 */

import type { Saving } from "../../commands/adding/save.ts";
import type { Attempt } from "../../commands/contract.ts";
import type { Adopting } from "../../commands/insight/adoption.ts";
import type { CommandContext, CommandResult } from "../../core/commands.ts";
import { ParleyError } from "../../core/errors.ts";
import type { Attachment, Place, Role } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { Inbound } from "../../core/ports/chat-platform.ts";
import { errorDocument } from "../../presentation/drawing.ts";
import { formSentences } from "../../presentation/sentences.ts";
import type { BridgeApp } from "../app.ts";
import { aboutContext, readAboutContext } from "../conversation/about.ts";
import { reactionResponder } from "./reaction-reply.ts";

type Of<K extends Inbound["kind"]> = Extract<Inbound, { kind: K }>;

export type AskedQuestion = {
  readonly conversation: Place;
  readonly question: string;
  /** As typed in an option. */
  readonly agent?: string | undefined;
  readonly attachments: readonly Attachment[];
  readonly platformData?: Readonly<Record<string, string>> | undefined;
  /** What the agent gets before the question. */
  readonly context?: string | undefined;
  /** The message that it is about. */
  readonly about?: Turn["about"];
};

/** How command-intake.ts checks, runs and answers everything. */
type CommandSteps = {
  readonly mayDo: (inbound: Inbound, role: Role, attempt?: Attempt) => Promise<boolean>;
  readonly isTooMany: (inbound: Inbound) => Promise<boolean>;
  readonly ask: (inbound: Inbound, asked: AskedQuestion) => Promise<void>;
  readonly contextOf: (inbound: Inbound, conversation: Place, attachments?: readonly Attachment[]) => CommandContext;
  readonly runOnce: (inbound: Inbound, work: () => Promise<CommandResult>) => Promise<void>;
  readonly runThenAck: (inbound: Inbound, work: () => Promise<CommandResult>) => Promise<void>;
  readonly runCounted: (inbound: Inbound, work: () => Promise<CommandResult>) => Promise<void>;
};

const askAboutForm = "ask-about";
const answerForm = "kb answer";

export function createFormIntake(app: BridgeApp & CommandSteps) {
  const {
    commands,
    reach,
    saving,
    adopting,
    sites,
    log,
    mayDo,
    isTooMany,
    ask,
    contextOf,
    runOnce,
    runThenAck,
    runCounted,
  } = app;

  function askInForm(inbound: Of<"form">, asked: Pick<AskedQuestion, "agent" | "context" | "about">): Promise<void> {
    const { conversation, platformData } = inbound;
    const { question } = inbound.values;
    const words = typeof question === "string" ? question : "";
    return ask(inbound, { conversation, question: words, attachments: [], platformData, ...asked });
  }

  async function openIngestForm(inbound: Of<"shortcut">, shortcut: "save" | "use-as-answer"): Promise<void> {
    const attempt = shortcut === "save" ? ({ kind: "save" } as const) : ({ kind: "form", formId: answerForm } as const);
    if (!(await mayDo(inbound, "ingest", attempt)) || (await isTooMany(inbound))) return;
    const { place, conversation, about } = inbound;
    const context = contextOf(inbound, conversation);
    const opening = shortcut === "save" ? saving?.openForm : adopting?.openForm;
    const opened = await opening?.({ ...about, place }, context);
    if (opened?.kind === "form") return inbound.ack(opened);
    await inbound.ack({ kind: "defer-private" });
    await inbound.reply.send(opened?.document ?? errorDocument(new ParleyError("unknown_command")), "private");
  }

  /** Where the reaction's message is, with its thread. */
  async function threadOf({ place, messageId }: Of<"reaction">): Promise<Place> {
    const thread = place.thread ?? (await sites.get(place.platform)?.platform.threadOf?.({ place, messageId }));
    return thread === undefined ? place : { ...place, thread };
  }

  async function saveMarked(inbound: Of<"reaction">, to: Saving): Promise<void> {
    const { place, messageId } = inbound;
    const reply = reactionResponder(inbound, sites.get(place.platform)?.platform, log);
    await runCounted({ ...inbound, reply }, async () => {
      const where = await threadOf(inbound);
      return to.saveMarked({ place: where, messageId }, contextOf(inbound, where));
    });
  }

  /** Only below an answer of Parley's: elsewhere people mean something else by it, and hear nothing. */
  async function adoptMarked(inbound: Of<"reaction">, by: Adopting): Promise<void> {
    const where = await threadOf(inbound).catch((err: unknown) => {
      log.info({ err, place: inbound.place }, "The thread of a reaction could not be found out");
      return undefined;
    });
    if (where === undefined || !(await by.hasAnswered(where))) return;
    const { messageId } = inbound;
    await runCounted(inbound, () => by.show({ place: where, messageId }, contextOf(inbound, where)));
  }

  return {
    handleForm: async (inbound: Of<"form">): Promise<void> => {
      const { formId } = inbound;
      const role = formId === askAboutForm ? "ask" : commands.roleOfForm(formId);
      if (!(await mayDo(inbound, role, inbound))) return;
      const context = contextOf(inbound, inbound.conversation, inbound.attachments);
      if (formId === askAboutForm) return askInForm(inbound, readAboutContext(inbound.context, inbound.place));
      const askedWith = await commands.askedWith(formId, inbound.context, context);
      if (askedWith?.kind === "refused") {
        await inbound.ack({ kind: "defer-private" });
        return runOnce(inbound, async () => ({ kind: "document", document: askedWith.document }));
      }
      if (askedWith !== undefined) {
        const { kind: _kind, ...asked } = askedWith;
        return askInForm(inbound, asked);
      }
      if (await isTooMany(inbound)) return;
      const errors = await commands.checkForm(inbound.formId, inbound.values, inbound.context, context);
      if (errors !== undefined) return inbound.ack({ kind: "form-errors", errors });
      await runThenAck(inbound, () => commands.submitForm(inbound.formId, inbound.values, inbound.context, context));
    },

    handleShortcut: async (inbound: Of<"shortcut">): Promise<void> => {
      if (inbound.shortcut !== "ask-about") return openIngestForm(inbound, inbound.shortcut);
      if (!(await mayDo(inbound, "ask")) || (await isTooMany(inbound))) return;
      const context = aboutContext(inbound.about, inbound.place);
      await inbound.ack({ kind: "form", form: { ...formSentences.askAbout, id: askAboutForm, context } });
    },

    handleReaction: async (inbound: Of<"reaction">): Promise<void> => {
      await inbound.ack({ kind: "none" });
      const { actor, place, emoji } = inbound;
      // People react casually, so a reaction by someone who can't add knowledge is ignored.
      if (!inbound.added || actor.isBot || !reach.may(actor, "ingest", place).allowed) return;
      if (saving?.isSaveMark(emoji) === true) return saveMarked(inbound, saving);
      if (adopting?.isAnswerMark(emoji) === true) return adoptMarked(inbound, adopting);
    },
  };
}
