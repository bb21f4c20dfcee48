/**
 * Parley's Prometheus metrics for /metrics. The rooms don't know Prometheus: each gets only the functions that it calls.
 * Labels are few and fixed, so that no text from outside can become a time series. Only agents have names of their own,
 * and at most a hundred of them.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type {
  AdapterMetrics,
  BridgeMetrics,
  DeliveryMetrics,
  FeedbackMetrics,
  JobMetrics,
  WatchedBudget,
} from "../core/metrics.ts";

export type Metrics = BridgeMetrics &
  JobMetrics &
  FeedbackMetrics & {
    readonly ofPlatform: (
      platform: string,
    ) => DeliveryMetrics & AdapterMetrics & { readonly isConnected: (isConnected: boolean) => void };
    /** Call for each chunk of the service that was skipped because it isn't JSON. */
    readonly malformedChunk: () => void;
    readonly serviceReachable: (isReachable: boolean) => void;
    /** All metrics in Prometheus's text format. */
    readonly text: () => Promise<string>;
    readonly contentType: string;
  };

/** From a cached answer to the run limit of fifteen minutes. */
const answerSeconds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900];
/** From a write on the same machine to a platform that is about to give up. */
const writeSeconds = [0.01, 0.03, 0.1, 0.3, 1, 3, 10];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  // Memory, CPU, garbage collection, and the event loop's delay (nodejs_eventloop_lag_p99_seconds).
  collectDefaultMetrics({ register: registry });
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Gauge({ name, help, labelNames, registers });
  const histogram = <L extends string>(name: string, help: string, buckets: number[], labelNames: readonly L[]) =>
    new Histogram({ name, help, buckets, labelNames, registers });

  const turns = counter("parley_turns_total", "Finished questions.", ["outcome"]);
  const firstChunkHelp = "Time from a request to the service to the first chunk of its answer.";
  const firstChunk = histogram("parley_first_chunk_seconds", firstChunkHelp, answerSeconds, []);
  const turnHelp = "Time from a question to its displayed end.";
  const turnSeconds = histogram("parley_turn_seconds", turnHelp, answerSeconds, ["outcome"]);
  const turnsNow = gauge("parley_turns", "Waiting and running questions of this process.", ["state"]);
  const writes = counter("parley_writes_total", "Writes to a platform.", ["platform", "kind", "outcome"]);
  const writeHelp = "Duration of writes to a platform.";
  const writeTimes = histogram("parley_write_seconds", writeHelp, writeSeconds, ["platform", "kind"]);
  const rateLimited = counter("parley_rate_limited_total", "Times a platform asked to slow down (429).", ["platform"]);
  const lowered = counter("parley_budget_lowered_total", "Times a 429 made a budget smaller for a while.", [
    "platform",
    "kind",
  ]);
  const statusHelp = "Words sent to a platform's status line, and how it ended.";
  const statusLines = counter("parley_status_lines_total", statusHelp, ["platform", "outcome"]);
  const blocksHelp = "Times a kind of block was found to be refused by a workspace, for a day.";
  const blocksRefused = counter("parley_blocks_refused_total", blocksHelp, ["kind"]);
  const watched = new Map<string, WatchedBudget & { readonly platform: string; readonly kind: string }>();
  new Gauge({
    name: "parley_budget_per_minute",
    help: "Writes a minute that the smallest budget of a workspace or channel allows now.",
    labelNames: ["platform", "kind"],
    registers,
    collect() {
      for (const { platform, kind, perMinute, lowered } of watched.values()) {
        this.set({ platform, kind }, Math.min(perMinute, ...lowered().map((budget) => budget.perMinute)));
      }
    },
  });
  const endsHelp = "Shown ends of questions: an edit, a first message, or a new message beside the progress.";
  const ends = counter("parley_ends_total", endsHelp, ["platform", "way"]);
  const skippedHelp = "Answers that were the first message of their question, because posts were short.";
  const skipped = counter("parley_placeholders_skipped_total", skippedHelp, ["platform"]);
  const connected = gauge("parley_platform_connected", "Whether a platform is connected.", ["platform"]);
  const reachable = gauge("parley_service_reachable", "Whether the agent service answered the last probe.", []);
  const malformed = counter("parley_malformed_chunks_total", "Skipped chunks of the service.", []);
  const streams = gauge("parley_open_streams", "Open streams from the agent service.", []);
  const jobs = counter("parley_jobs_total", "Finished jobs.", ["outcome"]);
  const jobsNow = gauge("parley_jobs", "Waiting and running jobs of this process.", ["state"]);

  const answers = counter("parley_answers_total", "Answers by agent, with or without a source.", ["agent", "source"]);
  const failures = counter("parley_failures_total", "Failed questions by agent.", ["agent"]);
  const votes = counter("parley_votes_total", "Votes on answers by agent.", ["agent", "thumb"]);
  const named = createNames();

  // Counters start at 0 instead of missing, because an alert on a rate needs a first value.
  for (const outcome of ["answered", "failed", "stopped", "interrupted"]) turns.inc({ outcome }, 0);
  for (const outcome of ["done", "failed", "cancelled"]) jobs.inc({ outcome }, 0);
  for (const state of ["waiting", "running"]) {
    turnsNow.set({ state }, 0);
    jobsNow.set({ state }, 0);
  }

  return {
    turnEnded: (outcome, { firstChunkMs, totalMs }) => {
      turns.inc({ outcome });
      turnSeconds.observe({ outcome }, totalMs / 1000);
      if (firstChunkMs !== undefined) firstChunk.observe(firstChunkMs / 1000);
    },
    answerEnded: (agent, { hasSource }) => answers.inc({ agent: named(agent), source: hasSource ? "yes" : "no" }),
    answerFailed: (agent) => failures.inc({ agent: named(agent) }),
    voted: (agent, thumb) => votes.inc({ agent: named(agent), thumb }),
    turnsNow: ({ waiting, running }) => {
      turnsNow.set({ state: "waiting" }, waiting);
      turnsNow.set({ state: "running" }, running);
    },
    ofPlatform: (platform) => {
      rateLimited.inc({ platform }, 0);
      skipped.inc({ platform }, 0);
      return {
        onWrite: (kind, outcome, ms) => {
          writes.inc({ platform, kind, outcome });
          writeTimes.observe({ platform, kind }, ms / 1000);
        },
        onRateLimited: () => rateLimited.inc({ platform }),
        onEnd: (way) => ends.inc({ platform, way }),
        onPlaceholderSkipped: () => skipped.inc({ platform }),
        onBudgetLowered: (kind) => lowered.inc({ platform, kind }),
        watchBudget: (kind, budget) => {
          lowered.inc({ platform, kind }, 0);
          watched.set(`${platform}/${kind}`, { ...budget, platform, kind });
        },
        onBlocksRefused: (kind) => blocksRefused.inc({ kind }),
        onStatusLine: (outcome) => statusLines.inc({ platform, outcome }),
        isConnected: (isConnected) => connected.set({ platform }, isConnected ? 1 : 0),
      };
    },
    malformedChunk: () => malformed.inc(),
    streamsChanged: (by) => streams.inc(by),
    jobEnded: (outcome) => jobs.inc({ outcome }),
    jobsNow: ({ waiting, running }) => {
      jobsNow.set({ state: "waiting" }, waiting);
      jobsNow.set({ state: "running" }, running);
    },
    serviceReachable: (isReachable) => reachable.set(isReachable ? 1 : 0),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

/** Agents that are counted by name. */
const maxNames = 100;

/** The first hundred agents keep their name; those after them share one. Agents are made by managers, but never few. */
function createNames(): (agent: string) => string {
  const known = new Set<string>();
  return (agent) => {
    if (agent === "") return "none";
    if (known.size < maxNames) known.add(agent);
    return known.has(agent) ? agent : "other";
  };
}
