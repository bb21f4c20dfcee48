/** One question with all that is known about it, as far as the viewer may read it. */
import type { Feedback } from "../../core/model/insight.ts";
import { workspaceKey } from "../../core/model/place.ts";
import type { Source, Step, Turn, TurnView } from "../../core/model/turn.ts";
import type { RawStep, SeenStep, SeenTexts, SeenVote } from "../../core/overview/questions.ts";
import type { KeyValue } from "../../core/ports/state.ts";
import { cleanTable, cleanText } from "../../presentation/drawing.ts";
import { plainText } from "../../presentation/markdown.ts";
import { beginningOf, shorten, stepFound, stepTitle } from "../../presentation/sentences.ts";

const maxNameChars = 100;
const maxQuestionChars = 20_000;
const maxAnswerChars = 100_000;
const maxRows = 50;
const maxVotes = 50;
const maxPassageChars = 400;
const maxRawChars = 100_000;

const name = (text: string) => shorten(cleanText(text), maxNameChars);

/** An answer that is passages only. */
function modelError(words: string | undefined): { readonly what: string; readonly hint: string } | undefined {
  if (words === undefined) return undefined;
  return { what: "The language model failed, so people got passages only.", hint: shorten(words, maxPassageChars) };
}

export async function textsOf(turn: Turn, feedback: Pick<KeyValue<Feedback>, "entries">): Promise<SeenTexts> {
  const view = turn.outcome ?? turn.soFar;
  const { stoppedBy, error, answer, table } = {
    error: view?.error ?? modelError(view?.modelFailed),
    answer: view?.answer,
    table: view?.answerTable,
    stoppedBy: turn.stopRequestedBy?.name,
  };
  return {
    answer: answer === undefined ? undefined : beginningOf(cleanText(answer), maxAnswerChars),
    answerOmittedChars: view?.answerOmittedChars,
    table: table === undefined ? undefined : firstRows(table),
    error: error === undefined ? undefined : { what: cleanText(error.what), hint: cleanText(error.hint) },
    stoppedBy: stoppedBy === undefined ? undefined : name(stoppedBy),
    question: beginningOf(cleanText(turn.question), maxQuestionChars),
    by: name(turn.actor.name),
    person: `${turn.askedIn.platform}:${turn.askedIn.workspace}/${turn.actor.id}`,
    isPartial: view?.isPartial === true,
    sources: (view?.sources ?? []).map(cleanSource),
    steps: (view?.steps ?? []).map(seenStep),
    omittedSteps: view?.omittedSteps ?? 0,
    votes: await votesOf(turn, feedback),
  };
}

function firstRows(table: NonNullable<TurnView["answerTable"]>) {
  const { columns, rows, omittedRows = 0 } = cleanTable(table);
  const omitted = omittedRows + Math.max(0, rows.length - maxRows);
  return { columns, rows: rows.slice(0, maxRows), omittedRows: omitted === 0 ? undefined : omitted };
}

function seenStep(step: Step): SeenStep {
  const { state, startedAtMs, endedAtMs, sources = [] } = step;
  const tookMs = endedAtMs === undefined ? undefined : Math.max(0, endedAtMs - startedAtMs);
  return {
    found: stepFound(step),
    tookMs,
    title: stepTitle(step),
    state,
    passages: sources.map(cleanSource),
    hasRaw: [step.input, step.observation ?? "", step.reasoning ?? ""].some((text) => text.trim() !== ""),
  };
}

function cleanSource({ title, excerpt, addedBy, rowId: _rowId, ...source }: Source): Source {
  return {
    ...source,
    excerpt: excerpt === undefined ? undefined : shorten(plainText(cleanText(excerpt)), maxPassageChars),
    addedBy: addedBy === undefined ? undefined : { ...addedBy, name: name(addedBy.name) },
    title: shorten(cleanText(title), maxPassageChars),
  };
}

/** Newest first. */
async function votesOf(turn: Turn, feedback: Pick<KeyValue<Feedback>, "entries">): Promise<readonly SeenVote[]> {
  const found: SeenVote[] = [];
  for await (const [, vote] of feedback.entries(`${workspaceKey(turn.conversation)}/${turn.id}/`)) {
    const { thumb, actor, atMs, reason, comment, tell } = vote;
    const said = comment === undefined ? undefined : cleanText(comment);
    const wantsToKnow = tell === true ? (true as const) : undefined;
    found.push({ reason, comment: said, wantsToKnow, thumb, by: name(actor.name), atMs });
  }
  return found.sort((one, other) => other.atMs - one.atMs).slice(0, maxVotes);
}

export function rawOf({ tool, input, observation = "", reasoning = "" }: Step): RawStep {
  const cut = (text: string) => beginningOf(cleanText(text), maxRawChars);
  return { tool: name(tool), input: cut(input), output: cut(observation), reason: cut(reasoning) };
}
