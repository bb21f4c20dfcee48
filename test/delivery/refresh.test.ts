import { describe, expect, it } from "vitest";
import type { Document } from "../../src/core/document.ts";
import type { Reply } from "../../src/core/model/reply.ts";
import type { PlatformLimits } from "../../src/core/ports/chat-platform.ts";
import { createDelivery } from "../../src/delivery/delivery.ts";
import { createMemoryCoordinator } from "../../src/state/memory/coordinator.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";
import { createMemoryPlatform } from "../doubles/memory-platform.ts";
import { thread } from "../doubles/people.ts";
import { silentLog } from "../doubles/silent-log.ts";

const answer = (text: string, quiet: string): Document => ({
  tone: "done",
  blocks: [
    { kind: "markdown", text },
    { kind: "quiet", text: [{ text: quiet }] },
  ],
  actions: [],
  summary: "Answer",
});
const long = Array.from({ length: 60 }, (_, index) => `Paragraph ${index}: ${"word ".repeat(18)}.`).join("\n\n");

async function shown(document: Document, limits: Partial<PlatformLimits> = {}, isReady: () => boolean = () => true) {
  const clock = createFakeClock();
  const memory = createMemoryPlatform({ clock, limits });
  const prepared: unknown[] = [];
  const platform: typeof memory = {
    ...memory,
    prepare: async (payload) => {
      prepared.push(payload);
      return isReady();
    },
    post: (place, payload, mark, options) => {
      if (!isReady()) options.onLess?.();
      return memory.post(place, payload, mark, options);
    },
    edit: (ref, payload, options) => {
      if (!isReady()) options.onLess?.();
      return memory.edit(ref, payload, options);
    },
  };
  const coordinator = createMemoryCoordinator({ clock });
  const delivery = createDelivery({ platform, coordinator, clock, log: silentLog });
  let reply: Reply = { place: thread, parts: [] };
  const save = async (changed: Reply) => {
    reply = changed;
  };
  const writer = delivery.open({ replyId: "r1", reply, save });
  const finished = writer.finish(document);
  await clock.advance(1_000);
  await finished;
  await writer.close();
  const refresh = (next: Document, isWanted = async () => true) =>
    delivery.refresh({ replyId: "r1", reply, save, document: next, isWanted });
  return { clock, platform, delivery, refresh, prepared, stored: () => reply, before: platform.writes.length };
}

describe("an edit that only uses spare tokens", () => {
  it("changes only the last message of a long answer", async () => {
    const { clock, platform, refresh, before } = await shown(answer(long, "support"));
    const parts = platform.thread(thread).length;

    const refreshed = refresh(answer(long, "support · 👍 1"));
    await clock.advance(1_000);

    expect(await refreshed).toBe("shown");
    expect(parts).toBeGreaterThan(1);
    expect(platform.thread(thread)).toHaveLength(parts);
    expect(platform.thread(thread).at(-1)?.payload.text).toContain("👍 1");
    expect(platform.writes.slice(before).map(({ kind, urgency }) => [kind, urgency])).toEqual([["edit", "progress"]]);
  });

  it("writes nothing when the message already shows it, and knows so after the edit", async () => {
    const { clock, platform, refresh, before } = await shown(answer("Yes.", "support"));

    expect(await refresh(answer("Yes.", "support"))).toBe("same");
    const refreshed = refresh(answer("Yes.", "support · 👍 1"));
    await clock.advance(1_000);
    expect(await refreshed).toBe("shown");
    expect(await refresh(answer("Yes.", "support · 👍 1"))).toBe("same");
    expect(platform.writes.length - before).toBe(1);
  });

  it("adds what was not ready when the end was shown, once it is, and the end did not wait for it", async () => {
    let isReady = false;
    const { clock, platform, refresh, prepared, stored, before } = await shown(
      answer("Yes.", "support"),
      {},
      () => isReady,
    );
    expect(stored().parts).toMatchObject([{ state: "final", lacks: true }]);
    expect(before).toBe(1);

    const refreshed = async () => {
      const edited = refresh(answer("Yes.", "support"));
      await clock.advance(1_000);
      return [await edited, stored().parts[0]?.lacks];
    };

    expect(await refreshed()).toEqual(["same", true]);
    isReady = true;
    expect(await refreshed()).toEqual(["shown", undefined]);
    expect(await refreshed()).toEqual(["same", undefined]);
    expect(prepared).toHaveLength(2);
    expect(platform.writes.length - before).toBe(1);
  });

  it("leaves an answer alone of which more than the last message would change", async () => {
    const { platform, refresh, before } = await shown(answer(long, "support"));

    expect(await refresh(answer(`Another beginning.\n\n${long}`, "support · 👍 1"))).toBe("unfit");
    expect(await refresh(answer("Short.", "support · 👍 1"))).toBe("unfit");
    expect(platform.writes).toHaveLength(before);
  });

  it("gives up soon when the budget has no token to spare", async () => {
    const perWorkspace = { capacity: 3, refillPerMinute: 1 };
    const limits = { writes: { perWorkspace, keptForFinals: 10 }, maxAttachmentTextBytes: 1_000 };
    const { clock, platform, refresh, before } = await shown(answer("Yes.", "support"), limits);

    const refreshed = refresh(answer("Yes.", "support · 👍 1"));
    await clock.advance(10_000);

    expect(await refreshed).toBe("busy");
    await clock.advance(600_000);
    expect(platform.writes).toHaveLength(before);
  });

  it("gives up sooner when someone waits for it", async () => {
    const perWorkspace = { capacity: 3, refillPerMinute: 1 };
    const limits = { writes: { perWorkspace, keptForFinals: 10 }, maxAttachmentTextBytes: 1_000 };
    const { clock, delivery, stored } = await shown(answer("Yes.", "support"), limits);
    let refreshed: string | undefined;

    void delivery
      .refresh({
        ...{ replyId: "r1", reply: stored(), save: async () => {}, document: answer("Yes.", "support · 👍 1") },
        ...{ isWanted: async () => true, isAwaited: true },
      })
      .then((result) => (refreshed = result));
    await clock.advance(2_999);
    expect(refreshed).toBeUndefined();
    await clock.advance(1);

    expect(refreshed).toBe("busy");
  });

  it("isn't made when it is no longer wanted, and isn't tried again where it is refused", async () => {
    const { clock, platform, refresh, before } = await shown(answer("Yes.", "support"));
    const next = answer("Yes.", "support · 👍 1");

    const unwanted = refresh(next, async () => false);
    await clock.advance(1_000);
    expect(await unwanted).toBe("unfit");
    expect(platform.writes).toHaveLength(before);

    platform.fail({ on: "edit", error: "message_gone" });
    const gone = refresh(next);
    await clock.advance(1_000);
    expect(await gone).toBe("unfit");
    expect(platform.thread(thread)).toHaveLength(1);
  });

  it("holds back when the platform asks to slow down", async () => {
    const { clock, platform, refresh, stored } = await shown(answer("Yes.", "support"));
    platform.fail({ on: "edit", error: "platform_rate_limited", retryAfterMs: 5_000 });

    const refreshed = refresh(answer("Yes.", "support · 👍 1"));
    await clock.advance(1_000);

    expect(await refreshed).toBe("busy");
    expect(stored().parts).toMatchObject([{ state: "final" }]);
  });
});
