/** What becomes of the note to wait when its question is answered elsewhere, was answered before, or the platform refuses. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ParleyError } from "../../../src/core/errors.ts";
import type { TurnStore } from "../../../src/core/ports/state.ts";
import { turnSentences } from "../../../src/presentation/sentences.ts";
import { createHarness, type Harness } from "../../bridge/harness.ts";
import { thread } from "../../doubles/people.ts";

let parley: Harness;
let isAway = false;
beforeEach(async () => {
  parley = await createHarness();
});
afterEach(async () => {
  expect(parley.platform.violations).toEqual([]);
  await parley.stop();
});

const event = { eventKey: "memory/T1/general/7", messageId: "7", order: "0000000007" };
const isNote = (text: string) => text.includes("I'll ask when it's back");

function takeStorageAway(): void {
  isAway = true;
  const turns = parley.state().turns as { -readonly [K in keyof TurnStore]: TurnStore[K] };
  const { create } = turns;
  turns.create = async (turn, limits) => {
    if (isAway) throw new ParleyError("state_unavailable");
    return create(turn, limits);
  };
}

/** As the platform shows them to whoever reads the thread. */
function showsOwn(text: string): void {
  parley.platform.say(thread, {
    ...{ messageId: "8", order: "0000000008", authorName: "Parley", isBot: true, isOwn: true },
    ...{ text, attachments: [], atMs: 0 },
  });
}

async function answerOf(text: string): Promise<void> {
  (await parley.agents.run(0)).answer(text);
  await parley.settle(1_000);
}

describe("a question that is delivered again while the storage is down, long after it was asked", () => {
  const late = () => ({ ...event, isRepeated: true, sentAtMs: parley.clock.now() - 60_000 });

  it("gets no note to wait when Parley has said something after it", async () => {
    await parley.say("When?", event).done;
    await answerOf("At two.");
    showsOwn("At two.");
    takeStorageAway();
    await parley.say("When?", late()).done;
    await parley.settle(11 * 60_000);

    expect(parley.texts()).toHaveLength(1);
    expect(parley.texts()[0]).toContain("At two.");
  });

  it("is asked when the storage is back, if what Parley said was about another question", async () => {
    showsOwn("At three.");
    takeStorageAway();
    await parley.say("When?", late()).done;
    await parley.settle(5_000);
    expect(parley.texts()).toEqual([]);

    isAway = false;
    await parley.settle(10_000);
    await answerOf("At two.");
    expect(parley.texts()).toHaveLength(1);
    expect(parley.texts()[0]).toContain("At two.");
  });

  it("gets a note to wait when Parley has said nothing yet", async () => {
    takeStorageAway();
    await parley.say("When?", late()).done;
    await parley.settle(5_000);

    expect(parley.texts().filter(isNote)).toHaveLength(1);
  });

  it("gets no second note to wait when a process that died has posted one", async () => {
    showsOwn(turnSentences.storageAway);
    takeStorageAway();
    await parley.say("When?", late()).done;
    await parley.settle(5_000);

    expect(parley.texts()).toEqual([]);
  });

  it("gets a note to wait when its thread was never opened", async () => {
    await parley.stop();
    const readThread = async () => Promise.reject(new ParleyError("place_gone"));
    parley = await createHarness({ platform: { readThread } });
    takeStorageAway();
    await parley.say("When?", late()).done;
    await parley.settle(5_000);

    expect(parley.texts().filter(isNote)).toHaveLength(1);
  });

  it("is asked when the storage is back, although the thread is never read", async () => {
    await parley.stop();
    parley = await createHarness({ platform: { readThread: () => new Promise<never>(() => {}) } });
    takeStorageAway();
    await parley.say("When?", late()).done;
    await parley.settle(5_000);
    isAway = false;
    await parley.settle(10_000);
    await answerOf("At two.");

    expect(parley.texts()).toEqual([expect.stringContaining("At two.")]);
  });

  it("gets no note to wait where the thread can't be read", async () => {
    await parley.stop();
    const readThread = async () => Promise.reject(new ParleyError("platform_rate_limited"));
    parley = await createHarness({ platform: { readThread } });
    takeStorageAway();
    await parley.say("When?", late()).done;
    await parley.settle(5_000);

    expect(parley.texts()).toEqual([]);
  });
});

describe("a note to wait for a question that another instance has answered", () => {
  /** Answered by another instance, then received by this one while it can't reach the storage. */
  async function toldToWait(): Promise<void> {
    await parley.say("When?", event, parley.neighbour()).done;
    await answerOf("At two.");
    takeStorageAway();
    await parley.say("When?", event).done;
    await parley.settle(1_000);
  }

  it("is removed when the storage is back", async () => {
    await toldToWait();
    expect(parley.texts().filter(isNote)).toHaveLength(1);
    isAway = false;
    await parley.settle(10_000);

    expect(parley.texts().filter(isNote)).toEqual([]);
  });

  it.each(["platform_rate_limited", "platform_unreachable"] as const)(
    "is removed although the platform refuses it several times (%s)",
    async (error) => {
      await toldToWait();
      parley.platform.fail({ on: "remove", error, retryAfterMs: 30_000, times: 5 });
      isAway = false;
      await parley.settle(5 * 60_000);

      expect(parley.texts()).toHaveLength(1);
      expect(parley.texts()[0]).toContain("At two.");
    },
  );

  it("is removed when the response to its post was lost", async () => {
    parley.platform.fail({
      ...{ on: "post", error: "platform_unreachable", takesEffect: true },
      when: ({ payload }) => isNote(payload?.text ?? ""),
    });
    parley.platform.fail({ on: "find", error: "platform_unreachable", times: 2 });
    await toldToWait();
    expect(parley.texts().filter(isNote)).toHaveLength(1);
    isAway = false;
    await parley.settle(60_000);

    expect(parley.texts()).toHaveLength(1);
    expect(parley.texts()[0]).toContain("At two.");
  });

  it("is removed when it was posted while that answer was being recorded as shown", async () => {
    const turns = parley.state().turns as { -readonly [K in keyof TurnStore]: TurnStore[K] };
    const { transition } = turns;
    const recorded = Promise.withResolvers<void>();
    turns.transition = async (id, from, to, ...rest) => {
      if (to === "answered") await recorded.promise;
      return transition(id, from, to, ...rest);
    };
    await parley.say("When?", { ...event, isRepeated: true }, parley.neighbour()).done;
    await answerOf("At two.");
    takeStorageAway();
    await parley.say("When?", event).done;
    await parley.settle(1_000);
    expect(parley.texts().filter(isNote)).toHaveLength(1);
    isAway = false;
    await parley.settle(2_000);
    recorded.resolve();
    await parley.settle(60_000);

    expect(parley.texts()).toHaveLength(1);
    expect(parley.texts()[0]).toContain("At two.");
  });
});

it("a question that is deleted while it waits for the storage is not asked, and its note goes", async () => {
  takeStorageAway();
  await parley.say("When?", event).done;
  await parley.settle(3_000);
  expect(parley.texts().filter(isNote)).toHaveLength(1);

  await parley.send({
    kind: "message-deleted",
    eventKey: "memory/T1/gone",
    questionKey: event.eventKey,
    messageId: "7",
  }).done;
  isAway = false;
  await parley.settle(60_000);

  expect(parley.agents.runs).toEqual([]);
  expect(parley.texts()).toEqual([]);
});
