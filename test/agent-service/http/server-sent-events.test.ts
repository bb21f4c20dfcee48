import fc from "fast-check";
import { expect, it } from "vitest";
import { readServerEvents } from "../../../src/agent-service/http/events.ts";
import type { ParleyError } from "../../../src/core/errors.ts";
import { runs } from "../../properties.ts";

const bytes = (text: string) => Buffer.from(text);
const limits = { maxEventBytes: 1_000, maxRunBytes: 2 * 1024 * 1024 };

function eventsOf(...reads: (string | Uint8Array)[]): [string, string | undefined][] {
  const seen: [string, string | undefined][] = [];
  const events = readServerEvents(limits, (data, name) => seen.push([data, name]));
  for (const read of reads) events.push(typeof read === "string" ? bytes(read) : read);
  events.end();
  return seen;
}

it("gives the same events for any cut of the bytes and any line end", () => {
  const json = fc.string({ unit: fc.constantFrom("a", "é", "😀", '"', "\\", " ", "\n", "\r", "data: ", "\u2028") });
  fc.assert(
    fc.property(
      fc.array(json, { minLength: 1, maxLength: 6 }),
      fc.constantFrom("\n", "\r\n", "\r"),
      fc.boolean(),
      fc.array(fc.nat(400), { maxLength: 8 }),
      (values, end, isClosed, cuts) => {
        const chunks = values.map((text) => JSON.stringify({ text }));
        const body = bytes(
          chunks.map((chunk) => `event: e${end}data: ${chunk}`).join(end + end) + (isClosed ? end : ""),
        );
        const edges = [0, ...cuts.map((at) => Math.min(at, body.length)).sort((a, b) => a - b), body.length];
        const reads = edges.slice(1).map((edge, index) => body.subarray(edges[index], edge));

        expect(eventsOf(...reads)).toEqual(chunks.map((chunk) => [chunk, "e"]));
      },
    ),
    { numRuns: runs(300) },
  );
});

it("accepts a byte order mark, comments, other fields and an event without a name", () => {
  expect(eventsOf("\uFEFFdata:1\n\n: heartbeat\n\nid: 5\nretry: 10\nevent: x\ndata: 2\n\nnonsense\n\n")).toEqual([
    ["1", undefined],
    ["2", "x"],
  ]);
});

it("gives what came before an event that is too large, and refuses the rest", () => {
  for (const endless of [`data: ${"x".repeat(2_000)}`, `data: ${"x".repeat(600)}\n`.repeat(3)]) {
    const seen: string[] = [];
    const events = readServerEvents(limits, (data) => seen.push(data));
    events.push(bytes(`data: before\n\n${endless}`));

    expect(seen).toEqual(["before"]);
    const refusal = expect.objectContaining({ code: "answer_too_large" }) as ParleyError;
    expect(() => events.push(bytes("x"))).toThrowError(refusal);
  }
});

it("refuses a run of more bytes than its limit", () => {
  const events = readServerEvents(limits, () => {});
  const megabyte = bytes(`: ${"x".repeat(500)}\n`.repeat(2_100));
  events.push(megabyte);

  expect(() => events.push(megabyte)).toThrowError("2 MB");
});

it("keeps the name of an event over other fields, where each line is an event", () => {
  const seen: [string, string | undefined][] = [];
  const events = readServerEvents({ ...limits, isLineAnEvent: true }, (data, name) => seen.push([data, name]));
  events.push(bytes('event: error\nid: 5\n: heartbeat\ndata: broken\ndata: {"a":1}\n'));

  expect(seen).toEqual([
    ["broken", "error"],
    ['{"a":1}', undefined],
  ]);
});
