/** However often strangers cause a fault, the log says it so many times a minute, and how often it was. */
import { describe, expect, it } from "vitest";
import { withLimit } from "../../../src/operations/log-limit.ts";
import { createCollectedLog } from "../../doubles/collected-log.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";

function open() {
  const clock = createFakeClock();
  const { log, lines, text } = createCollectedLog({ level: "debug" });
  const messages = () => lines().map(({ msg }) => msg);
  return { clock, log: withLimit(log, clock), lines, messages, text };
}

describe("a fault that comes again and again", () => {
  it.each(["warn", "error", "info"] as const)(
    "is written 60 times a minute at level %s, and then counted",
    async (level) => {
      const { clock, log, lines, messages } = open();

      for (let index = 0; index < 10_000; index += 1)
        log[level]({ err: new Error(`packet ${index}`) }, "A packet is odd");
      log.warn({}, "Something else");
      expect(messages().filter((message) => message === "A packet is odd")).toHaveLength(60);
      expect(messages()).toContain("Something else");

      await clock.advance(60_000);
      expect(lines().at(-1)).toMatchObject({ level: "warn", leftOut: 9_940, like: "A packet is odd" });

      log[level]({ err: new Error("again") }, "A packet is odd");
      expect(messages().at(-1)).toBe("A packet is odd");
      await clock.advance(60_000);
      expect(messages().at(-1)).toBe("A packet is odd");
      expect(clock.pending()).toBe(0);
    },
  );

  it("is bounded also when each line has words of its own", async () => {
    const { clock, log, messages } = open();

    for (let index = 0; index < 10_000; index += 1) log.warn({}, `the library says ${index}`);

    expect(messages()).toHaveLength(500 + 60);
    await clock.advance(60_000);
    expect(clock.pending()).toBe(0);
  });
});

describe("a line that says how things go", () => {
  it("is always written", () => {
    const { log, messages } = open();

    for (let index = 0; index < 1_000; index += 1) log.info({ ref: String(index) }, "A question came in");

    expect(messages()).toHaveLength(1_000);
  });
});
