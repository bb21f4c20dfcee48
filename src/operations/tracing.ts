/**
 * Traces of Turns, for the OpenTelemetry SDK that an operator loads before Parley (docs/deploy.md). Without one the API
 * does nothing. A span has no words and no names of people.
 */
import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { toParleyError } from "../core/errors.ts";
import type { Turn } from "../core/model/turn.ts";

/** Asked for each time: an SDK may be registered late. */
const tracer = () => trace.getTracer("parley");

function within<T>(name: string, options: SpanOptions, parent: Context, work: (span: Span) => Promise<T>): Promise<T> {
  return tracer().startActiveSpan(name, options, parent, async (span) => {
    try {
      return await work(span);
    } catch (failure) {
      // Its message may have words of people.
      span.setStatus({ code: SpanStatusCode.ERROR, message: toParleyError(failure).code });
      throw failure;
    } finally {
      span.end();
    }
  });
}

/** Does `work` in a span below the current one. */
export function traced<T>(name: string, work: () => Promise<T>): Promise<T> {
  return within(name, {}, context.active(), work);
}

/** Starts a span below the current one; the first call of the result ends it. Without a call it is never exported. */
export function startSpan(name: string): () => void {
  const span = tracer().startSpan(name);
  return () => {
    if (span.isRecording()) span.end();
  };
}

/**
 * Does `work`, one life of a Turn in a process, which resolves with the Turn as it is then. Its first life continues the
 * trace in which the question was stored. Every other one has a trace of its own, which links to that.
 */
export function tracedLife(turn: Turn, isFirst: boolean, work: () => Promise<Turn>): Promise<Turn> {
  const asked = propagation.extract(ROOT_CONTEXT, { traceparent: turn.traceparent });
  const origin = trace.getSpanContext(asked);
  const links = isFirst || origin === undefined ? [] : [{ context: origin }];
  const about = { "parley.platform": turn.conversation.platform, "parley.turn": turn.id, "parley.ref": turn.ref };
  return within("parley.turn", { attributes: about, links }, isFirst ? asked : ROOT_CONTEXT, async (span) => {
    const ended = await work();
    span.setAttribute("parley.outcome", ended.state);
    if (ended.agent !== undefined) span.setAttribute("parley.agent", ended.agent.name);
    if (ended.state === "failed") span.setStatus({ code: SpanStatusCode.ERROR });
    return ended;
  });
}

/** Headers that continue the current trace: `traceparent`, and what else the operator's SDK adds. Empty without one. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}
