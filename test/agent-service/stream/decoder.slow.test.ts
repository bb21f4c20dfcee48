import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readServerEvents } from "../../../src/agent-service/http/events.ts";
import { createMindsdbDecoder } from "../../../src/agent-service/mindsdb/stream.ts";
import type { ParleyError } from "../../../src/core/errors.ts";
import { runs } from "../../properties.ts";

const bytes = (text: string) => Buffer.from(text);

const limits = { maxEventBytes: 1_000_000, maxRunBytes: 1_000_000, isLineAnEvent: true };

function textsOf(...reads: (string | Uint8Array)[]): string[] {
  const texts: string[] = [];
  const lines = readServerEvents(limits, (text) => texts.push(text));
  for (const read of reads) lines.push(typeof read === "string" ? bytes(read) : read);
  lines.end();
  return texts;
}

function eventsOf(body: string) {
  const decoder = createMindsdbDecoder();
  return [...decoder.push(bytes(body)), ...decoder.end()];
}

describe("the line reader", () => {
  it("gives the same chunks for any cut, any line end, with or without empty lines", () => {
    const json = fc.string({ unit: fc.constantFrom("a", "é", "😀", '"', "\\", " ", "\n", "\r", "data: ", "\u2028") });
    const lineEnd = fc.constantFrom("\n", "\r\n", "\n\n", "\r\n\r\n", "\r", "\r\r", "\n\n\n");
    fc.assert(
      fc.property(
        fc.array(json, { minLength: 1, maxLength: 6 }),
        lineEnd,
        fc.boolean(),
        fc.array(fc.nat(400), { maxLength: 8 }),
        (values, end, hasLastEnd, cuts) => {
          const chunks = values.map((text) => JSON.stringify({ text }));
          const body = bytes(`data: ${chunks.join(`${end}data: `)}${hasLastEnd ? end : ""}`);
          const edges = [0, ...cuts.map((at) => Math.min(at, body.length)).sort((a, b) => a - b), body.length];
          const reads = edges.slice(1).map((edge, index) => body.subarray(edges[index], edge));

          expect(textsOf(...reads)).toEqual(chunks);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it("shows a chunk when its line is complete, without waiting for an empty line", () => {
    const texts: string[] = [];
    readServerEvents(limits, (text) => texts.push(text)).push(bytes('data: {"a":1}\ndata: {"b"'));
    expect(texts).toEqual(['{"a":1}']);
  });

  it("accepts a byte order mark, comments, other fields and a missing space after the colon", () => {
    expect(textsOf("\uFEFFdata:1\n\n: heartbeat\n\nevent: message\nid: 5\nretry: 10\ndata: 2\n\nnonsense\n")).toEqual([
      "1",
      "2",
    ]);
  });

  it("accepts bytes that aren't a Buffer", () => {
    const backing = new Uint8Array([0, ...bytes("data: 1\n")]);

    expect(textsOf(new Uint8Array(backing.buffer, 1))).toEqual(["1"]);
  });
});

describe("the decoder", () => {
  it("skips a chunk that isn't JSON, counts it, and continues", () => {
    let malformed = 0;
    const decoder = createMindsdbDecoder({ onMalformed: () => (malformed += 1) });

    const events = decoder.push(
      bytes('data: {"type":"start"}\n\ndata: {"output": oops}\n\ndata: [DONE]\n\ndata: {"output":"yes"}\n\n'),
    );

    expect(events.map((event) => event.type)).toEqual(["started", "answer"]);
    expect(malformed).toBe(2);
  });

  it("ends once, and gives nothing of what follows", () => {
    const decoder = createMindsdbDecoder();

    const events = decoder.push(bytes('data: {"type":"end","trace_id":""}\n\ndata: {"output":"late"}\n\n'));
    const later = [...decoder.push(bytes('data: {"type":"end"}\n\n')), ...decoder.end()];

    expect(events).toEqual([{ type: "started" }, { type: "ended" }]);
    expect(later).toEqual([]);
  });

  it("ends a stream with a chunk beyond the limit, however small its reads are", () => {
    const decoder = createMindsdbDecoder({ maxChunkBytes: 1000 });
    const endless = () => {
      for (let read = 0; read < 100; read += 1) decoder.push(bytes("data: xxxxxxxxxxxxx"));
    };

    expect(endless).toThrowError(expect.objectContaining({ code: "answer_too_large" }) as ParleyError);
  });

  it("accepts many chunks that together are larger than the limit of one", () => {
    const decoder = createMindsdbDecoder({ maxChunkBytes: 1000 });

    for (let read = 0; read < 100; read += 1)
      decoder.push(bytes(`data: {"type":"start","prompt":"${"x".repeat(500)}"}\n\n`));

    expect(decoder.push(bytes('data: {"output":"yes"}\n\n'))).toEqual([{ type: "answer", text: "yes" }]);
  });

  it("ends a stream whose chunks together are more than a run may have, and says so", () => {
    const decoder = createMindsdbDecoder({ maxRunBytes: 2 * 1024 * 1024 });
    const chunk = bytes(`data: {"type":"start","prompt":"${"x".repeat(1024 * 1024)}"}\n\n`);
    const endless = () => {
      for (let read = 0; read < 3; read += 1) decoder.push(chunk);
    };

    expect(endless).toThrowError(expect.objectContaining({ code: "answer_too_large" }) as ParleyError);
    expect(endless).toThrowError("2 MB");
  });

  it("accepts one event of up to 8 MB, and a run of up to 64 MB", () => {
    const text = (megabytes: number) =>
      bytes(`data: {"type":"start","prompt":"${"x".repeat(megabytes * 1024 * 1024 - 100)}`);
    const close = bytes('"}\n\n');
    const push = (megabytes: number) => {
      const decoder = createMindsdbDecoder();
      decoder.push(text(megabytes));
      decoder.push(close);
      return decoder;
    };

    expect(() => push(8)).not.toThrow();
    expect(() => push(8.1)).toThrowError(expect.objectContaining({ code: "answer_too_large" }) as ParleyError);
    const decoder = createMindsdbDecoder();
    const all = () => {
      for (let read = 0; read < 9; read += 1) {
        decoder.push(text(8));
        decoder.push(close);
      }
    };
    expect(all).toThrowError("64 MB");
  });

  it("reads 200 steps of one chunk", () => {
    const actions = Array.from({ length: 100_000 }, () => ({ tool: "t" }));

    expect(eventsOf(`data: ${JSON.stringify({ actions })}\n\n`)).toHaveLength(201);
  });

  it("cuts names, queries and reasons where they come in, and counts what it cuts", () => {
    const long = "x".repeat(1_000_000);
    const action = { tool: long, tool_input: long, log: long };
    const [, reasoning, started] = eventsOf(`data: ${JSON.stringify({ actions: [action] })}\n\n`);

    expect(reasoning).toMatchObject({ type: "reasoning", text: "x".repeat(2_000) });
    expect(started).toEqual({
      ...{ type: "step-started", tool: "x".repeat(200), input: "x".repeat(8_192), reasoning: "x".repeat(8_192) },
      ...{ inputOmittedChars: 991_808, reasoningOmittedChars: 991_808 },
    });
  });

  it("reads no more of an observation than a million characters, and says that there was more", () => {
    const rows = `Output columns: ['a']\nResult in CSV format (dialect is 'excel'):\na,b\n${"1,22222222222222222222\n".repeat(100_000)}`;
    const [, found] = eventsOf(`data: ${JSON.stringify({ steps: [{ observation: rows }] })}\n\n`);

    expect(found).toMatchObject({ outcome: { kind: "rows", count: 20_000, isAtLeast: true } });
  });

  it("builds no table of a million columns, whatever a tool or an answer prints", () => {
    const wide = `Output columns: ['a']\nResult in CSV format (dialect is 'excel'):\n${"a,".repeat(3_000)}\n${"1\n".repeat(400_000)}`;
    const [, found] = eventsOf(`data: ${JSON.stringify({ steps: [{ observation: wide }] })}\n\n`);
    expect(found).toMatchObject({ outcome: { kind: "rows" } });
    expect((found as { table?: unknown }).table).toBeUndefined();

    const bars = `|${" a |".repeat(3_000)}\n|${" - |".repeat(3_000)}\n${"| 1 |\n".repeat(400_000)}`;
    const [, answer] = eventsOf(`data: ${JSON.stringify({ type: "data", content: bars })}\n\n`);
    expect(answer).toMatchObject({ type: "answer", text: bars });
  });

  it("keeps the answer of a last line that came without its end", () => {
    expect(eventsOf('data: {"output":"whole"}')).toEqual([{ type: "started" }, { type: "answer", text: "whole" }]);
  });

  it("never shows the prompt of a start chunk", () => {
    expect(JSON.stringify(eventsOf('data: {"type":"start","prompt":"You are a secret agent"}\n\n'))).not.toContain(
      "secret",
    );
  });

  it.each([
    ["Thought: I need more.\nAction: kb_query_tool\nAction Input: SELECT 1", "output"],
    ["Thought: x Action: y Action Input: z", "text"],
  ])("never shows leaked tool syntax as an answer: %s", (text, key) => {
    const chunk = key === "output" ? { output: text } : { type: "data", text };
    const events = eventsOf(`data: ${JSON.stringify(chunk)}\n\n`);

    expect(events[1]).toMatchObject({ type: "failed", error: { code: "answer_unusable" } });
    expect(JSON.stringify(events)).not.toContain("Action");
  });

  it.each([
    [{ error: "error in completion event generator" }, "run_failed"],
    [{ type: "error", content: "Agent streaming failed: status_code: 429, model_name: gpt-4" }, "model_unavailable"],
    [{ type: "error", content: "Agent streaming failed: Connection error." }, "model_unavailable"],
    [{ type: "error", content: "Agent exceeded the maximum number of exploratory queries (20)" }, "answer_unusable"],
    [{ error: { message: "an object" } }, "run_failed"],
    [{ type: "error" }, "run_failed"],
  ])("turns %j into a failure", (chunk, code) => {
    expect(eventsOf(`data: ${JSON.stringify(chunk)}\n\n`)[1]).toMatchObject({ type: "failed", error: { code } });
  });

  it("keeps a key out of a failure and its cause", () => {
    const said = "body: {'api_key': 'abcdef0123'} Incorrect API key provided: sk-live-0123456789 at /usr/lib/x/y.py";
    const [, failed] = eventsOf(`data: ${JSON.stringify({ type: "error", content: said })}\n\n`);
    if (failed?.type !== "failed") return expect.fail("no failure");

    expect(inspect(failed.error, { depth: null })).not.toMatch(/abcdef0123|0123456789|\/usr\/lib\/x/);
  });

  it.each([
    [{ type: "sql", content: "SELECT 1" }, "sql: content,type"],
    [{ type: "context", content: [1] }, "context: content,type"],
    [{ b: 1, a: 2 }, "a,b"],
    [5, "number"],
    [null, "object"],
  ])("treats %j as an unknown kind, and continues", (chunk, kind) => {
    expect(eventsOf(`data: ${JSON.stringify(chunk)}\n\ndata: {"output":"yes"}\n\n`).slice(1)).toEqual([
      { type: "unknown", kind },
      { type: "answer", text: "yes" },
    ]);
  });

  it("reads several actions and steps of one chunk, and inputs that aren't text", () => {
    const chunk = {
      actions: [
        { tool: "a", tool_input: { q: 1 }, log: "" },
        "odd",
        { tool: "b", tool_input: "x", log: "Thought: why\nAction: b" },
      ],
      steps: [{ action: { tool: "a", tool_input: { q: 1 } }, observation: ["odd"] }],
    };

    expect(eventsOf(`data: ${JSON.stringify(chunk)}\n\n`).slice(1)).toMatchObject([
      { type: "step-started", tool: "a", input: '{"q":1}' },
      { type: "reasoning", text: "why" },
      { type: "step-started", tool: "b", input: "x", reasoning: "why" },
      { type: "step-finished", tool: "a", input: '{"q":1}', observation: '["odd"]' },
    ]);
  });

  it("shows the agent's own words and not the service's internal failures", () => {
    const say = (content: string) => `data: ${JSON.stringify({ type: "context", content })}\n\n`;
    const events = eventsOf(
      say("Generating Data Catalog...") +
        say("Look into the price list") +
        say("Error reading /var/lib/storage/x.db: SELECT secret") +
        say("Error executing SQL query: no table in /var/lib/storage/x.db"),
    );

    expect(events.slice(1)).toMatchObject([
      { type: "reasoning", text: "Look into the price list" },
      { type: "unknown" },
      { type: "step-finished", outcome: { kind: "failed" } },
    ]);
    expect(JSON.stringify(events)).not.toMatch(/\/var\/lib|secret/);
  });

  it("treats an empty table as an answer without rows", () => {
    expect(eventsOf('data: {"type":"data","content":"","trace_id":""}\n\n')[1]).toEqual({
      type: "answer",
      text: "",
      table: { columns: [], rows: [] },
    });
  });
});
