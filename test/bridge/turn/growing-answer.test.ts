/** The view of an answer that arrives in pieces: what is kept of it, and what becomes of half of one. */
import { describe, expect, it } from "vitest";
import { conclude, failWith, initialView, reduce, stopView } from "../../../src/bridge/turn/view.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";
import type { TurnView } from "../../../src/core/model/turn.ts";
import { turnDocument } from "../../../src/presentation/drawing.ts";
import { documentText } from "../../../src/presentation/markdown.ts";

const begin = initialView({ id: "t1", ref: "k3f9", question: "When?", agent: "guide" });
const piece = (text: string): AgentEvent => ({ type: "answer-delta", text });
const viewAfter = (...events: readonly AgentEvent[]): TurnView =>
  events.reduce((view, event, index) => reduce(view, event, 1_000 + index), begin);
const shown = (view: TurnView) => documentText(turnDocument(view, 5_000));
const started = (id: string, input = ""): AgentEvent => ({ type: "step-started", id, tool: "search", input });
const finished = (id: string, observation: string): AgentEvent => ({
  type: "step-finished",
  id,
  observation,
  outcome: { kind: "text" },
  sources: [],
});

describe("an answer in pieces", () => {
  it("is shown while it is written, and is the answer once the service says that it has ended", () => {
    const written = viewAfter(piece("Refunds take "), piece("two days."));
    expect(shown(written)).toContain("Refunds take two days.");
    expect(shown(written)).toContain("still writing");

    const end = conclude(reduce(written, { type: "ended" }, 2_000), 2_000);
    expect(end).toMatchObject({ state: "answered", answer: "Refunds take two days.", isPartial: false });
    expect(shown(end)).not.toContain("still writing");
  });

  it("is replaced by the whole answer, also by an empty one, after which it begins anew", () => {
    expect(viewAfter(piece("Refnds"), { type: "answer", text: "Refunds." }).answer).toBe("Refunds.");

    const again = viewAfter(piece("Let me look."), { type: "answer", text: "" }, piece("Two days."));
    expect(again.answer).toBe("Two days.");
  });

  it("stays what is shown until its end, whatever else the service says", () => {
    const whole = viewAfter(piece("Two "), { type: "answer", text: "Two days." }, { type: "traced", traceId: "t" });

    expect(shown(whole)).toContain("Two days.");
    expect(shown(reduce(whole, { type: "ended" }, 2_000))).toContain("Two days.");
  });

  it("that comes whole is shown at its end, as ever", () => {
    expect(shown(viewAfter({ type: "answer", text: "Two days." }))).not.toContain("Two days.");
  });

  it("is kept up to the limit, and says how much is missing", () => {
    const big = viewAfter(piece("a".repeat(10_000_000)), piece("b"));

    expect(big.answer).toHaveLength(1_000_000);
    expect(big.answerOmittedChars).toBe(9_000_001);
  });

  it("shows no half of an emoji whose other half comes with the next piece", () => {
    const half = viewAfter(piece("Done "), piece("\ud83d"));
    expect(shown(half)).toContain("Done");
    expect(shown(half)).not.toContain("\ufffd");

    expect(shown(reduce(half, piece("\ude80"), 2_000))).toContain("Done 🚀");
  });

  it("takes no time for its pieces, however long it has become", () => {
    const beganAt = performance.now();
    let view = begin;
    for (let at = 0; at < 100_000; at += 1) view = reduce(view, piece("ten chars "), 1_000);

    expect(view.answer).toHaveLength(1_000_000);
    expect(performance.now() - beganAt).toBeLessThan(3_000);
  });

  it("fails when the connection drops, shows what has arrived, and offers Try again", () => {
    const broken = failWith(viewAfter(piece("Refunds take")), new ParleyError("stream_cut"), 2_000);

    expect(broken).toMatchObject({ state: "failed", isPartial: true, answer: "Refunds take" });
    const document = turnDocument(broken, 2_000);
    expect(documentText(document)).toContain("Received so far (may be incomplete)");
    expect(document.actions.map(({ id }) => id)).toContain("retry");
  });

  it("fails as well when the service closes without an end", () => {
    expect(conclude(viewAfter(piece("Refunds take")), 2_000)).toMatchObject({
      state: "failed",
      error: { code: "stream_cut" },
    });
  });

  it("that arrived whole counts although the connection dropped after it", () => {
    const whole = failWith(
      viewAfter(piece("Two"), { type: "answer", text: "Two days." }),
      new ParleyError("stream_cut"),
      2_000,
    );

    expect(whole).toMatchObject({ state: "answered", isPartial: true });
  });

  it("is shown as far as it was written when it was stopped", () => {
    const stopped = stopView(viewAfter(piece("Refunds take")), 2_000);

    expect(stopped.isWriting).toBeUndefined();
    expect(shown(stopped)).toContain("Refunds take");
  });

  it.each([
    ["length", "reached its length limit"],
    ["filter", "content filter"],
  ] as const)("says below it that the service ended it early: %s", (cut, words) => {
    const text = shown(conclude(viewAfter({ type: "answer", text: "Refunds take", cut }), 2_000));

    expect(text.indexOf(words)).toBeGreaterThan(text.indexOf("Refunds take"));
  });

  it("that the filter left nothing of fails with that reason", () => {
    const view = conclude(viewAfter({ type: "answer", text: "", cut: "filter" }), 2_000);

    expect(view.error).toMatchObject({ code: "no_answer", what: expect.stringContaining("content filter") });
  });

  it("names what it cites among the sources", () => {
    const source = { title: "Refunds", url: "https://docs.example.com/refunds" };

    expect(conclude(viewAfter({ type: "answer", text: "Two.", sources: [source] }), 2_000).sources).toEqual([source]);
  });

  it("is shown under its steps while one of them runs", () => {
    const working = turnDocument(viewAfter(piece("Let me look."), started("a")), 2_000);

    expect(working.blocks.map(({ kind }) => kind)).toEqual(["steps", "markdown", "quiet"]);
  });

  it("shows as much as there is room for, and says that there is more", () => {
    const long = viewAfter(piece("word ".repeat(2_000)));
    const text = documentText(turnDocument(long, 2_000, { maxGrowingChars: 500 }));

    expect(text.length).toBeLessThan(800);
    expect(text).toContain("10,000 characters so far");
  });
});

describe("steps with ids", () => {
  it("get their own results, in whatever order these come", () => {
    const view = viewAfter(started("a"), started("b"), finished("a", "of a"), finished("b", "of b"));

    expect(view.steps.map(({ observation }) => observation)).toEqual(["of a", "of b"]);
  });

  it("get their input when they are told again", () => {
    const view = viewAfter(started("a"), started("a", "refunds"), finished("a", "found"));

    expect(view.steps).toMatchObject([{ input: "refunds", observation: "found" }]);
  });

  it("keep their first result, and a result without a step is a step of its own", () => {
    const view = viewAfter(started("a"), finished("a", "first"), finished("a", "second"), finished("c", "alone"));

    expect(view.steps.map(({ observation }) => observation)).toEqual(["first", "alone"]);
  });

  it("that still run don't get the result of another one", () => {
    expect(viewAfter(started("a"), finished("b", "of b")).steps.map(({ state }) => state)).toEqual(["running", "done"]);
  });
});
