/**
 * Which messages of an outage are handed on: what was missed, and nobody's talk.
 */
import { describe, expect, it } from "vitest";
import { isMissed, readFrom, readingOrder, threadOrder, tsAt } from "../../../adapters/slack/catch-up/missed.ts";

const self = { teamId: "T1", userId: "U0BOT", botId: "B0BOT" };
const nowMs = 1_800_000_000_000;
const ago = (minutes: number) => tsAt(nowMs - minutes * 60_000);

describe("a message that was read", () => {
  const mention = "<@U0BOT> hello";
  it.each([
    ["after the mark", { ts: ago(1), text: "words" }, {}, true],
    ["before the mark", { ts: ago(6), text: "words" }, {}, false],
    ["the marked one itself", { ts: ago(5), text: "words" }, {}, false],
    ["before the mark, to Parley: perhaps never delivered", { ts: ago(6), text: mention }, {}, true],
    ["before the mark, in a direct message", { ts: ago(6), text: "words" }, { channel: "D1" }, true],
    ["an hour ago", { ts: ago(61), text: mention }, { markTs: ago(120) }, false],
    ["less than an hour ago", { ts: ago(59), text: "words" }, { markTs: ago(120) }, true],
    ["in a thread that is nobody's yet", { ts: ago(1), thread_ts: ago(3), text: "words" }, {}, true],
    ["in a thread before Parley came", { ts: ago(2), thread_ts: ago(3), text: "words" }, { joinedTs: ago(1) }, false],
    ["in a thread after Parley came", { ts: ago(1), thread_ts: ago(3), text: "words" }, { joinedTs: ago(2) }, true],
    ["the question that called Parley", { ts: ago(2), thread_ts: ago(3), text: mention }, { joinedTs: ago(1) }, true],
    ["a thread's own beginning", { ts: ago(3), thread_ts: ago(3), text: "words" }, { joinedTs: ago(1) }, true],
  ])("%s", (_what, message, more, isHanded) => {
    expect(isMissed(message, { self, channel: "C1", markTs: ago(5), nowMs, ...more })).toBe(isHanded);
  });
});

describe("reading", () => {
  it("begins before the mark, for what Slack was still trying to deliver, and at most an hour ago", () => {
    expect(readFrom(ago(10), nowMs)).toBe(ago(17));
    expect(readFrom(ago(600), nowMs)).toBe(ago(60));
  });

  it("goes to bound channels and direct messages first, then to the latest", () => {
    const last = new Map([
      ["C1", ago(50)],
      ["C2", ago(5)],
      ["D1", ago(40)],
      ["C4", ago(30)],
    ]);
    const bound = new Set(["C4"]);

    const order = readingOrder(["C0", "C1", "C2", "D1", "C4"], { lastTs: (channel) => last.get(channel), bound });

    expect(order).toEqual(["C4", "D1", "C2", "C1", "C0"]);
    const thread = (channel: string, minutes: number) => ({
      ...{ channel, thread: ago(90), sinceTs: ago(90), lastTs: ago(minutes) },
    });
    const threads = [thread("C1", 1), thread("C4", 9), thread("D1", 8), thread("C2", 2)];
    expect(threadOrder(threads, bound).map(({ channel }) => channel)).toEqual(["D1", "C4", "C1", "C2"]);
  });
});
