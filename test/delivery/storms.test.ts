/**
 * Random faults: whatever the platform does, the answer is shown at the end, once, in order, within the platform's rules.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { MemoryFault } from "../doubles/memory-platform.ts";
import { runs } from "../properties.ts";
import { createBench, document, place } from "./delivery-bench.ts";

const fault = fc.record({
  on: fc.constantFrom<MemoryFault["on"]>("post", "edit", "remove", "find"),
  error: fc.constantFrom<MemoryFault["error"]>("platform_rate_limited", "platform_unreachable"),
  retryAfterMs: fc.integer({ min: 1, max: 5_000 }),
  takesEffect: fc.boolean(),
  times: fc.integer({ min: 1, max: 3 }),
});

const happening = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("show" as const), words: fc.integer({ min: 1, max: 30 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("fault" as const), fault }) },
  { weight: 1, arbitrary: fc.constant({ kind: "delete" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "freeze" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "crash" as const }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 3_000 }) }) },
);

const text = (words: number, seed: string) => Array.from({ length: words }, (_word, at) => `${seed}${at}`).join(" ");

it("shows the end whole, once and in order after any storm of faults, deletions and crashes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 12 }), fc.integer({ min: 1, max: 60 }), async (story, words) => {
      const { open, clock, platform, settle, texts } = createBench({ maxChars: 60, latencyMs: 40 });
      let opened = open();
      for (const [at, event] of story.entries()) {
        if (event.kind === "show") opened.writer.show(document(text(event.words, `p${at}.`)));
        else if (event.kind === "wait") await clock.advance(event.ms);
        else if (event.kind === "delete") platform.deleteMessage(platform.thread(place).at(0)?.messageId ?? "");
        else if (event.kind === "freeze") platform.fail({ on: "edit", error: "message_not_editable" });
        else if (event.kind === "crash") {
          const stored = opened.writer.current();
          await settle(opened.writer.close());
          opened = open("turn1", place, stored);
        } else if (event.fault.error === "platform_unreachable") platform.fail(event.fault);
        else platform.fail({ ...event.fault, takesEffect: false });
      }
      const answer = text(words, "a");

      await settle(opened.writer.finish(document(answer, "done")));

      expect(texts().join("")).toBe(answer);
      expect(platform.thread(place).map((message) => message.mark.part)).toEqual(texts().map((_part, at) => at));
      const kept = opened.writer.current().parts.filter((part) => part.state !== "gone");
      expect(kept.map((part) => part.messageId)).toEqual(platform.thread(place).map((message) => message.messageId));
      // After a lost answer nobody knows what stands there, so the same may be written once more; and a message that
      // cannot be edited stands beside its successor until the end is shown.
      const isFrozen = story.some((event) => event.kind === "freeze");
      const rules = platform.violations.filter(
        (rule) => !rule.includes("changes nothing") && !(isFrozen && rule.includes("second message")),
      );
      expect(rules).toEqual([]);
    }),
    { numRuns: runs(300) },
  );
});
