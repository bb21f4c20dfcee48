import { describe, expect, it } from "vitest";
import { holdWarnings } from "../../src/operations/held-warnings.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";

function room() {
  const lines: string[] = [];
  const clock = createFakeClock();
  const write = (_fields: object, message: string) => void lines.push(message);
  return { lines, clock, ...holdWarnings({ debug: write, info: write, warn: write, error: write }, clock) };
}

describe("warnings of a start", () => {
  it("come after the line that says where the page is", () => {
    const { lines, log, release } = room();
    log.warn({}, "open to everyone");
    log.info({}, "running at …");
    release();
    log.warn({}, "later");
    expect(lines).toEqual(["running at …", "open to everyone", "later"]);
  });

  it("come before an error", () => {
    const { lines, log } = room();
    log.warn({}, "a warning");
    log.error({}, "an error");
    expect(lines).toEqual(["a warning", "an error"]);
  });

  it("come once, and after three seconds if the start takes longer", async () => {
    const { lines, log, clock, release } = room();
    log.warn({}, "no storage");
    await clock.advance(3_000);
    expect(lines).toEqual(["no storage"]);
    release();
    expect(lines).toEqual(["no storage"]);
  });
});
