/**
 * Add the answer, Edit, Put back and Remove. The form asks again whether the person may read the gap when it opens and
 * when it is sent: an id that was read elsewhere shows nothing and adds nothing.
 */

import type { Named } from "../../core/access.ts";
import type { Asker, CommandContext, CommandResult } from "../../core/commands.ts";
import type { AnswerDraft } from "../../core/content/answering.ts";
import type { FieldErrors, Form, FormValues } from "../../core/document.ts";
import { ParleyError } from "../../core/errors.ts";
import type { AddedAnswer, Gap } from "../../core/model/insight.ts";
import { channelKey, type Place, unnamed } from "../../core/model/place.ts";
import type { GapReader } from "../../insight/gaps/gap-sight.ts";
import { documentId } from "../../knowledge/knowledge.ts";
import { infoDocument } from "../../presentation/drawing.ts";
import { answerLabels, gapSentences, numberText, answerSentences as says } from "../../presentation/sentences.ts";
import { findDestination, refusalToAdd } from "../adding/destination.ts";
import type { CommandApp } from "../app.ts";
import { fieldText, type Interactions } from "../command.ts";
import { askRemove } from "../knowledge-bases/remove.ts";
import { checkOwner, isOwn } from "../ledger/ownership.ts";
import { refOfBase } from "../names/base-ref.ts";
import { writtenName } from "../names/find-by-name.ts";
import { privately } from "../results.ts";
import { addAnswer, baseProblem, basesForAnswer } from "./adding-answers.ts";
import { askBefore } from "./adopt.ts";
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

export const answerButtons: Interactions = {
  forms: { [answerFormId]: { role: "ingest", check, submit } },
  actions: {
    "add-answer": { role: "ingest", formIn: addForm, press: whyNoForm },
    "edit-answer": { role: "ingest", formIn: editForm, press: whyNoEdit },
    "restore-answer": { role: "ingest", press: restore },
    "remove-answer": { role: "ingest", press: remove },
  },
};

/** Undefined for a gap that is gone, or not this person's to read. */
async function gapOf(
  app: CommandApp,
  id: string,
  { actor, place }: Asker,
): Promise<{ gap: Gap; question: string; from?: Place } | undefined> {
  const gap = await app.gaps.get(place, id);
  const reader: GapReader = { kind: "person", actor, place };
  const seen = gap === undefined ? undefined : await app.sight.see(reader, gap);
  if (gap === undefined || seen?.kind !== "listed") return undefined;
  return { gap, question: seen.question, from: seen.askers[0]?.from?.place };
}

/** Undefined for an answer that is gone, or in a base that this person can't add to. */
async function answerOf(app: CommandApp, id: string, { actor, place }: Asker): Promise<AddedAnswer | undefined> {
  const answer = await app.answering.byId(id);
  if (answer === undefined) return undefined;
  return (await app.reach.mayBase(actor, "ingest", place, baseOf(answer))).allowed ? answer : undefined;
}

async function addForm(app: CommandApp, gapId: string, who: Asker): Promise<Form | undefined> {
  const gap = await app.gaps.get(who.place, gapId);
  if (gap === undefined) return undefined;
  const [found, listed = [], known] = await Promise.all([
    gapOf(app, gapId, who),
    basesForAnswer(app, gap.agent, who),
    answerOf(app, gapId, who),
  ]);
  if (found === undefined || listed.length === 0) return undefined;
  const facts = {
    subject: { kind: "gap", id: gapId },
    askers: othersWhoAsked(app, gap, who),
    isNameless: isNameless(app, who),
  } as const;
  const { question } = found;
  if (known === undefined || known.answer.length > maxFieldChars)
    return answerFormOf({ ...facts, question, bases: listed });
  // What was added before is corrected, not written again.
  const bases = [...new Set([writtenName(baseOf(known), app.settings.project), ...listed])].slice(0, maxChoices);
  return answerFormOf({ ...facts, question: known.question, answer: known.answer, urls: known.urls, bases });
}

async function editForm(app: CommandApp, answerId: string, who: Asker): Promise<Form | undefined> {
  const answer = await answerOf(app, answerId, who);
  if (answer === undefined || answer.answer.length > maxFieldChars || !isAuthorOrManager(app, answer, who))
    return undefined;
  const { origin, question, answer: text, urls } = answer;
  const found = origin.kind === "gap" ? await gapOf(app, origin.gapId, who) : undefined;
  const askers = found === undefined ? 0 : othersWhoAsked(app, found.gap, who);
  return answerFormOf({
    subject: { kind: "answer", id: answerId },
    question,
    answer: text,
    urls,
    askers,
    isNameless: isNameless(app, who),
  });
}

/** Agents quote no name where nobody signs in. */
const isNameless = (app: CommandApp, { actor, place }: Asker): boolean =>
  actor.name === unnamed && app.sites.get(place.platform)?.platform.isOwnPage === true;

/** Who gives the answer need not be told. */
function othersWhoAsked(app: CommandApp, { askers, askerCount }: Gap, { actor, place }: Asker): number {
  const isAsker =
    app.sites.get(place.platform)?.platform.isOwnPage !== true && askers.some((asker) => asker.actor.id === actor.id);
  return Math.max(0, askerCount - (isAsker ? 1 : 0));
}

function isAuthorOrManager(app: CommandApp, { by }: AddedAnswer, { actor, place }: Asker): boolean {
  return isOwn({ by }, { actor, place }) || app.reach.may(actor, "manage", place).allowed;
}

/** Why the form didn't open. */
async function whyNoForm(app: CommandApp, id: string, context: CommandContext): Promise<CommandResult> {
  if ((await gapOf(app, id, context)) === undefined) {
    throw new ParleyError("turn_gone", { what: gapSentences.gone, hint: gapSentences.seeList });
  }
  const found = await findDestination(app, context, undefined);
  if ("refusal" in found) return found.refusal;
  const again = { id: "add-answer", label: answerLabels.add, value: id, style: "primary" } as const;
  return privately(infoDocument([says.late, says.lateHint], { actions: [again] }));
}

async function whyNoEdit(app: CommandApp, id: string, context: CommandContext): Promise<CommandResult> {
  const answer = await ownAnswer(app, id, context);
  if (answer.answer.length > maxFieldChars) {
    return privately(
      infoDocument(
        [
          `This answer is too long for a form, which holds ${numberText(maxFieldChars)} characters.`,
          "Remove it and add it again, or use a message as the answer.",
        ],
        { tone: "failed" },
      ),
    );
  }
  const again = { id: "edit-answer", label: answerLabels.edit, value: id, style: "primary" } as const;
  return privately(infoDocument([says.late, says.lateHint], { actions: [again] }));
}

async function ownAnswer(app: CommandApp, id: string, context: CommandContext): Promise<AddedAnswer> {
  const answer = await answerOf(app, id, context);
  if (answer === undefined) throw new ParleyError("turn_gone", { what: says.gone, hint: says.seeBase });
  checkOwner(answer, context);
  return answer;
}

async function check(
  app: CommandApp,
  values: FormValues,
  formContext: string,
  context: CommandContext,
): Promise<FieldErrors | undefined> {
  const isNew = subjectOf(formContext)?.kind !== "answer";
  const problems = problemsOf(values, isNew);
  if (problems !== undefined || !isNew) return problems;
  const given = fieldText(values, "base");
  return baseProblem(app, given, context);
}

async function submit(
  app: CommandApp,
  values: FormValues,
  formContext: string,
  context: CommandContext,
): Promise<CommandResult> {
  const subject = subjectOf(formContext);
  if (subject === undefined) throw new ParleyError("turn_gone", { what: says.gone, hint: says.seeBase });
  const written = writtenAnswer(values);
  if (subject.kind === "answer") return submitEdit(app, subject, written, context);
  const found = await gapOf(app, subject.id, context);
  if (found === undefined) {
    throw new ParleyError("turn_gone", { what: gapSentences.gone, hint: gapSentences.seeList });
  }
  const target = await findDestination(app, context, fieldText(values, "base"));
  if ("refusal" in target) return target.refusal;
  const { project, knowledgeBase } = target.destination;
  const base = { project, name: knowledgeBase };
  const draft: AnswerDraft = { ...written, base, origin: { kind: "gap", gapId: subject.id } };
  // One's own direct message needs no question. Of another channel, only what is public can be read here.
  const isOfHere = found.from !== undefined && channelKey(found.from) === channelKey(context.place);
  const others = othersWhoAsked(app, found.gap, context);
  const asked =
    isOfHere && !app.reach.isDirect(context.place)
      ? await askBefore(app, draft, others, context.place, context)
      : undefined;
  return asked ?? addAnswer(app, draft, context);
}

async function submitEdit(
  app: CommandApp,
  { id }: AnswerSubject,
  written: ReturnType<typeof writtenAnswer>,
  context: CommandContext,
): Promise<CommandResult> {
  const known = await ownAnswer(app, id, context);
  return addAnswer(app, { ...written, base: baseOf(known), origin: known.origin }, context);
}

async function restore(app: CommandApp, value: string, context: CommandContext): Promise<CommandResult> {
  const [id = "", atMs] = value.split(" ");
  const known = await answerOf(app, id, context);
  if (known === undefined) throw new ParleyError("turn_gone", { what: says.gone, hint: says.seeBase });
  const { previous, origin } = known;
  if (previous === undefined || String(previous.atMs) !== atMs) {
    return privately(infoDocument("There is nothing to put back: the answer has changed since.", { tone: "failed" }));
  }
  const { question, answer, urls, by } = previous;
  const about = { knowledgeBase: `${known.project}.${known.knowledgeBase}`, answer: id };
  await app.audit.record(context, { role: "ingest", action: "kb answer restore", about, outcome: "done" });
  return addAnswer(
    app,
    { question, answer, urls, by, atMs: previous.atMs, base: baseOf(known), origin },
    context,
    true,
  );
}

/** Asks first, like any document that is removed. */
async function remove(app: CommandApp, id: string, context: CommandContext): Promise<CommandResult> {
  const answer = await ownAnswer(app, id, context);
  const base = baseOf(answer);
  const refusal = await refusalToAdd(app, context, answer);
  if (refusal !== undefined) return refusal;
  const document = await app.knowledge.ledger.get(base, documentId({ kind: "answer", answerId: id }));
  if (document === undefined) throw new ParleyError("turn_gone", { what: says.gone, hint: says.seeBase });
  return askRemove(app, `${refOfBase(app, base)} ${document.id}`, context);
}

function baseOf({ project, knowledgeBase }: Pick<AddedAnswer, "project" | "knowledgeBase">): Named {
  return { project, name: knowledgeBase };
}
