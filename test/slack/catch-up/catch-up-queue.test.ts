/**
 * What is read next after an outage, while somebody speaks in one of the channels.
 */
import { describe, expect, it } from "vitest";
import { createCatchUpQueue, type Gap } from "../../../adapters/slack/catch-up/catch-up-queue.ts";

const gapOf = (channel: string, threads: readonly string[] = []): Gap => ({
  ...{ channel, markTs: "1.000000", fromTs: "1.000000", isTopRead: false },
  threads: new Set(threads),
});

describe("a channel where someone is writing", () => {
  it("is read next, and holds up the others for no more than half of the reading", () => {
    const threads = Array.from({ length: 100 }, (_, index) => `${index}.000000`);
    const own = threads.map((thread) => ({ channel: "C0LOUD", thread, sinceTs: thread, lastTs: thread }));
    const channels = ["D0ALICE", "C0BOUND", "C0OTHER"];
    const queue = createCatchUpQueue([...channels.map((id) => gapOf(id)), gapOf("C0LOUD", threads)], own);

    const read: string[] = [];
    for (let steps = 0; steps < 8; steps += 1) {
      queue.prioritise("C0LOUD");
      const step = queue.next();
      if (step === undefined) break;
      read.push(step.gap.channel);
      queue.finish(step);
    }

    expect(read[0]).toBe("C0LOUD");
    expect(new Set(read)).toEqual(new Set(["C0LOUD", ...channels]));
  });
});
