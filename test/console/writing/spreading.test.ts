import { describe, expect, it } from "vitest";
import type { PageEvent } from "../../../adapters/console/writing/messages.ts";
import { createSpreading, type Listening } from "../../../adapters/console/writing/spreading.ts";
import { until } from "../../doubles/until.ts";

const message = (id: string, revision: number): PageEvent => ({
  type: "message",
  message: {
    ...{ id, channel: "general", thread: "t", order: "1", revision, atMs: 0 },
    ...{ author: "you", text: `${id} ${revision}` },
  } as Extract<PageEvent, { type: "message" }>["message"],
});
const removed = (id: string): PageEvent => ({ type: "removed", channel: "general", thread: "t", id });

/** So many pages, to which each write takes a millisecond. */
function openPages(count: number) {
  const received: string[][] = Array.from({ length: count }, () => []);
  let nowMs = 0;
  const pages = new Set<Listening<string>>(
    received.map((frames) => ({
      isFor: () => true,
      send: (frame) => {
        nowMs += 1;
        frames.push(frame);
      },
    })),
  );
  const spread = createSpreading<string>(pages, { now: () => nowMs });
  const notify = (event: PageEvent) => {
    const text = JSON.stringify(event);
    spread(event, text, event.type === "message" ? `${event.message.id} ${event.message.revision}` : event.type);
  };
  return { received, notify };
}

describe("an event for all pages", () => {
  it("reaches a few pages at once, and so does the next", () => {
    const { received, notify } = openPages(19);

    for (let revision = 1; revision <= 3; revision += 1) notify(message("a", revision));

    expect(received.every((frames) => frames.at(-1) === "a 3")).toBe(true);
  });

  it("lets everything else have its turn while it is written to thousands", async () => {
    const { received, notify } = openPages(2_000);

    notify(message("a", 1));
    await new Promise((resolve) => setImmediate(resolve));

    expect(received.filter((frames) => frames.length > 0).length).toBeLessThan(50);
    await until("it is there", () => received.every((frames) => frames.length === 1));
  });

  it("is left out once a newer state of the same message waits, and nothing else is", async () => {
    const { received, notify } = openPages(100);
    const last = received.at(-1) ?? [];

    for (const event of [message("a", 1), message("a", 2), message("b", 1), message("a", 3)]) notify(event);
    await until("it is there", () => last.length === 3);

    expect(last).toEqual(["a 1", "b 1", "a 3"]);
  });

  it("comes after what happened to its message in between", async () => {
    const { received, notify } = openPages(100);
    const last = received.at(-1) ?? [];

    for (const event of [message("b", 1), message("a", 1), removed("a"), message("a", 2)]) notify(event);
    await until("it is there", () => last.length === 3);

    expect(last).toEqual(["b 1", "removed", "a 2"]);
  });
});
