/** Loaded before Parley, as an operator's module is (docs/deploy.md): sends each span to the collector of trace.ts. */
import { NodeTracerProvider, type ReadableSpan, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import type { SpanLine } from "./trace.ts";

const collector = process.env["TRACE_COLLECTOR"] ?? "";

const ms = ([seconds, nanoseconds]: readonly [number, number]) => seconds * 1_000 + nanoseconds / 1e6;

function lineOf(span: ReadableSpan): SpanLine {
  const { traceId, spanId: id } = span.spanContext();
  return {
    ...{ traceId, id, name: span.name, parent: span.parentSpanContext?.spanId },
    ...{ startMs: ms(span.startTime), endMs: ms(span.endTime) },
  };
}

async function send(spans: readonly ReadableSpan[]): Promise<void> {
  await fetch(collector, { method: "POST", body: JSON.stringify(spans.map(lineOf)) });
}

const exporter = {
  export: (spans: ReadableSpan[], done: (result: { code: number; error?: Error }) => void) => {
    send(spans).then(
      () => done({ code: 0 }),
      (error: Error) => done({ code: 1, error }),
    );
  },
  shutdown: async () => {},
};
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
