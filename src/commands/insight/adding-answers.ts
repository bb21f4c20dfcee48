/** Adds an answer for a person, whatever it comes from: which bases they can choose, and what they are told. */

import type { Named } from "../../core/access.ts";
import type { Asker, CommandContext, CommandResult } from "../../core/commands.ts";
import { type AnswerDraft, maxAnswerChars } from "../../core/content/answering.ts";
import type { Action, Document, FieldErrors } from "../../core/document.ts";
import { ParleyError } from "../../core/errors.ts";
import type { AddedAnswer } from "../../core/model/insight.ts";
import { personKey } from "../../core/model/place.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import type { ReaderOffer } from "../../presentation/drawing.ts";
import { answerActions, bold, cleanText, infoDocument, say, titledDocument } from "../../presentation/drawing.ts";
import { agoText, beginningOf, labels, numberText, shorten } from "../../presentation/sentences.ts";
import { basesToOffer, inTime } from "../adding/base-choices.ts";
import { offerReaderTo } from "../adding/connect-base.ts";
import { recordContribution } from "../adding/destination.ts";
import type { CommandApp } from "../app.ts";
import { writtenName } from "../names/find-by-name.ts";
import { baseInReach } from "../names/in-reach.ts";
import { privately, working } from "../results.ts";
import { proved } from "./proof.ts";

const texts = {
  baseGone: (name: string): string => `${name} is no longer there. Choose another one.`,
} as const;

/** A form is checked within 2 s. */
const checkMs = 1_200;
/** Discord's limit for choices in a form. */
const maxChoices = 25;

/** What is known of the service may be a minute old, so it is asked. */
async function isBaseGone(app: CommandApp, given: string, who: Asker): Promise<boolean> {
  try {
    const base = await baseInReach(app, given, who);
    await app.service.getKnowledgeBase(base.project, base.name);
    return false;
  } catch (failure) {
    return failure instanceof ParleyError && failure.code === "knowledge_base_not_found";
  }
}

/** Set if the base that was chosen is gone by now. */
export async function baseProblem(app: CommandApp, given: string, who: Asker): Promise<FieldErrors | undefined> {
  const isGone = await withTimeout(isBaseGone(app, given, who), checkMs, app.clock);
  return isGone === true ? { base: texts.baseGone(given) } : undefined;
}

/** Its Job is stored when this resolves. `isBack`: puts another's answer back. */
export async function addAnswer(
  app: CommandApp,
  draft: AnswerDraft,
  context: CommandContext,
  isBack = false,
): Promise<CommandResult> {
  const { base, by } = draft;
  const isOwn = by === undefined || by.key === personKey(context.place, context.actor);
  const begins = isBack && by !== undefined ? say`Putting back what ${bold(by.name)} answered…` : undefined;
  const shown = isOwn
    ? say`Adding your answer to ${bold(base.name)}…`
    : say`Adding ${bold(cleanText(by.name))}'s answer to ${bold(base.name)}…`;
  const begun = await app.answering.addAnswer(draft, context);
  return working(infoDocument(begins ?? shown, { tone: "running" }), app.log, async () => {
    await recordContribution(app, context, { project: base.project, knowledgeBase: base.name });
    const end = await begun.ended();
    switch (end.kind) {
      case "running":
        return privately(infoDocument("Your answer is being added. It may take a moment.", { tone: "running" }));
      case "failed":
        return privately(answerFailedDocument(begun.answer, end.reason, begun.jobId));
      case "added": {
        const offer = isBack ? undefined : await offerReaderTo(app, base, context);
        const cutAt = begun.isCut ? maxAnswerChars : undefined;
        const { answer, replaced } = end;
        const about = { offer, cutAt, replaced, isBack, isOwn, nowMs: app.clock.now() };
        const proof = await app.proving.watch(begun.jobId, context.place).catch(() => undefined);
        return proved(answerAddedDocument(answer, about), proof);
      }
      default:
        return end satisfies never;
    }
  });
}

const nameOf = (app: CommandApp, base: Named) => writtenName(base, app.settings.project);

/** Those of the agent that this person can add to. */
async function ofAgent(app: CommandApp, agent: Named, { actor, place }: Asker): Promise<readonly Named[]> {
  const bases = (await app.basesOf(agent)).slice(0, maxChoices);
  const may = await Promise.all(bases.map((base) => app.reach.mayBase(actor, "ingest", place, base)));
  return bases.filter((_base, index) => may[index]?.allowed);
}

/** The one that was chosen for the channel. */
async function chosenFor(app: CommandApp, { actor, place }: Asker): Promise<string | undefined> {
  const own = await app.bindings.own(place);
  if (own?.knowledgeBase !== undefined) return own.knowledgeBase;
  const resolved = await app.reach.resolve(actor, place);
  return resolved.kind === "bound" ? resolved.binding.knowledgeBase : undefined;
}

/** The one that people added to last. */
async function newestOf(app: CommandApp, bases: readonly Named[]): Promise<string | undefined> {
  if (bases.length < 2) return undefined;
  const pages = await Promise.all(bases.map((base) => app.knowledge.ledger.page(base, 0, 1)));
  const added = bases.map((base, index) => ({ base, atMs: pages[index]?.documents[0]?.addedAtMs ?? 0 }));
  const [newest] = added.sort((one, other) => other.atMs - one.atMs);
  return newest === undefined || newest.atMs === 0 ? undefined : nameOf(app, newest.base);
}

/**
 * The agent's that this person can add to, the likeliest first; without any, what the person reaches there. Undefined:
 * it isn't known in time.
 */
export async function basesForAnswer(
  app: CommandApp,
  agent: Named | undefined,
  who: Asker,
): Promise<readonly string[] | undefined> {
  const own = (agent === undefined ? undefined : await inTime(app, ofAgent(app, agent, who))) ?? [];
  const [names, chosen, newest] =
    own.length === 0
      ? [await basesToOffer(app, who)]
      : [
          own.map((base) => nameOf(app, base)),
          ...(await Promise.all([inTime(app, chosenFor(app, who)), inTime(app, newestOf(app, own))])),
        ];
  if (names === undefined) return undefined;
  const first = [chosen, newest].find((name) => name !== undefined && names.includes(name));
  return [...new Set([...(first === undefined ? [] : [first]), ...names])].slice(0, maxChoices);
}

const maxNameChars = 60;
const maxKeptChars = 3_000;

/** `replaced`: another person's answer, which can be put back. `isBack`: the person put another's answer back. */
function answerAddedDocument(
  answer: AddedAnswer,
  about: {
    readonly replaced?: AddedAnswer["previous"];
    readonly offer?: ReaderOffer;
    readonly cutAt?: number;
    readonly isBack?: boolean;
    /** The person who added it said it themselves. */
    readonly isOwn?: boolean;
    readonly nowMs: number;
  },
): Document {
  const { replaced, offer, cutAt, isBack, isOwn = true, nowMs } = about;
  const name = shortName(answer.by.name);
  const base = cleanText(answer.knowledgeBase);
  const sentences = [
    isBack === true
      ? say`${bold(name)}'s answer is in ${bold(base)} again.`
      : isOwn
        ? say`Your answer is in ${bold(base)}.`
        : say`${bold(name)}'s answer is in ${bold(base)}.`,
    ...(cutAt === undefined ? [] : [`It was too long, so only the first ${numberText(cutAt)} characters were added.`]),
    ...(replaced === undefined || isBack === true
      ? []
      : [`${shortName(replaced.by.name)} answered this ${agoText(replaced.atMs, nowMs)}; yours replaced it.`]),
    ...(offer?.sentences ?? []),
  ];
  return infoDocument(sentences, {
    tone: "done",
    actions: [
      ...(offer?.action === undefined ? [] : [offer.action]),
      ...(replaced === undefined ? [] : [putBack(answer.id, replaced)]),
      ...answerActions(answer.id),
    ],
  });
}

/** With what the person wrote, and Try again. */
function answerFailedDocument(
  { knowledgeBase, answer }: Pick<AddedAnswer, "knowledgeBase" | "answer">,
  reason: string,
  jobId: string,
): Document {
  const said = say`Your answer isn't in ${bold(cleanText(knowledgeBase))}: ${cleanText(reason).replace(/[.…]$/, "")}.`;
  return titledDocument(
    said,
    [
      { kind: "text", text: [{ text: "So that it isn't lost, this is what you wrote:" }] },
      { kind: "markdown", text: beginningOf(answer, maxKeptChars) },
    ],
    { tone: "failed", actions: [{ id: "retry-job", label: labels.retry, value: jobId, style: "plain" }] },
  );
}

/** The time is part of the value: a press that comes late puts nothing else back. */
function putBack(answerId: string, { by, atMs }: NonNullable<AddedAnswer["previous"]>): Action {
  return {
    id: "restore-answer",
    label: `Put ${shortName(by.name)}'s back`,
    value: `${answerId} ${atMs}`,
    style: "plain",
  };
}

function shortName(name: string): string {
  return shorten(cleanText(name), maxNameChars);
}
