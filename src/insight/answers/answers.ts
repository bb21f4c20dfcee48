/** Adds answers: cleans what was typed, names the row after its origin, and hands it to a Job. */
import { createHash } from "node:crypto";
import type { App } from "../../app.ts";
import type { Named } from "../../core/access.ts";
import type {
  AnswerAdded,
  AnswerDraft,
  AnswerEnd,
  Answering,
  AnswerRows,
  AnswerStore,
  WhenAdded,
} from "../../core/content/answering.ts";
import { maxAnswerChars, maxAnsweredQuestionChars } from "../../core/content/answering.ts";
import type { Gaps } from "../../core/content/gaps.ts";
import { ParleyError } from "../../core/errors.ts";
import type { AddedAnswer } from "../../core/model/insight.ts";
import { type Actor, channelKey, type Place, personKey, unnamed } from "../../core/model/place.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import { cleanText, safeUrl } from "../../presentation/drawing.ts";
import { beginningOf, shorten } from "../../presentation/sentences.ts";
import { baseOf } from "./answer-store.ts";

const says = {
  /** Where nobody signs in, it can't be said who. */
  someoneOnPage: "someone on the page",
};

const idChars = 16;
const maxUrls = 10;
/** Then the row has no link: nobody waits for it. */
const linkMs = 600;

export type Answers = Answering & {
  /** Called by the Job that has put an answer in. */
  readonly added: (added: AnswerAdded) => Promise<void>;
};

export function createAnswers(
  app: App,
  parts: {
    readonly store: AnswerStore;
    readonly rows: AnswerRows;
    readonly gaps: Pick<Gaps, "get" | "change">;
    readonly basesOf: (agent: Named) => Promise<readonly Named[]>;
  },
): Answers {
  const { clock, log } = app;
  const { store, rows } = parts;
  const listeners: WhenAdded[] = [];

  function answerOf(draft: AnswerDraft, by: AddedAnswer["by"]): AddedAnswer {
    const { base, origin } = draft;
    return {
      version: 1,
      id: answerIdOf(origin),
      project: base.project,
      knowledgeBase: base.name,
      question: shorten(oneLine(draft.question), maxAnsweredQuestionChars),
      answer: beginningOf(withoutPings(cleanText(draft.answer)).trim(), maxAnswerChars),
      urls: [...new Set(draft.urls.flatMap((url) => webUrl(url) ?? []))].slice(0, maxUrls),
      by: draft.by ?? by,
      origin,
      atMs: draft.atMs ?? clock.now(),
    };
  }

  function nameOf({ name }: Actor, { platform }: Place): string {
    const isNobody = name === unnamed && app.sites.get(platform)?.platform.isOwnPage === true;
    return isNobody ? says.someoneOnPage : cleanText(name);
  }

  /** Where it was asked, if everyone can read that: a link says what is in a private place. */
  async function publicLink(origin: AddedAnswer["origin"], place: Place): Promise<string | undefined> {
    const found = await placeOf(origin, place);
    const platform = found === undefined ? undefined : app.sites.get(found.place.platform)?.platform;
    if (found === undefined || platform === undefined) return undefined;
    const visibility = await platform.visibility?.(found.place);
    return visibility === "public" ? platform.permalink(found) : undefined;
  }

  async function placeOf(origin: AddedAnswer["origin"], { platform, workspace }: Place) {
    if (origin.kind === "message") return { place: origin.place, messageId: origin.messageId };
    if (origin.kind === "turn") return placeOfTurn(origin.turnId);
    const gap = await parts.gaps.get({ platform, workspace }, origin.gapId);
    const asked = gap?.askers.findLast(({ visibility }) => visibility === "public");
    return asked === undefined ? undefined : placeOfTurn(asked.turnId);
  }

  async function placeOfTurn(id: string) {
    const turn = await app.state.turns.get(id);
    const messageId = turn?.reply.parts.find((part) => part.messageId !== undefined)?.messageId ?? turn?.askedMessageId;
    return turn === undefined || messageId === undefined || turn.isForgotten
      ? undefined
      : { place: turn.conversation, messageId };
  }

  /** Rejects only while the storage is away: then the Job tries again. The row is in, whatever else fails. */
  async function told(listener: WhenAdded, added: AnswerAdded): Promise<void> {
    try {
      await listener(added);
    } catch (failure) {
      if (failure instanceof ParleyError && failure.code === "state_unavailable") throw failure;
      log.error({ err: failure, jobId: added.jobId }, "What follows an added answer could not begin");
    }
  }

  async function endOf(answer: AddedAnswer, before: AddedAnswer | undefined, jobId: string): Promise<AnswerEnd> {
    const ended = await rows.ended(jobId);
    if (ended.state === "failed") return { kind: "failed", reason: ended.reason };
    if (ended.state === "running") return { kind: "running" };
    const kept = (await store.get(baseOf(answer), answer.id)) ?? answer;
    const isNews = kept.previous !== undefined && kept.previous.atMs !== before?.previous?.atMs;
    return { kind: "added", answer: kept, replaced: isNews ? kept.previous : undefined };
  }

  return {
    addAnswer: async (draft, { actor, place, eventKey }) => {
      const answer = answerOf(draft, { key: personKey(place, actor), name: nameOf(actor, place) });
      const [linked] = answer.urls;
      const url = linked ?? (await withTimeout(publicLink(draft.origin, place), linkMs, clock));
      const before = await store.get(draft.base, answer.id);
      const row = { answer, tell: draft.tell ?? false, url };
      const { jobId } = await rows.begin(row, { actor, place, eventKey });
      const isCut = cleanText(draft.answer).trim().length > maxAnswerChars;
      return { answer, jobId, isCut, ended: () => endOf(answer, before, jobId) };
    },

    answersOf: async (agent) => {
      const found = await Promise.all((await parts.basesOf(agent)).map((base) => store.ofBase(base)));
      return found.flat().sort((one, other) => other.atMs - one.atMs);
    },

    byId: store.byId,
    removed: async (answerId, { platform, workspace }) => {
      try {
        const gap = await parts.gaps.get({ platform, workspace }, answerId);
        if (gap?.answeredBy?.answerId !== answerId) return;
        await parts.gaps.change(gap, ({ answeredBy, ...newest }) =>
          answeredBy?.answerId === answerId ? { ...newest, state: "open" } : undefined,
        );
      } catch (err) {
        log.warn({ err }, "A question whose answer was removed could not be opened again");
      }
    },
    onAdded: (listener) => void listeners.push(listener),
    added: async (added) => {
      for (const listener of listeners) await told(listener, added);
    },
  };
}

/** The same origin always has the same id, so adding again replaces the row. Short enough for a button's value. */
export function answerIdOf(origin: AddedAnswer["origin"]): string {
  switch (origin.kind) {
    case "gap":
      return origin.gapId;
    case "turn":
      return origin.turnId;
    case "message":
      return createHash("sha256")
        .update(`${channelKey(origin.place)}/${origin.messageId}`)
        .digest("hex")
        .slice(0, idChars);
    default:
      return origin satisfies never;
  }
}

/** One inside another leaves a third when it is removed. */
const maxNestedPings = 20;

/** A mention stays as a name: a row is read by agents, who would repeat it. */
function withoutPings(text: string): string {
  let said = text;
  for (let times = 0; times < maxNestedPings; times += 1) {
    const next = withoutOuterPings(said);
    if (next === said) return said;
    said = next;
  }
  return said.replace(/[<@]/g, "");
}

function withoutOuterPings(text: string): string {
  return text
    .replace(
      /<!(?:subteam\^[A-Z0-9]{1,30}|channel|here|everyone)(?:\|@?([^<>|\n]{1,80}))?>/g,
      (_ping, name?: string) => (name === undefined ? "" : `@${name}`),
    )
    .replace(/<@[!&]?[A-Z0-9]{1,30}(?:\|([^<>|\n]{1,80}))?>/g, (_ping, name?: string) =>
      name === undefined ? "" : `@${name}`,
    )
    .replace(/@+/g, (marks, at: number, whole: string) => (callsAll(whole, at + marks.length) ? "" : marks));
}

function callsAll(text: string, from: number): boolean {
  const name = /(?:everyone|here|channel)\b/y;
  name.lastIndex = from;
  return name.test(text);
}

function oneLine(text: string): string {
  return withoutPings(cleanText(text)).replace(/\s+/g, " ").trim();
}

function webUrl(address: string): string | undefined {
  const url = safeUrl(address);
  return url?.startsWith("http") ? url : undefined;
}
