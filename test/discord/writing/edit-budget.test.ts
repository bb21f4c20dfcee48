import { expect, it } from "vitest";
import { platformLimits } from "../../../adapters/discord/limits.ts";
import { createBench, document } from "../../delivery/delivery-bench.ts";

/** Discord's own: so many edits of a channel in so many ms. */
const window = { edits: 5, ms: 5_000 };

it("leaves the last edit of every five seconds to the end, however fast the steps come", async () => {
  const { open, clock, platform } = createBench({ writes: platformLimits.writes });
  const { writer } = open();

  for (let at = 0; at < 300; at += 1) {
    writer.show(document(`step ${at}`));
    await clock.advance(100);
  }

  const edits = platform.writes.filter(({ kind }) => kind === "edit").map(({ startedAtMs }) => startedAtMs);
  const inWindow = edits.map((from) => edits.filter((atMs) => atMs >= from && atMs < from + window.ms).length);
  expect(edits.length).toBeGreaterThan(20);
  expect(Math.max(...inWindow)).toBe(window.edits - 1);
});

it("shows the end at once, whatever the steps have used up", async () => {
  const { open, clock, platform } = createBench({ writes: platformLimits.writes });
  const { writer } = open();
  for (let at = 0; at < 40; at += 1) {
    writer.show(document(`step ${at}`));
    await clock.advance(100);
  }

  void writer.finish(document("the answer", "done"));
  await clock.advance(10);

  expect(platform.writes.at(-1)?.payload?.text).toBe("the answer");
});
