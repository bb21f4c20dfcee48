import { describe, expect, it, vi } from "vitest";
import { createBench, document, place } from "./delivery-bench.ts";

describe("progress", () => {
  it("posts the first document at once and edits the same message afterwards", async () => {
    const { open, clock, texts, outcomes } = createBench();
    const { writer } = open();

    writer.show(document("one"));
    await clock.advance(0);
    writer.show(document("two"));
    await clock.advance(0);

    expect(texts()).toEqual(["two"]);
    expect(outcomes()).toEqual(["post ok", "edit ok"]);
  });

  it("sends only the newest of what came while a write was in flight", async () => {
    const { open, clock, platform } = createBench({ latencyMs: 100 });
    const { writer } = open();

    writer.show(document("one"));
    await clock.advance(50);
    for (const text of ["two", "three", "four"]) writer.show(document(text));
    await clock.advance(1_000);

    expect(platform.writes.map((write) => write.payload?.text)).toEqual(["one", "four"]);
    expect(platform.violations).toEqual([]);
  });

  it("is not shown if that is no longer allowed when its token comes", async () => {
    const writes = { perWorkspace: { capacity: 10, refillPerMinute: 40 }, keptForFinals: 4 };
    const { open, clock, texts } = createBench({ writes, tokenMs: 1_000 });
    let isAllowed = true;
    const { writer } = open("turn1", place, { place, parts: [] }, { mayShow: () => isAllowed });

    writer.show(document("one"));
    await clock.advance(500);
    isAllowed = false;
    await clock.advance(5_000);
    expect(texts()).toEqual([]);

    isAllowed = true;
    writer.show(document("two"));
    await clock.advance(5_000);
    expect(texts()).toEqual(["two"]);
  });

  it("shows as one what follows at once, where edits are scarce", async () => {
    const { open, clock, platform } = createBench({ writes: { keptForFinals: 0, debounceMs: 75 } });
    const { writer } = open();

    writer.show(document("one"));
    await clock.advance(0);
    writer.show(document("two"));
    await clock.advance(70);
    writer.show(document("three"));
    await clock.advance(5);

    expect(platform.writes.map((write) => write.payload?.text)).toEqual(["one", "three"]);
  });

  it("waits no longer than until the next update, whose parts can arrive one by one", async () => {
    const { open, clock, platform } = createBench({ writes: { keptForFinals: 0, debounceMs: 75 } });
    const { writer } = open();

    writer.show(document("one"));
    await clock.advance(0);
    writer.show(document("two"));
    await clock.advance(5);
    writer.show(document("two and a half"));
    await clock.advance(45);
    expect(platform.writes.map((write) => write.payload?.text)).toEqual(["one"]);
    writer.show(document("three"));
    await clock.advance(0);

    expect(platform.writes.map((write) => write.payload?.text)).toEqual(["one", "three"]);
  });

  it("lets nothing settle before the end is shown", async () => {
    const { open, clock, texts } = createBench({ writes: { keptForFinals: 0, debounceMs: 75 } });
    const { writer } = open();
    writer.show(document("one"));
    await clock.advance(0);
    writer.show(document("two"));
    void writer.finish(document("end", "done"));
    await clock.advance(0);

    expect(texts()).toEqual(["end"]);
  });

  it("does not send what is already shown", async () => {
    const { open, clock, platform } = createBench();
    const { writer } = open();

    writer.show(document("one"));
    await clock.advance(10);
    writer.show(document("one"));
    await clock.advance(10);

    expect(platform.writes).toHaveLength(1);
  });

  it("continues after a refused edit", async () => {
    const { open, clock, platform, texts } = createBench();
    const { writer } = open();
    writer.show(document("one"));
    await clock.advance(0);

    platform.fail({ on: "edit", error: "payload_refused" });
    writer.show(document("two"));
    await clock.advance(0);
    writer.show(document("three"));
    await clock.advance(0);

    expect(texts()).toEqual(["three"]);
  });

  it("is over when the message was deleted", async () => {
    const { open, clock, platform } = createBench();
    const { writer } = open();
    writer.show(document("one"));
    await clock.advance(0);

    platform.deleteMessage("m1");
    writer.show(document("two"));
    await clock.advance(5_000);
    writer.show(document("three"));
    await clock.advance(5_000);

    expect(platform.writes.map((write) => `${write.kind} ${write.outcome}`)).toEqual(["post ok", "edit message_gone"]);
  });

  it("never follows the end", async () => {
    const { open, clock, settle, texts } = createBench();
    const { writer } = open();

    await settle(writer.finish(document("the answer", "done")));
    writer.show(document("late progress"));
    await clock.advance(60_000);

    expect(texts()).toEqual(["the answer"]);
  });
});

describe("the end", () => {
  it("is shown in the message that showed progress", async () => {
    const { open, clock, settle, texts, platform } = createBench({ latencyMs: 30 });
    const { writer, saved } = open();
    writer.show(document("working"));
    await clock.advance(100);

    await settle(writer.finish(document("the answer", "done")));

    expect(texts()).toEqual(["the answer"]);
    expect(saved.at(-1)?.parts).toEqual([
      { index: 0, messageId: "m1", state: "final", hash: expect.stringMatching(/^.{10,}$/) },
    ]);
    expect(platform.violations).toEqual([]);
  });

  it("is drawn once if it is short: what is measured is what is sent", async () => {
    const { open, platform, settle, texts } = createBench();
    const { writer } = open();
    const render = vi.spyOn(platform, "render");

    await settle(writer.finish(document("end", "done")));

    expect(texts()).toEqual(["end"]);
    expect(render).toHaveBeenCalledTimes(1);
  });

  it("replaces progress that was shown at the same moment", async () => {
    const { open, settle, platform } = createBench({ latencyMs: 30 });
    const { writer } = open();

    writer.show(document("working"));
    await settle(writer.finish(document("the answer", "done")));

    expect(platform.writes.map((write) => write.payload?.text)).toEqual(["the answer"]);
  });

  it("continues in further messages, in order, and loses nothing", async () => {
    const { open, settle, texts, platform } = createBench({ maxChars: 100 });
    const { writer, saved } = open();
    const long = Array.from({ length: 30 }, (_word, at) => `word number ${at}.`).join(" ");

    await settle(writer.finish(document(long, "done")));

    expect(texts().join("")).toBe(long);
    expect(texts().length).toBeGreaterThan(4);
    expect(platform.thread(place).map((message) => message.mark.part)).toEqual(texts().map((_text, at) => at));
    expect(saved.at(-1)?.parts.every((part) => part.state === "final")).toBe(true);
  });

  it("removes the messages that a shorter answer does not need", async () => {
    const { open, settle, texts } = createBench({ maxChars: 100 });
    const first = open();
    await settle(first.writer.finish(document("long words ".repeat(40), "done")));
    const again = open("turn1", place, first.writer.current());

    again.writer.show(document("working"));
    await settle(again.writer.finish(document("short", "done")));

    expect(texts()).toEqual(["short"]);
    const [kept, ...others] = again.writer.current().parts;
    expect(kept?.state).toBe("final");
    expect(others.every(({ state, messageId }) => state === "gone" && messageId === undefined)).toBe(true);
  });

  it("stands even when a message too many cannot be removed", async () => {
    const { open, settle, texts, platform } = createBench({ maxChars: 100 });
    const first = open();
    await settle(first.writer.finish(document("long words ".repeat(15), "done")));
    platform.fail({ on: "remove", error: "not_permitted" });

    const again = open("turn1", place, first.writer.current());
    await settle(again.writer.finish(document("short", "done")));

    expect(texts()[0]).toBe("short");
    const [kept, ...others] = again.writer.current().parts;
    expect(kept?.state).toBe("final");
    expect(others.every(({ state, messageId }) => state === "gone" && messageId === undefined)).toBe(true);
  });

  it("writes nothing when it is already shown", async () => {
    const { open, settle, platform } = createBench();
    const first = open();
    await settle(first.writer.finish(document("the answer", "done")));

    await settle(open("turn1", place, first.writer.current()).writer.finish(document("the answer", "done")));

    expect(platform.writes).toHaveLength(1);
  });

  it("waits out Retry-After and is shown then", async () => {
    const { open, clock, settle, platform, texts } = createBench();
    const { writer } = open();
    writer.show(document("working"));
    await clock.advance(0);
    platform.fail({ on: "edit", error: "platform_rate_limited", retryAfterMs: 20_000 });
    const startedAtMs = clock.now();

    await settle(writer.finish(document("the answer", "done")));

    expect(texts()).toEqual(["the answer"]);
    expect((platform.writes.at(-1)?.startedAtMs ?? 0) - startedAtMs).toBe(20_000);
  });

  it("is retried with backoff while the platform is unreachable", async () => {
    const { open, clock, settle, platform, texts } = createBench();
    const { writer } = open();
    writer.show(document("working"));
    await clock.advance(0);
    platform.fail({ on: "edit", error: "platform_unreachable", times: 4 });

    await settle(writer.finish(document("the answer", "done")));

    const starts = platform.writes.slice(1).map((write) => write.startedAtMs);
    expect(texts()).toEqual(["the answer"]);
    expect(starts.slice(1).map((at, index) => at - (starts[index] ?? 0))).toEqual([1_000, 2_000, 4_000, 8_000]);
  });

  it("is given up after ten minutes of failures", async () => {
    const { open, clock, settle, platform } = createBench();
    const { writer } = open();
    writer.show(document("working"));
    await clock.advance(0);
    platform.fail({ on: "edit", error: "platform_unreachable", times: 1_000 });
    const startedAtMs = clock.now();

    await expect(settle(writer.finish(document("the answer", "done")))).rejects.toMatchObject({
      code: "platform_unreachable",
    });

    expect(clock.now() - startedAtMs).toBeGreaterThanOrEqual(600_000);
    expect(clock.now() - startedAtMs).toBeLessThan(640_000);
  });

  it("is posted again when the message can no longer be edited, and the old one is removed", async () => {
    const { open, clock, settle, platform, texts } = createBench();
    const { writer } = open();
    writer.show(document("working"));
    await clock.advance(0);
    platform.fail({ on: "edit", error: "message_not_editable", times: 99 });

    await settle(writer.finish(document("the answer", "done")));

    expect(texts()).toEqual(["the answer"]);
    expect(writer.current().parts[0]?.messageId).toBe("m2");
  });

  it("is posted again when the message was deleted", async () => {
    const { open, clock, settle, platform, texts } = createBench();
    const { writer } = open();
    writer.show(document("working"));
    await clock.advance(0);
    platform.deleteMessage("m1");

    await settle(writer.finish(document("the answer", "done")));

    expect(texts()).toEqual(["the answer"]);
    expect(platform.violations).toEqual([]);
  });

  it("keeps its parts in order when a middle one was deleted", async () => {
    const { open, settle, platform, texts } = createBench({ maxChars: 60 });
    const first = open();
    await settle(first.writer.finish(document("old words here. ".repeat(12), "done")));
    const second = platform.thread(place)[1]?.messageId ?? "";
    platform.deleteMessage(second);
    const again = open("turn1", place, first.writer.current());
    const answer = "new words there. ".repeat(12);

    await settle(again.writer.finish(document(answer, "done")));

    expect(texts().join("")).toBe(answer);
  });

  it("is shown as plain text when the formatting was refused", async () => {
    const { open, clock, settle, platform, texts } = createBench();
    const { writer } = open();
    writer.show(document("working"));
    await clock.advance(0);
    platform.fail({ on: "edit", error: "payload_refused" });

    await settle(writer.finish({ ...document("", "done"), blocks: [{ kind: "markdown", text: "**the answer**" }] }));

    expect(texts()).toEqual(["**the answer**"]);
  });

  it("rejects when even the plain text was refused", async () => {
    const { open, settle, platform } = createBench();
    platform.fail({ on: "post", error: "payload_refused", times: 2 });

    await expect(settle(open().writer.finish(document("the answer")))).rejects.toMatchObject({
      code: "payload_refused",
    });
  });

  it("rejects with the fault when it can't be drawn, and the next end is shown", async () => {
    const { open, settle, platform, texts } = createBench();
    const { writer } = open();
    const render = vi.spyOn(platform, "render").mockImplementation(() => {
      throw new Error("a fault");
    });

    await expect(settle(writer.finish(document("the answer")))).rejects.toThrow("a fault");
    render.mockRestore();
    await settle(writer.finish(document("an error", "failed")));

    expect(texts()).toEqual(["an error"]);
  });

  it.each(["place_gone", "not_permitted"] as const)("rejects at once with %s", async (code) => {
    const { open, settle, platform } = createBench();
    platform.fail({ on: "post", error: code });

    await expect(settle(open().writer.finish(document("the answer")))).rejects.toMatchObject({ code });

    expect(platform.writes).toHaveLength(1);
  });

  it("rejects with the signal's reason and writes no more", async () => {
    const { open, clock, settle, platform } = createBench();
    const stop = new AbortController();
    platform.fail({ on: "post", error: "platform_rate_limited", retryAfterMs: 5_000, times: 99 });
    const finishing = open().writer.finish(document("the answer"), stop.signal);
    finishing.catch(() => {});
    await clock.advance(1_000);

    stop.abort(new Error("drained"));

    await expect(settle(finishing)).rejects.toThrow("drained");
    const tried = platform.writes.length;
    await clock.advance(60_000);
    expect(platform.writes).toHaveLength(tried);
  });
});

describe("a post whose outcome is unknown", () => {
  it("is looked for and adopted, not posted twice", async () => {
    const { open, settle, platform, texts } = createBench();
    platform.fail({ on: "post", error: "platform_unreachable", takesEffect: true });

    await settle(open().writer.finish(document("the answer", "done")));

    expect(texts()).toEqual(["the answer"]);
    expect(platform.writes.filter((write) => write.kind === "post")).toHaveLength(1);
    expect(platform.violations.filter((one) => one.includes("second message"))).toEqual([]);
  });

  it("is posted again when it is not there", async () => {
    const { open, settle, platform, texts } = createBench();
    platform.fail({ on: "post", error: "platform_unreachable" });

    await settle(open().writer.finish(document("the answer", "done")));

    expect(texts()).toEqual(["the answer"]);
  });

  it("is looked for when the process died between the post and its record", async () => {
    const { open, settle, platform, texts } = createBench();
    const first = open();
    await settle(first.writer.finish(document("working")));

    const again = open("turn1", place, { place, parts: [{ index: 0, state: "intended" }] });
    await settle(again.writer.finish(document("the answer", "done")));

    expect(texts()).toEqual(["the answer"]);
    expect(platform.violations).toEqual([]);
  });
});

describe("a Reply that others may have posted for too", () => {
  it("ends as one message, also when the other one came after the first look", async () => {
    const { delivery, open, settle, clock, texts } = createBench();
    const opened = { replyId: "turn1", reply: { place, parts: [] }, save: async () => {} };
    const writer = delivery.open({ ...opened, mayHaveTwins: true });
    writer.show(document("looking"));
    await clock.advance(5_000);
    open().writer.show(document("please wait"));
    await clock.advance(5_000);
    expect(texts()).toEqual(["looking", "please wait"]);

    await settle(writer.finish(document("the answer", "done")));

    expect(texts()).toEqual(["the answer"]);
  });
});

describe("what is stored", () => {
  it("is intended before the post, posted after it, final at the end", async () => {
    const { open, clock, settle, platform } = createBench({ latencyMs: 50 });
    const { writer, saved } = open();

    writer.show(document("working"));
    await clock.advance(10);
    expect(saved).toEqual([{ place, parts: [{ index: 0, state: "intended" }] }]);
    expect(platform.thread(place)).toEqual([]);
    await clock.advance(100);
    expect(saved.at(-1)?.parts).toEqual([{ index: 0, messageId: "m1", state: "posted" }]);
    await settle(writer.finish(document("the answer", "done")));

    expect(saved.at(-1)?.parts[0]?.state).toBe("final");
  });

  it("never claims a hash for a message that is being changed", async () => {
    const { open, clock, settle, platform } = createBench({ latencyMs: 50 });
    const first = open();
    await settle(first.writer.finish(document("the answer", "done")));
    const again = open("turn1", place, first.writer.current());

    again.writer.show(document("asking again"));
    await clock.advance(10);

    expect(platform.writes.at(-1)).toMatchObject({ kind: "edit", outcome: "pending" });
    expect(again.saved.at(-1)?.parts).toEqual([{ index: 0, messageId: "m1", state: "posted" }]);
  });

  it("is written once per change, not once per edit", async () => {
    const { open, clock } = createBench();
    const { writer, saved } = open();

    for (let at = 0; at < 20; at += 1) {
      writer.show(document(`step ${at}`));
      await clock.advance(1_000);
    }

    expect(saved).toHaveLength(2);
  });

  it("must succeed: if the intended post can't be stored, nothing is posted", async () => {
    const { clock, platform, delivery } = createBench();
    const writer = delivery.open({
      replyId: "turn1",
      reply: { place, parts: [] },
      save: async () => {
        throw new Error("disk full");
      },
    });

    writer.show(document("working"));
    await clock.advance(10);

    expect(platform.writes).toEqual([]);
  });
});

describe("closing", () => {
  it("waits for the write in flight and sends no more", async () => {
    const { open, clock, platform } = createBench({ latencyMs: 100 });
    const { writer } = open();
    writer.show(document("one"));
    await clock.advance(10);
    writer.show(document("two"));

    let isClosed = false;
    const closing = writer.close().then(() => {
      isClosed = true;
    });
    await clock.advance(50);
    expect(isClosed).toBe(false);
    await clock.advance(1_000);
    await closing;

    expect(platform.writes.map((write) => write.payload?.text)).toEqual(["one"]);
    expect(writer.current().parts[0]?.messageId).toBe("m1");
  });
});
