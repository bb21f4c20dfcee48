/**
 * "Use as answer": a person's message becomes the answer to the question above it. By the shortcut's form, by 💡, or by
 * an offer to its author. What was written in private is added only after someone confirmed that others will read it.
 */

import { createHash } from "node:crypto";
import type { Named } from "../../core/access.ts";
import type { Asker, CommandContext, CommandResult } from "../../core/commands.ts";
import { type AnswerDraft, maxAnswerChars } from "../../core/content/answering.ts";
import type { Block, Document, FieldErrors, Form, FormValues, Inline } from "../../core/document.ts";
import { ParleyError } from "../../core/errors.ts";
import { type Place, personKey, workspaceKey } from "../../core/model/place.ts";
import type { MessageRef } from "../../core/ports/chat-platform.ts";
import { newId } from "../../core/tools/ids.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import { hasSeenTurn } from "../../insight/turn-before.ts";
import {
  bold,
  cleanText,
  errorDocument,
  infoDocument,
  questionText,
  say,
  titledDocument,
} from "../../presentation/drawing.ts";
import { firstLines } from "../../presentation/markdown.ts";
import { answerSentences, countText, numberText } from "../../presentation/sentences.ts";
import { findDestination } from "../adding/destination.ts";
import type { CommandApp } from "../app.ts";
import { fieldText, type Interactions } from "../command.ts";
import { writtenName } from "../names/find-by-name.ts";
import { type PendingAdoption, pendingAdoptionsIn } from "../pending.ts";
import { privately } from "../results.ts";
import { addAnswer, baseProblem, basesForAnswer } from "./adding-answers.ts";
import type { AdoptedMessage, Adopting } from "./adoption.ts";
import { type Adoption, type Answered, adoptionOf, answeredBefore } from "./adoption.ts";
import { answerFormOf, maxFieldChars, problemsOf, writtenAnswer } from "./answer-form.ts";
import { isReadElsewhere } from "./read-elsewhere.ts";

const says = {
  onlyPeople: "Only a person's message can be used as an answer.",
  onlyPeopleHint: "Choose “Use as answer” on what someone wrote.",
  noText: "This message has no text that could be an answer.",
  noTextHint: "Files are saved with “Save to knowledge base”.",
  /** Before it is added: nothing has happened yet. */
  willBeAdded: (base: string): Inline => say`This will be added to ${bold(base)}:`,
  by: (name: string): string => `from ${name}`,
  people: (count: number): string =>
    count === 1
      ? "1 person asked: notified once, after the test"
      : `${countText(count, "person", "people")} asked: notified once each, after the test`,
  more: (chars: number): string => `… and ${numberText(chars)} more characters`,
  othersRead: "⚠️ What was written here isn't public. People outside will read it as part of the knowledge base.",
  othersReadDirectly: "⚠️ This is from a direct message. Other people will read it as part of the knowledge base.",
  cut: (chars: number): string => `The message is very long: only its first ${numberText(chars)} characters are used.`,
  offer: "Your reply may answer a question that got no good answer. Use it as the answer from now on?",
  offered: (question: string): string => `“${question}”`,
  gone: "This offer has expired, or its message is gone.",
  goneHint: "Choose “Use as answer” on the message again.",
  quoted: "Agents quote it with its author's name. Markdown is fine.",
  /** At the form's answer, when the message is longer than the field. At most 100 characters. */
  wholeMessage: (chars: number): string => `Leave it empty to use the whole message, ${numberText(chars)} characters.`,
  cutMessage: (most: number): string =>
    `Leave it empty to use the first ${numberText(most)} characters of the message.`,
} as const;

const adoptLabels = {
  add: "Add and test",
  addAnyway: "Add anyway",
  use: "Use as answer",
} as const;

const formId = "kb adopt";
/** The reaction that uses a message as an answer. */
const answerMark = "💡";
/** A reply that comes later is about something else. */
const offeredWithinMs = 24 * 3_600_000;
const offeredOnceMs = 30 * 24 * 3_600_000;
/** Long enough to think about it, short enough not to retain what people said. */
const pendingMs = 60 * 60_000;
const visibilityMs = 1_000;
/** Longer than any thread that people still answer in. */
const maxMessages = 1_000;

export const adoptForm: Interactions = {
  forms: { [formId]: { role: "ingest", check, submit } },
  actions: { "adopt-answer": { role: "ingest", formIn, press } },
};

/** It holds what was perhaps said in private: an id that another person has read elsewhere finds nothing. */
const keyOf = ({ actor, place }: Asker, id: string) => `${workspaceKey(place)}/${encodeURIComponent(actor.id)}/${id}`;

async function keep(app: CommandApp, waiting: PendingAdoption, who: Asker): Promise<string> {
  const id = newId(app.clock.now());
  await pendingAdoptionsIn(app).set(keyOf(who, id), waiting, pendingMs);
  return id;
}

async function formOf(app: CommandApp, id: string, adoption: Adoption, who: Asker): Promise<Form | undefined> {
  const bases = (await basesForAnswer(app, adoption.agent, who)) ?? [];
  if (bases.length === 0) return undefined;
  const { question, answer, people: askers } = adoption;
  const isLong = answer.length > maxFieldChars;
  const typed = isLong ? undefined : answer;
  const form = answerFormOf({
    subject: { kind: "message", id },
    question,
    bases,
    askers,
    answer: typed,
  });
  const hint = isLong ? wholeMessage(answer) : says.quoted;
  const fields = form.fields.map((field) =>
    field.name === "answer" ? { ...field, isRequired: !isLong, hint } : field,
  );
  return { ...form, id: formId, context: id, fields };
}

async function openForm(
  app: CommandApp,
  message: AdoptedMessage,
  context: CommandContext,
): ReturnType<Adopting["openForm"]> {
  const problem = problemOf(message);
  if (problem !== undefined) return { kind: "document", document: problem };
  const adoption = adoptionOf(message, await answeredBefore(app, message));
  const form = await formOf(app, await keep(app, { kind: "form", adoption }, context), adoption, context);
  return form === undefined ? { kind: "document", document: await whyNoForm(app, context) } : { kind: "form", form };
}

/** There is no knowledge base yet, or the service is slow. */
async function whyNoForm(app: CommandApp, context: CommandContext, id?: string): Promise<Document> {
  const found = await withTimeout(findDestination(app, context, undefined), visibilityMs, app.clock);
  if (found !== undefined && "refusal" in found && found.refusal.kind === "document") return found.refusal.document;
  if (id === undefined) return errorDocument(new ParleyError("service_unreachable"));
  const again = { id: "adopt-answer", label: adoptLabels.use, value: id, style: "primary" } as const;
  return infoDocument([answerSentences.late, answerSentences.lateHint], { actions: [again] });
}

/** Who alone read the message so far, if others will read it in that base. */
async function readBefore(app: CommandApp, base: Named, writtenIn: Place): Promise<"private" | "direct" | undefined> {
  const visibilityNow = async () => app.sites.get(writtenIn.platform)?.platform.visibility?.(writtenIn);
  const asking = visibilityNow().catch((err: unknown) => {
    app.log.info({ err, place: writtenIn }, "Could not find out who reads a message");
    return undefined;
  });
  const visibility = (await withTimeout(asking, visibilityMs, app.clock)) ?? "private";
  if (visibility === "public" || !(await isReadElsewhere(app, base, writtenIn))) return undefined;
  return visibility;
}

/** What will be added, with the button that adds it. */
async function shown(
  app: CommandApp,
  draft: AnswerDraft,
  people: number,
  from: "private" | "direct" | undefined,
  context: CommandContext,
): Promise<CommandResult> {
  const id = await keep(app, { kind: "add", draft }, context);
  const { base, question, answer, by } = draft;
  const isCut = cleanText(answer).trim().length > maxAnswerChars;
  return privately(
    adoptionDocument({
      id,
      question,
      answer,
      people: draft.tell === true ? people : 0,
      base: writtenName(base, app.settings.project),
      author: by?.name ?? context.actor.name,
      from,
      cutAt: isCut ? maxAnswerChars : undefined,
    }),
  );
}

/** What will be added, with a button, if people read it in that base who could not read it where it was written. */
export async function askBefore(
  app: CommandApp,
  draft: AnswerDraft,
  people: number,
  writtenIn: Place,
  context: CommandContext,
): Promise<CommandResult | undefined> {
  const from = await readBefore(app, draft.base, writtenIn);
  return from === undefined ? undefined : shown(app, draft, people, from, context);
}

async function show(
  app: CommandApp,
  { place, messageId }: MessageRef,
  context: CommandContext,
): Promise<CommandResult> {
  const read = await app.sites.get(place.platform)?.platform.readThread(place, { limit: maxMessages });
  const message = read?.find((one) => one.messageId === messageId);
  if (message === undefined || problemOf(message) !== undefined) return { kind: "nothing" };
  const answered = await answeredBefore(app, { place, order: message.order });
  if (answered === undefined) return { kind: "nothing" };
  const { agent, people, writtenIn, ...known } = adoptionOf({ ...message, place }, answered);
  const [first] = (await basesForAnswer(app, agent, context)) ?? [];
  const found = await findDestination(app, context, first);
  if ("refusal" in found) return found.refusal;
  const base = { project: found.destination.project, name: found.destination.knowledgeBase };
  const draft = { ...known, base, urls: [], tell: people > 0 };
  return shown(app, draft, people, await readBefore(app, base, writtenIn), context);
}

/** The gap alone says no for nearly every answer. */
async function unansweredBy(
  app: CommandApp,
  { place, authorId }: AdoptedMessage,
  turnId: string,
): Promise<Answered | undefined> {
  const gap = await app.gaps.ofTurn({ id: turnId, askedIn: place });
  const asker = gap?.askers.find((one) => one.turnId === turnId);
  if (gap?.state !== "open" || asker === undefined || asker.signals.length === 0) return undefined;
  if (asker.actor.id === authorId || app.clock.now() - asker.atMs > offeredWithinMs) return undefined;
  const turn = await app.state.turns.get(turnId);
  return turn === undefined || turn.isForgotten === true || turn.isPrivate === true ? undefined : { turn, gap };
}

async function offer(
  app: CommandApp,
  message: AdoptedMessage,
  turnId: string,
  context: CommandContext,
): Promise<Document | undefined> {
  const answered = await unansweredBy(app, message, turnId);
  if (answered === undefined) return undefined;
  // A hash: a claim can't be found again when the person is erased.
  const once = createHash("sha256")
    .update(`${personKey(message.place, context.actor)}/${turnId}`)
    .digest("base64url");
  if (!(await app.state.claims.claim(`answer-offers/${once}`, offeredOnceMs))) return undefined;
  const adoption = adoptionOf(message, answered);
  return adoptOfferDocument(await keep(app, { kind: "form", adoption }, context), adoption.question);
}

async function formIn(app: CommandApp, id: string, who: Asker): Promise<Form | undefined> {
  const found = await pendingAdoptionsIn(app).get(keyOf(who, id));
  return found?.kind === "form" ? formOf(app, id, found.adoption, who) : undefined;
}

async function waiting(app: CommandApp, id: string, who: Asker): Promise<PendingAdoption> {
  const found = await pendingAdoptionsIn(app).get(keyOf(who, id));
  if (found === undefined) throw new ParleyError("turn_gone", { what: says.gone, hint: says.goneHint });
  return found;
}

async function press(app: CommandApp, id: string, context: CommandContext): Promise<CommandResult> {
  const found = await waiting(app, id, context);
  if (found.kind === "form") return privately(await whyNoForm(app, context, id));
  // The person's rights, and the base, may have changed since.
  const target = await findDestination(app, context, writtenName(found.draft.base, app.settings.project));
  return "refusal" in target ? target.refusal : addAnswer(app, found.draft, context);
}

async function check(
  app: CommandApp,
  values: FormValues,
  id: string,
  context: CommandContext,
): Promise<FieldErrors | undefined> {
  const found = await pendingAdoptionsIn(app).get(keyOf(context, id));
  const problems = problemsOf(filled(values, found), true);
  return problems ?? baseProblem(app, fieldText(values, "base"), context);
}

async function submit(
  app: CommandApp,
  values: FormValues,
  id: string,
  context: CommandContext,
): Promise<CommandResult> {
  const found = await waiting(app, id, context);
  if (found.kind !== "form") throw new ParleyError("turn_gone", { what: says.gone, hint: says.goneHint });
  const { origin, by, atMs, people, writtenIn } = found.adoption;
  const target = await findDestination(app, context, fieldText(values, "base"));
  if ("refusal" in target) return target.refusal;
  const base = { project: target.destination.project, name: target.destination.knowledgeBase };
  const draft: AnswerDraft = { ...writtenAnswer(filled(values, found)), base, origin, by, atMs };
  return (await askBefore(app, draft, people, writtenIn, context)) ?? addAnswer(app, draft, context);
}

function wholeMessage(answer: string): string {
  return answer.length > maxAnswerChars ? says.cutMessage(maxAnswerChars) : says.wholeMessage(answer.length);
}

/** A message that is longer than the form's field is used whole if the field stays empty. */
function filled(values: FormValues, found: PendingAdoption | undefined): FormValues {
  if (found?.kind !== "form" || fieldText(values, "answer") !== "") return values;
  const { answer } = found.adoption;
  return answer.length > maxFieldChars ? { ...values, answer } : values;
}

/** Why it can't be an answer. */
function problemOf({ isBot, text }: Pick<AdoptedMessage, "isBot" | "text">): Document | undefined {
  if (isBot) return errorDocument({ what: says.onlyPeople, hint: says.onlyPeopleHint });
  return cleanText(text).trim() === "" ? errorDocument({ what: says.noText, hint: says.noTextHint }) : undefined;
}

export function adoptingOf(app: CommandApp): Adopting {
  return {
    isAnswerMark: (emoji) => emoji === answerMark,
    hasAnswered: (place) => hasSeenTurn(app.state.turns.ofConversation(place)),
    openForm: (message, context) => openForm(app, message, context),
    show: (message, context) => show(app, message, context),
    offer: (message, turnId, context) => offer(app, message, turnId, context),
  };
}

const maxShownChars = 900;

type ShownAdoption = {
  /** Of what waits for the button. */
  readonly id: string;
  readonly base: string;
  readonly question: string;
  readonly answer: string;
  /** Who wrote it. */
  readonly author: string;
  /** How many people are told. */
  readonly people: number;
  /** Where it was written, if others than those there will read it. */
  readonly from?: "private" | "direct";
  /** Set if the message was longer: how much of it is used. */
  readonly cutAt?: number;
};

function adoptionDocument(adoption: ShownAdoption): Document {
  const { id, base, question, answer, author, people, from, cutAt } = adoption;
  const text = cleanText(answer).trim();
  const hidden = text.length - maxShownChars;
  const warned: readonly Block[] =
    from === undefined
      ? []
      : [{ kind: "text", text: say`${bold(from === "direct" ? says.othersReadDirectly : says.othersRead)}` }];
  return titledDocument(
    says.willBeAdded(base),
    [
      ...(question === "" ? [] : [{ kind: "text", text: say`${bold(questionText(question))}` } as const]),
      {
        kind: "markdown",
        text: hidden > 0 ? `${firstLines(text, maxShownChars)}\n\n${says.more(hidden)}` : text,
      },
      ...warned,
    ],
    {
      quiet: [
        says.by(cleanText(author)),
        ...(people === 0 ? [] : [says.people(people)]),
        ...(cutAt === undefined ? [] : [says.cut(cutAt)]),
      ],
      actions: [
        {
          id: "adopt-answer",
          label: from === undefined ? adoptLabels.add : adoptLabels.addAnyway,
          value: id,
          style: from === undefined ? "primary" : "danger",
        },
      ],
    },
  );
}

/** For the person who replied, and nobody else. */
function adoptOfferDocument(id: string, question: string): Document {
  return infoDocument(says.offer, {
    quiet: [says.offered(questionText(question))],
    actions: [{ id: "adopt-answer", label: adoptLabels.use, value: id, style: "primary" }],
  });
}
