/**
 * The reducer: turns AgentEvents into the view of a Turn. Pure and without a clock, so that recorded streams always
 * replay to the same view. An end without an answer is a failure, whatever the service's silence suggests.
 */

import { ParleyError } from "../../core/errors.ts";
import { type AgentEvent, runLimits } from "../../core/model/agent-event.ts";
import { sumOfTokens } from "../../core/model/tokens.ts";
import type { Step, TurnError, TurnView } from "../../core/model/turn.ts";
import { inlineText } from "../../presentation/drawing.ts";
import { isVisible, withoutPictureData } from "../../presentation/markdown.ts";
import { busyUntil, type ErrorText, errorText } from "../../presentation/sentences.ts";
import { truncate } from "../conversation/truncate.ts";
import {
  keptAnswer,
  keptObservation,
  keptOutcome,
  keptQuestion,
  keptStepSources,
  keptTable,
  selectSources,
  withPiece,
  withSources,
  withTable,
} from "./view-limits.ts";

const says = {
  busyUntil: (untilMs: number): ErrorText => ({
    what: inlineText(busyUntil(untilMs)),
    hint: "Your question is saved. Try again then.",
  }),
};

const maxErrorChars = 500;

export function initialView(turn: {
  readonly id: string;
  readonly ref: string;
  readonly question: string;
  readonly agent: string;
  readonly askedBy?: string;
  readonly repeats?: string;
}): TurnView {
  return {
    turnId: turn.id,
    ref: turn.ref,
    state: "queued",
    agent: turn.agent,
    ...keptQuestion(turn.question),
    askedBy: turn.askedBy,
    isSecondAnswer: turn.repeats === undefined ? undefined : true,
    steps: [],
    tables: [],
    sources: [],
    isPartial: false,
    isResumed: false,
  };
}

/** The view after one more event. `nowMs` is the time of what begins or ends with it. */
export function reduce(view: TurnView, event: AgentEvent, nowMs: number): TurnView {
  switch (event.type) {
    case "waiting":
      return waiting(view, event.forMs, nowMs);
    case "started":
      return running(view, nowMs);
    case "pictures-refused":
      return { ...view, seesNoPictures: event.of };
    case "traced":
      return { ...view, traceId: truncate(event.traceId, runLimits.traceId) };
    case "status":
    case "reasoning":
      return { ...running(view, nowMs), status: truncate(event.text, runLimits.status) };
    case "step-started":
      if (stepAt(view.steps, event.id) >= 0) {
        return { ...running(view, nowMs), steps: withInput(view.steps, event, nowMs) };
      }
      if (view.steps.length >= runLimits.steps) {
        return { ...running(view, nowMs), omittedSteps: (view.omittedSteps ?? 0) + 1 };
      }
      return { ...running(view, nowMs), steps: [...view.steps, startedStep(event, nowMs)] };
    case "step-finished":
      return {
        ...running(view, nowMs),
        steps: finishStep(view, event, nowMs),
        sources: withSources(view.sources, event.sources),
        tables: withTable(view.tables, event.table),
      };
    case "answer": {
      const before = withoutWriting(running(view, nowMs));
      const answerTable = event.table === undefined ? undefined : keptTable(event.table);
      return {
        ...before,
        ...keptAnswer(event.text),
        answerTable: answerTable ?? before.answerTable,
        answerCut: event.cut,
        ownGrade: event.grade,
        modelFailed: modelWords(event),
        // Without a text it begins anew.
        isWriting: event.text === "" ? undefined : hasGrown(view),
        sources: withSources(view.sources, event.sources ?? []),
      };
    }
    case "answer-delta": {
      if (event.text === "") return view;
      const { status: _spoken, error: _failureBefore, ...rest } = running(view, nowMs);
      return { ...rest, ...withPiece(view, event.text), isWriting: true };
    }
    case "usage":
      return { ...view, tokens: sumOfTokens(view.tokens, event.tokens) };
    case "failed":
      return { ...running(view, nowMs), error: turnError(event.error, nowMs) };
    case "ended":
      return view.isWriting === true ? { ...view, isWriting: false } : view;
    case "run":
    case "thread":
    case "approval-requested":
    case "unknown":
      return view;
    default:
      return event satisfies never;
  }
}

export function hasAnswer(view: TurnView): boolean {
  return (view.answer !== undefined && isVisible(view.answer)) || view.answerTable !== undefined;
}

/** The view at the end of the stream: answered, or failed if no answer came or the service reported a failure. */
export function conclude(view: TurnView, nowMs: number): TurnView {
  if (view.error !== undefined) return ended(view, "failed", nowMs, hasAnswer(view));
  if (view.isWriting === true) return failWith(view, new ParleyError("stream_cut"), nowMs);
  if (!hasAnswer(view))
    return failWith(withoutAnswer(view), new ParleyError("no_answer", noAnswerBecause(view)), nowMs);
  return ended(view, "answered", nowMs, false);
}

/**
 * The view when the stream broke. An answer that has arrived whole counts. It is marked as partial because the service
 * did not confirm its end. One that was still being written is only shown: half an answer must not become history.
 */
export function failWith(view: TurnView, error: ParleyError, nowMs: number): TurnView {
  if (hasAnswer(view) && view.isWriting !== true && view.error === undefined)
    return ended(view, "answered", nowMs, true);
  return { ...ended(view, "failed", nowMs, view.steps.length > 0 || hasAnswer(view)), error: turnError(error, nowMs) };
}

export function stopView(view: TurnView, nowMs: number): TurnView {
  return ended(view, "stopped", nowMs, false);
}

/** No knowledge covers it: the service wasn't asked. */
export function unknownView(view: TurnView, nowMs: number): TurnView {
  return ended(view, "answered", nowMs, false);
}

/** What an answer leaves behind that is replaced. */
function withoutWriting(view: TurnView) {
  const {
    error: _failed,
    isWriting: _grew,
    answerCut: _why,
    answerOmittedChars: _cut,
    ownGrade: _said,
    modelFailed: _broken,
    ...rest
  } = view;
  return rest;
}

function modelWords({ modelFailed }: Extract<AgentEvent, { type: "answer" }>): string | undefined {
  return modelFailed === undefined ? undefined : truncate(modelFailed, maxErrorChars);
}

function hasGrown({ isWriting }: TurnView): false | undefined {
  return isWriting === undefined ? undefined : false;
}

/** What nobody can see isn't shown as what has arrived. */
function withoutAnswer(view: TurnView): TurnView {
  return view.answer === undefined ? view : { ...view, answer: "" };
}

function noAnswerBecause({ answerCut }: TurnView) {
  if (answerCut === undefined) return {};
  return {
    what:
      answerCut === "filter"
        ? "The content filter of the agent service stopped this answer."
        : "The agent service reached its length limit before it wrote an answer.",
  };
}

function turnError(error: ParleyError, nowMs: number): TurnError {
  const { code, retryAfterMs } = error;
  const untilMs = code === "service_busy" && retryAfterMs !== undefined ? wholeMinute(nowMs + retryAfterMs) : undefined;
  const { what, hint } = untilMs === undefined ? errorText(error, { hasQuestion: true }) : says.busyUntil(untilMs);
  return { code, what: truncate(what, maxErrorChars), hint: truncate(hint, maxErrorChars), untilMs };
}

/** Rounded up: at the minute that is named, the service is free. */
function wholeMinute(ms: number): number {
  return Math.ceil(ms / 60_000) * 60_000;
}

function waiting(view: TurnView, forMs: number | undefined, nowMs: number): TurnView {
  const { waitsUntilMs: _over, ...rest } = view;
  return { ...rest, waitsUntilMs: forMs === undefined ? undefined : nowMs + forMs };
}

function running(view: TurnView, nowMs: number): TurnView {
  const { placeInLine: _over, waitsUntilMs: _free, ...rest } = view;
  return { ...rest, state: "running", isResumed: false, startedAtMs: view.startedAtMs ?? nowMs };
}

function ended(view: TurnView, state: "answered" | "failed" | "stopped", nowMs: number, isPartial: boolean): TurnView {
  const { placeInLine: _over, waitsUntilMs: _free, status: _spoken, isWriting: _grew, asksFor: _asked, ...rest } = view;
  return {
    ...rest,
    state,
    isPartial,
    isResumed: false,
    answer: view.answer === undefined ? undefined : withoutPictureData(view.answer),
    steps: view.steps.map((step) => closeStep(step, state, view, nowMs)),
    sources: selectSources(view.sources),
    endedAtMs: nowMs,
  };
}

/** 26.x never reports the end of its final query: the answer is its result. */
function closeStep(step: Step, state: "answered" | "failed" | "stopped", view: TurnView, nowMs: number): Step {
  if (step.state !== "running") return step;
  if (state !== "answered") return { ...step, state: "failed", endedAtMs: nowMs };
  const count = view.answerTable?.rows.length;
  return {
    ...step,
    state: "done",
    outcome: count === undefined ? step.outcome : { kind: "rows", count },
    endedAtMs: nowMs,
  };
}

function startedStep(event: Extract<AgentEvent, { type: "step-started" }>, nowMs: number): Step {
  const { id, inputOmittedChars, reasoning, reasoningOmittedChars } = event;
  return {
    id: id === undefined ? undefined : truncate(id, runLimits.stepId),
    tool: truncate(event.tool, runLimits.toolName),
    input: truncate(event.input, runLimits.input),
    inputOmittedChars,
    reasoning: reasoning === undefined ? undefined : truncate(reasoning, runLimits.reasoning),
    reasoningOmittedChars,
    state: "running" as const,
    startedAtMs: nowMs,
  };
}

/** The newest step with that id, or -1. */
function stepAt(steps: readonly Step[], id: string | undefined): number {
  if (id === undefined) return -1;
  const kept = id.slice(0, runLimits.stepId);
  return steps.findLastIndex((step) => step.id === kept);
}

/** A step that is told again has its input by now. */
function withInput(
  steps: readonly Step[],
  event: Extract<AgentEvent, { type: "step-started" }>,
  nowMs: number,
): readonly Step[] {
  const at = stepAt(steps, event.id);
  const told = startedStep(event, nowMs);
  return steps.map((step, index) =>
    index === at && step.state === "running" ? { ...told, startedAtMs: step.startedAtMs } : step,
  );
}

function finishStep(
  { steps, omittedSteps }: TurnView,
  event: Extract<AgentEvent, { type: "step-finished" }>,
  nowMs: number,
): readonly Step[] {
  const named = stepAt(steps, event.id);
  // Told twice: the first result counts.
  if (steps[named]?.endedAtMs !== undefined) return steps;
  const same =
    named >= 0
      ? named
      : steps.findIndex(
          (step) =>
            step.state === "running" &&
            step.tool === event.tool &&
            (event.input === undefined || event.input === step.input) &&
            (event.id === undefined || step.id === undefined),
        );
  // This result belongs to a step that is only counted.
  if (same < 0 && omittedSteps !== undefined) return steps;
  const isOfNone = event.id !== undefined;
  const index = same >= 0 || isOfNone ? same : steps.findLastIndex((step) => step.state === "running");
  if (index < 0 && steps.length >= runLimits.steps) return steps;
  const result = {
    state: event.outcome.kind === "failed" ? ("failed" as const) : ("done" as const),
    ...keptObservation(
      event.observation,
      steps.reduce((sum, step) => sum + (step.observation?.length ?? 0), 0),
    ),
    outcome: keptOutcome(event.outcome),
    ...keptStepSources(
      event.sources,
      steps.reduce((sum, step) => sum + (step.sources?.length ?? 0), 0),
    ),
    endedAtMs: nowMs,
  };
  if (index < 0) {
    const { id, tool = "", input = "" } = event;
    const started = startedStep({ type: "step-started", tool, input, id }, nowMs);
    return [...steps, { ...started, ...result }];
  }
  return steps.map((step, at) => (at === index ? { ...step, ...result } : step));
}
