/**
 * Handles forms, message shortcuts and the reaction that saves a message. They are checked and answered as commands are;
 * the form of "Ask about this" asks a question.
 */
import type { Inbound } from "../../ports/chat-platform.ts";
import type { Attempt, CommandContext, CommandResult } from "../../ports/commands.ts";
import { ParleyError } from "../../ports/errors.ts";
import type { Attachment, Place, Role } from "../../ports/model/place.ts";
import type { Turn } from "../../ports/model/turn.ts";
import { errorDocument } from "../../presentation/drawing.ts";
import { formSentences } from "../../presentation/sentences.ts";
import { aboutContext, readAboutContext } from "../conversation/about.ts";
import type { BridgeDeps } from "../deps.ts";
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
  readonly runCounted: (inbound: Inbound, work: () => Promise<CommandResult>) => Promise<void>;
};

const askAboutForm = "ask-about";

export function createFormIntake(deps: BridgeDeps & CommandSteps) {
  const { commands, reach, saving, sites, log, mayDo, isTooMany, ask, contextOf, runOnce, runCounted } = deps;

  function askInForm(inbound: Of<"form">, asked: Pick<AskedQuestion, "agent" | "context" | "about">): Promise<void> {
    const { conversation, platformData } = inbound;
    const { question } = inbound.values;
    const words = typeof question === "string" ? question : "";
    return ask(inbound, { conversation, question: words, attachments: [], platformData, ...asked });
  }

  async function openSaveForm(inbound: Of<"shortcut">): Promise<void> {
    if (!(await mayDo(inbound, "ingest", { kind: "save" })) || (await isTooMany(inbound))) return;
    const { place, conversation } = inbound;
    const { messageId, authorName, text } = inbound.about;
    const opened = await saving?.openForm({ place, messageId, authorName, text }, contextOf(inbound, conversation));
    if (opened?.kind === "form") return inbound.ack(opened);
    await inbound.ack({ kind: "defer-private" });
    await inbound.reply.send(opened?.document ?? errorDocument(new ParleyError("unknown_command")), "private");
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
      await inbound.ack({ kind: "defer-private" });
      await runOnce(inbound, () => commands.submitForm(inbound.formId, inbound.values, inbound.context, context));
    },

    handleShortcut: async (inbound: Of<"shortcut">): Promise<void> => {
      if (inbound.shortcut === "save") return openSaveForm(inbound);
      if (!(await mayDo(inbound, "ask")) || (await isTooMany(inbound))) return;
      const context = aboutContext(inbound.about, inbound.place);
      await inbound.ack({ kind: "form", form: { ...formSentences.askAbout, id: askAboutForm, context } });
    },

    handleReaction: async (inbound: Of<"reaction">): Promise<void> => {
      await inbound.ack({ kind: "none" });
      const { actor, place, messageId, emoji } = inbound;
      if (saving === undefined || !inbound.added || actor.isBot || !saving.isSaveMark(emoji)) return;
      // People react casually, so a reaction by someone who can't save is ignored.
      if (!reach.may(actor, "ingest", place).allowed) return;
      const platform = sites.get(place.platform)?.platform;
      await runCounted({ ...inbound, reply: reactionResponder(inbound, platform, log) }, async () => {
        const thread = place.thread ?? (await platform?.threadOf?.({ place, messageId }));
        const where = thread === undefined ? place : { ...place, thread };
        return saving.saveMarked({ place: where, messageId }, contextOf(inbound, where));
      });
    },
  };
}
