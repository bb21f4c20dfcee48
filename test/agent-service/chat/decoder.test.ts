import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createChatDecoder } from "../../../src/agent-service/chat/stream.ts";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";
import { answerOf, chat, decode, printed, wire } from "./decoding.ts";

function of<Type extends AgentEvent["type"]>(events: readonly AgentEvent[], type: Type) {
  return events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);
}

describe("the answer of a chat completion", () => {
  it("grows by what each chunk holds, and is confirmed once it ends", () => {
    const { events } = decode(chat([{ role: "assistant", content: "" }, { content: "Every " }, { content: "night." }]));

    expect(events.map(({ type }) => type)).toEqual(["started", "traced", "answer-delta", "answer-delta", "ended"]);
    expect(answerOf(events)).toBe("Every night.");
  });

  it.each([
    ["length", "length"],
    ["max_tokens", "length"],
    ["content_filter", "filter"],
    ["stop", undefined],
    ["eos", undefined],
  ])("that ended by %s is cut: %s", (finish, cut) => {
    const { events } = decode(chat([{ content: "The backup runs" }], finish));

    expect(of(events, "answer").at(-1)?.cut).toBe(cut);
    expect(answerOf(events)).toBe("The backup runs");
  });

  it.each([
    [{ type: "reasoning", text: "Hm." }],
    [{ type: "thinking", text: "Hm." }],
    [{ type: "reasoning", reasoning: "Hm." }],
    [{ type: "thinking", thinking: [{ type: "text", text: "Hm." }] }],
  ])("doesn't hold the part %j, which is a thought", (part) => {
    const { events } = decode(chat([{ content: [part] }, { content: [{ type: "text", text: "Blue." }] }]));

    expect(answerOf(events)).toBe("Blue.");
    expect(of(events, "reasoning").map(({ text }) => text)).toEqual(["Hm."]);
  });

  it("is the refusal where the model refuses", () => {
    expect(answerOf(decode(chat([{ refusal: "I cannot " }, { refusal: "help." }])).events)).toBe("I cannot help.");
  });

  it("names what it cites once each, and nothing that isn't a page", () => {
    const cited = (url: string, title?: string) => ({ type: "url_citation", url_citation: { url, title } });
    const { events } = decode(
      chat([
        { content: "Every night." },
        { annotations: [cited("https://docs.example.com/a", "A"), cited("https://docs.example.com/a", "A")] },
        { annotations: [cited("javascript:alert(1)"), null, 5, { url: "https://docs.example.com/b" }] },
      ]),
    );

    expect(of(events, "answer").at(-1)?.sources).toEqual([
      { title: "A", url: "https://docs.example.com/a" },
      { title: "https://docs.example.com/b", url: "https://docs.example.com/b" },
    ]);
  });

  it("names pages that a searching server lists beside its chunks", () => {
    const chunk = { choices: [{ index: 0, delta: { content: "x" } }], citations: ["https://docs.example.com/a"] };
    const { events } = decode(wire(chunk), chat([{ content: "y" }]));

    expect(of(events, "answer").at(-1)?.sources).toEqual([
      { title: "https://docs.example.com/a", url: "https://docs.example.com/a" },
    ]);
  });

  it("can come in parts, or whole at the end", () => {
    const parts = [
      { type: "thinking", thinking: [{ type: "text", text: "Hm." }] },
      { type: "text", text: "Every night." },
    ];
    const whole = { choices: [{ index: 0, message: { content: "Every night." }, finish_reason: "stop" }] };

    expect(answerOf(decode(chat([{ content: parts }])).events)).toBe("Every night.");
    expect(answerOf(decode(wire(whole)).events)).toBe("Every night.");
  });

  it("is the first choice's alone", () => {
    const other = { choices: [{ index: 1, delta: { content: "other" } }] };

    expect(answerOf(decode(wire(other), chat([{ content: "mine" }])).events)).toBe("mine");
  });

  it("ends with the connection when only the [DONE] is missing", () => {
    const { events, hasEnded } = decode(chat([{ content: "All." }]).replace("data: [DONE]\n\n", ""));

    expect(hasEnded).toBe(true);
    expect(events.at(-1)).toEqual({ type: "ended" });
  });

  it("ends without a finish reason where [DONE] comes", () => {
    expect(decode(chat([{ content: "All." }], null)).events.at(-1)).toEqual({ type: "ended" });
  });

  it("has not ended when the stream closes in the middle", () => {
    const { events, hasEnded } = decode(wire({ choices: [{ index: 0, delta: { content: "Every " } }] }));

    expect(hasEnded).toBe(false);
    expect(answerOf(events)).toBe("Every ");
  });

  it.each([
    [
      "the last one of many",
      [
        { prompt_tokens: 5, completion_tokens: 1 },
        { prompt_tokens: 5, completion_tokens: 3 },
      ],
      5,
      3,
    ],
    ["in other words", [{ input_tokens: 7, output_tokens: 2 }], 7, 2],
    ["as far as it is one", [{ prompt_tokens: -4, completion_tokens: 2 }], 0, 2],
    ["without numbers that can't be", [{ prompt_tokens: 9e15, completion_tokens: "many" }], undefined, undefined],
  ])("tells usage once, %s", (_case, usages, input, output) => {
    const chunks = usages.map((usage) => wire({ id: "c", choices: [{ index: 0, delta: { content: "x" } }], usage }));
    const { events } = decode(...chunks, chat([{}]));

    const told = events.filter(({ type }) => type === "usage");
    expect(told).toEqual(input === undefined ? [] : [{ type: "usage", tokens: { input, output } }]);
  });

  it("tells the usage of a run that failed", () => {
    const usage = wire({ id: "c", choices: [], usage: { prompt_tokens: 3, completion_tokens: 0 } });
    const { events } = decode(usage, wire({ error: { message: "It broke." } }));

    expect(events.map(({ type }) => type)).toEqual(["started", "traced", "usage", "failed", "ended"]);
  });

  it("ignores usage, empty choices and keep-alive comments", () => {
    const usage = wire({ id: "c", choices: [], usage: { total_tokens: 3 } });
    const { events } = decode(": OPENROUTER PROCESSING\n\n", wire({ choices: [] }), usage, chat([{ content: "x" }]));

    expect(of(events, "unknown")).toEqual([]);
  });
});

describe("thoughts of a model", () => {
  it.each(["reasoning_content", "reasoning", "thinking"])("are read from %s, apart from the answer", (field) => {
    const { events } = decode(chat([{ [field]: "I look " }, { [field]: "it up." }, { content: "Found." }]));

    expect(of(events, "reasoning").map(({ text }) => text)).toEqual(["I look it up."]);
    expect(answerOf(events)).toBe("Found.");
  });

  it("are read from tags at the beginning of the answer, however they are cut", () => {
    const said = " <think>I look it up.</thought?</think>\n\nFound <think> it.";
    for (let at = 1; at < said.length; at += 1) {
      const { events } = decode(chat([{ content: said.slice(0, at) }, { content: said.slice(at) }]));

      expect(answerOf(events)).toBe("Found <think> it.");
      expect(of(events, "reasoning").map(({ text }) => text)).toEqual(["I look it up.</thought?"]);
    }
  });

  it("hold back nothing of an answer that only begins like a tag", () => {
    expect(answerOf(decode(chat([{ content: "<thi" }])).events)).toBe("<thi");
    expect(answerOf(decode(chat([{ content: "<thi" }, { content: "s> is it" }])).events)).toBe("<this> is it");
  });
});

describe("tools that a model calls", () => {
  const first = {
    tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "search", arguments: "" } }],
  };
  const more = { tool_calls: [{ index: 0, function: { arguments: '{"q":1}' } }] };

  it("fail the run when it waits for us", () => {
    const { events } = decode(chat([first, more], "tool_calls"));

    expect(of(events, "step-started")).toEqual([
      { type: "step-started", id: "call_1", tool: "search", input: '{"q":1}' },
    ]);
    expect(of(events, "failed")[0]?.error).toMatchObject({
      code: "run_failed",
      what: "The agent needs a tool that it doesn't have here.",
    });
    expect(events.at(-1)).toEqual({ type: "ended" });
  });

  it("fail the run also where the server calls that a stop", () => {
    expect(of(decode(chat([first, more], "stop")).events, "failed")).toHaveLength(1);
  });

  it("are steps of a server that answers them itself", () => {
    const { events } = decode(chat([first, more, { content: "Found." }]));

    expect(of(events, "failed")).toEqual([]);
    expect(answerOf(events)).toBe("Found.");
    expect(of(events, "step-started")).toHaveLength(1);
  });

  it("may lack a name, an id, an index or sense", () => {
    const pieces = [null, 5, { function: 1 }, { index: 3 }, { id: "x", function: { name: 5, arguments: { q: 1 } } }];
    const { events } = decode(chat([{ tool_calls: pieces }], "tool_calls"));

    expect(of(events, "step-started").map(({ tool }) => tool)).toEqual(["tool", "tool", "tool"]);
  });

  it("show keys in their arguments to nobody", () => {
    const call = { tool_calls: [{ index: 0, function: { name: "f", arguments: '{"api_key":"sk-live-0123456789"}' } }] };

    expect(printed(decode(chat([call], "tool_calls")).events)).not.toContain("0123456789");
  });
});

describe("an error inside the stream", () => {
  it.each([
    { error: { message: "litellm.APIConnectionError: gone", type: null, param: null, code: "500" } },
    { error: "litellm.APIConnectionError: gone" },
    { object: "error", message: "rate limit", code: 429 },
    { choices: [{ index: 0, delta: {}, error: { message: "overloaded" }, finish_reason: "error" }] },
  ])("ends the run as failed: %j", (chunk) => {
    const { events } = decode(wire({ choices: [{ index: 0, delta: { content: "Every " } }] }), wire(chunk), chat([]));

    expect(of(events, "failed")[0]?.error.code).toBe("model_unavailable");
    expect(events.at(-1)).toEqual({ type: "ended" });
    expect(answerOf(events)).toBe("Every ");
  });

  it("keeps keys out of what it says", () => {
    const { events } = decode(wire({ error: { message: "bad key hunter2-token sk-live-0123456789" } }));

    expect(JSON.stringify(of(events, "failed")[0]?.error.cause, Object.getOwnPropertyNames(new Error()))).not.toMatch(
      /hunter2|0123456789/,
    );
  });
});

describe("a stream of anything", () => {
  it("never throws, and ends at most once", () => {
    const json = fc.jsonValue({ maxDepth: 4 });
    const delta = fc.record(
      { content: json, tool_calls: json, annotations: json, reasoning: json, refusal: json },
      { requiredKeys: [] },
    );
    const chunk = fc.oneof(
      json,
      fc.record({ id: json, choices: fc.array(fc.record({ index: json, delta, finish_reason: json })) }),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(chunk, fc.constant("[DONE]"))), (chunks) => {
        const { events } = decode(...chunks.map((one) => (one === "[DONE]" ? "data: [DONE]\n\n" : wire(one))));
        expect(of(events, "ended").length).toBeLessThanOrEqual(1);
        if (of(events, "ended").length === 1) expect(events.at(-1)?.type).toBe("ended");
      }),
      { numRuns: 300 },
    );
  });

  it("is the same however its bytes are cut", () => {
    const body = Buffer.from(
      chat([{ reasoning: "Hm\n" }, { content: "Läuft 🌙 " }, { content: "<think>" }, { content: "三十" }]),
    );
    const whole = printed(decode(body).events);
    fc.assert(
      fc.property(fc.array(fc.nat(body.length), { maxLength: 8 }), (cuts) => {
        const ends = [...cuts, body.length].sort((a, b) => a - b);
        const reads = ends.map((end, index) => body.subarray(ends[index - 1] ?? 0, end));
        expect(printed(decode(...reads).events)).toBe(whole);
      }),
    );
  });

  it("skips what isn't JSON, and counts it", () => {
    const { events, skipped } = decode("data: {oops\n\n", "data: 5\n\n", "nonsense\n\n", chat([{ content: "x" }]));

    expect(answerOf(events)).toBe("x");
    expect(skipped).toBe(2);
  });

  it("says what it doesn't know, without its content", () => {
    const { events } = decode(wire({ secret_thing: "text", object: "x" }), chat([{ content: "x" }]));

    expect(of(events, "unknown")).toEqual([{ type: "unknown", kind: "object,secret_thing" }]);
  });
});

describe("large input", () => {
  it("ends with answer_too_large behind a piece of 10 MB, after everything before it", () => {
    const decoder = createChatDecoder();
    const before = decoder.push(Buffer.from(wire({ choices: [{ index: 0, delta: { content: "Every " } }] })));
    const large = Buffer.from(wire({ choices: [{ index: 0, delta: { content: "x".repeat(10 * 1024 * 1024) } }] }));
    const feed = () => {
      for (let at = 0; at < large.length; at += 65_536) decoder.push(large.subarray(at, at + 65_536));
    };

    expect(answerOf(before)).toBe("Every ");
    expect(feed).toThrow(expect.objectContaining({ code: "answer_too_large" }));
  });

  it("accepts one piece of 7 MB, and 100,000 small ones, without delay", () => {
    const started = performance.now();
    const large = "x".repeat(7 * 1024 * 1024);

    expect(answerOf(decode(chat([{ content: large }])).events)).toBe(large);
    const many = Array.from({ length: 100_000 }, () => ({ content: "word " }));
    expect(answerOf(decode(chat(many)).events)).toHaveLength(500_000);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it("reads hostile tags and arguments in linear time", () => {
    const started = performance.now();
    const pieces = Array.from({ length: 50_000 }, () => ({ content: "<think></thin" }));
    decode(chat(pieces));
    decode(
      chat(
        Array.from({ length: 50_000 }, () => ({ tool_calls: [{ index: 0, function: { arguments: "x".repeat(20) } }] })),
      ),
    );

    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
