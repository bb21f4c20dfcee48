/** Traces of Turns, as an operator's OpenTelemetry SDK sees them. */
import { context, propagation, trace } from "@opentelemetry/api";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanExporter,
} from "@opentelemetry/sdk-trace-node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createChatService } from "../../../src/agent-service/chat/request.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import type { AgentService } from "../../../src/core/ports/agent-service.ts";
import { type RealServer, startServer } from "../../agent-service/real-server.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { untilAdvanced } from "../../doubles/until.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;
const closers: (() => Promise<void>)[] = [];
beforeEach(() => start());
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  for (const api of [trace, context, propagation]) api.disable();
});

async function start(service: Partial<AgentService> = {}): Promise<void> {
  const started = await createHarness({ service });
  closers.push(started.stop);
  parley = started;
}

/** As an operator's module that is loaded before Parley. */
function registerSdk(exporter: SpanExporter): void {
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
}

function collected(): InMemorySpanExporter {
  const exporter = new InMemorySpanExporter();
  registerSdk(exporter);
  return exporter;
}

function named(exporter: InMemorySpanExporter, name: string): ReadableSpan[] {
  return exporter.getFinishedSpans().filter((span) => span.name === name);
}

/** Each span below the one that it belongs to, in the order in which they began. */
function treeOf(exporter: InMemorySpanExporter): readonly string[] {
  const spans = exporter.getFinishedSpans();
  return spans.map(({ name, parentSpanContext }) => {
    const parent = spans.find((span) => span.spanContext().spanId === parentSpanContext?.spanId);
    return `${parent?.name ?? "nothing"} > ${name}`;
  });
}

async function ask(question: string, answer = "At two."): Promise<void> {
  const { length } = parley.agents.runs;
  await parley.say(question).done;
  (await parley.agents.run(length)).answer(answer);
  await parley.settle(1_000);
}

const chunk = { choices: [{ index: 0, delta: { content: "At two." }, finish_reason: "stop" }] };

/** A service over HTTP in the place of the double. */
async function overHttp(): Promise<RealServer> {
  const server = await startServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`data: ${JSON.stringify(chunk)}\n\n`);
  });
  const service = createChatService({ baseUrl: server.url, clock: createFakeClock(), log: silentLog });
  closers.push(server.close, service.close);
  await start({ ask: service.ask });
  return server;
}

async function askOverHttp() {
  const server = await overHttp();
  await parley.say("When?").done;
  await untilAdvanced(parley.clock, "the answer", () => parley.texts().join().includes("At two."), 100);
  await parley.settle(1_000);
  return server.asked.filter(({ method }) => method === "POST");
}

describe("with an OpenTelemetry SDK", () => {
  it("one trace shows a Turn from its event to its final edit", async () => {
    const exporter = collected();

    await ask("When?");

    expect(new Set(exporter.getFinishedSpans().map((span) => span.spanContext().traceId)).size).toBe(1);
    expect(new Set(treeOf(exporter))).toEqual(
      new Set([
        "nothing > parley.question",
        "parley.question > parley.turn",
        "parley.turn > parley.turn.placing",
        "parley.turn.placing > parley.first_write",
        "parley.turn > parley.turn.queued",
        "parley.turn > parley.turn.deciding",
        "parley.turn > parley.turn.asking",
        "parley.turn.asking > parley.permit",
        "parley.turn.asking > parley.run",
        "parley.turn > parley.turn.ending",
        "parley.turn.ending > parley.final_edit",
      ]),
    );
  });

  it("a Turn's span names the platform, the agent, the outcome and the reference, and no words of people", async () => {
    const exporter = collected();

    await ask("When does Wilma arrive?", "Wilma arrives at two.");

    const [turn] = named(exporter, "parley.turn");
    expect(turn?.attributes).toEqual({
      "parley.platform": "memory",
      "parley.turn": expect.any(String),
      "parley.ref": expect.any(String),
      "parley.outcome": "answered",
      "parley.agent": "guide",
    });
    const told = exporter.getFinishedSpans().map(({ attributes, status, events }) => ({ attributes, status, events }));
    expect(JSON.stringify(told)).not.toMatch(/wilma|alice/i);
  });

  it("a question that fails is marked as an error, without the service's words", async () => {
    const exporter = collected();
    await parley.say("When?").done;

    (await parley.agents.run(0)).fail(new ParleyError("service_unreachable", { cause: new Error("Wilma's host") }));
    await parley.settle(1_000);

    const [turn] = named(exporter, "parley.turn");
    expect(turn?.attributes["parley.outcome"]).toBe("failed");
    expect(turn?.status).toEqual({ code: 2 });
    expect(JSON.stringify(exporter.getFinishedSpans().map(({ status }) => status))).not.toContain("Wilma");
  });

  it("the service gets the trace of the run as traceparent", async () => {
    const exporter = collected();

    const asked = await askOverHttp();

    const [run] = named(exporter, "parley.run");
    const { traceId, spanId } = run?.spanContext() ?? {};
    expect(asked.map(({ headers }) => headers["traceparent"])).toEqual([`00-${traceId}-${spanId}-01`]);
  });

  it("a Turn that another process continues links to the trace in which it was asked", async () => {
    const exporter = collected();
    await parley.say("When?").done;
    (await parley.agents.run(0)).send({ type: "started" });
    await parley.settle();

    await parley.restart();
    (await parley.agents.run(1)).answer("At two.");
    await parley.settle(60_000);

    const [question] = named(exporter, "parley.question");
    const [life, ...others] = named(exporter, "parley.turn");
    expect(others).toEqual([]);
    expect(life?.spanContext().traceId).not.toBe(question?.spanContext().traceId);
    expect(life?.links.map((link) => link.context)).toEqual([
      { ...question?.spanContext(), isRemote: true, traceState: undefined },
    ]);
  });

  it("an exporter that hangs delays no answer", async () => {
    let exports = 0;
    registerSdk({
      export: () => {
        exports += 1;
      },
      shutdown: () => new Promise(() => {}),
    });

    await ask("When?");

    expect(exports).toBeGreaterThan(0);
    expect(parley.texts().join()).toContain("At two.");
  });
});

describe("without an OpenTelemetry SDK", () => {
  it("nothing of a trace is stored or sent", async () => {
    const asked = await askOverHttp();

    expect(asked).toHaveLength(1);
    expect(Object.keys(asked[0]?.headers ?? {}).filter((name) => /trace|baggage/.test(name))).toEqual([]);
    const turn = await parley.state().turns.getByEventKey("memory/T1/general/101");
    expect(turn?.state).toBe("answered");
    expect(Object.keys(turn ?? {})).not.toContain("traceparent");
  });
});
