import { describe, expect, it } from "vitest";
import { ParleyError } from "../../../src/core/errors.ts";
import { withRecentErrors } from "../../../src/operations/recent-errors.ts";
import { createRedact } from "../../../src/operations/redact.ts";
import { createCollectedLog } from "../../doubles/collected-log.ts";

function open() {
  const collected = createCollectedLog();
  let now = 1_000;
  const clock = {
    now: () => {
      now += 1;
      return now;
    },
  };
  return { ...collected, ...withRecentErrors(collected.log, createRedact(["correct-horse"]), clock) };
}

describe("the latest errors", () => {
  it("have the reference of their question, the error's code and what it says, newest first", () => {
    const { log, newest } = open();
    log.error({ ref: "7kq2", err: new ParleyError("stream_cut", { what: "It broke." }) }, "A question failed");
    log.warn({ platform: "slack", err: new Error("socket closed") }, "Slack can't be reached");
    log.warn({}, "Only a warning");
    log.info({ err: new Error("expected") }, "Nothing is wrong");

    expect(newest()).toEqual([
      { atMs: 1_002, message: "Slack can't be reached", cause: "socket closed", platform: "slack" },
      { atMs: 1_001, message: "A question failed", ref: "7kq2", code: "stream_cut", cause: "stream_cut: It broke." },
    ]);
  });

  it("contain no secret, and the log still gets everything", () => {
    const { log, newest, text } = open();
    log.error(
      { err: new Error("the key correct-horse was refused, and xoxb-123456-abcdef too") },
      "Login as correct-horse",
    );

    expect(JSON.stringify(newest())).not.toMatch(/correct-horse|xoxb/);
    expect(newest()[0]?.cause).toContain("[redacted]");
    expect(text()).toContain("Login as");
  });

  it("are at most a hundred, each cut to a line", () => {
    const { log, newest } = open();
    for (let at = 0; at < 150; at += 1) log.error({ err: new Error("x".repeat(5_000)) }, `Failure ${at}`);

    expect(newest()).toHaveLength(100);
    expect(newest()[0]?.message).toBe("Failure 149");
    expect(JSON.stringify(newest()).length).toBeLessThan(60_000);
  });
});
