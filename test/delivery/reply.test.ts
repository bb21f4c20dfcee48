/** The states of a Reply: what each event makes of them, whatever came before it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ErrorCode, ParleyError } from "../../src/core/errors.ts";
import { rendered } from "../../src/delivery/messages.ts";
import { atFirst, type Ending, type Event, isClosed, next, type State } from "../../src/delivery/reply.ts";
import type { Operation } from "../../src/delivery/reply-parts.ts";
import type { News } from "../../src/delivery/types.ts";
import { runs } from "../properties.ts";
import { document } from "./delivery-bench.ts";

const show = (text: string, news: News = "step"): Event => ({ kind: "show", document: document(text), news });
const edit: Operation = { kind: "edit", index: 0, messageId: "m1" };
const refused = (code: ErrorCode, of: State["kind"] = "progress", operation = edit): Event => ({
  kind: "refused",
  of,
  operation,
  thrown: new ParleyError(code),
  isNeedless: false,
});
const drawnOf = (text: string) => ({ fitted: { pages: [document(text)] }, rendered: rendered([{ text }]) });
function finish(signal?: AbortSignal): Extract<Event, { kind: "finish" }> {
  const shown = Promise.withResolvers<void>();
  shown.promise.catch(() => {});
  return { kind: "finish", document: document("answer", "done"), signal, shown, drawn: undefined, stood: true };
}

/** The state after these events, each 100 ms after the one before. */
function stateAfter(...events: readonly Event[]): State {
  return events.reduce<State>((state, event, at) => next(state, event, at * 100).state, atFirst);
}

describe("progress", () => {
  it("has only the newest document, with the most urgent of its news", () => {
    expect(stateAfter(show("1", "result"), show("2", "step"), show("3", "result"))).toMatchObject({
      newest: { document: document("3"), news: "step", sinceMs: 100, isSettled: true },
    });
  });

  it("that comes during a write is news of its own, and a lost write is owed with it", () => {
    const writing = stateAfter(show("1", "step"), { kind: "begun" }, show("2", "result"));
    expect(writing).toMatchObject({ writing: { news: "step" }, newest: { news: "result" } });

    expect(next(writing, refused("platform_unreachable"), 300).state).toMatchObject({
      writing: undefined,
      newest: { document: document("2"), news: "step", sinceMs: 0, isSettled: true },
      pausedUntilMs: 1_300,
    });
  });

  it("that is refused has had its turn", () => {
    expect(stateAfter(show("1"), { kind: "begun" }, refused("payload_refused"))).toMatchObject({ newest: undefined });
  });

  it.each(["message_gone", "message_not_editable", "not_permitted", "place_gone"] as const)(
    "is over after %s",
    (code) => {
      expect(stateAfter(show("1"), { kind: "begun" }, refused(code), show("2"))).toEqual({
        kind: "done",
        isClosed: false,
      });
    },
  );
});

describe("an end", () => {
  it("takes the place of progress, also of that which is being written", () => {
    const ending = stateAfter(show("1"), { kind: "begun" }, finish(), refused("place_gone"), show("2"));
    expect(ending).toMatchObject({ kind: "ending", failures: 0, oddFailures: 0, hadProgress: true });
  });

  it("is drawn in plain words once, and given up when they are refused too", () => {
    const event = finish();
    const first = next(atFirst, event, 0);
    const [draw] = first.effects;
    if (draw?.kind !== "draw") throw new Error("It is not drawn.");
    const drawn = next(first.state, { kind: "drawn", draft: draw.draft, drawn: drawnOf("answer") }, 0).state;

    const plain = next(drawn, refused("payload_refused", "ending"), 0);
    expect(plain.effects).toMatchObject([{ kind: "draw", draft: { isPlain: true } }]);
    // What was drawn before is too late.
    expect(next(plain.state, { kind: "drawn", draft: draw.draft, drawn: drawnOf("old") }, 0).state).toBe(plain.state);
    expect(next(plain.state, refused("payload_refused", "ending"), 0)).toMatchObject({
      state: { kind: "done", isClosed: false },
      effects: [{ kind: "reject", shown: event.shown }],
    });
  });

  it("isn't given up by the signal of an earlier one", () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const state = stateAfter(finish(first.signal), finish(second.signal));
    expect(next(state, { kind: "aborted", signal: first.signal }, 0)).toEqual({ state, effects: [] });
    expect(next(state, { kind: "aborted", signal: second.signal }, 0).state.kind).toBe("done");
  });
});

const codes: readonly ErrorCode[] = [
  "platform_rate_limited",
  "platform_unreachable",
  "state_unavailable",
  "message_gone",
  "message_not_editable",
  "payload_refused",
  "platform_refused",
  "not_permitted",
  "internal",
];
const operations: readonly Operation[] = [
  edit,
  { kind: "find" },
  { kind: "post", index: 0 },
  { kind: "post", index: 63 },
  { kind: "anew" },
  { kind: "remove", index: 1, messageId: "m2" },
];
const happening = fc.oneof(
  fc
    .constantFrom("show", "finish", "begun", "written", "shown", "abort", "draw", "undrawable")
    .map((kind) => ({ kind })),
  fc.record({
    kind: fc.constant("refused"),
    code: fc.constantFrom(...codes),
    operation: fc.constantFrom(...operations),
    isNeedless: fc.boolean(),
  }),
);

it("who waits for an end hears exactly once how it ended, whatever happens and in whatever order", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(happening, fc.nat(60_000)), { maxLength: 60 }), (story) => {
      const reply: { state: State } = { state: atFirst };
      let nowMs = 0;
      const waiting = new Map<Ending["shown"], number>();
      let hasEnded = false;
      const take = (event: Event) => {
        const step = next(reply.state, event, nowMs);
        reply.state = step.state;
        for (const effect of step.effects) {
          if (effect.kind === "resolve" || effect.kind === "reject") {
            waiting.set(effect.shown, (waiting.get(effect.shown) ?? 0) + 1);
          }
        }
      };
      for (const [one, laterMs] of story) {
        nowMs += laterMs;
        const { state } = reply;
        const draft = state.kind === "ending" ? state.draft : { document: document("old") };
        if (one.kind === "show") take(show("step"));
        else if (one.kind === "finish") {
          const event = finish(new AbortController().signal);
          const shown = state.kind === "ending" ? state.shown : event.shown;
          if (state.kind !== "ending") waiting.set(shown, 0);
          take({ ...event, shown });
          hasEnded = true;
        } else if (one.kind === "begun" || one.kind === "shown") take({ kind: one.kind });
        else if (one.kind === "written") take({ kind: "written", isWhole: laterMs % 2 === 0 });
        else if (one.kind === "abort" && state.kind === "ending" && state.signal !== undefined) {
          take({ kind: "aborted", signal: state.signal });
        } else if (one.kind === "draw") take({ kind: "drawn", draft, drawn: drawnOf("answer") });
        else if (one.kind === "undrawable") take({ kind: "undrawable", draft, thrown: new Error("a fault") });
        else if ("code" in one) {
          const { code, operation, isNeedless } = one;
          take({ kind: "refused", of: state.kind, operation, thrown: new ParleyError(code), isNeedless });
        }
        if (hasEnded) expect(reply.state.kind).not.toBe("progress");
        const [open] = [...waiting].filter(([, count]) => count === 0);
        expect(open?.[0]).toBe(reply.state.kind === "ending" ? reply.state.shown : undefined);
      }
      take({ kind: "closed" });
      take(finish());

      expect(isClosed(reply.state)).toBe(true);
      expect([...waiting.values()].every((count) => count === 1)).toBe(true);
    }),
    { numRuns: runs(300) },
  );
});
