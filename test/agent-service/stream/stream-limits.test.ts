import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { question } from "../open-service.ts";
import { answer, beginStream, collect, openStream, start } from "./open-stream.ts";

describe("the limits of a streamed run", () => {
  it("says busy when no headers come within the first-chunk limit", async () => {
    const { server, clock, ask } = await openStream(() => {});
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
    const { server, clock, ask } = await openStream((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.flushHeaders();
    });
    const outcome = collect(ask());
    await server.arrived();

    await clock.advance(60_000);

    expect(await outcome).toEqual({ types: [], code: "service_busy" });
  });

  it("says silent when chunks stop coming, and closes the connection", async () => {
    const { server, clock, ask } = await openStream((_, response) => beginStream(response, start));
    const events = ask();
    await events.next();
    const outcome = collect(events);

    await clock.advance(180_000);

    expect(await outcome).toEqual({ types: [], code: "stream_silent" });
    await server.idle();
    expect(clock.pending()).toBe(0);
  });

  it("treats any bytes as a sign of life, even meaningless ones", async () => {
    let stream: ServerResponse | undefined;
    let seen = () => {};
    const arrived = new Promise<void>((resolve) => {
      seen = resolve;
    });
    const { clock, ask } = await openStream(
      (_, response) => {
        stream = response;
        beginStream(response, start);
      },
      { onMalformed: () => seen() },
    );
    const events = ask();
    await events.next();
    const next = events.next();
    await clock.advance(170_000);
    stream?.write(": still here\n\ndata: not JSON\n\n");
    await arrived;
    await clock.advance(170_000);
    stream?.write(answer);

    expect((await next).value).toEqual({ type: "answer", text: "At two." });
    await events.return?.();
  });

  it("does not count the time that the consumer takes", async () => {
    const { clock, ask } = await openStream((_, response) => beginStream(response, start, answer));
    const events = ask();
    await events.next();

    await clock.advance(200_000);

    expect((await events.next()).value).toEqual({ type: "answer", text: "At two." });
    await events.return?.();
  });

  it("fails as too long when a run exceeds its limit, however busy it is", async () => {
    let stream: ServerResponse | undefined;
    const { clock, ask } = await openStream(
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
    const { server, clock, ask } = await openStream((_, response) => beginStream(response, start));
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
    const { server, clock, ask } = await openStream(() => {});
    const stop = new AbortController();
    const outcome = collect(ask(stop.signal));
    await server.arrived();

    stop.abort(new Error("a reason of its own"));

    expect(await outcome).toEqual({ types: [], code: "stopped" });
    await server.idle();
    expect(clock.pending()).toBe(0);
  });

  it("sends nothing when the signal has aborted before", async () => {
    const { server, ask } = await openStream(() => {});

    expect(await collect(ask(AbortSignal.abort()))).toEqual({ types: [], code: "stopped" });
    expect(server.asked).toEqual([]);
  });

  it("closes the connection when the consumer breaks off", async () => {
    const { server, service, clock } = await openStream((_, response) => beginStream(response, start, answer));

    for await (const event of service.ask("mindsdb", "support", question)) {
      if (event.type === "started") break;
    }

    await server.idle();
    expect(clock.pending()).toBe(0);
  });
});
