/**
 * Answers too long for their messages: the rest is attached as a file, exactly once, and nothing is lost between the
 * last message and the file.
 */
import { describe, expect, it } from "vitest";
import type { Document } from "../../src/core/document.ts";
import { filePart, type Reply } from "../../src/core/model/reply.ts";
import { createBench, document, place } from "./delivery-bench.ts";

const words = (count: number, mark: string) => Array.from({ length: count }, (_, at) => `${mark}${at}`);
const long = (mark = "w", count = 12_000): Document => ({
  ...document(words(count, mark).join(" "), "done"),
  whenCut: { id: "rest", label: "Get the rest", value: "turn1", style: "plain" },
});
const note = /The rest \([\d,]+ characters\) is in the attached file\./;

function allWords(bench: ReturnType<typeof createBench>, mark = "w"): readonly string[] {
  const shown = [...bench.texts(), ...bench.platform.files.map(({ content }) => content)].join(" ");
  return shown.match(new RegExp(`\\b${mark}\\d+\\b`, "g")) ?? [];
}

describe("an answer that is too long", () => {
  it("has ten messages, a file with the rest, and a note in the last message", async () => {
    const bench = createBench();
    const { writer, saved } = bench.open();
    await bench.settle(writer.finish(long()));

    expect(bench.texts()).toHaveLength(10);
    expect(bench.texts().filter((text) => note.test(text))).toEqual([bench.texts().at(-1)]);
    expect(bench.platform.files).toMatchObject([{ name: "answer.md", after: 10 }]);
    expect(allWords(bench)).toEqual(words(12_000, "w"));
    expect(saved.at(-1)?.parts.at(-1)).toMatchObject({ index: filePart, state: "final" });
    expect(bench.platform.violations).toEqual([]);
  });

  it("is not too long if it just fits", async () => {
    const bench = createBench();
    await bench.settle(bench.open().writer.finish(document("word ".repeat(3_900), "done")));

    expect(bench.texts()).toHaveLength(10);
    expect(bench.texts().join("")).not.toMatch(/rest/);
    expect(bench.platform.files).toEqual([]);
  });

  it("has no file and no messages if it is only empty lines", async () => {
    const bench = createBench();
    await bench.settle(
      bench.open().writer.finish(document(`one${"\n".repeat(50_000)}two${"\n".repeat(500_000)}`, "done")),
    );

    expect(bench.texts().map((text) => text.trim())).toEqual(["one", "two"]);
    expect(bench.platform.files).toEqual([]);
  });

  it("keeps its sources, small print and buttons below the note", async () => {
    const bench = createBench();
    const end: Document = {
      ...long(),
      blocks: [
        ...long().blocks,
        {
          kind: "sources",
          sources: Array.from({ length: 400 }, (_, at) => ({ number: at + 1, title: `Source ${at}` })),
        },
        { kind: "quiet", text: [{ text: "small print" }] },
      ],
      actions: [{ id: "thumb-up", label: "👍", value: "turn1", style: "plain" }],
    };
    await bench.settle(bench.open().writer.finish(end));

    const last = bench.platform.thread(place).at(-1)?.payload;
    expect(last?.text).toMatch(/attached file\.\n\nSources\n\[1\] Source 0[\s\S]*\[25\] Source 24\n\nsmall print$/);
    expect(last?.actions.map(({ id }) => id)).toEqual(["thumb-up"]);
    expect(bench.platform.files[0]?.content).toContain("[400] Source 399");
  });

  it("has the rows of its table in order, with the header repeated in the file", async () => {
    const bench = createBench();
    const rows = Array.from({ length: 5_000 }, (_, at) => [`r${at}`, "a|b"]);
    const end: Document = {
      ...document("x", "done"),
      blocks: [{ kind: "table", table: { columns: ["k", "v"], rows } }],
    };
    await bench.settle(bench.open().writer.finish(end));

    expect(bench.texts().length).toBeLessThanOrEqual(10);
    expect(allWords(bench, "r")).toEqual(words(5_000, "r"));
    expect(bench.platform.files[0]?.content).toMatch(/^\| k \| v \|\n\| --- \| --- \|\n\| r\d+ \| a\\\|b \|\n/);
  });

  it("closes a fence that is cut, and opens it again in the file", async () => {
    const bench = createBench();
    const code = `\`\`\`sql\n${words(9_000, "c").join("\n")}\n\`\`\`\n`;
    await bench.settle(bench.open().writer.finish(document(code, "done")));

    expect(bench.texts().at(-1)).toMatch(/\n```\n\nThe rest/);
    expect(bench.platform.files[0]?.content).toMatch(/^```sql\nc\d+\n/);
    expect(allWords(bench, "c")).toEqual(words(9_000, "c"));
  });

  it("writes nothing into the file that reverses or hides text", async () => {
    const bench = createBench();
    await bench.settle(bench.open().writer.finish(document("a\u202E\u200Bb ".repeat(40_000), "done")));

    expect(bench.platform.files[0]?.content).toMatch(/^(ab )+ab\n$/);
  });
});

describe("the file", () => {
  it("is found and not uploaded twice when the platform's answer was lost", async () => {
    const bench = createBench();
    bench.platform.fail({ on: "upload", error: "platform_unreachable", takesEffect: true });
    await bench.settle(bench.open().writer.finish(long()));

    expect(bench.platform.files).toHaveLength(1);
    expect(allWords(bench)).toEqual(words(12_000, "w"));
    expect(bench.platform.violations).toEqual([]);
  });

  it.each([
    ["between the last message and the file", (reply: Reply) => withoutFile(reply), false],
    ["before it was stored that it stands", (reply: Reply) => intended(reply), true],
    ["when it stood", (reply: Reply) => reply, true],
  ])("stands once when a process died %s", async (_when, stored, wasThere) => {
    const bench = createBench();
    const first = bench.open();
    await bench.settle(first.writer.finish(long()));
    await first.writer.close();
    if (!wasThere) await bench.platform.remove({ place, messageId: bench.platform.files[0]?.messageId ?? "" });
    const before = bench.platform.files[0]?.messageId;

    const reply = stored(first.saved.at(-1) ?? { place, parts: [] });
    const second = bench.open("turn1", place, wasThere ? reply : gone(reply));
    await bench.settle(second.writer.finish(long()));

    expect(bench.platform.files).toHaveLength(1);
    if (wasThere) expect(bench.platform.files[0]?.messageId).toBe(before);
    expect(allWords(bench)).toEqual(words(12_000, "w"));
    expect(bench.platform.violations).toEqual([]);
  });

  it("is deleted when the next answer is short, and comes again with a long one", async () => {
    const bench = createBench();
    let reply: Reply = { place, parts: [] };
    for (const [end, files] of [
      [long("a"), 1],
      [document("short", "done"), 0],
      [long("b"), 1],
      [long("d", 30_000), 1],
    ] as const) {
      const { writer, saved } = bench.open("turn1", place, reply);
      writer.show(document("looking"));
      await bench.settle(writer.finish(end));
      await writer.close();
      reply = saved.at(-1) ?? reply;
      expect(bench.platform.files).toHaveLength(files);
    }
    expect(bench.texts()).toHaveLength(10);
    expect(allWords(bench, "d")).toEqual(words(30_000, "d"));
    expect(allWords(bench, "[ab]")).toEqual([]);
    expect(bench.platform.violations).toEqual([]);
  });

  it.each([
    ["not_permitted", /couldn't be attached: I'm not allowed to upload files here\..*ask your Parley admin/],
    ["platform_refused", /couldn't be attached: the upload failed\. Press Get the rest/],
  ] as const)("that is refused (%s) leaves the messages, which say so and offer it", async (error, words) => {
    const bench = createBench();
    bench.platform.fail({ on: "upload", error });
    await bench.settle(bench.open().writer.finish(long()));

    const last = bench.platform.thread(place).at(-1)?.payload;
    expect(bench.texts()).toHaveLength(10);
    expect(last?.text).toMatch(words);
    expect(bench.texts().join("")).not.toMatch(note);
    expect(last?.actions.map(({ id }) => id)).toEqual(["rest"]);
    expect(bench.platform.files).toEqual([]);
  });

  it("that cannot be uploaded for minutes does not keep the answer from being over", async () => {
    const bench = createBench();
    bench.platform.fail({ on: "upload", error: "platform_unreachable", times: 10_000 });
    await bench.settle(bench.open().writer.finish(long()));

    expect(bench.texts().at(-1)).toMatch(/couldn't be attached: the upload failed/);
  });

  it("follows the messages of an answer whose form was refused, too", async () => {
    const bench = createBench();
    bench.platform.fail({ on: "post", error: "payload_refused" });
    await bench.settle(bench.open().writer.finish(long()));

    expect(bench.texts().length).toBeLessThanOrEqual(10);
    expect(allWords(bench)).toEqual(words(12_000, "w"));
  });

  it("is not attached to an answer that was stopped while it was posted", async () => {
    const bench = createBench({ latencyMs: 1_000 });
    const { writer } = bench.open();
    const stop = new AbortController();
    const whole = writer.finish(long(), stop.signal);
    whole.catch(() => undefined);
    await bench.clock.advance(3_500);
    stop.abort();
    expect(await bench.settle(writer.cutShort(long(), document("Stopped", "stopped")))).toBe("cut");

    expect(bench.texts().length).toBeLessThan(8);
    expect(bench.texts().at(-1)).toBe("Stopped");
    expect(bench.platform.files).toEqual([]);
  });
});

function withoutFile(reply: Reply): Reply {
  return { ...reply, parts: reply.parts.filter(({ index }) => index !== filePart) };
}

function intended(reply: Reply): Reply {
  const parts = reply.parts.map((part) => {
    if (part.index !== filePart) return part;
    const { messageId: _id, ...rest } = part;
    return { ...rest, state: "intended" as const };
  });
  return { ...reply, parts };
}

function gone(reply: Reply): Reply {
  return { ...reply, parts: [...reply.parts, { index: filePart, state: "gone", generation: 1 }] };
}
