/**
 * The reducer: AgentEvents become the picture of a Turn. Pure and without a clock, so that recorded streams replay to
 * the same picture for ever. An end without an answer is a failure here, whatever the service's silence suggests.
 */
import { ParleyError } from "./errors.ts";
import type { AgentEvent } from "./ports/agent-service.ts";
import type { Source, Step, TurnError, TurnView } from "./words.ts";

/** What is kept of one observation for Show steps; the rest is counted, not kept. */
const maxObservationChars = 20_000;
/** Sources under an answer. More would bury it; the steps still hold all of them. */
const maxSources = 8;
/** Passages much weaker than the best one were found, but the answer does not rest on them. */
const minRelevanceShare = 0.5;

export function initialView(turn: {
  readonly id: string;
  readonly ref: string;
  readonly question: string;
  readonly agent: string;
  readonly askedBy?: string;
}): TurnView {
  return {
    turnId: turn.id,
    ref: turn.ref,
    state: "queued",
    agent: turn.agent,
    question: turn.question,
    ...(turn.askedBy === undefined ? {} : { askedBy: turn.askedBy }),
    steps: [],
    tables: [],
    sources: [],
    isPartial: false,
    isResumed: false,
  };
}

/** The view after one more event. `nowMs` stamps what begins or ends with it. */
export function reduce(view: TurnView, event: AgentEvent, nowMs: number): TurnView {
  switch (event.type) {
    case "started":
      return running(view, nowMs);
    case "status":
    case "reasoning":
      return { ...running(view, nowMs), status: event.text };
    case "step-started": {
      const step: Step = {
        tool: event.tool,
        input: event.input,
        ...(event.reasoning === undefined ? {} : { reasoning: event.reasoning }),
        state: "running",
        startedAtMs: nowMs,
      };
      return { ...running(view, nowMs), steps: [...view.steps, step] };
    }
    case "step-finished":
      return {
        ...running(view, nowMs),
        steps: finishStep(view.steps, event, nowMs),
        sources: [...view.sources, ...event.sources],
        tables: event.table === undefined ? view.tables : [...view.tables, event.table],
      };
    case "answer": {
      const { error: _failureBefore, ...rest } = running(view, nowMs);
      return {
        ...rest,
        answer: event.text,
        ...(event.table === undefined ? {} : { answerTable: event.table }),
      };
    }
    case "failed":
      return { ...running(view, nowMs), error: turnError(event.error) };
    case "ended":
    case "unknown":
      return view;
    default:
      return event satisfies never;
  }
}

export function hasAnswer(view: TurnView): boolean {
  return (view.answer !== undefined && view.answer.trim() !== "") || view.answerTable !== undefined;
}

/** The view when the stream is over: answered, or failed when no answer came or the service said so. */
export function conclude(view: TurnView, nowMs: number): TurnView {
  if (view.error !== undefined) return ended(view, "failed", nowMs, hasAnswer(view));
  if (!hasAnswer(view)) return failWith(view, new ParleyError("no_answer"), nowMs);
  return ended(view, "answered", nowMs, false);
}

/**
 * The view when the stream broke. An answer arrives whole in one chunk, so one that was there already stands,
 * marked as partial because the service could not confirm its end.
 */
export function failWith(view: TurnView, error: ParleyError, nowMs: number): TurnView {
  if (hasAnswer(view) && view.error === undefined) return ended(view, "answered", nowMs, true);
  return { ...ended(view, "failed", nowMs, view.steps.length > 0 || hasAnswer(view)), error: turnError(error) };
}

export function stopView(view: TurnView, nowMs: number): TurnView {
  return ended(view, "stopped", nowMs, false);
}

function turnError(error: ParleyError): TurnError {
  return { code: error.code, what: error.what, hint: error.hint };
}

function running(view: TurnView, nowMs: number): TurnView {
  const { placeInLine: _over, ...rest } = view;
  return { ...rest, state: "running", isResumed: false, startedAtMs: view.startedAtMs ?? nowMs };
}

function ended(view: TurnView, state: "answered" | "failed" | "stopped", nowMs: number, isPartial: boolean): TurnView {
  const { placeInLine: _over, status: _spoken, ...rest } = view;
  return {
    ...rest,
    state,
    isPartial,
    isResumed: false,
    steps: view.steps.map((step) => closeStep(step, state, view, nowMs)),
    sources: selectSources(view.sources),
    endedAtMs: nowMs,
  };
}

/** 26.x never reports the end of its final query: the answer itself is its result. */
function closeStep(step: Step, state: "answered" | "failed" | "stopped", view: TurnView, nowMs: number): Step {
  if (step.state !== "running") return step;
  if (state !== "answered") return { ...step, state: "failed", endedAtMs: nowMs };
  const rows = view.answerTable?.rows.length;
  return {
    ...step,
    state: "done",
    ...(rows === undefined ? {} : { outcome: { kind: "rows" as const, count: rows } }),
    endedAtMs: nowMs,
  };
}

function finishStep(
  steps: readonly Step[],
  event: Extract<AgentEvent, { type: "step-finished" }>,
  nowMs: number,
): readonly Step[] {
  const result = {
    state: event.outcome.kind === "failed" ? ("failed" as const) : ("done" as const),
    observation: event.observation.slice(0, maxObservationChars),
    ...(event.observation.length > maxObservationChars
      ? { observationOmittedChars: event.observation.length - maxObservationChars }
      : {}),
    outcome: event.outcome,
    endedAtMs: nowMs,
  };
  const same = steps.findIndex(
    (step) =>
      step.state === "running" && step.tool === event.tool && (event.input === undefined || event.input === step.input),
  );
  const index = same >= 0 ? same : steps.findLastIndex((step) => step.state === "running");
  if (index < 0) {
    const alone = { tool: event.tool ?? "", input: event.input ?? "", startedAtMs: nowMs, ...result };
    return [...steps, alone];
  }
  return steps.map((step, at) => (at === index ? { ...step, ...result } : step));
}

/** One entry an address (or title), the most relevant first; the passages' own order where relevance is unknown. */
function selectSources(found: readonly Source[]): readonly Source[] {
  const byKey = new Map<string, Source>();
  for (const source of found) {
    const key = source.url ?? source.title;
    const known = byKey.get(key);
    if (known === undefined || (source.relevance ?? 0) > (known.relevance ?? 0)) byKey.set(key, source);
  }
  let best = 0;
  for (const source of byKey.values()) best = Math.max(best, source.relevance ?? 0);
  return [...byKey.values()]
    .filter((source) => source.relevance === undefined || source.relevance >= best * minRelevanceShare)
    .sort((a, b) => (b.relevance ?? 0) - (a.relevance ?? 0))
    .slice(0, maxSources);
}
