import { describe, expect, it } from "vitest";
import { conclude, failWith, initialView, reduce, stopView } from "../../../src/bridge/turn/view.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";
import type { Source, TurnView } from "../../../src/core/model/turn.ts";
import { turnDocument } from "../../../src/presentation/drawing/turn/turn-document.ts";
import { documentText } from "../../../src/presentation/markdown/plain-text.ts";

const begin = initialView({ id: "t1", ref: "k3f9", question: "When?", agent: "guide" });

function viewAfter(...events: readonly AgentEvent[]): TurnView {
  return events.reduce((view, event, index) => reduce(view, event, 1_000 + index), begin);
}

const search = { type: "step-started", tool: "kb_query_tool", input: "SELECT 1" } as const;
const found = (sources: readonly Source[]): AgentEvent => ({
  type: "step-finished",
  tool: "kb_query_tool",
  input: "SELECT 1",
  observation: "rows",
  outcome: { kind: "passages", count: sources.length },
  sources,
});
const passage = (title: string, relevance?: number): Source => ({
  title,
  url: `https://docs.example.com/${title}`,
  ...(relevance === undefined ? {} : { relevance }),
});
const answer = { type: "answer", text: "At two." } as const;

describe("the view of a long question", () => {
  it("keeps its beginning only: a question that waits must not stay in memory", () => {
    const question = `When? ${"x".repeat(100_000)}`;

    const view = initialView({ id: "t1", ref: "k3f9", question, agent: "guide", askedBy: "Alice" });

    expect(view.question.length).toBeLessThanOrEqual(2_000);
    expect(question.startsWith(view.question)).toBe(true);
    expect(view.question.length + (view.questionOmittedChars ?? 0)).toBe(question.length);
    expect(documentText(turnDocument(view, 0))).toContain("100,006 characters");
  });
});

describe("reduce", () => {
  it("shows a step while it runs and what it found when it is done", () => {
    const running = viewAfter({ type: "started" }, search);
    expect(running.steps.map((step) => step.state)).toEqual(["running"]);

    const done = reduce(running, found([passage("backup", 0.8)]), 1_500);
    expect(done.steps).toMatchObject([
      { state: "done", startedAtMs: 1_001, endedAtMs: 1_500, outcome: { kind: "passages", count: 1 } },
    ]);
  });

  it("finishes the step with the same tool and input when two run at once", () => {
    const other = { ...search, input: "SELECT 2" };
    const view = viewAfter(search, other, found([]));

    expect(view.steps.map((step) => step.state)).toEqual(["done", "running"]);
  });

  it("keeps a result that belongs to no step as a step of its own", () => {
    expect(viewAfter(found([])).steps).toHaveLength(1);
  });

  it("cuts a huge observation and counts what it cut", () => {
    const view = viewAfter(search, { ...(found([]) as object), observation: "x".repeat(20_010) } as AgentEvent);

    expect(view.steps[0]?.observation).toHaveLength(20_000);
    expect(view.steps[0]?.observationOmittedChars).toBe(10);
  });

  it("ignores chunks of unknown kinds", () => {
    const view = viewAfter(search);

    expect(reduce(view, { type: "unknown", kind: "event" }, 2_000)).toBe(view);
  });

  it("uses the last answer, and drops a failure that came before it", () => {
    const failed: AgentEvent = { type: "failed", error: new ParleyError("run_failed") };
    const view = conclude(viewAfter({ ...answer, text: "At one." }, failed, answer), 2_000);

    expect(view).toMatchObject({ state: "answered", answer: "At two." });
    expect(view.error).toBeUndefined();
  });
});

describe("the end of a stream", () => {
  it("is a failure when no answer came, although the service reported no error", () => {
    const view = conclude(viewAfter({ type: "started" }, { type: "ended" }), 2_000);

    expect(view).toMatchObject({ state: "failed", error: { code: "no_answer" } });
  });

  it("is a failure when the answer is empty", () => {
    expect(conclude(viewAfter({ ...answer, text: " \n" }), 2_000).state).toBe("failed");
  });

  it("is an answer when it is a table without rows", () => {
    const view = conclude(viewAfter({ type: "answer", text: "", table: { columns: ["a"], rows: [] } }), 2_000);

    expect(view.state).toBe("answered");
  });

  it("is a failure when the service says so after an answer, and the answer stays", () => {
    const failed: AgentEvent = { type: "failed", error: new ParleyError("run_failed") };
    const view = conclude(viewAfter(answer, failed), 2_000);

    expect(view).toMatchObject({ state: "failed", answer: "At two.", isPartial: true });
  });

  it("leaves no step running", () => {
    const view = conclude(viewAfter(search, answer), 2_000);

    expect(view.steps).toMatchObject([{ state: "done", endedAtMs: 2_000 }]);
  });

  it("keeps what arrived before the connection broke, and marks it", () => {
    const view = failWith(viewAfter(search), new ParleyError("stream_cut"), 2_000);

    expect(view).toMatchObject({ state: "failed", isPartial: true, error: { code: "stream_cut" } });
    expect(view.steps).toMatchObject([{ state: "failed" }]);
  });

  it("shows an answer that came whole before the connection broke", () => {
    const view = failWith(viewAfter(answer), new ParleyError("stream_cut"), 2_000);

    expect(view).toMatchObject({ state: "answered", isPartial: true });
  });

  it("is stopped when a person stopped it", () => {
    expect(stopView(viewAfter(search), 2_000)).toMatchObject({ state: "stopped", endedAtMs: 2_000 });
  });
});

describe("sources", () => {
  it("name each URL once, the most relevant first", () => {
    const events = [found([passage("a", 0.6), passage("b", 0.9)]), found([passage("a", 0.8)])];
    const view = conclude(viewAfter(...events, answer), 2_000);

    expect(view.sources.map((source) => [source.title, source.relevance])).toEqual([
      ["b", 0.9],
      ["a", 0.8],
    ]);
  });

  it("leave out passages that are much weaker than the best", () => {
    const view = conclude(viewAfter(found([passage("a", 0.9), passage("b", 0.4)]), answer), 2_000);

    expect(view.sources.map((source) => source.title)).toEqual(["a"]);
  });

  it("keep their order without relevance, and are at most eight", () => {
    const many = Array.from({ length: 12 }, (_, index) => passage(`p${index}`));
    const view = conclude(viewAfter(found(many), answer), 2_000);

    expect(view.sources.map((source) => source.title)).toEqual(many.slice(0, 8).map((source) => source.title));
  });
});
