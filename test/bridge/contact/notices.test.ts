import { describe, expect, it } from "vitest";
import { createDelivery } from "../../../src/delivery/delivery.ts";
import { createNotices, type DoneNotice } from "../../../src/delivery/notices.ts";
import { openState } from "../../../src/state/open-state.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { createMemoryPlatform } from "../../doubles/memory-platform.ts";
import { general } from "../../doubles/people.ts";
import { notice } from "../../doubles/room-parts.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { untilAdvanced } from "../../doubles/until.ts";

describe("fifty welcomes at once", () => {
  it("all come, the first at once, and none faster than the workspace allows", async () => {
    const clock = createFakeClock();
    const state = await openState({ dataDir: await temporaryFolder("notices"), clock, log });
    // As much as the platform itself allows: with more it answers 429.
    const enforced = { perWorkspace: { capacity: 12, refillPerMinute: 66 } };
    const platform = createMemoryPlatform({ clock, enforced });
    const { coordinator, keyValue, works } = state;
    const site = { platform, delivery: createDelivery({ platform, coordinator, clock, log }) };
    const done = keyValue<DoneNotice>("notices");
    const notices = createNotices({ works, done, coordinator, siteOf: () => site, clock, log });
    await works.start();
    const places = Array.from({ length: 50 }, (_, index) => ({ ...general, channel: `C${index}` }));

    const startMs = clock.now();
    await Promise.all(places.map((place, index) => notices.post({ key: `${index}`, place, document: notice("Hi") })));
    await untilAdvanced(clock, "the first card", () => platform.writes.length > 0);
    expect(clock.now() - startMs).toBeLessThan(1_000);
    const shown = () => places.filter((place) => platform.thread(place).length === 1).length;
    await untilAdvanced(clock, "all cards", () => shown() === 50, 500);

    expect(clock.now() - startMs).toBeLessThanOrEqual(45_000);
    expect(platform.rateLimited()).toBe(0);
    expect(platform.violations).toEqual([]);
    await works.drain();
    await state.close();
  });
});
