/**
 * Runs an agent whose answer a language model writes. Searches name what they found; the last step reads the passages
 * that the answer cites, and these alone are its sources.
 */

import type { AgentEvent } from "../../../core/model/agent-event.ts";
import type { Tokens } from "../../../core/model/tokens.ts";
import type { Grade } from "../../../core/model/turn.ts";
import type { Picture } from "../../../core/ports/agent-service.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Log } from "../../../core/ports/log.ts";
import { saysUnknown } from "../../../core/text/says-unknown.ts";
import { findAnswers, judgeOf } from "../answering/finding.ts";
import type { FoundPassage, PassageSearch } from "../answering/passage-search.ts";
import { type Exchange, readQuestion, type Search } from "../answering/question.ts";
import { quotationOf } from "../answering/quotation.ts";
import { createStep } from "../answering/steps.ts";
import type { AnsweringTable } from "../answering/tables/table-answers.ts";
import type { Hits, Wording } from "../embedding/combined-search.ts";
import { inBatches } from "./batches.ts";
import { type Cited, cite } from "./citations.ts";
import { insteadNote, unfinishedNote } from "./failure-note.ts";
import { type LanguageModel, ModelFailure, type ModelMessage, type ModelRequest } from "./language-model.ts";
import { type ModelHealth, modelWords } from "./model-health.ts";
import { instructionsFor, messagesFor, type Numbered, newPassages, pieceKey, resultsFor } from "./prompt.ts";
import { answerSoFar, readReply, searchMark } from "./reply.ts";
import type { Wordings } from "./wordings.ts";

type Base = { readonly id: number; readonly name: string };

/** Finds the best passages of one knowledge base. */
export type Find = (base: Base, wordings: readonly Wording[], limit: number) => Promise<Hits>;

export type ModelRunOptions = {
  readonly model: LanguageModel;
  /** The agent's own model, and its instructions. */
  readonly agent: { readonly model?: string; readonly instructions: string };
  readonly messages: readonly Exchange[];
  /** Of the question. */
  readonly pictures: readonly Picture[];
  readonly bases: readonly Base[];
  /** Names of its knowledge bases that don't exist. */
  readonly missing: readonly string[];
  readonly passages: PassageSearch;
  readonly find: Find;
  readonly reword: Wordings;
  readonly health: ModelHealth;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
};

const maxSearches = 4;
/** With other words, the section that answers is often only the sixth to tenth; a model tells it from the others. */
const maxPassages = 10;
const maxWorkedOut = 2;
const maxWorkedOutChars = 2_000;
const maxQueryWords = 30;
const maxTitleChars = 200;
/** A section with fewer of the question's words says it in words of its own, and they can't tell whether it answers. */
const maxStrangeShare = 0.25;
/** A longer answer is a fault: nobody reads a novel in a chat. */
const maxReplyChars = 200_000;
/** Nobody sees faster changes. Each look reads all that was written, so a long answer is looked at less often. */
const lookEveryMs = 100;
const msPerChar = 0.02;

/** Throws the signal's reason on abort, and ModelFailure if there is nothing to show in the place of an answer. */
export async function* writeAnswer(options: ModelRunOptions): AsyncGenerator<AgentEvent, void, undefined> {
  const { messages, pictures, bases, passages, log, signal } = options;
  const hasPictures = pictures.length > 0;
  const question = messages.at(-1)?.question ?? "";
  if (bases.length > 0) {
    const list = createStep("kb_list_tool", "", "I'll check which knowledge bases I have.");
    yield* list.begun;
    yield list.names(bases.map((base) => base.name));
  }
  const search = readQuestion(messages);
  /** What scores as high as no unrelated question does. Without scores the model's word stands. */
  const matching = new Set<string>();
  let hasScores = false;
  const tables: AnsweringTable[] = [];
  const wordings = [{ search, text: wholeQuestion(search, question) }, ...(yield* otherWordings())];
  const found: FoundPassage[] = yield* searchSteps(wordings);
  const known: Numbered[] = [];
  const written: Written = { raw: "", shown: "", cut: undefined };
  let failure: ModelFailure | undefined;
  try {
    yield* answer();
  } catch (thrown) {
    if (!(thrown instanceof ModelFailure) || signal.aborted) throw thrown;
    log.warn({ err: thrown }, "The language model failed to answer");
    options.health.failed(thrown);
    failure = thrown;
  }
  if (failure === undefined) options.health.answered();
  const text = failure === undefined ? readAnswer(written.raw) : answerSoFar(written.raw);
  const cited = cite(text, numbered(), true);
  // Words without a source that ended in the middle say less than the passages do.
  const isKept = cited.text !== "" && (failure === undefined || cited.passages.length > 0);
  if (!isKept) {
    const why = failure ?? new ModelFailure(written.cut === "filter" ? "filtered" : "empty");
    const quoted = await quotationOf({ ...options, search });
    if (quoted.grade !== "sure") throw why;
    yield* readStep(quoted.passages);
    const untilMs = why.retryAfterMs === undefined ? undefined : options.clock.now() + why.retryAfterMs;
    const text = `${insteadNote(why.reason, untilMs)}\n\n${quoted.text}`;
    yield { type: "answer", text, grade: quoted.grade, modelFailed: modelWords(why) };
  } else {
    // Clients list sources by relevance, and without it in their order, which is that of the answer's marks.
    yield* readStep(cited.passages.map(({ relevance: _unused, ...passage }) => passage));
    // The general verdict knows what was cut.
    const grade = bases.length === 0 ? undefined : await gradeOf(cited, failure !== undefined);
    yield failure === undefined
      ? { type: "answer" as const, text: cited.text, cut: written.cut, grade }
      : { type: "answer" as const, text: `${cited.text}\n\n${unfinishedNote(failure.reason)}`, grade };
  }

  /** What was searched for tells how far the cited sections answer it. */
  async function gradeOf({ text, passages: from }: Cited, isUnfinished: boolean): Promise<Grade> {
    if (saysUnknown(text)) return "nothing";
    if (isUnfinished || from.length === 0) return "unsure";
    if (!hasScores) return "sure";
    for (const base of bases.filter(({ id }) => from.some(({ knowledgeBaseId }) => knowledgeBaseId === id))) {
      const judges = await Promise.all(wordings.map((wording) => judgeOf(passages, base, wording.search)));
      const answers = (passage: FoundPassage) => {
        const [own, ...others] = judges.map((judge) => judge(passage));
        if (own === undefined || own.answers || others.some((other) => other.answers)) return true;
        // Where it has words of the question, those that it lacks speak against it, whatever its score is.
        return matching.has(pieceKey(passage)) && own.mayAnswer && own.share < maxStrangeShare;
      };
      if (from.some((passage) => passage.knowledgeBaseId === base.id && answers(passage))) return "sure";
    }
    return "unsure";
  }

  /** Where no section covers the question's own words. */
  async function* otherWordings(): AsyncGenerator<AgentEvent, readonly Wording[], undefined> {
    if (search.terms.length === 0 || bases.length === 0) return [];
    let isCovered = false;
    for (const base of bases) {
      const { answering, table } = await findAnswers(passages, base, search);
      if (table !== undefined) tables.push(table);
      isCovered ||= answering.length > 0 || table !== undefined;
    }
    if (isCovered) return [];
    const titles = bases.flatMap(({ id }) => passages.list(id, 3).map(({ title }) => title.slice(0, maxTitleChars)));
    const key = bases.map(({ id }) => id).join(",");
    const used: Tokens[] = [];
    const onUsage = (tokens: Tokens) => used.push(tokens);
    const asked = { key, titles, agentModel: options.agent.model, signal, onUsage };
    const texts = await options.reword(wholeQuestion(search, question), asked);
    for (const tokens of used) yield { type: "usage", tokens };
    return texts.map((text) => ({ search: readQuestion([{ question: text, answer: "" }]), text }));
  }

  /** Leaves what the model wrote last in `written`. */
  async function* answer(): AsyncGenerator<AgentEvent, void, undefined> {
    // Models calculate badly.
    const workedOut = tables.filter(({ isWorkedOut }) => isWorkedOut).slice(0, maxWorkedOut);
    for (const { passage, text } of workedOut)
      known.push({ passage, text: `${text.slice(0, maxWorkedOutChars)}\n\n${passage.content}` });
    known.push(...newPassages(found, known, passages.section));
    const hasBases = bases.length > 0;
    const instructions = instructionsFor(options.agent.instructions, { hasBases, hasPictures });
    const said = messagesFor(messages, known, maxSearches, hasBases).map(
      (message, at, { length }): ModelMessage =>
        hasPictures && at === length - 1 ? { ...message, pictures } : message,
    );
    const late = new AbortController();
    const inTime = options.clock.after(options.model.limitMs, () => late.abort(new ModelFailure("slow")));
    try {
      for (let left = hasBases ? maxSearches : 0; ; left -= 1) {
        yield* write({ instructions, messages: [...said], signal: AbortSignal.any([signal, late.signal]) });
        const reply = readReply(written.raw);
        if (reply.kind === "answer") return;
        if (left === 0) throw new ModelFailure("searching");
        const again = { search: readQuestion([{ question: reply.words, answer: "" }]), text: reply.words };
        // Only the model knows what they ask for.
        if (hasPictures) wordings.push(again);
        const more = yield* searchSteps([again]);
        if (found.length === 0) found.push(...more);
        const fresh = newPassages(more, known, passages.section);
        said.push(
          { role: "assistant", text: `${searchMark} ${reply.words}` },
          resultsFor(fresh, known.length, left - 1),
        );
        known.push(...fresh);
      }
    } finally {
      inTime();
    }
  }

  async function* write(request: ModelRequest): AsyncGenerator<AgentEvent, void, undefined> {
    const { model, agent, clock } = options;
    written.raw = "";
    written.cut = undefined;
    const pieces = model.write({ ...request, model: agent.model });
    // The first piece is shown at once.
    const gatherMs = () => (written.raw === "" ? 0 : lookEveryMs + written.raw.length * msPerChar);
    for await (const batch of inBatches(pieces, gatherMs, clock)) {
      for (const piece of batch) {
        if (piece.type === "waiting" || piece.type === "usage" || piece.type === "pictures-refused") {
          yield piece;
          continue;
        }
        written.raw = piece.type === "whole" ? piece.text : written.raw + piece.text;
        if (piece.type === "whole") written.cut = piece.cut;
        if (written.raw.length > maxReplyChars) {
          written.raw = "";
          throw new ModelFailure("too-large");
        }
      }
      yield* grown(cite(answerSoFar(written.raw), numbered(), false).text);
    }
  }

  function* grown(text: string): Generator<AgentEvent, void, undefined> {
    if (text === "" || text === written.shown) return;
    const isLonger = text.startsWith(written.shown);
    if (!isLonger) yield { type: "answer", text: "" };
    yield { type: "answer-delta", text: isLonger ? text.slice(written.shown.length) : text };
    written.shown = text;
  }

  function numbered(): readonly FoundPassage[] {
    return known.map(({ passage }) => passage);
  }

  /** One step for each knowledge base. Its result names what was found; it is no source yet. */
  async function* searchSteps(wanted: readonly Wording[]): AsyncGenerator<AgentEvent, FoundPassage[], undefined> {
    const words = (wanted[0]?.search.terms ?? []).map((term) => term.word).slice(0, maxQueryWords);
    const all: FoundPassage[] = [];
    for (const base of words.length === 0 ? [] : bases) {
      signal.throwIfAborted();
      const query = `SELECT * FROM ${tableName(base.name)} WHERE content = '${words.join(" ")}' LIMIT ${maxPassages};`;
      const look = createStep("kb_query_tool", query, `I'll search ${base.name} for ${words.slice(0, 5).join(", ")}.`);
      yield* look.begun;
      const { passages: hits, matching: above } = await options.find(base, wanted, maxPassages);
      if (above !== undefined) hasScores = true;
      for (const passage of above ?? []) matching.add(pieceKey(passage));
      yield look.names([...new Set(hits.map(titleOf))]);
      all.push(...hits);
    }
    return all;
  }

  function* readStep(read: readonly FoundPassage[]): Generator<AgentEvent, void, undefined> {
    if (read.length === 0) return;
    const from = bases.filter(({ id }) => read.some(({ knowledgeBaseId }) => knowledgeBaseId === id));
    const ids = [...new Set(read.map(({ rowId }) => `'${rowId.replaceAll("'", "''")}'`))];
    const query = `SELECT * FROM ${from.map(({ name }) => tableName(name)).join(", ")} WHERE id IN (${ids.join(", ")});`;
    const look = createStep("kb_query_tool", query, "I'll read again what I answer from.");
    yield* look.begun;
    yield look.passages(read);
  }
}

/** `shown`: of the answer so far. */
type Written = { raw: string; shown: string; cut: "length" | "filter" | undefined };

function readAnswer(raw: string): string {
  const reply = readReply(raw);
  return reply.kind === "answer" ? reply.text : "";
}

/** Names that aren't one word need quotes, so that Parley reads the whole name. */
function tableName(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}\p{M}_]*$/u.test(name) ? name : `\`${name}\``;
}

function titleOf({ title, url, rowId }: FoundPassage): string {
  return (title || url || rowId).slice(0, maxTitleChars).toWellFormed();
}

/** With the words that a follow-up borrows. */
function wholeQuestion(search: Search, question: string): string {
  const borrowed = search.terms.filter(({ weight }) => weight < 1).map(({ word }) => word);
  return borrowed.length === 0 ? question : `${question} ${borrowed.join(" ")}`;
}
