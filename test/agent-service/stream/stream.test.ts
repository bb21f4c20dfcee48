import { describe, expect, it } from "vitest";
import { untilAdvanced } from "../../doubles/until.ts";
import { question } from "../open-service.ts";
import { type Answer, json, play } from "../real-server.ts";
import { recordedStream } from "../recordings.ts";
import { answer, beginStream, collect, end, openStream, start } from "./open-stream.ts";

describe("a streamed run", () => {
  it.each(["25.9", "26.1"])("brings a recorded run of %s over a real connection", async (generation) => {
    const { server, ask } = await openStream((_, response) => {
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
    const { ask } = await openStream((_, response) =>
      beginStream(response, start.trimEnd(), "\n", answer.trimEnd(), "\n"),
    );
    const events = ask();

    const first = await events.next();
    const second = await events.next();

    expect(first.value).toEqual({ type: "started" });
    expect(second.value).toEqual({ type: "answer", text: "At two." });
    await events.return?.();
  });

  it("is over at its end, and uses the connection again", async () => {
    const { server, ask, clock } = await openStream((_, response) => {
      beginStream(response, start, answer, end, end, "late bytes");
      response.end();
    });
    await collect(ask());
    await untilAdvanced(clock, "the end of the timers", () => clock.pending() === 0);
    await collect(ask());

    expect(server.asked).toHaveLength(2);
    expect(server.connections()).toBe(1);
  });

  it("gives up a connection that is not ended behind the end", async () => {
    const { server, ask, clock } = await openStream((_, response) => beginStream(response, start, answer, end));

    const { types } = await collect(ask());
    await clock.advance(250);
    await server.idle();

    expect(types).toEqual(["started", "answer", "ended"]);
    expect(clock.pending()).toBe(0);
  });

  it("closes a connection that keeps sending after the end", async () => {
    const { server, ask, clock } = await openStream((_, response) => {
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
    const { ask } = await openStream((_, response) => {
      beginStream(response, start, answer.trimEnd());
      response.end();
    });

    expect(await collect(ask())).toEqual({ types: ["started", "answer"] });
  });

  it("is cut, after all that had come, when the connection breaks", async () => {
    const { ask } = await openStream((_, response) => {
      beginStream(response, start);
      response.write(answer, () => response.destroy());
    });

    expect(await collect(ask())).toEqual({ types: ["started", "answer"], code: "stream_cut" });
  });

  it("skips a chunk that isn't JSON, says so, and continues", async () => {
    let malformed = 0;
    const onMalformed = () => {
      malformed += 1;
    };
    const answerRequest: Answer = (_, response) => {
      beginStream(response, start, 'data: {"output": \n\n', answer, end);
      response.end();
    };
    const { ask, lines } = await openStream(answerRequest, { onMalformed });

    const { types } = await collect(ask());

    expect(types).toEqual(["started", "answer", "ended"]);
    expect(malformed).toBe(1);
    expect(lines.filter((line) => line.includes("aren't JSON"))).toHaveLength(1);
  });

  it("logs the garbage of a run in one line with its count, however much there was", async () => {
    const garbage = "data: x\n\n".repeat(20_000);
    const { ask, lines } = await openStream((_, response) => {
      beginStream(response, start, garbage, answer, end);
      response.end();
    });

    expect((await collect(ask())).types).toEqual(["started", "answer", "ended"]);
    await collect(ask());

    const told = lines.filter((line) => line.includes("aren't JSON"));
    expect(told).toHaveLength(2);
    expect(told[0]).toContain("skipped: 20000");
  });

  it("logs the garbage of a run also when that run is given up", async () => {
    const { ask, lines } = await openStream((_, response) => {
      beginStream(response, start, 'data: {"output": \n\n', answer);
    });
    const events = ask();
    while ((await events.next()).value?.type !== "answer");

    await events.return?.(undefined);

    expect(lines.filter((line) => line.includes("aren't JSON"))).toHaveLength(1);
  });

  it("logs a kind of chunk that it does not know once, in however many runs", async () => {
    const { ask, lines } = await openStream((_, response) => {
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
    const { server, ask } = await openStream(answerRequest, { limits: { maxChunkBytes: 50_000 } });

    expect(await collect(ask())).toEqual({ types: ["started"], code: "answer_too_large" });
    await server.idle();
  });
});

describe("a run that doesn't start", () => {
  it("refuses an empty question before it is sent", async () => {
    const { server, service } = await openStream((_, response) => json(response, 200, {}));
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
    const { ask } = await openStream((_, response) => play(response, name));

    expect(await collect(ask())).toEqual({ types: [], code });
  });

  it.each([
    ["text/html; charset=utf-8", "<!doctype html><h1>Welcome</h1>"],
    ["application/json", '{"message": "hello"}'],
  ])("doesn't treat %s as a stream", async (contentType, body) => {
    const { server, ask, clock } = await openStream((_, response) => {
      response.writeHead(200, { "content-type": contentType });
      response.write(body);
    });

    expect(await collect(ask())).toEqual({ types: [], code: "service_not_understood" });
    await server.idle();
    expect(clock.pending()).toBe(0);
  });

  it("says unreachable when nothing listens", async () => {
    const { server, ask } = await openStream(() => {});
    await server.close();

    expect(await collect(ask())).toEqual({ types: [], code: "service_unreachable" });
  });

  it("says unreachable when the connection breaks before an answer", async () => {
    const { ask } = await openStream((_, __, request) => request.socket.destroy());

    expect(await collect(ask())).toEqual({ types: [], code: "service_unreachable" });
  });
});
