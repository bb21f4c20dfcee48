/** Adds an answer for a person, whatever it comes from: which bases they can choose, and what they are told. */
import type { Asker, CommandContext, CommandResult } from "../../ports/commands.ts";
import { type AnswerDraft, type Answering, maxAnswerChars } from "../../ports/content/answering.ts";
import type { Proving } from "../../ports/content/proving.ts";
import type { FieldErrors } from "../../ports/document.ts";
import { ParleyError } from "../../ports/errors.ts";
import { personKey } from "../../ports/model/place.ts";
import { withTimeout } from "../../ports/tools/timeout.ts";
import { answerAddedDocument, answerFailedDocument, cleanText, infoDocument } from "../../presentation/drawing.ts";
import { answerSentences as says, answerForm as texts } from "../../presentation/sentences.ts";
import { baseInReach } from "../in-reach.ts";
import { recordContribution } from "../knowledge-bases/destination.ts";
import { createLetLook } from "../knowledge-bases/let-look.ts";
import type { CommandPorts } from "../ports.ts";
import { privately, working } from "../results.ts";
import { type AnswerBasesPorts, createAnswerBases } from "./answer-bases.ts";
import { proved } from "./proof-commands.ts";

/** A form is checked within 2 s. */
const checkMs = 1_200;

export type AddingPorts = CommandPorts &
  Pick<AnswerBasesPorts, "knowledge" | "basesOf"> & {
    readonly answering: Pick<Answering, "addAnswer">;
    readonly proving: Pick<Proving, "watch">;
  };

export type AddingAnswers = ReturnType<typeof createAddingAnswers>;

export function createAddingAnswers(ports: AddingPorts) {
  const { answering, proving, service, clock, log } = ports;
  const letLook = createLetLook(ports);

  /** What is known of the service may be a minute old, so it is asked. */
  async function isBaseGone(given: string, who: Asker): Promise<boolean> {
    try {
      const base = await baseInReach(ports, given, who);
      await service.getKnowledgeBase(base.project, base.name);
      return false;
    } catch (failure) {
      return failure instanceof ParleyError && failure.code === "knowledge_base_not_found";
    }
  }

  return {
    /** The agent's that this person can add to, the likeliest first; without any, what the person reaches there. */
    basesFor: createAnswerBases(ports),

    /** Set if the base that was chosen is gone by now. */
    baseProblem: async (given: string, who: Asker): Promise<FieldErrors | undefined> => {
      const isGone = await withTimeout(isBaseGone(given, who), checkMs, clock);
      return isGone === true ? { base: texts.baseGone(given) } : undefined;
    },

    /** Its Job is stored when this resolves. `isBack`: puts another's answer back. */
    add: async (draft: AnswerDraft, context: CommandContext, isBack = false): Promise<CommandResult> => {
      const { base, by } = draft;
      const isOwn = by === undefined || by.key === personKey(context.place, context.actor);
      const begins = isBack && by !== undefined ? says.puttingBack(by.name) : undefined;
      const shown = isOwn ? says.adding(base.name) : says.addingOf(cleanText(by.name), base.name);
      const begun = await answering.addAnswer(draft, context);
      return working(infoDocument(begins ?? shown, { tone: "running" }), log, async () => {
        await recordContribution(ports, context, { project: base.project, knowledgeBase: base.name });
        const end = await begun.ended();
        switch (end.kind) {
          case "running":
            return privately(infoDocument(says.stillRunning, { tone: "running" }));
          case "failed":
            return privately(answerFailedDocument(begun.answer, end.reason, begun.jobId));
          case "added": {
            const offer = isBack ? undefined : await letLook.offerFor(base, context);
            const cutAt = begun.isCut ? maxAnswerChars : undefined;
            const { answer, replaced } = end;
            const about = { offer, cutAt, replaced, isBack, isOwn, nowMs: clock.now() };
            const proof = await proving.watch(begun.jobId, context.place).catch(() => undefined);
            return proved(answerAddedDocument(answer, about), proof);
          }
          default:
            return end satisfies never;
        }
      });
    },
  };
}
