import { describe, expect, it } from "vitest";
import { type Event, next, type State } from "../../../src/bridge/turn/turn.ts";
import type { Turn } from "../../../src/core/model/turn.ts";
import { alice } from "../../doubles/people.ts";
import { storedTurn } from "../../doubles/stored-turn.ts";
import { nowMs, view } from "../../presentation/views.ts";

const turn = storedTurn({ id: "turn1", state: "running", attempt: 2, createdAtMs: nowMs, fence: 1 });

const answered = view({ state: "answered", answer: "At two." });
const gaveUp = view({ state: "failed", error: { code: "gave_up", what: "It died.", hint: "Try again." } });
const approval: Turn["approval"] = { attempt: 2, round: 1, requests: [], askedAtMs: nowMs, expiresAtMs: nowMs };
const by = { id: alice.id, name: alice.name };

/** From where a Turn waits for its lane: new, or found in the store after a crash. */
const ways: Readonly<Record<"new" | "found", readonly Event[]>> = {
  new: [{ kind: "placed", holdsLane: false }, { kind: "lane-free" }],
  found: [{ kind: "lane-free" }, { kind: "placed", holdsLane: true }],
};

function after(events: readonly Event[], from: State): State {
  return events.reduce(next, from);
}

const read = (changes: Partial<Turn>): Event => ({ kind: "read", turn: { ...turn, ...changes }, view: view(), nowMs });
const end = { view: answered, attempt: 2, startedAtMs: nowMs };

const stored: readonly (readonly [string, Partial<Turn>, object])[] = [
  ["nothing else is asked", {}, { kind: "asking" }],
  ["a deletion removes it, whatever else", { isWithdrawn: true, outcome: answered }, { kind: "removing" }],
  ["an end is shown", { outcome: answered }, { kind: "ending", end: { view: answered } }],
  ["an end of these words is shown", { outcome: answered, outcomeAttempt: 2 }, { kind: "ending" }],
  ["an end of words before an edit is asked again", { outcome: answered, outcomeAttempt: 1 }, { kind: "asking" }],
  [
    "a stop ends it, and what may still run is cancelled",
    { stopRequestedBy: by },
    { kind: "ending", end: { view: { state: "stopped" } }, leavesRun: true },
  ],
  ["an end that was stopped is shown", { outcome: answered, stopRequestedBy: by }, { end: { view: answered } }],
  ["a request for approval waits", { approval }, { kind: "waiting" }],
  ["one before an edit is void", { approval: { ...approval, attempt: 1 } }, { kind: "asking" }],
  ["two deaths are not too many", { resumptions: 2 }, { kind: "asking" }],
  [
    "three deaths give it up",
    { resumptions: 3 },
    { kind: "ending", end: { view: { error: { code: "gave_up" } } }, leavesRun: true },
  ],
  [
    "three deaths while its end was shown say so instead",
    { resumptions: 3, outcome: answered },
    { kind: "ending", end: { view: { error: { code: "gave_up" } } } },
  ],
  ["three more show nothing", { resumptions: 3, outcome: gaveUp }, { kind: "abandoning" }],
  [
    "what no knowledge covers isn't asked",
    { isQuiet: true, notAnswered: "nothing" },
    { kind: "ending", end: { view: { state: "answered" } } },
  ],
];

describe.each(["new", "found"] as const)("a Turn that is %s", (how) => {
  it.each(stored)("continues at what is stored: %s", (_what, changes, state) => {
    const begin: State = { kind: how === "found" ? "stored" : "placing" };

    expect(after([...ways[how], read(changes)], begin)).toMatchObject(state);
  });
});

const states: readonly State[] = [
  { kind: "stored" },
  { kind: "placing" },
  { kind: "queued" },
  { kind: "deciding" },
  { kind: "asking" },
  { kind: "waiting" },
  { kind: "offering", agents: [] },
  { kind: "ending", end },
];

describe.each(states)("in the state $kind", (state) => {
  it("a Turn that another instance has continued is over here", () => {
    expect(next(state, { kind: "left" })).toEqual({ kind: "over" });
  });

  it("an edit begins anew, and a deletion removes what was shown", () => {
    expect(next(state, { kind: "restart" })).toEqual({ kind: "placing" });
    expect(next(state, { kind: "deleted" })).toEqual({ kind: "removing" });
  });

  it("a shutdown is stored, unless people are to decide", () => {
    expect(next(state, { kind: "drain" })).toEqual({ kind: state.kind === "waiting" ? "over" : "interrupting" });
  });
});

it("an end that nobody was to see before gets a place, and is shown at once where it holds its lane", () => {
  const found: readonly Event[] = [{ kind: "worth-showing" }, { kind: "placed", holdsLane: true }];

  expect(after([...found, read({ outcome: answered })], { kind: "ending", end })).toMatchObject({ kind: "ending" });
});
