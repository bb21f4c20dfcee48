import { Writable } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ParleyError } from "../../../src/core/errors.ts";
import { createLog, linesForTerminal, withFields } from "../../../src/operations/logging.ts";
import { createCollectedLog } from "../../doubles/collected-log.ts";

describe("the log", () => {
  it("writes one JSON object a line, with level, time, message and fields", () => {
    const { log, lines } = createCollectedLog();

    log.warn({ ref: "7KQ2", waitedMs: 12 }, "The service is slow");

    expect(lines()).toEqual([
      {
        level: "warn",
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        msg: "The service is slow",
        ref: "7KQ2",
        waitedMs: 12,
      },
    ]);
  });

  it("leaves out what is below its level", () => {
    const { log, lines } = createCollectedLog({ level: "warn" });

    log.debug({}, "a");
    log.info({}, "b");
    log.error({}, "c");

    expect(lines().map((line) => line["msg"])).toEqual(["c"]);
  });

  it("describes an error with the chain of its causes", () => {
    const { log, lines } = createCollectedLog();
    const socket = Object.assign(new Error("connect refused"), { code: "ECONNREFUSED" });

    log.error({ error: new ParleyError("service_unreachable", { cause: socket }) }, "Asking failed");

    expect(lines()[0]?.["error"]).toMatchObject({
      type: "ParleyError",
      code: "service_unreachable",
      hint: expect.stringContaining("Try again"),
      cause: { type: "Error", code: "ECONNREFUSED", message: "connect refused" },
    });
  });

  it("leaves the requests that hang on errors out", () => {
    const { log, text } = createCollectedLog();

    log.error({ error: Object.assign(new Error("x"), { request: { headers: { "x-mine": "value" } } }) }, "Failed");

    expect(text()).not.toContain("x-mine");
  });

  it("ends errors that are their own cause, and objects that hold themselves", () => {
    const { log, lines } = createCollectedLog();
    const error = new Error("round");
    error.cause = error;
    const loop: Record<string, unknown> = {};
    loop["again"] = loop;

    log.error({ error, loop }, "Round and round");

    expect(lines()[0]?.["msg"]).toBe("Round and round");
  });

  it("survives a field that throws when it is read", () => {
    const { log, lines } = createCollectedLog();
    const trap = {
      get field(): never {
        throw new Error("no");
      },
    };

    log.info({ trap }, "Still here");

    expect(lines()[0]?.["msg"]).toBe("Still here");
  });

  it("includes a Turn's reference in every line of a log with fields", () => {
    const { log, lines } = createCollectedLog();

    withFields(log, { ref: "7KQ2" }).info({ steps: 3 }, "Answered");

    expect(lines()[0]).toMatchObject({ ref: "7KQ2", steps: 3 });
  });

  it("writes lines for eyes on a terminal", async () => {
    const chunks: string[] = [];
    const destination = new Writable({
      write: (chunk, _, done) => {
        chunks.push(String(chunk));
        done();
      },
    });

    createLog({ level: "info", destination: await linesForTerminal(destination) }).info({ port: 3000 }, "Parley is up");
    await new Promise((resolve) => setImmediate(resolve));

    expect(chunks.join("")).toContain("Parley is up");
    expect(() => JSON.parse(chunks.join(""))).toThrow();
  });
});

describe("redaction", () => {
  const secret = "Zx9Qw8Er7Ty6Ui5Op4";

  it.each([
    ["a Slack bot token", `posting with xoxb-12-34-${secret} failed`],
    ["a Slack app token", `xapp-1-A0-${secret}`],
    ["a model key", `Incorrect key: sk-proj-${secret}`],
    ["a bearer header", `authorization: Bearer ${secret}`],
    ["a Discord header", `Authorization: Bot ${secret}`],
    ["a personal access token", `pat_${secret}`],
    ["a GitHub token", `ghp_${secret}`],
    ["a JSON web token", `eyJhbGciOiJIUzI1NiIsInR5.${secret}.${secret}${secret}`],
    ["an api_key in JSON", `{"api_key": "${secret}"}`],
    ["an api_key in a Python dict", `{'openai_api_key': '${secret}'}`],
    ["a password in a form", `user=me&password=${secret}&x=1`],
    ["a password in an address", `redis://default:${secret}@cache:6379`],
  ])("removes %s from messages, fields, lists and errors", (_, sentence) => {
    const { log, text } = createCollectedLog();

    log.info({ sentence, list: [sentence], deep: { down: { sentence } } }, sentence);
    log.error({ error: new Error(sentence, { cause: new Error(sentence) }) }, "Failed");

    expect(text()).toContain("[redacted]");
    expect(text()).not.toContain(secret);
  });

  it.each(["token", "botToken", "api_key", "apiKey", "x-api-key", "password", "SLACK_SIGNING_SECRET", "set-cookie"])(
    "removes the value of the field %s",
    (name) => {
      const { log, text } = createCollectedLog();

      log.info({ [name]: "plain words", nested: { [name]: ["plain", "words"] } }, "Seen");

      expect(text()).not.toContain("plain");
    },
  );

  it("removes the registered values, whatever they look like", () => {
    const { log, text } = createCollectedLog({ secrets: ["correct horse"] });

    log.info({ typed: "it was correct horse battery" }, "correct horse");

    expect(text()).not.toContain("horse");
  });

  it("leaves counts, switches and keys that aren't secrets", () => {
    const { log, lines } = createCollectedLog();
    const fields = { eventKey: "slack/T1/C1", conversationKey: "a/b", tokens: 12, hasToken: true, tokenCount: 3 };

    log.info(fields, "A task-based risk: ask-about-this, the skin-deep disk-usage");

    expect(lines()[0]).toMatchObject(fields);
    expect(lines()[0]?.["msg"]).toBe("A task-based risk: ask-about-this, the skin-deep disk-usage");
  });

  it("never lets a secret through, whatever surrounds it", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const { log, text } = createCollectedLog({ secrets: [secret] });
        log.info({ field: `${before}${secret}${after}` }, `${before}${secret}${after}`);
        return !text().includes(secret);
      }),
    );
  });

  it("makes control characters harmless", () => {
    const { log, lines } = createCollectedLog();

    log.info({}, "red \u001b[31m and a bell \u0007, but lines\nstay");

    expect(lines()[0]?.["msg"]).toBe("red \u{fffd}[31m and a bell \u{fffd}, but lines\nstay");
  });

  it("cuts a text of megabytes and says how much is missing", () => {
    const { log, lines } = createCollectedLog();

    log.info({ body: "a".repeat(1_000_000) }, "Large");

    expect(String(lines()[0]?.["body"])).toMatch(/^a{10000}… \(990000 more characters\)$/);
  });
});
