import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createResponsesDecoder } from "../../../src/agent-service/responses/stream.ts";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";
import { parseJson } from "../../../src/core/tools/parse-json.ts";
import { runs } from "../../properties.ts";
import { shapedStream, shapedStreams } from "../shaped-recordings.ts";

type Packet = object | string;

const wire = (packet: Packet) => (typeof packet === "string" ? packet : `data: ${JSON.stringify(packet)}\n\n`);

function decode(...packets: readonly Packet[]): AgentEvent[] {
  const decoder = createResponsesDecoder({ secrets: ["parleys-own-key"] });
  return [...decoder.push(Buffer.from(packets.map(wire).join(""))), ...decoder.end()];
}

/** What the events add up to. */
function answerOf(events: readonly AgentEvent[]): string {
  let text = "";
  for (const event of events) {
    if (event.type === "answer") text = event.text;
    else if (event.type === "answer-delta") text += event.text;
  }
  return text;
}

const types = (events: readonly AgentEvent[]) => events.map(({ type }) => type);
const find = <T extends AgentEvent["type"]>(events: readonly AgentEvent[], type: T) =>
  events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);

const delta = (text: string, more: object = {}) => ({
  ...{ type: "response.output_text.delta", item_id: "m", output_index: 0, content_index: 0, delta: text },
  ...more,
});
const done = (text: string) => ({ ...delta(""), type: "response.output_text.done", text });
const message = (text: string, more: object = {}) => ({
  ...{ type: "message", id: "m", role: "assistant", content: [{ type: "output_text", text }] },
  ...more,
});
const item = (state: "added" | "done", index: number, body: object) => ({
  type: `response.output_item.${state}`,
  output_index: index,
  item: body,
});
const completed = (...output: object[]) => ({ type: "response.completed", response: { id: "r", output } });

it("a `[DONE]` of one connection says nothing of the next one, in which the run may think for minutes", () => {
  const decoder = createResponsesDecoder({ isCowork: true });
  decoder.push(Buffer.from("data: [DONE]\n\n"));
  expect(decoder.isDone()).toBe(true);

  decoder.reconnect();
  expect(decoder.isDone()).toBe(false);
});

describe("the type of an event", () => {
  it("is the one in its JSON, whatever the stream calls it", () => {
    const contradicting = `event: response.failed\ndata: ${JSON.stringify(delta("At two."))}\n\n`;

    expect(types(decode(contradicting, completed()))).toEqual(["started", "answer-delta", "traced", "ended"]);
  });

  it("is what the stream calls it if the JSON has none", () => {
    const { type, ...rest } = delta("At two.");

    expect(answerOf(decode(`event: ${type}\ndata: ${JSON.stringify(rest)}\n\n`))).toBe("At two.");
    expect(types(decode({ error: { message: "Rate limit reached" } }))).toEqual(["started", "failed", "ended"]);
  });

  it("may be unknown, and is ignored then", () => {
    const events = decode({ type: "acme:thing", x: 1 }, { type: "response.audio.delta" }, { a: 1 }, delta("Yes."));

    expect(find(events, "unknown").map(({ kind }) => kind)).toEqual([
      "acme:thing: type,x",
      "response.audio.delta: type",
      ": a",
    ]);
    expect(answerOf(events)).toBe("Yes.");
  });
});

describe("an answer", () => {
  it("isn't repeated at its end", () => {
    const text = "word ".repeat(20_000);
    const events = decode(delta(text), done(text), item("done", 0, message(text)), completed(message(text)));

    expect(types(events)).toEqual(["started", "answer-delta", "traced", "ended"]);
  });

  it.each([
    ["the end of its text", [delta("At "), done("At two.")], "At two."],
    ["the end of its item", [delta("At three"), item("done", 0, message("At two."))], "At two."],
    ["the end of the response", [delta("At three"), completed(message("At two."))], "At two."],
    ["the end of the response, under another id", [delta("At 3"), completed(message("At 2.", { id: "n" }))], "At 2."],
    ["the end of the response alone", [completed(message("At two."))], "At two."],
  ])("is what %s says, where they contradict", (_what, packets, expected) => {
    expect(answerOf(decode(...packets))).toBe(expected);
  });

  it("stays as it was streamed where its end says nothing", () => {
    const events = decode(delta("At two."), done(""), item("done", 0, message("")), completed(message("")));

    expect(answerOf(events)).toBe("At two.");
  });

  it("is the message with the highest index, in whatever order they come; earlier ones are reasoning", () => {
    const early = { item_id: "a", output_index: 0 };
    const late = { item_id: "b", output_index: 2 };
    const inOrder = decode(delta("I look. ", early), delta("At two.", late), completed());
    const reversed = decode(
      ...[delta("At ", late), delta("I look. ", early), delta("two.", late)],
      ...[item("done", 0, message("I look. ", { id: "a" })), completed()],
    );

    for (const events of [inOrder, reversed]) {
      expect(answerOf(events)).toBe("At two.");
      expect(find(events, "reasoning").map(({ text }) => text)).toEqual(["I look."]);
    }
  });

  it("joins its parts, in whatever order they come", () => {
    const events = decode(
      ...[delta("A", { content_index: 0 }), delta("C", { content_index: 1 }), delta("B", { content_index: 0 })],
      ...[delta("D", { content_index: 1 }), completed()],
    );

    expect(answerOf(events)).toBe("ABCD");
  });

  it("comes from events without any ids", () => {
    const bare = (text: string) => ({ type: "response.output_text.delta", delta: text });

    expect(answerOf(decode(bare("At "), bare("two."), completed()))).toBe("At two.");
  });

  it("comes from events whose ids change every time", () => {
    const events = decode(
      item("added", 0, message("", { id: "1" })),
      delta("At ", { item_id: "2" }),
      delta("two.", { item_id: "3" }),
      item("done", 0, message("At two.", { id: "4" })),
      completed(message("At two.", { id: "5" })),
    );

    expect(answerOf(events)).toBe("At two.");
    expect(find(events, "reasoning")).toEqual([]);
  });

  it("may be a refusal", () => {
    const refusal = { type: "message", id: "m", content: [{ type: "refusal", refusal: "I can't help with that." }] };
    const streamed = { ...delta("I can't help with that."), type: "response.refusal.delta" };

    expect(answerOf(decode(streamed, completed(refusal)))).toBe("I can't help with that.");
    expect(answerOf(decode(completed(refusal)))).toBe("I can't help with that.");
  });

  it("is no echo of the question", () => {
    const echo = message("When?", { role: "user", id: "u" });

    expect(answerOf(decode(item("added", 0, echo), item("done", 0, echo), completed(echo, message("At two."))))).toBe(
      "At two.",
    );
  });

  it("is cut where its status says so, even if the event says completed", () => {
    const response = { id: "r", status: "incomplete", incomplete_details: { reason: "content_filter" }, output: [] };
    const [answer] = find(decode(delta("At"), { type: "response.completed", response }), "answer");

    expect(answer).toMatchObject({ text: "At", cut: "filter" });
  });
});

describe("a step", () => {
  const call = { type: "mcp_call", id: "c", server_label: "wiki", name: "lookup" };

  it("gets its arguments in pieces, and its result with its item", () => {
    const spot = { item_id: "c", output_index: 0 };
    const events = decode(
      item("added", 0, { ...call, arguments: "" }),
      { type: "response.mcp_call_arguments.delta", ...spot, delta: '{"a":' },
      { type: "response.mcp_call_arguments.delta", ...spot, delta: "1}" },
      { type: "response.mcp_call_arguments.done", ...spot, arguments: '{"a":1}' },
      { type: "response.mcp_call.completed", ...spot },
      item("done", 0, { ...call, arguments: '{"a":1}', output: "found" }),
      completed({ ...call, arguments: '{"a":1}', output: "found" }),
    );

    expect(events.filter(({ type }) => type.startsWith("step"))).toMatchObject([
      { type: "step-started", id: "c", tool: "wiki.lookup", input: '{"a":1}' },
      { type: "step-finished", id: "c", observation: "found", outcome: { kind: "text" } },
    ]);
  });

  it("that began before its query was known begins again with it, under the same id", () => {
    const search = { type: "web_search_call", id: "w" };
    const sources = [
      { type: "url", url: "https://docs.example.com/a" },
      { type: "url", url: "file:///etc/passwd" },
    ];
    const events = decode(
      item("added", 0, search),
      { type: "response.web_search_call.searching", item_id: "w", output_index: 0 },
      item("done", 0, { ...search, action: { type: "search", query: "backup", sources } }),
    );

    expect(find(events, "step-started").map(({ id, input }) => [id, input])).toEqual([
      ["w", ""],
      ["w", "backup"],
    ]);
    expect(find(events, "step-finished")[0]?.sources).toEqual([
      { title: "https://docs.example.com/a", url: "https://docs.example.com/a" },
    ]);
  });

  it.each([
    ["an error", { ...call, error: "no such page in /srv/wiki/pages" }],
    ["an error as an object", { ...call, error: { message: "no such page in /srv/wiki/pages" } }],
    ["a status", { ...call, status: "failed", output: "no such page in /srv/wiki/pages" }],
  ])("that ended with %s has failed, without paths of the server", (_what, body) => {
    const [finished] = find(decode(item("done", 0, body)), "step-finished");

    expect(finished).toMatchObject({ outcome: { kind: "failed" }, observation: "no such page in [path]" });
  });

  it("whose item never comes ends with the run", () => {
    const events = decode({ type: "response.web_search_call.failed", item_id: "w" }, completed());

    expect(find(events, "step-finished")).toMatchObject([{ tool: "web_search", outcome: { kind: "failed" } }]);
  });

  it("of a kind that nobody knows is named by it", () => {
    const events = decode(item("added", 0, { id: "x", type: "acme:search", status: "in_progress" }), completed());

    expect(find(events, "step-finished")[0]?.tool).toBe("acme:search");
  });

  it("that the server answers itself is finished; one that waits for Parley fails the run", () => {
    const made = { type: "function_call", id: "f", call_id: "c1", name: "look_up", arguments: "{}" };
    const output = { type: "function_call_output", id: "o", call_id: "c1", output: "42" };
    const answered = decode(
      item("done", 0, made),
      item("done", 1, output),
      delta("42.", { output_index: 2 }),
      completed(),
    );
    const waiting = decode(item("done", 0, made), completed(made));

    expect(find(answered, "step-finished")).toMatchObject([{ tool: "look_up", observation: "42" }]);
    expect(find(answered, "failed")).toEqual([]);
    expect(find(waiting, "failed")[0]?.error.message).toContain("a tool that it doesn't have here");
  });

  it("is told apart from another one with the same id or place", () => {
    const search = (query: string) => ({ type: "web_search_call", id: "same", action: { query } });
    const events = decode(
      item("done", 0, search("one")),
      item("done", 0, { ...call, output: "two" }),
      item("added", 1, { type: "web_search_call" }),
      item("added", 1, { type: "web_search_call" }),
      completed(),
    );
    const ids = find(events, "step-finished").map(({ id }) => id);

    expect(new Set(ids).size).toBe(4);
  });
});

it("approval is asked for once, at the end, and not for a request that nobody could answer", () => {
  const request = { type: "mcp_approval_request", id: "q", name: "delete", server_label: "wiki", arguments: '{"a":1}' };
  const events = decode(
    item("done", 0, request),
    item("done", 1, { ...request, id: "" }),
    item("done", 2, { ...request, id: "q".repeat(3_000) }),
    completed(request, { ...request, id: undefined }),
  );

  expect(types(events).slice(-2)).toEqual(["approval-requested", "ended"]);
  expect(find(events, "approval-requested")).toEqual([
    { type: "approval-requested", request: { id: "q", tool: "delete", server: "wiki", input: '{"a":1}' } },
  ]);
});

it("nothing follows the first terminal event, and a second one counts for nothing", () => {
  const events = decode(delta("Yes."), completed(), delta("No."), { type: "response.failed" }, completed());

  expect(types(events).slice(-1)).toEqual(["ended"]);
  expect(answerOf(events)).toBe("Yes.");
});

it.each([
  [
    "a response",
    { type: "response.failed", response: { error: { code: "x", message: "key parleys-own-key at /srv/a/b" } } },
  ],
  ["an event of OpenAI", { type: "error", code: "x", message: "Bearer parleys-own-key" }],
  ["an event of the specification", { type: "error", error: { type: "x", message: "sk-live-0123456789abcdef" } }],
  ["a text", { type: "response.failed", response: { error: "api_key=parleys-own-key" } }],
  ["nothing", { type: "response.failed" }],
])("a failure told as %s fails the run, without keys and paths", (_what, packet) => {
  const [failed] = find(decode(packet), "failed");

  expect(failed).toBeDefined();
  expect(inspect(failed?.error, { depth: null })).not.toMatch(/parleys-own-key|0123456789abcdef|\/srv\/a/);
});

it("a delta of 10 MB is refused after what came before; one of 7 MB is taken, in little time", () => {
  const decoder = createResponsesDecoder();
  const before = decoder.push(Buffer.from(wire(delta("At two."))));
  const endless = Buffer.from(`data: ${JSON.stringify(delta("x".repeat(10_000_000)))}`);

  expect(answerOf(before)).toBe("At two.");
  expect(() => {
    for (let at = 0; at < endless.length; at += 65_536) decoder.push(endless.subarray(at, at + 65_536));
  }).toThrowError(expect.objectContaining({ code: "answer_too_large" }) as Error);
  expect(answerOf(decode(delta("x".repeat(7_000_000)), done("x".repeat(7_000_000)), completed()))).toHaveLength(
    7_000_000,
  );
});

it.each<[string, (at: number) => Packet]>([
  ["messages", (at) => delta("x", { item_id: `m${at}`, output_index: at })],
  ["messages by turns", (at) => delta("x", { item_id: `m${at % 2}`, output_index: at % 2 })],
  ["parts by turns", (at) => delta("x", { content_index: at % 2 })],
  ["parts without end", (at) => delta("x", { content_index: at * 1_000_003 })],
  ["steps", (at) => item("added", at, { type: "web_search_call", id: `w${at}` })],
  ["steps and words by turns", (at) => (at % 2 === 0 ? delta("x") : item("added", at, { type: "web_search_call" }))],
  ["thoughts by turns", (at) => ({ type: "response.reasoning_text.delta", output_index: at % 2, delta: "x" })],
  [
    "tools that never end",
    (at) => ({
      type: "response.in_progress",
      thought_role: "thought.scratchpad.start",
      content: "t",
      tool_use_id: `${at}`,
    }),
  ],
  [
    "citations",
    (at) => ({
      type: "response.output_text.annotation.added",
      item_id: "m",
      annotation: { url: `https://a.example/${at}` },
    }),
  ],
])("a flood of %s takes time in proportion", (_what, packet) => {
  const flood = Buffer.from(Array.from({ length: 30_000 }, (_, at) => wire(packet(at))).join(""));
  const startedAt = performance.now();
  const decoder = createResponsesDecoder();
  const events = [...decoder.push(flood), ...decoder.push(Buffer.from(wire(completed()))), ...decoder.end()];

  expect(events.at(-1)?.type).toBe("ended");
  // Quadratic work would take minutes.
  expect(performance.now() - startedAt).toBeLessThan(20_000);
});

describe("whatever comes", () => {
  const recorded = [...shapedStreams("litellm"), ...shapedStreams("cowork")]
    .filter((name) => !name.includes("/chat_") && !name.endsWith("/long"))
    .flatMap((name) => shapedStream(name).toString("utf8").split("\n"))
    .filter((line) => line.startsWith("data: {"))
    .map((line) => parseJson(line.slice(6)) as Readonly<Record<string, unknown>>);
  const byType = Object.values(Object.groupBy(recorded, ({ type }) => String(type))).map((events) => events ?? []);
  const event = fc
    .constantFrom(...byType)
    .chain((events) => fc.constantFrom(...events))
    .chain((whole) =>
      fc.record({
        whole: fc.constant(whole),
        odd: fc.dictionary(
          fc.constantFrom(...Object.keys(whole), "item_id", "output_index"),
          fc.jsonValue({ maxDepth: 2 }),
          {
            maxKeys: 2,
          },
        ),
        isOdd: fc.boolean(),
      }),
    )
    .map(({ whole, odd, isOdd }) => (isOdd ? { ...whole, ...odd, type: whole["type"] } : whole));

  it("events in any order, with any field odd, never throw, and end once", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (packets) => {
        const events = decode(...packets, completed());

        expect(types(events).filter((type) => type === "ended")).toEqual(["ended"]);
        expect(types(events).filter((type) => type === "started")).toEqual(["started"]);
        expect(events[0]?.type).toBe("started");
        expect(events.at(-1)?.type).toBe("ended");
        const started = new Set(find(events, "step-started").map(({ id }) => id));
        for (const { id } of find(events, "step-finished")) expect(started).toContain(id);
      }),
      { numRuns: runs(300) },
    );
  });

  it("the same bytes give the same events however they are cut", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), fc.array(fc.nat(4_000), { maxLength: 12 }), (packets, cuts) => {
        const body = Buffer.from(packets.map(wire).join(""));
        const edges = [0, ...cuts.map((at) => Math.min(at, body.length)).sort((a, b) => a - b), body.length];
        const decoder = createResponsesDecoder();
        const pieces = edges.slice(1).flatMap((edge, at) => [...decoder.push(body.subarray(edges[at], edge))]);

        expect(types([...pieces, ...decoder.end()])).toEqual(types(decode(...packets)));
        expect(answerOf(pieces)).toBe(answerOf(decode(...packets)));
      }),
      { numRuns: runs(150) },
    );
  });
});
