import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { type AgentServiceOptions, createAgentService } from "../../src/agent-service/client.ts";
import { ParleyError } from "../../src/bridge/errors.ts";
import type { AgentEvent, AgentService } from "../../src/bridge/ports/agent-service.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";
import { type Answer, json, play, type RealServer, recordedStream, startServer } from "./real-server.ts";

const question = [{ question: "When does the backup run?", answer: "" }];
const start = 'data: {"type": "start", "prompt": "x", "trace_id": ""}\n\n';
const answer = 'data: {"output": "At two.", "messages": [], "trace_id": ""}\n\n';
const end = 'data: {"type": "end"}\n\n';

const opened: { server: RealServer; service: AgentService }[] = [];

afterEach(async () => {
  for (const { server, service } of opened.splice(0)) {
    await server.close();
    await service.close();
  }
});

async function open(answerRequest: Answer, options: Partial<AgentServiceOptions> = {}) {
  const server = await startServer(answerRequest);
  const clock = createFakeClock();
  const lines: string[] = [];
  const write = (fields: object, message: string) => lines.push(JSON.stringify({ ...fields, message }));
  const log = { debug: write, info: write, warn: write, error: write };
  const service = createAgentService({ baseUrl: server.url, clock, log, ...options });
  opened.push({ server, service });
  const ask = (signal?: AbortSignal) =>
    service.ask("mindsdb", "support", question, signal === undefined ? {} : { signal })[Symbol.asyncIterator]();
  return { server, service, clock, lines, ask };
}

function beginStream(response: ServerResponse, ...chunks: (string | Buffer)[]): void {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  for (const chunk of chunks) response.write(chunk);
}

/** All events, and what the stream threw in the end. */
async function collect(events: AsyncIterator<AgentEvent>): Promise<{ types: string[]; code?: string }> {
  const types: string[] = [];
  try {
    for (;;) {
      const next = await events.next();
      if (next.done === true) return { types };
      types.push(next.value.type);
    }
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(ParleyError);
    return { types, code: (thrown as ParleyError).code };
  }
}

describe("a streamed run", () => {
  it.each(["25.9", "26.1"])("brings a recorded run of %s over a real connection", async (generation) => {
    const { server, ask } = await open((_, response) => {
      beginStream(response, recordedStream(`${generation}/stream_sources`));
      response.end();
    });

    const { types, code } = await collect(ask());

    expect(code).toBeUndefined();
    expect(types).toEqual(expect.arrayContaining(["started", "step-started", "step-finished", "answer", "ended"]));
    expect(types.filter((type) => type === "ended")).toHaveLength(1);
    const [asked] = server.asked;
    expect(asked?.path).toBe("/api/projects/mindsdb/agents/support/completions/stream");
    expect(JSON.parse(asked?.body ?? "")).toEqual({ messages: question });
    expect(asked?.headers["content-type"]).toBe("application/json");
  });

  it("shows each event when its line has come, with no empty line behind it", async () => {
    const { ask } = await open((_, response) => beginStream(response, start.trimEnd(), "\n", answer.trimEnd(), "\n"));
    const events = ask();

    const first = await events.next();
    const second = await events.next();

    expect(first.value).toEqual({ type: "started" });
    expect(second.value).toEqual({ type: "answer", text: "At two." });
    await events.return?.();
  });

  it("is over at its end, and uses the connection again", async () => {
    const { server, ask, clock } = await open((_, response) => {
      beginStream(response, start, answer, end, end, "late bytes");
      response.end();
    });
    await collect(ask());
    while (clock.pending() > 0) await clock.advance(0);
    await collect(ask());

    expect(server.asked).toHaveLength(2);
    expect(server.connections()).toBe(1);
  });

  it("gives up a connection that is not ended behind the end", async () => {
    const { server, ask, clock } = await open((_, response) => beginStream(response, start, answer, end));

    const { types } = await collect(ask());
    await clock.advance(250);
    await server.idle();

    expect(types).toEqual(["started", "answer", "ended"]);
    expect(clock.pending()).toBe(0);
  });

  it("gives up a connection that goes on and on behind the end", async () => {
    const { server, ask, clock } = await open((_, response) => {
      beginStream(response, start, answer, end);
      const more = () => response.write(`: ${"x".repeat(20_000)}\n`, (failed) => failed ?? more());
      more();
    });

    const { types } = await collect(ask());
    await server.idle();

    expect(types).toEqual(["started", "answer", "ended"]);
    expect(clock.pending()).toBe(0);
  });

  it("ends without an end when the service closes the connection properly", async () => {
    const { ask } = await open((_, response) => {
      beginStream(response, start, answer.trimEnd());
      response.end();
    });

    expect(await collect(ask())).toEqual({ types: ["started", "answer"] });
  });

  it("is cut, after all that had come, when the connection breaks", async () => {
    const { ask } = await open((_, response) => {
      beginStream(response, start);
      response.write(answer, () => response.destroy());
    });

    expect(await collect(ask())).toEqual({ types: ["started", "answer"], code: "stream_cut" });
  });

  it("skips a chunk that is not JSON, says so, and goes on", async () => {
    let malformed = 0;
    const onMalformed = () => {
      malformed += 1;
    };
    const answerRequest: Answer = (_, response) => {
      beginStream(response, start, 'data: {"output": \n\n', answer, end);
      response.end();
    };
    const { ask, lines } = await open(answerRequest, { onMalformed });

    const { types } = await collect(ask());

    expect(types).toEqual(["started", "answer", "ended"]);
    expect(malformed).toBe(1);
    expect(lines.filter((line) => line.includes("not JSON"))).toHaveLength(1);
  });

  it("logs a kind of chunk that it does not know once, in however many runs", async () => {
    const { ask, lines } = await open((_, response) => {
      beginStream(response, 'data: {"novel": 1}\n\ndata: {"novel": 2}\n\n', end);
      response.end();
    });

    await collect(ask());
    await collect(ask());

    expect(lines.filter((line) => line.includes("novel"))).toHaveLength(1);
  });

  it("ends an endless chunk at its limit, and closes the connection", async () => {
    const answerRequest: Answer = (_, response) => {
      beginStream(response, start, 'data: {"output": "');
      const more = () => response.write("x".repeat(10_000), (failed) => failed ?? more());
      more();
    };
    const { server, ask } = await open(answerRequest, { limits: { maxChunkBytes: 50_000 } });

    expect(await collect(ask())).toEqual({ types: ["started"], code: "answer_too_large" });
    await server.idle();
  });
});

describe("the limits of a streamed run", () => {
  it("says busy when no headers come within the first-chunk limit", async () => {
    const { server, clock, ask } = await open(() => {});
    const outcome = collect(ask());
    await server.arrived();

    await clock.advance(59_999);
    expect(clock.pending()).toBeGreaterThan(0);
    await clock.advance(1);

    expect(await outcome).toEqual({ types: [], code: "service_busy" });
    await server.idle();
    expect(clock.pending()).toBe(0);
  });

  it("says busy when headers come, but no chunk", async () => {
    const { server, clock, ask } = await open((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.flushHeaders();
    });
    const outcome = collect(ask());
    await server.arrived();

    await clock.advance(60_000);

    expect(await outcome).toEqual({ types: [], code: "service_busy" });
  });

  it("says silent when chunks stop coming, and closes the connection", async () => {
    const { server, clock, ask } = await open((_, response) => beginStream(response, start));
    const events = ask();
    await events.next();
    const outcome = collect(events);

    await clock.advance(180_000);

    expect(await outcome).toEqual({ types: [], code: "stream_silent" });
    await server.idle();
    expect(clock.pending()).toBe(0);
  });

  it("takes any byte for a sign of life", async () => {
    let stream: ServerResponse | undefined;
    const { clock, ask } = await open((_, response) => {
      stream = response;
      beginStream(response, start);
    });
    const events = ask();
    await events.next();
    const next = events.next();
    await clock.advance(170_000);
    await new Promise<void>((resolve) => stream?.write(": still here\n\n", () => resolve()));
    // The byte must have crossed the loopback before time goes on.
    while (clock.pending() !== 2) await clock.advance(0);
    await clock.advance(0);
    await clock.advance(100_000);
    stream?.write(answer);

    expect((await next).value).toEqual({ type: "answer", text: "At two." });
    await events.return?.();
  });

  it("does not count the time that the consumer takes", async () => {
    const { clock, ask } = await open((_, response) => beginStream(response, start, answer));
    const events = ask();
    await events.next();

    await clock.advance(200_000);

    expect((await events.next()).value).toEqual({ type: "answer", text: "At two." });
    await events.return?.();
  });

  it("says too long when a run goes on beyond its limit, however busy it is", async () => {
    let stream: ServerResponse | undefined;
    const { clock, ask } = await open(
      (_, response) => {
        stream = response;
        beginStream(response, start);
      },
      { limits: { runMs: 1000, silenceMs: 10_000 } },
    );
    const events = ask();
    await events.next();
    const outcome = collect(events);
    await clock.advance(500);
    stream?.write(": busy\n\n");

    await clock.advance(500);

    expect(await outcome).toEqual({ types: [], code: "stream_too_long" });
  });
});

describe("leaving a run", () => {
  it("stops at once when the signal aborts, and closes the connection", async () => {
    const { server, clock, ask } = await open((_, response) => beginStream(response, start));
    const stop = new AbortController();
    const events = ask(stop.signal);
    await events.next();
    const outcome = collect(events);

    stop.abort();

    expect(await outcome).toEqual({ types: [], code: "stopped" });
    await server.idle();
    expect(clock.pending()).toBe(0);
  });

  it("stops while the service has not begun to answer", async () => {
    const { server, clock, ask } = await open(() => {});
    const stop = new AbortController();
    const outcome = collect(ask(stop.signal));
    await server.arrived();

    stop.abort(new Error("a reason of its own"));

    expect(await outcome).toEqual({ types: [], code: "stopped" });
    await server.idle();
    expect(clock.pending()).toBe(0);
  });

  it("sends nothing when the signal has aborted before", async () => {
    const { server, ask } = await open(() => {});

    expect(await collect(ask(AbortSignal.abort()))).toEqual({ types: [], code: "stopped" });
    expect(server.asked).toEqual([]);
  });

  it("closes the connection when the consumer breaks off", async () => {
    const { server, service, clock } = await open((_, response) => beginStream(response, start, answer));

    for await (const event of service.ask("mindsdb", "support", question)) {
      if (event.type === "started") break;
    }

    await server.idle();
    expect(clock.pending()).toBe(0);
  });
});

describe("a run that does not begin", () => {
  it("refuses a blank question before it is sent", async () => {
    const { server, service } = await open((_, response) => json(response, 200, {}));
    const blank = service.ask("mindsdb", "support", [...question, { question: " \n", answer: "" }]);

    expect(await collect(blank[Symbol.asyncIterator]())).toEqual({ types: [], code: "question_empty" });
    expect(server.asked).toEqual([]);
  });

  it.each([
    ["25.9/stream_unknown_agent", "agent_not_found"],
    ["26.1/stream_unknown_project", "project_not_found"],
    ["26.1/auth_401_stream", "not_authorised"],
    ["25.9/stream_bad_json", "service_request_refused"],
  ])("says what %s means", async (name, code) => {
    const { ask } = await open((_, response) => play(response, name));

    expect(await collect(ask())).toEqual({ types: [], code });
  });

  it.each([
    ["text/html; charset=utf-8", "<!doctype html><h1>Welcome</h1>"],
    ["application/json", '{"message": "hello"}'],
  ])("does not take %s for a stream", async (contentType, body) => {
    const { server, ask, clock } = await open((_, response) => {
      response.writeHead(200, { "content-type": contentType });
      response.write(body);
    });

    expect(await collect(ask())).toEqual({ types: [], code: "service_not_understood" });
    await server.idle();
    expect(clock.pending()).toBe(0);
  });

  it("says unreachable when nothing listens", async () => {
    const { server, ask } = await open(() => {});
    await server.close();

    expect(await collect(ask())).toEqual({ types: [], code: "service_unreachable" });
  });

  it("says unreachable when the connection breaks before an answer", async () => {
    const { ask } = await open((_, __, request) => request.socket.destroy());

    expect(await collect(ask())).toEqual({ types: [], code: "service_unreachable" });
  });
});
