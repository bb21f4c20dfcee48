/**
 * Deleted messages that are posted again. The in-memory platform deduplicates posts like real ones: for a known mark it
 * returns the earlier message, even if that was deleted.
 */
import { describe, expect, it } from "vitest";
import type { Reply } from "../../src/core/model/reply.ts";
import { createBench, document, place } from "./delivery-bench.ts";

const long = (words: string) => document(`${words} `.repeat(900), "done");
const short = document("one", "done");

describe("an end whose message was deleted", () => {
  it("is posted again under another mark, and seen", async () => {
    const { open, clock, platform, settle, texts } = createBench();
    const { writer, saved } = open();
    writer.show(document("looking"));
    await clock.advance(0);

    platform.deleteMessage("m1");
    await settle(writer.finish(short));

    expect(texts()).toEqual(["one"]);
    expect(platform.thread(place).map(({ mark }) => mark)).toEqual([{ replyId: "turn1", part: 0, generation: 1 }]);
    expect(saved.at(-1)?.parts).toMatchObject([{ index: 0, messageId: "m2", state: "final", generation: 1 }]);
  });

  it("is posted again as often as it is deleted", async () => {
    const { open, platform, settle, texts } = createBench();
    let reply: Reply = { place, parts: [] };
    for (const words of ["one", "two", "three"]) {
      const { writer, saved } = open("turn1", place, reply);
      await settle(writer.finish(document(words, "done")));
      await writer.close();
      reply = saved.at(-1) ?? reply;
      expect(texts()).toEqual([words]);
      platform.deleteMessage(platform.thread(place)[0]?.messageId ?? "");
    }
    expect(reply.parts).toMatchObject([{ generation: 2 }]);
  });

  it("is posted again when that happened before its post was known", async () => {
    const { open, clock, platform, settle, texts } = createBench();
    const { writer } = open();
    platform.fail({ on: "post", error: "platform_unreachable", takesEffect: true });
    writer.show(document("looking"));
    await clock.advance(0);
    platform.deleteMessage("m1");

    await settle(writer.finish(short));

    expect(texts()).toEqual(["one"]);
  });

  it("deletes messages of an earlier attempt that appear later", async () => {
    const { open, clock, platform, settle, texts } = createBench();
    const { writer } = open();
    platform.fail({ on: "post", error: "platform_unreachable", takesEffect: true });
    // The first search comes too early to see it.
    platform.fail({ on: "find", error: "platform_unreachable", seesNothing: true });
    writer.show(document("looking"));
    await clock.advance(0);
    await settle(writer.finish(short));

    expect(texts()).toEqual(["one"]);
    expect(platform.thread(place)).toHaveLength(1);
  });

  it("is followed by parts that were removed and are needed again", async () => {
    const { open, settle, texts, platform } = createBench();
    let reply: Reply = { place, parts: [] };
    for (const [answer, messages] of [
      [long("aaaa"), 3],
      [short, 1],
      [long("bbbb"), 3],
    ] as const) {
      const { writer, saved } = open("turn1", place, reply);
      await settle(writer.finish(answer));
      await writer.close();
      reply = saved.at(-1) ?? reply;
      expect(texts()).toHaveLength(messages);
    }
    expect(platform.thread(place).map(({ mark }) => mark.generation)).toEqual([0, 1, 1]);
    expect(platform.violations).toEqual([]);
  });
});

describe("what was stored", () => {
  it("before there were generations is the first of them", async () => {
    const { open, platform, settle, texts } = createBench();
    const old = open();
    await settle(old.writer.finish(short));
    await old.writer.close();

    const reply: Reply = { place, parts: [{ index: 0, messageId: "m1", state: "posted" }] };
    const { writer, saved } = open("turn1", place, reply);
    await settle(writer.finish(document("two", "done")));

    expect(texts()).toEqual(["two"]);
    expect(platform.thread(place)).toHaveLength(1);
    expect(saved.at(-1)?.parts).toEqual([{ index: 0, messageId: "m1", state: "final", hash: expect.any(String) }]);
  });

  it("as about to be posted is looked for in its own generation, and messages of an earlier one are deleted", async () => {
    const { open, platform, settle, texts } = createBench();
    const first = open();
    await settle(first.writer.finish(short));
    await first.writer.close();
    // The message could not be edited; its successor was posted, and then the process died.
    const rewritten: Reply = { place, parts: [{ index: 0, state: "gone", generation: 1 }] };
    const second = open("turn1", place, rewritten);
    await settle(second.writer.finish(document("two", "done")));
    await second.writer.close();
    expect(texts()).toEqual(["one", "two"]);

    const third = open("turn1", place, { place, parts: [{ index: 0, state: "intended", generation: 1 }] });
    await settle(third.writer.finish(document("two", "done")));

    expect(texts()).toEqual(["two"]);
    expect(platform.writes.filter(({ kind }) => kind === "post")).toHaveLength(2);
  });
});
