/**
 * Add the answer, Edit, Put back and Remove. The form asks again whether the person may read the gap when it opens and
 * when it is sent: an id that was read elsewhere shows nothing and adds nothing.
 */
import type { GapReader, GapSight } from "../../insight/gap-sight.ts";
import { documentId } from "../../knowledge/knowledge.ts";
import type { Named } from "../../ports/access.ts";
import { type CommandSet, fieldText } from "../../ports/command-contract.ts";
import type { Asker, CommandContext, CommandResult } from "../../ports/commands.ts";
import type { AnswerDraft, Answering } from "../../ports/content/answering.ts";
import type { Gaps } from "../../ports/content/gaps.ts";
import type { FieldErrors, Form, FormValues } from "../../ports/document.ts";
import { ParleyError } from "../../ports/errors.ts";
import type { AddedAnswer, Gap } from "../../ports/model/insight.ts";
import { channelKey, type Place, unnamed } from "../../ports/model/place.ts";
import { infoDocument } from "../../presentation/drawing.ts";
import { answerLabels, gapSentences, answerSentences as says } from "../../presentation/sentences.ts";
import { writtenName } from "../find-by-name.ts";
import { findDestination, refusalToAdd } from "../knowledge-bases/destination.ts";
import type { FeedPorts } from "../knowledge-bases/feed-ports.ts";
import { refOfBase } from "../ledger/base-ref.ts";
import { checkOwner, isOwn } from "../ledger/ownership.ts";
import { privately } from "../results.ts";
import { type AddingPorts, createAddingAnswers } from "./adding-answers.ts";
import type { AskBefore } from "./adopt-commands.ts";
import {
  type AnswerSubject,
  answerFormId,
  answerFormOf,
  maxFieldChars,
  problemsOf,
  subjectOf,
  writtenAnswer,
} from "./answer-form.ts";

/** Discord's limit for choices in a form. */
const maxChoices = 25;

export type AnswerPorts = FeedPorts &
  AddingPorts & {
    readonly gaps: Pick<Gaps, "get">;
    readonly sight: GapSight;
    readonly answering: Answering;
    /** Whether that is a page where nobody signs in, so that everyone there is the same actor. */
    readonly isOwnPage: (platform: string) => boolean;
    readonly askBefore: AskBefore;
    /** Asks whether to remove a document: the base's reference and the document's id. */
    readonly askRemove: (value: string, context: CommandContext) => Promise<CommandResult>;
  };

export function answerCommands(ports: AnswerPorts): CommandSet {
  const { gaps, sight, answering, isOwnPage, reach, knowledge, audit, settings } = ports;
  const adding = createAddingAnswers(ports);

  /** Undefined for a gap that is gone, or not this person's to read. */
  async function gapOf(
    id: string,
    { actor, place }: Asker,
  ): Promise<{ gap: Gap; question: string; from?: Place } | undefined> {
    const gap = await gaps.get(place, id);
    const reader: GapReader = { kind: "person", actor, place };
    const seen = gap === undefined ? undefined : await sight.see(reader, gap);
    if (gap === undefined || seen?.kind !== "listed") return undefined;
    return { gap, question: seen.question, from: seen.askers[0]?.from?.place };
  }

  /** Undefined for an answer that is gone, or in a base that this person can't add to. */
  async function answerOf(id: string, { actor, place }: Asker): Promise<AddedAnswer | undefined> {
    const answer = await answering.byId(id);
    if (answer === undefined) return undefined;
    return (await reach.mayBase(actor, "ingest", place, baseOf(answer))).allowed ? answer : undefined;
  }

  async function addForm(gapId: string, who: Asker): Promise<Form | undefined> {
    const gap = await gaps.get(who.place, gapId);
    if (gap === undefined) return undefined;
    const [found, listed = [], known] = await Promise.all([
      gapOf(gapId, who),
      adding.basesFor(gap.agent, who),
      answerOf(gapId, who),
    ]);
    if (found === undefined || listed.length === 0) return undefined;
    const facts = {
      subject: { kind: "gap", id: gapId },
      askers: othersWhoAsked(gap, who),
      isNameless: isNameless(who),
    } as const;
    const { question } = found;
    if (known === undefined || known.answer.length > maxFieldChars)
      return answerFormOf({ ...facts, question, bases: listed });
    // What was added before is corrected, not written again.
    const bases = [...new Set([writtenName(baseOf(known), settings.project), ...listed])].slice(0, maxChoices);
    return answerFormOf({ ...facts, question: known.question, answer: known.answer, urls: known.urls, bases });
  }

  async function editForm(answerId: string, who: Asker): Promise<Form | undefined> {
    const answer = await answerOf(answerId, who);
    if (answer === undefined || answer.answer.length > maxFieldChars || !isAuthorOrManager(answer, who))
      return undefined;
    const { origin, question, answer: text, urls } = answer;
    const found = origin.kind === "gap" ? await gapOf(origin.gapId, who) : undefined;
    const askers = found === undefined ? 0 : othersWhoAsked(found.gap, who);
    return answerFormOf({
      subject: { kind: "answer", id: answerId },
      question,
      answer: text,
      urls,
      askers,
      isNameless: isNameless(who),
    });
  }

  /** Agents quote no name where nobody signs in. */
  const isNameless = ({ actor, place }: Asker): boolean => actor.name === unnamed && isOwnPage(place.platform);

  /** Who gives the answer need not be told. */
  function othersWhoAsked({ askers, askerCount }: Gap, { actor, place }: Asker): number {
    const isAsker = !isOwnPage(place.platform) && askers.some((asker) => asker.actor.id === actor.id);
    return Math.max(0, askerCount - (isAsker ? 1 : 0));
  }

  function isAuthorOrManager({ by }: AddedAnswer, { actor, place }: Asker): boolean {
    return isOwn({ by }, { actor, place }) || reach.may(actor, "manage", place).allowed;
  }

  /** Why the form didn't open. */
  async function whyNoForm(id: string, context: CommandContext): Promise<CommandResult> {
    if ((await gapOf(id, context)) === undefined) {
      throw new ParleyError("turn_gone", { what: gapSentences.gone, hint: gapSentences.seeList });
    }
    const found = await findDestination(ports, context, undefined);
    if ("refusal" in found) return found.refusal;
    const again = { id: "add-answer", label: answerLabels.add, value: id, style: "primary" } as const;
    return privately(infoDocument([says.late, says.lateHint], { actions: [again] }));
  }

  async function whyNoEdit(id: string, context: CommandContext): Promise<CommandResult> {
    const answer = await ownAnswer(id, context);
    if (answer.answer.length > maxFieldChars) {
      return privately(infoDocument([says.tooLong(maxFieldChars), says.tooLongHint], { tone: "failed" }));
    }
    const again = { id: "edit-answer", label: answerLabels.edit, value: id, style: "primary" } as const;
    return privately(infoDocument([says.late, says.lateHint], { actions: [again] }));
  }

  async function ownAnswer(id: string, context: CommandContext): Promise<AddedAnswer> {
    const answer = await answerOf(id, context);
    if (answer === undefined) throw new ParleyError("turn_gone", { what: says.gone, hint: says.seeBase });
    checkOwner(answer, context);
    return answer;
  }

  async function check(
    values: FormValues,
    formContext: string,
    context: CommandContext,
  ): Promise<FieldErrors | undefined> {
    const isNew = subjectOf(formContext)?.kind !== "answer";
    const problems = problemsOf(values, isNew);
    if (problems !== undefined || !isNew) return problems;
    const given = fieldText(values, "base");
    return adding.baseProblem(given, context);
  }

  async function submit(values: FormValues, formContext: string, context: CommandContext): Promise<CommandResult> {
    const subject = subjectOf(formContext);
    if (subject === undefined) throw new ParleyError("turn_gone", { what: says.gone, hint: says.seeBase });
    const written = writtenAnswer(values);
    if (subject.kind === "answer") return submitEdit(subject, written, context);
    const found = await gapOf(subject.id, context);
    if (found === undefined) {
      throw new ParleyError("turn_gone", { what: gapSentences.gone, hint: gapSentences.seeList });
    }
    const target = await findDestination(ports, context, fieldText(values, "base"));
    if ("refusal" in target) return target.refusal;
    const { project, knowledgeBase } = target.destination;
    const base = { project, name: knowledgeBase };
    const draft: AnswerDraft = { ...written, base, origin: { kind: "gap", gapId: subject.id } };
    // One's own direct message needs no question. Of another channel, only what is public can be read here.
    const isOfHere = found.from !== undefined && channelKey(found.from) === channelKey(context.place);
    const others = othersWhoAsked(found.gap, context);
    const asked =
      isOfHere && !reach.isDirect(context.place)
        ? await ports.askBefore(draft, others, context.place, context)
        : undefined;
    return asked ?? adding.add(draft, context);
  }

  async function submitEdit(
    { id }: AnswerSubject,
    written: ReturnType<typeof writtenAnswer>,
    context: CommandContext,
  ): Promise<CommandResult> {
    const known = await ownAnswer(id, context);
    return adding.add({ ...written, base: baseOf(known), origin: known.origin }, context);
  }

  async function restore(value: string, context: CommandContext): Promise<CommandResult> {
    const [id = "", atMs] = value.split(" ");
    const known = await answerOf(id, context);
    if (known === undefined) throw new ParleyError("turn_gone", { what: says.gone, hint: says.seeBase });
    const { previous, origin } = known;
    if (previous === undefined || String(previous.atMs) !== atMs) {
      return privately(infoDocument(says.nothingToPutBack, { tone: "failed" }));
    }
    const { question, answer, urls, by } = previous;
    const about = { knowledgeBase: `${known.project}.${known.knowledgeBase}`, answer: id };
    await audit.record(context, { role: "ingest", action: "kb answer restore", about, outcome: "done" });
    return adding.add({ question, answer, urls, by, atMs: previous.atMs, base: baseOf(known), origin }, context, true);
  }

  /** Asks first, like any document that is removed. */
  async function remove(id: string, context: CommandContext): Promise<CommandResult> {
    const answer = await ownAnswer(id, context);
    const base = baseOf(answer);
    const refusal = await refusalToAdd(ports, context, answer);
    if (refusal !== undefined) return refusal;
    const document = await knowledge.ledger.get(base, documentId({ kind: "answer", answerId: id }));
    if (document === undefined) throw new ParleyError("turn_gone", { what: says.gone, hint: says.seeBase });
    return ports.askRemove(`${refOfBase(ports, base)} ${document.id}`, context);
  }

  return {
    definitions: [],
    handlers: {},
    forms: { [answerFormId]: { role: "ingest", check, submit } },
    actions: {
      "add-answer": { role: "ingest", formIn: addForm, press: whyNoForm },
      "edit-answer": { role: "ingest", formIn: editForm, press: whyNoEdit },
      "restore-answer": { role: "ingest", press: restore },
      "remove-answer": { role: "ingest", press: remove },
    },
  };
}

function baseOf({ project, knowledgeBase }: Pick<AddedAnswer, "project" | "knowledgeBase">): Named {
  return { project, name: knowledgeBase };
}
