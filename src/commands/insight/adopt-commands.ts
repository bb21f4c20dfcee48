/**
 * "Use as answer": a person's message becomes the answer to the question above it. By the shortcut's form, by 💡, or by an
 * offer to its author. What was written in private is added only after someone confirmed that others will read it.
 */
import { createHash } from "node:crypto";
import { hasSeenTurn } from "../../insight/turn-before.ts";
import type { Named } from "../../ports/access.ts";
import type { MessageRef, ThreadMessage } from "../../ports/chat-platform.ts";
import { type CommandSet, fieldText } from "../../ports/command-contract.ts";
import type { Asker, CommandContext, CommandResult } from "../../ports/commands.ts";
import type { AdoptedMessage, Adopting } from "../../ports/content/adopting.ts";
import { type AnswerDraft, maxAnswerChars } from "../../ports/content/answering.ts";
import type { Gaps } from "../../ports/content/gaps.ts";
import type { Document, FieldErrors, Form, FormValues } from "../../ports/document.ts";
import { ParleyError } from "../../ports/errors.ts";
import { type Place, personKey, type Visibility, workspaceKey } from "../../ports/model/place.ts";
import type { Claims, KeyValue, TurnStore } from "../../ports/state.ts";
import { newId } from "../../ports/tools/ids.ts";
import { withTimeout } from "../../ports/tools/timeout.ts";
import {
  adoptionDocument,
  adoptOfferDocument,
  cleanText,
  errorDocument,
  infoDocument,
} from "../../presentation/drawing.ts";
import { adoptLabels, answerSentences, adoptSentences as says } from "../../presentation/sentences.ts";
import { writtenName } from "../find-by-name.ts";
import { findDestination } from "../knowledge-bases/destination.ts";
import type { CommandPorts } from "../ports.ts";
import { privately } from "../results.ts";
import type { AddingAnswers } from "./adding-answers.ts";
import { type Adoption, type Answered, adoptionOf, answeredBefore } from "./adoption.ts";
import { answerFormOf, maxFieldChars, problemsOf, writtenAnswer } from "./answer-form.ts";
import { isReadElsewhere } from "./read-elsewhere.ts";

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

/** What waits for a form or a button. */
export type PendingAdoption =
  | { readonly kind: "form"; readonly adoption: Adoption }
  | { readonly kind: "add"; readonly draft: AnswerDraft };

export type AdoptPorts = CommandPorts & {
  readonly gaps: Pick<Gaps, "ofTurn">;
  readonly turns: Pick<TurnStore, "get" | "ofConversation">;
  readonly claims: Claims;
  /** By workspace, person and id. Namespace "pending-adoptions". */
  readonly adoptions: KeyValue<PendingAdoption>;
  readonly adding: AddingAnswers;
  /** Undefined: the platform can't say. */
  readonly visibility: (place: Place) => Promise<Visibility | undefined>;
  readonly readThread: (place: Place, options: { readonly limit: number }) => Promise<readonly ThreadMessage[]>;
};

/** What will be added, with a button, if people read it in that base who could not read it where it was written. */
export type AskBefore = (
  draft: AnswerDraft,
  people: number,
  writtenIn: Place,
  context: CommandContext,
) => Promise<CommandResult | undefined>;

export function adoptCommands(ports: AdoptPorts): {
  readonly set: CommandSet;
  readonly adopting: Adopting;
  readonly askBefore: AskBefore;
} {
  const { gaps, turns, claims, adoptions, adding, settings, clock, log } = ports;
  /** It holds what was perhaps said in private: an id that another person has read elsewhere finds nothing. */
  const keyOf = ({ actor, place }: Asker, id: string) => `${workspaceKey(place)}/${encodeURIComponent(actor.id)}/${id}`;

  async function keep(waiting: PendingAdoption, who: Asker): Promise<string> {
    const id = newId(clock.now());
    await adoptions.set(keyOf(who, id), waiting, pendingMs);
    return id;
  }

  async function formOf(id: string, adoption: Adoption, who: Asker): Promise<Form | undefined> {
    const bases = (await adding.basesFor(adoption.agent, who)) ?? [];
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

  async function openForm(message: AdoptedMessage, context: CommandContext): ReturnType<Adopting["openForm"]> {
    const problem = problemOf(message);
    if (problem !== undefined) return { kind: "document", document: problem };
    const adoption = adoptionOf(message, await answeredBefore(ports, message));
    const form = await formOf(await keep({ kind: "form", adoption }, context), adoption, context);
    return form === undefined ? { kind: "document", document: await whyNoForm(context) } : { kind: "form", form };
  }

  /** There is no knowledge base yet, or the service is slow. */
  async function whyNoForm(context: CommandContext, id?: string): Promise<Document> {
    const found = await withTimeout(findDestination(ports, context, undefined), visibilityMs, clock);
    if (found !== undefined && "refusal" in found && found.refusal.kind === "document") return found.refusal.document;
    if (id === undefined) return errorDocument(new ParleyError("service_unreachable"));
    const again = { id: "adopt-answer", label: adoptLabels.use, value: id, style: "primary" } as const;
    return infoDocument([answerSentences.late, answerSentences.lateHint], { actions: [again] });
  }

  /** Who alone read the message so far, if others will read it in that base. */
  async function readBefore(base: Named, writtenIn: Place): Promise<"private" | "direct" | undefined> {
    const asking = ports.visibility(writtenIn).catch((err: unknown) => {
      log.info({ err, place: writtenIn }, "Could not find out who reads a message");
      return undefined;
    });
    const visibility = (await withTimeout(asking, visibilityMs, clock)) ?? "private";
    if (visibility === "public" || !(await isReadElsewhere(ports, base, writtenIn))) return undefined;
    return visibility;
  }

  /** What will be added, with the button that adds it. */
  async function shown(
    draft: AnswerDraft,
    people: number,
    from: "private" | "direct" | undefined,
    context: CommandContext,
  ): Promise<CommandResult> {
    const id = await keep({ kind: "add", draft }, context);
    const { base, question, answer, by } = draft;
    const isCut = cleanText(answer).trim().length > maxAnswerChars;
    return privately(
      adoptionDocument({
        id,
        question,
        answer,
        people: draft.tell === true ? people : 0,
        base: writtenName(base, settings.project),
        author: by?.name ?? context.actor.name,
        from,
        cutAt: isCut ? maxAnswerChars : undefined,
      }),
    );
  }

  const askBefore: AskBefore = async (draft, people, writtenIn, context) => {
    const from = await readBefore(draft.base, writtenIn);
    return from === undefined ? undefined : shown(draft, people, from, context);
  };

  async function show({ place, messageId }: MessageRef, context: CommandContext): Promise<CommandResult> {
    const read = await ports.readThread(place, { limit: maxMessages });
    const message = read.find((one) => one.messageId === messageId);
    if (message === undefined || problemOf(message) !== undefined) return { kind: "nothing" };
    const answered = await answeredBefore(ports, { place, order: message.order });
    if (answered === undefined) return { kind: "nothing" };
    const { agent, people, writtenIn, ...known } = adoptionOf({ ...message, place }, answered);
    const [first] = (await adding.basesFor(agent, context)) ?? [];
    const found = await findDestination(ports, context, first);
    if ("refusal" in found) return found.refusal;
    const base = { project: found.destination.project, name: found.destination.knowledgeBase };
    const draft = { ...known, base, urls: [], tell: people > 0 };
    return shown(draft, people, await readBefore(base, writtenIn), context);
  }

  /** The gap alone says no for nearly every answer. */
  async function unansweredBy({ place, authorId }: AdoptedMessage, turnId: string): Promise<Answered | undefined> {
    const gap = await gaps.ofTurn({ id: turnId, askedIn: place });
    const asker = gap?.askers.find((one) => one.turnId === turnId);
    if (gap?.state !== "open" || asker === undefined || asker.signals.length === 0) return undefined;
    if (asker.actor.id === authorId || clock.now() - asker.atMs > offeredWithinMs) return undefined;
    const turn = await turns.get(turnId);
    return turn === undefined || turn.isForgotten === true || turn.isPrivate === true ? undefined : { turn, gap };
  }

  async function offer(
    message: AdoptedMessage,
    turnId: string,
    context: CommandContext,
  ): Promise<Document | undefined> {
    const answered = await unansweredBy(message, turnId);
    if (answered === undefined) return undefined;
    // A hash: a claim can't be found again when the person is erased.
    const once = createHash("sha256")
      .update(`${personKey(message.place, context.actor)}/${turnId}`)
      .digest("base64url");
    if (!(await claims.claim(`answer-offers/${once}`, offeredOnceMs))) return undefined;
    const adoption = adoptionOf(message, answered);
    return adoptOfferDocument(await keep({ kind: "form", adoption }, context), adoption.question);
  }

  async function formIn(id: string, who: Asker): Promise<Form | undefined> {
    const found = await adoptions.get(keyOf(who, id));
    return found?.kind === "form" ? formOf(id, found.adoption, who) : undefined;
  }

  async function waiting(id: string, who: Asker): Promise<PendingAdoption> {
    const found = await adoptions.get(keyOf(who, id));
    if (found === undefined) throw new ParleyError("turn_gone", { what: says.gone, hint: says.goneHint });
    return found;
  }

  async function press(id: string, context: CommandContext): Promise<CommandResult> {
    const found = await waiting(id, context);
    if (found.kind === "form") return privately(await whyNoForm(context, id));
    // The person's rights, and the base, may have changed since.
    const target = await findDestination(ports, context, writtenName(found.draft.base, settings.project));
    return "refusal" in target ? target.refusal : adding.add(found.draft, context);
  }

  async function check(values: FormValues, id: string, context: CommandContext): Promise<FieldErrors | undefined> {
    const found = await adoptions.get(keyOf(context, id));
    const problems = problemsOf(filled(values, found), true);
    return problems ?? adding.baseProblem(fieldText(values, "base"), context);
  }

  async function submit(values: FormValues, id: string, context: CommandContext): Promise<CommandResult> {
    const found = await waiting(id, context);
    if (found.kind !== "form") throw new ParleyError("turn_gone", { what: says.gone, hint: says.goneHint });
    const { origin, by, atMs, people, writtenIn } = found.adoption;
    const target = await findDestination(ports, context, fieldText(values, "base"));
    if ("refusal" in target) return target.refusal;
    const base = { project: target.destination.project, name: target.destination.knowledgeBase };
    const draft: AnswerDraft = { ...writtenAnswer(filled(values, found)), base, origin, by, atMs };
    return (await askBefore(draft, people, writtenIn, context)) ?? adding.add(draft, context);
  }

  return {
    set: {
      definitions: [],
      handlers: {},
      forms: { [formId]: { role: "ingest", check, submit } },
      actions: { "adopt-answer": { role: "ingest", formIn, press } },
    },
    askBefore,
    adopting: {
      isAnswerMark: (emoji) => emoji === answerMark,
      hasAnswered: (place) => hasSeenTurn(turns.ofConversation(place)),
      openForm,
      show,
      offer,
    },
  };
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
