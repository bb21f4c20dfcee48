/** Errors of servers, in every form that they send them: after half an answer, as JSON with 200, outside of events. */
import { afterEach, describe, expect, it } from "vitest";
import { createChatService } from "../../../src/agent-service/chat/request.ts";
import type { DialectOptions } from "../../../src/agent-service/dialect.ts";
import { createMindsdbService } from "../../../src/agent-service/mindsdb/request.ts";
import { createResponsesService } from "../../../src/agent-service/responses/request.ts";
import { conclude, failWith, initialView, reduce } from "../../../src/bridge/turn/view.ts";
import { toParleyError } from "../../../src/core/errors.ts";
import type { AgentService } from "../../../src/core/ports/agent-service.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { startServer } from "../real-server.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const wire = (event: unknown) => `data: ${JSON.stringify(event)}\n\n`;
const message = (text: string) => ({
  ...{ id: "m1", type: "message", role: "assistant", status: "completed" },
  content: [{ type: "output_text", text, annotations: [] }],
});

type Shape = {
  readonly create: (options: DialectOptions) => AgentService;
  /** Half an answer, as far as the dialect can tell. */
  readonly half: string;
  /** What is shown if nothing follows. Absent: that it isn't all. */
  readonly halfEnds?: { readonly state: string };
  /** The end of a stream. */
  readonly end: string;
  /** What a server that doesn't stream answers. */
  readonly whole: unknown;
};

const shapes: Readonly<Record<string, Shape>> = {
  "the service of the API": {
    create: createMindsdbService,
    half: wire({ output: "The yard", messages: [] }),
    halfEnds: { state: "answered" },
    end: wire({ type: "end" }),
    whole: { message: { content: "The yard opens at six.", role: "assistant" } },
  },
  "Chat Completions": {
    create: createChatService,
    half: wire({ choices: [{ index: 0, delta: { content: "The yard" } }] }),
    end: "data: [DONE]\n\n",
    whole: {
      ...{ id: "c1", object: "chat.completion", created: 1, model: "m" },
      choices: [{ index: 0, message: { role: "assistant", content: "The yard opens at six." }, finish_reason: "stop" }],
    },
  },
  Responses: {
    create: createResponsesService,
    half: wire({ type: "response.output_text.delta", item_id: "m1", output_index: 0, delta: "The yard" }),
    end: "data: [DONE]\n\n",
    whole: { id: "r1", object: "response", status: "completed", output: [message("The yard opens at six.")] },
  },
};

async function answered({ create }: Shape, body: string, contentType = "text/event-stream") {
  const server = await startServer(({ method }, response) => {
    if (method !== "POST") return void response.writeHead(404).end("{}");
    response.writeHead(200, { "content-type": contentType }).end(body);
  });
  const clock = createFakeClock();
  const service = create({ baseUrl: server.url, clock, log: silentLog });
  closers.push(server.close, service.close);
  let view = initialView({ id: "t1", ref: "k3f9", question: "When?", agent: "guide" });
  let cause = "";
  try {
    for await (const event of service.ask("p", "support", [{ question: "When?", answer: "" }])) {
      if (event.type === "failed") cause = String(event.error.cause);
      view = reduce(view, event, 1_000);
    }
    return { view: conclude(view, 2_000), cause };
  } catch (thrown) {
    return { view: failWith(view, toParleyError(thrown), 2_000), cause };
  }
}

const died = { message: "engine died", type: "InternalServerError", code: 500 };

describe.each(Object.entries(shapes))("%s", (_name, shape) => {
  it.each([
    ["an event named error", `event: error\n${wire(died)}`],
    ["an event named error that has an error inside", `event: error\n${wire({ error: died })}`],
    ["an event named error in words", "event: error\ndata: engine died\n\n"],
    ["an error in an event without a name", wire({ error: died })],
    ["an error as a bare line", `${JSON.stringify({ error: died })}\n`],
    ["an error as a bare line without its end", JSON.stringify({ error: died })],
    ["an error over several bare lines", `${JSON.stringify({ error: died }, null, 2)}\n`],
    ["an error after the word error", `error: ${JSON.stringify(died)}\n\n`],
  ])("fails with %s after half an answer, and says why", async (_form, error) => {
    const isWhole = error.endsWith("\n");
    for (const body of [shape.half + error, error, ...(isWhole ? [shape.half + error + shape.end] : [])]) {
      const { view, cause } = await answered(shape, body);

      expect(view).toMatchObject({ state: "failed", error: { what: expect.stringContaining("engine died") } });
      expect(cause).toContain("engine died");
    }
  });

  it.each([{ error: died }, { ...died, object: "error" }, { error: "engine died" }])(
    "fails with %j as JSON with status 200",
    async (error) => {
      for (const type of ["application/json", "text/event-stream"]) {
        const { view } = await answered(shape, JSON.stringify(error), type);
        expect(view).toMatchObject({ state: "failed", error: { what: expect.stringContaining("engine died") } });
      }
    },
  );

  it.each([
    { code: 500, message: "engine died" },
    { code: "engine_failed", msg: "engine died" },
    { status: "error", msg: "engine died" },
    { status: 502, message: "engine died" },
    { success: false, message: "engine died" },
    { error_code: 336_000, error_msg: "engine died", status: "failed" },
    { errors: [{ message: "engine died" }] },
    { errors: ["engine died"] },
    { detail: [{ loc: ["body"], msg: "engine died", type: "missing" }] },
    { error: null, detail: "engine died" },
  ])("fails with %j, as gateways write it, in a stream and as JSON with 200", async (error) => {
    const half = [shape.half + wire(error) + shape.end, shape.half + wire(error), wire(error)];
    for (const body of half) {
      const { view } = await answered(shape, body);
      expect(view).toMatchObject({ state: "failed", error: { what: expect.stringContaining("engine died") } });
    }
    const { view } = await answered(shape, JSON.stringify(error), "application/json");
    expect(view).toMatchObject({ state: "failed", error: { what: expect.stringContaining("engine died") } });
  });

  it("shows the answer of a server that doesn't stream", async () => {
    for (const body of [JSON.stringify(shape.whole), JSON.stringify(shape.whole, null, 2)]) {
      for (const type of ["application/json", "application/json; charset=utf-8", "text/event-stream"]) {
        const { view } = await answered(shape, body, type);
        expect(view).toMatchObject({ state: "answered", answer: "The yard opens at six." });
      }
    }
  });

  it("doesn't understand JSON that is neither", async () => {
    const { view } = await answered(shape, '{"hello":"world"}', "application/json");

    expect(view).toMatchObject({ state: "failed", error: { code: "service_not_understood" } });
  });

  it("shows an answer whose events have numbers that aren't JSON", async () => {
    const odd = shape.half.replace("}\n\n", ',"score":NaN,"low":-Infinity,"said":"NaN \\" Infinity"}\n\n');
    const { view } = await answered(shape, odd);

    expect(view).toMatchObject({ answer: "The yard", ...(shape.halfEnds ?? { state: "failed", isPartial: true }) });
  });

  it("names no key, address or id of the server's words", async () => {
    const words = "Bad gateway https://10.0.0.5:8000/v1 for org-abcdefgh1 of ana@example.com in /srv/models/x.gguf";
    const { view } = await answered(shape, shape.half + wire({ error: { message: words } }));
    const keyed = await answered(shape, shape.half + wire({ error: { message: "Wrong api_key: abcdef" } }));

    expect(view.error?.what).toContain("Bad gateway");
    expect(view.error?.what).not.toMatch(/10\.0|abcdefgh1|ana@|srv/);
    expect(keyed.view.error?.what).not.toContain("key");
  });
});

it.each(["error", "abort", "timeout", "engine_error", "insufficient_system_resource"])(
  "an answer that a server of Chat Completions ends by %j isn't finished",
  async (reason) => {
    const { half, end } = shapes["Chat Completions"] as Shape;
    const stop = wire({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
    const { view } = await answered(shapes["Chat Completions"] as Shape, half + stop + end);

    expect(view).toMatchObject({ state: "failed", answer: "The yard", isPartial: true });
  },
);
