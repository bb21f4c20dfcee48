/**
 * Measures how fast recorded streams are decoded, as ratios to bare eventsource-parser plus JSON.parse on the same
 * bytes. Only the same work is compared: bytes to the JSON of every chunk. What follows (AgentEvents, observations) has
 * no counterpart and is printed without a target.
 */
import { createParser } from "eventsource-parser";
import { createChatDecoder } from "../src/agent-service/chat/stream.ts";
import type { Decoder } from "../src/agent-service/http/decoder.ts";
import { readServerEvents } from "../src/agent-service/http/events.ts";
import { createMindsdbDecoder } from "../src/agent-service/mindsdb/stream.ts";
import { createResponsesDecoder } from "../src/agent-service/responses/stream.ts";
import { runLimits } from "../src/core/model/agent-event.ts";
import { parseJson } from "../src/core/tools/parse-json.ts";
import { recordedStreams } from "../test/agent-service/recordings.ts";
import { shapedStream, shapedStreams } from "../test/agent-service/shaped-recordings.ts";
import type { Measure } from "./measure.ts";

type Stream = readonly Buffer[];

const limits = { maxEventBytes: runLimits.eventBytes, maxRunBytes: runLimits.bytes };

const chunkSizes = { "16 B": 16, "1 KiB": 1024, "64 KiB": 65_536 };
const rounds = 300;
/** There are eighty of these streams. */
const shapeRounds = 60;

export async function bench(): Promise<Measure[]> {
  // One recording was cut short: its last chunk would be work for one side only.
  const bodies = recordedStreams()
    .map(({ body }) => body)
    .filter((body) => body[body.length - 1] === 10);
  const measures: Measure[] = [];
  for (const [label, size] of Object.entries(chunkSizes)) {
    const streams = bodies.map((body) => cut(body, size));
    const [bare, chunks, events, observed] = medians([
      () => streams.forEach(parseBare),
      () => streams.forEach(readChunks),
      () => streams.forEach(decodeEvents),
      () => streams.forEach(decodeAndObserve),
    ]) as [number, number, number, number];
    measures.push(
      { name: `decode, reads of ${label}`, value: bare / chunks, target: { atLeast: 0.9 }, unit: "of bare speed" },
      { name: `decode to events, reads of ${label}`, value: bare / events, unit: "of bare speed" },
      { name: `decode to events with observations, reads of ${label}`, value: bare / observed, unit: "of bare speed" },
    );
  }
  for (const shape of shapes) measures.push(...benchShape(shape));
  const [small, large] = [0.7, 7].map((megabytes) => {
    const stream = cut(singleChunk(megabytes * 1_000_000), 1024);
    return (medians([() => decodeEvents(stream)], 7)[0] as number) / megabytes;
  }) as [number, number];
  measures.push({
    name: "a 7 MB chunk against a 0.7 MB one, time per byte",
    value: large / small,
    target: { atMost: 1.5 },
    unit: "times",
  });
  return measures;
}

type Shape = { readonly name: string; readonly bodies: readonly Buffer[]; readonly decoder: () => Decoder };

const recorded = (prefix: string) =>
  shapedStreams("litellm", prefix).filter((name) => prefix !== "" || !name.includes("/chat_"));

const shapes: readonly Shape[] = [
  {
    ...{ name: "responses", decoder: createResponsesDecoder },
    bodies: [...recorded(""), ...shapedStreams("cowork")].map(shapedStream),
  },
  { ...{ name: "chat", decoder: createChatDecoder }, bodies: recorded("chat_").map(shapedStream) },
];

function benchShape({ name, bodies, decoder }: Shape): Measure[] {
  return Object.entries(chunkSizes).flatMap(([label, size]) => {
    const streams = bodies.map((body) => cut(body, size));
    const works = [
      () => streams.forEach(parseBare),
      () => streams.forEach(readServerChunks),
      () => streams.forEach((stream) => void decodeWith(decoder(), stream)),
    ];
    const [bare, chunks, events] = medians(works, shapeRounds) as [number, number, number];
    return [
      {
        ...{ name: `decode ${name}, reads of ${label}`, value: bare / chunks },
        ...{ target: { atLeast: 0.9 }, unit: "of bare speed" },
      },
      { name: `decode ${name} to events, reads of ${label}`, value: bare / events, unit: "of bare speed" },
    ];
  });
}

function readServerChunks(stream: Stream): void {
  const reader = readServerEvents(limits, (data) => data !== "[DONE]" && parseJson(data));
  for (const bytes of stream) reader.push(bytes);
  reader.end();
}

function decodeWith(decoder: Decoder, stream: Stream): void {
  for (const bytes of stream) decoder.push(bytes);
  decoder.end();
}

function cut(body: Buffer, size: number): Stream {
  return Array.from({ length: Math.ceil(body.length / size) }, (_, index) =>
    body.subarray(index * size, (index + 1) * size),
  );
}

function singleChunk(bytes: number): Buffer {
  return Buffer.from(`data: ${JSON.stringify({ output: "x".repeat(bytes) })}\n\n`);
}

function parseBare(stream: Stream): void {
  const text = new TextDecoder();
  const parser = createParser({ onEvent: ({ data }) => data !== "[DONE]" && JSON.parse(data) });
  for (const bytes of stream) parser.feed(text.decode(bytes, { stream: true }));
}

function readChunks(stream: Stream): void {
  const lines = readServerEvents({ ...limits, isLineAnEvent: true }, (data) => JSON.parse(data));
  for (const bytes of stream) lines.push(bytes);
  lines.end();
}

function decodeEvents(stream: Stream): void {
  decodeWith(createMindsdbDecoder(), stream);
}

function decodeAndObserve(stream: Stream): void {
  const decoder = createMindsdbDecoder();
  const observe = (bytes: Buffer) => {
    for (const event of decoder.push(bytes)) if (event.type === "step-finished") event.sources.at(0);
  };
  stream.forEach(observe);
  decoder.end();
}

/** Taken by turns, so that a busy moment of the machine meets all of them. */
function medians(works: readonly (() => void)[], times = rounds): number[] {
  const taken: number[][] = works.map(() => []);
  for (let round = 0; round < times; round += 1) {
    works.forEach((work, index) => {
      const start = performance.now();
      work();
      taken[index]?.push(performance.now() - start);
    });
  }
  return taken.map((values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number);
}

if (import.meta.main) {
  for (const { name, value, target, unit } of await bench()) {
    const aim = target === undefined ? "" : ` (target: ${JSON.stringify(target).replace(/[{}"]/g, "")})`;
    process.stdout.write(`${name}: ${value.toFixed(2)} ${unit}${aim}\n`);
  }
}
