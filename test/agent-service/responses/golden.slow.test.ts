/**
 * Every recorded stream of the Responses shape replays to the AgentEvents that are kept beside it, whole and however its
 * bytes are cut. After a wanted change: `npx vitest run test/agent-service/responses/golden.slow.test.ts -u`, and read
 * the difference.
 */
import { describe, expect, it } from "vitest";
import { createResponsesDecoder } from "../../../src/agent-service/responses/stream.ts";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";
import { shapedGolden, shapedStream, shapedStreams } from "../shaped-recordings.ts";

/** Up to here every single position is a cut; behind it cuts are drawn. */
const everyPositionUpTo = 300;

const names = [...shapedStreams("litellm"), ...shapedStreams("cowork")].filter((name) => !name.includes("/chat_"));

function replay(...reads: readonly Buffer[]): AgentEvent[] {
  const decoder = createResponsesDecoder();
  return [...reads.flatMap((read) => [...decoder.push(read)]), ...decoder.end()];
}

/** One line for each event; neighbouring pieces of the answer share one. */
function printed(events: readonly AgentEvent[]): string {
  const lines: string[] = [];
  let pieces: string[] = [];
  const flush = () => {
    if (pieces.length > 0) lines.push(`answer-delta ${pieces.length} ${JSON.stringify(pieces.join(""))}`);
    pieces = [];
  };
  for (const event of events) {
    if (event.type === "answer-delta") {
      pieces.push(event.text);
      continue;
    }
    flush();
    const { type, ...rest } = event;
    const shown = event.type === "failed" ? { code: event.error.code, what: event.error.what } : rest;
    lines.push(`${type} ${JSON.stringify(shown)}`);
  }
  flush();
  return `${lines.join("\n")}\n`;
}

/** The same cuts on every run (mulberry32). */
function createDraw(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

describe.each(names)("%s", (name) => {
  const body = shapedStream(name);
  const expected = printed(replay(body));

  it("replays to its golden events", async () => {
    await expect(expected).toMatchFileSnapshot(shapedGolden(`responses/${name}.txt`));
  });

  it("gives the same events when cut in two at every byte", () => {
    for (let at = 0; at <= Math.min(body.length, everyPositionUpTo); at += 1) {
      const events = replay(body.subarray(0, at), body.subarray(at));
      if (printed(events) !== expected) expect.fail(`differs when cut at byte ${at}`);
    }
  });

  it("gives the same events when cut in many pieces, with other line ends", () => {
    const draw = createDraw(body.length);
    const text = body.toString("utf8");
    for (const variant of [text, text.replaceAll("\n", "\r\n"), text.trimEnd()]) {
      const bytes = Buffer.from(variant);
      const reads: Buffer[] = [];
      for (let at = 0; at < bytes.length; ) {
        const size = 1 + draw(draw(2) === 0 ? 20 : 3000);
        reads.push(bytes.subarray(at, at + size));
        at += size;
      }

      expect(printed(replay(...reads))).toBe(expected);
    }
  });
});
