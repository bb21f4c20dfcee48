/** An end never waits for edits: where they are short, it is posted beside its progress, which is removed later. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Reply } from "../../src/core/model/reply.ts";
import { isOnlyProgress, partsOf, replyOf, restored, supersede } from "../../src/delivery/reply-parts.ts";
import { runs } from "../properties.ts";
import { createBench, document, place } from "./delivery-bench.ts";
import { slackLike, strict } from "./slack-like.ts";

const channel = (at: number) => ({ ...place, channel: `c${at}` });
const anew = { mayPostAnew: true } as const;

describe("the parts of a Reply whose end is posted anew", () => {
  const progress: Reply = { place, parts: [{ index: 0, messageId: "m1", state: "posted", generation: 2 }] };

  it("keep the generation's order, and the store knows what is superseded", () => {
    const { parts, superseded } = supersede(partsOf(progress));

    expect(superseded).toEqual(["m1"]);
    const intended = new Map(
      [...parts].map(([index, part]) => [index, { ...part, state: "intended" as const }] as const),
    );
    expect(replyOf(place, intended, superseded)).toEqual({
      place,
      parts: [{ index: 0, state: "intended", generation: 3 }],
      superseded: [{ messageId: "m1" }],
    });
  });

  it("are as before when nothing was posted, but for the generation", () => {
    const before = partsOf(progress);

    expect([...restored(supersede(before).parts, before)]).toEqual([
      [0, { messageId: "m1", generation: 3, state: "posted" }],
    ]);
  });

  it.each([
    ["progress", { state: "posted", messageId: "m1" } as const, true],
    ["an end", { state: "final", messageId: "m1", hash: "h" } as const, false],
    ["a post with an unknown outcome", { state: "intended" } as const, false],
    ["nothing", { state: "gone", generation: 1 } as const, true],
  ])("are only progress where there is %s", (_what, part, isOnly) => {
    expect(isOnlyProgress(partsOf({ place, parts: [{ index: 0, ...part }] }))).toBe(isOnly);
  });

  it("are stored as they were read when nothing is superseded", () => {
    expect(replyOf(place, partsOf(progress))).toEqual(progress);
  });
});

/** Opens Turns with progress, and uses up all edits. */
async function underPressure(
  count: number,
  placeOf: (at: number) => typeof place,
  options: Parameters<typeof createBench>[0] = {},
) {
  const bench = createBench({ writes: slackLike, enforced: strict, latencyMs: 40, ...options });
  const opened = Array.from({ length: count }, (_, at) =>
    bench.open(`turn${at}`, placeOf(at), { place: placeOf(at), parts: [] }, anew),
  );
  for (const { writer } of opened) writer.show(document("working"), "first-step");
  // Until all have their placeholder, and no edit is left but those for ends.
  for (let at = 0; at < 60; at += 1) {
    for (const [index, { writer }] of opened.entries()) writer.show(document(`step ${at} ${index}`), "step");
    await bench.clock.advance(1_000);
  }
  return { ...bench, opened };
}

/** As the bridge does it after the end. */
async function tidied({ delivery, settle }: ReturnType<typeof createBench>, reply: Reply) {
  for (const { messageId } of reply.superseded ?? []) {
    const instead = document("Answered below.", "done");
    await settle(delivery.removeSuperseded({ place: reply.place, messageId, instead }));
  }
}

describe("many ends at once", () => {
  it.each([
    ["ten in one channel", 10, (at: number) => ({ ...place, thread: `t${at}` }), 4_000],
    ["ten in ten channels", 10, channel, 1_000],
    ["a hundred in a hundred channels", 100, channel, 10_000],
  ])(
    "%s are all readable in time, without a 429, one message for each question",
    async (_, count, placeOf, withinMs) => {
      const bench = await underPressure(count, placeOf);
      const { opened, clock, platform, settle, texts } = bench;
      const sinceMs = clock.now();

      await settle(Promise.all(opened.map(({ writer }, at) => writer.finish(document(`answer ${at}`, "done")))));

      expect(clock.now() - sinceMs).toBeLessThanOrEqual(withinMs);
      for (const { writer } of opened) await tidied(bench, writer.current());
      expect(opened.map((_one, at) => texts(placeOf(at)))).toEqual(opened.map((_one, at) => [`answer ${at}`]));
      expect(platform.rateLimited()).toBe(0);
      expect(platform.violations).toEqual([]);
    },
  );

  it("use edits first: one message edited in place while there are tokens", async () => {
    const { opened, ends, settle } = await underPressure(5, channel);

    await settle(Promise.all(opened.map(({ writer }) => writer.finish(document("answer", "done")))));

    expect(ends).toEqual(["edit", "edit", "edit", "edit", "edit"]);
  });
});

describe("an end for which no edit is left", () => {
  /** Its progress is shown, and the last edit was used a moment ago. */
  async function short(options: Parameters<typeof createBench>[0] = {}) {
    const writes = {
      ...slackLike,
      perWorkspace: { capacity: 1, refillPerMinute: 6, counts: "edits" as const },
      keptForFinals: 0,
    };
    const bench = createBench({ writes, ...options });
    const { writer, saved } = bench.open("turn1", place, { place, parts: [] }, anew);
    writer.show(document("working"), "first-step");
    await bench.clock.advance(10);
    writer.show(document("step"), "step");
    await bench.clock.advance(100);
    return { ...bench, writer, saved };
  }
  const answer = document("answer", "done");

  it("is posted at once; the store knows it and the progress before the post", async () => {
    const { writer, saved, settle, texts, ends, clock } = await short();
    const sinceMs = clock.now();

    await settle(writer.finish(answer));

    expect(clock.now()).toBe(sinceMs);
    expect(texts()).toEqual(["step", "answer"]);
    expect(saved.at(-3)).toMatchObject({
      parts: [{ state: "intended", generation: 1 }],
      superseded: [{ messageId: "m1" }],
    });
    expect(writer.current()).toMatchObject({
      parts: [{ messageId: "m2", state: "final" }],
      superseded: [{ messageId: "m1" }],
    });
    expect(ends).toEqual(["anew"]);
  });

  it("waits for the edit where it may not be a new message", async () => {
    const { open, clock, settle, texts } = await short();
    const other = open("job1", channel(2));
    other.writer.show(document("working"), "first-step");
    await clock.advance(10);

    await settle(other.writer.finish(answer));

    expect(texts(channel(2))).toEqual(["answer"]);
  });

  it("waits for an edit that comes soon, whatever ends at the same moment in another workspace", async () => {
    const perWorkspace = { capacity: 1, refillPerMinute: 60, counts: "edits" as const };
    const { open, clock, settle, ends } = createBench({ writes: { ...slackLike, perWorkspace, keptForFinals: 0 } });
    const writers = ["w1", "w2"].map((workspace) => {
      const at = { ...place, workspace };
      return open(`turn of ${workspace}`, at, { place: at, parts: [] }, anew).writer;
    });
    for (const writer of writers) writer.show(document("working"), "first-step");
    await clock.advance(10);
    for (const writer of writers) writer.show(document("step"), "step");
    await clock.advance(585);

    await settle(Promise.all(writers.map((writer) => writer.finish(answer))));

    expect(ends).toEqual(["edit", "edit"]);
  });

  it("is edited after all when the new post gets a 429 and the edit comes first", async () => {
    const { writer, platform, settle, texts, ends } = await short();
    platform.fail({ on: "post", error: "platform_rate_limited", retryAfterMs: 60_000 });

    await settle(writer.finish(answer));

    expect(texts()).toEqual(["answer"]);
    expect(writer.current()).toMatchObject({ parts: [{ messageId: "m1", state: "final" }] });
    expect(writer.current().superseded).toBeUndefined();
    expect(ends).toEqual(["edit"]);
  });

  it("is posted when the 429 of the new post is over first", async () => {
    const { writer, platform, settle, texts } = await short();
    platform.fail({ on: "post", error: "platform_rate_limited", retryAfterMs: 2_000 });

    await settle(writer.finish(answer));

    expect(texts()).toEqual(["step", "answer"]);
  });

  it.each(["not_permitted", "place_gone", "platform_refused"] as const)(
    "waits for the edit where nothing new may be posted: %s",
    async (error) => {
      const { writer, platform, settle, texts, ends } = await short();
      platform.fail({ on: "post", error, times: 100 });

      await settle(writer.finish(answer));

      expect(texts()).toEqual(["answer"]);
      expect(writer.current().superseded).toBeUndefined();
      expect(ends).toEqual(["edit"]);
    },
  );

  it("is found when the response to its post is lost, and edited no more than once", async () => {
    const { writer, platform, settle, texts } = await short();
    platform.fail({ on: "post", error: "platform_unreachable", takesEffect: true });

    await settle(writer.finish(answer));

    expect(texts()).toEqual(["step", "answer"]);
    expect(writer.current().superseded).toEqual([{ messageId: "m1" }]);
  });

  it("takes the place of progress that a person deletes meanwhile", async () => {
    const bench = await short();
    bench.platform.deleteMessage("m1");

    await bench.settle(bench.writer.finish(answer));
    await tidied(bench, bench.writer.current());

    expect(bench.texts()).toEqual(["answer"]);
  });

  it("leaves a sentence where the progress can't be removed", async () => {
    const bench = await short();
    bench.platform.fail({ on: "remove", error: "not_permitted", times: 100 });
    await bench.settle(bench.writer.finish(answer));

    // An edit to spare: nothing else needs one.
    const instead = document("Answered below.", "done");
    const removed = () => bench.delivery.removeSuperseded({ place, messageId: "m1", instead });
    let outcome = await bench.settle(removed());
    for (let tries = 0; tries < 5 && outcome === "later"; tries += 1) outcome = await bench.settle(removed());

    expect(outcome).toBe("done");
    expect(bench.texts()).toEqual(["Answered below.", "answer"]);
  });

  it("is never posted beside an answer that is shown: a question that is asked again waits", async () => {
    const bench = await short();
    await bench.settle(bench.writer.finish(answer));
    await bench.writer.close();
    const again = bench.open("turn1", place, bench.writer.current(), anew);
    await bench.clock.advance(11_000);
    again.writer.show(document("again"), "first-step");
    await bench.clock.advance(200);
    expect(bench.texts()).toEqual(["step", "again"]);

    // It shows progress by now, so its end may be a new message; the first one is still to be removed.
    await bench.settle(again.writer.finish(document("other answer", "done")));

    expect(again.writer.current().superseded).toEqual([{ messageId: "m1" }, { messageId: "m2" }]);
    await tidied(bench, again.writer.current());
    expect(bench.texts()).toEqual(["other answer"]);
  });
});

const happening = fc.oneof(
  fc.record({ kind: fc.constant("show" as const), who: fc.nat(4) }),
  fc.record({ kind: fc.constant("finish" as const), who: fc.nat(4) }),
  fc.record({ kind: fc.constant("wait" as const), ms: fc.nat(2_500) }),
  fc.record({ kind: fc.constant("delete" as const), who: fc.nat(4) }),
  fc.record({ kind: fc.constant("crash" as const), who: fc.nat(4) }),
  fc.record({
    kind: fc.constant("fault" as const),
    on: fc.constantFrom("post" as const, "edit" as const, "remove" as const, "find" as const),
    error: fc.constantFrom("platform_rate_limited" as const, "platform_unreachable" as const),
    takesEffect: fc.boolean(),
  }),
);

it("exactly one whole answer is there when all is quiet, whatever the budgets, 429s, deletions and crashes", async () => {
  const bucket = fc.record({
    capacity: fc.integer({ min: 1, max: 6 }),
    refillPerMinute: fc.integer({ min: 6, max: 120 }),
  });
  await fc.assert(
    fc.asyncProperty(bucket, bucket, bucket, fc.array(happening, { maxLength: 30 }), async (edits, all, one, story) => {
      const writes = {
        perWorkspace: { ...edits, counts: "edits" as const },
        posts: { perWorkspace: all, perChannel: one },
        keptForFinals: 1,
      };
      const bench = createBench({ writes, maxChars: 60, latencyMs: 30 });
      const { open, clock, platform, settle, texts } = bench;
      const at = (who: number) => ({ ...place, thread: `t${who}` });
      const turns = [0, 1, 2, 3, 4].map((who) => ({
        who,
        ...open(`turn${who}`, at(who), undefined, anew),
        ending: undefined as Promise<void> | undefined,
      }));
      const answer = (who: number) =>
        document(`answer of turn ${who}, which takes two messages, as it is long enough`, "done");
      const finish = (turn: (typeof turns)[number]) => {
        turn.ending ??= turn.writer.finish(answer(turn.who));
        turn.ending.catch(() => undefined);
      };
      for (const [step, event] of story.entries()) {
        if (event.kind === "wait") await clock.advance(event.ms);
        else if (event.kind === "fault")
          platform.fail({ ...event, takesEffect: event.takesEffect && event.error !== "platform_rate_limited" });
        else {
          const turn = turns[event.who];
          if (turn === undefined) continue;
          if (event.kind === "show") turn.writer.show(document(`step ${step}`), "step");
          else if (event.kind === "finish") finish(turn);
          else if (event.kind === "delete") {
            // Of an answer that a person deletes, nothing comes back.
            if (turn.ending === undefined) platform.deleteMessage(platform.thread(at(event.who))[0]?.messageId ?? "");
          } else {
            // What was under way is cut off from the store.
            const stored = turn.writer.current();
            const wasEnding = turn.ending !== undefined;
            await settle(turn.writer.close());
            const isKnown = stored.parts.length > 0;
            const reply = isKnown
              ? turn.writer.current()
              : { place: at(event.who), parts: [{ index: 0, state: "intended" as const }] };
            Object.assign(turn, open(`turn${event.who}`, at(event.who), reply, { mayPostAnew: !wasEnding }), {
              ending: undefined,
            });
            if (wasEnding) finish(turn);
          }
        }
      }
      for (const turn of turns) finish(turn);
      await settle(Promise.all(turns.map(({ ending }) => ending)));
      for (const { writer } of turns) await tidied(bench, writer.current());

      for (const { who } of turns)
        expect(texts(at(who)).join("")).toBe(`answer of turn ${who}, which takes two messages, as it is long enough`);
    }),
    { numRuns: runs(150) },
  );
});
