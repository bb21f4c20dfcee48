/**
 * Every recorded stream replays to the AgentEvents and the TurnView that are kept beside it, whole and however its
 * bytes are cut. After a wanted change: `npx vitest run test/agent-service/stream/golden.slow.test.ts -u`, and read the difference.
 */
import { describe, expect, it } from "vitest";
import { createMindsdbDecoder } from "../../../src/agent-service/mindsdb/stream.ts";
import { conclude, initialView, reduce } from "../../../src/bridge/turn/view.ts";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";
import { goldenFile, recordedStreams } from "../recordings.ts";

/** Up to here every single position is a cut; behind it cuts are drawn. */
const everyPositionUpTo = 8192;

function replay(...reads: readonly Buffer[]): AgentEvent[] {
  const decoder = createMindsdbDecoder();
  return [...reads.flatMap((read) => [...decoder.push(read)]), ...decoder.end()];
}

function viewOf(events: readonly AgentEvent[]) {
  const asked = initialView({ id: "turn", ref: "ref", question: "a question", agent: "support" });
  const last = events.reduce((view, event, index) => reduce(view, event, index), asked);
  return conclude(last, events.length);
}

function printed(events: readonly AgentEvent[]): string {
  const shown = { events: events.map(withErrorCode), view: viewOf(events) };
  return `${JSON.stringify(shown, undefined, 1)}\n`;
}

function withErrorCode(event: AgentEvent) {
  return event.type === "failed" ? { type: event.type, code: event.error.code } : event;
}

/** What came in, without what is read out of an observation: that depends on nothing else. */
function fingerprint(events: readonly AgentEvent[]): string {
  let print = "";
  for (const event of events) {
    print += event.type;
    if (event.type === "step-finished") print += event.tool + event.observation + event.input;
    else if (event.type === "failed") print += event.error.code;
    else print += JSON.stringify(event);
  }
  return print;
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

describe.each(recordedStreams())("$generation $name", ({ generation, name, body }) => {
  const whole = replay(body);

  it("replays to its golden events and view", async () => {
    await expect(printed(whole)).toMatchFileSnapshot(goldenFile(`${generation}/${name}.json`));
  });

  it("gives the same events when cut in two at every byte", () => {
    const expected = fingerprint(whole);
    for (let at = 0; at <= Math.min(body.length, everyPositionUpTo); at += 1) {
      const events = replay(body.subarray(0, at), body.subarray(at));
      if (fingerprint(events) !== expected) expect.fail(`differs when cut at byte ${at}`);
    }
  });

  it("gives the same view when cut in many pieces, with other line ends, and without empty lines", () => {
    const draw = createDraw(body.length);
    const expected = printed(whole);
    const text = body.toString("utf8");
    for (const variant of [text, text.replaceAll("\n", "\r\n"), text.replaceAll("\n\n", "\n"), text.trimEnd()]) {
      const bytes = Buffer.from(variant);
      for (let round = 0; round < 3; round += 1) {
        const reads: Buffer[] = [];
        for (let at = 0; at < bytes.length; ) {
          const size = 1 + draw(draw(2) === 0 ? 20 : 3000);
          reads.push(bytes.subarray(at, at + size));
          at += size;
        }

        expect(printed(replay(...reads))).toBe(expected);
      }
    }
  });

  it("keeps a beginning of the same events when it breaks off anywhere", () => {
    const draw = createDraw(body.length + 1);
    const expected = whole.map((event) => fingerprint([event]));
    for (let round = 0; round < 20; round += 1) {
      const decoder = createMindsdbDecoder();
      const events = decoder.push(body.subarray(0, draw(body.length + 1)));

      expect(events.map((event) => fingerprint([event]))).toEqual(expected.slice(0, events.length));
    }
  });
});
