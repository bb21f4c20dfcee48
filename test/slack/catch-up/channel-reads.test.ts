/**
 * How much of a channel is read and held after an outage.
 */
import { describe, expect, it } from "vitest";
import { createChannelReads } from "../../../adapters/slack/catch-up/channel-reads.ts";
import type { WebClient } from "../../../adapters/slack/connection/clients.ts";
import { createReadScheduler } from "../../../adapters/slack/connection/read-scheduler.ts";
import { quickClock } from "../../doubles/room-parts.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";

describe("the history of a channel that someone flooded", () => {
  it("is read up to a size and not only up to a number of pages, without what Parley does not read", async () => {
    let pages = 0;
    const history = async () => {
      pages += 1;
      const messages = Array.from({ length: 200 }, (_, index) => ({
        ...{ ts: `${pages}.${String(index).padStart(6, "0")}`, user: "U0MALLORY", text: "x".repeat(40_000) },
        reply_users: ["U0BOB"],
      }));
      return { ok: true, messages, response_metadata: { next_cursor: "more" } };
    };
    const client = { conversations: { history } } as unknown as WebClient;
    const reading = createReadScheduler({ ...quickClock, sleep: async () => undefined });
    const reads = createChannelReads({ client, scheduler: reading, granted: () => [], log });

    const read = await reads.history("C0FULL", "0.000001", new AbortController().signal);

    expect(read.length).toBe(pages * 200);
    expect(pages * 200 * 40_000).toBeLessThan(40_000_000);
    expect(read[0]).not.toHaveProperty("reply_users");
  });
});
