/**
 * Health probes: /healthz (the process runs), /readyz (it can do its work, or why not) and /metrics. A probe never waits
 * for something that is down: it answers with the last known state and refreshes that in the background.
 */
import { type Context, Hono } from "hono";
import { isOwnHost } from "../core/model/own-host.ts";
import type { Health } from "../core/ports/chat-platform.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Log } from "../core/ports/log.ts";
import { withTimeout } from "../core/tools/timeout.ts";
import type { Metrics } from "./metrics.ts";
import { describeForOperator } from "./remedies.ts";

/** Below 15 s, the promised interval for noticing that something is back. */
const probeEveryMs = 10_000;
/** More frequent probes get the last result, so that they cause no load. */
const freshForMs = 1000;
/** Keeps the answer to a probe below 1 s. */
const maxWaitMs = 800;

const foreignHost = "Ask by an IP address, by a host name without a dot, or by the host of PUBLIC_URL.";

export type HealthOptions = {
  /** The enabled platforms. */
  readonly platforms: readonly { readonly name: string; readonly health: () => Health }[];
  /** What the service is, in a line. Rejects while it is unreachable. */
  readonly probeService: (signal: AbortSignal) => Promise<string>;
  /** Rejects while the state isn't writable. */
  readonly probeState: () => Promise<unknown>;
  /** Warnings about a writable state, one sentence each. Parley stays ready. */
  readonly stateNotices: () => readonly string[];
  /** PUBLIC_URL. */
  readonly publicUrl?: string;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly log: Log;
};

type Check = { readonly ok: boolean; readonly reason?: string; readonly is?: string };

export type Readiness = {
  readonly ready: boolean;
  /** By name: every enabled platform, "service" and "state". */
  readonly checks: Readonly<Record<string, Check>>;
};

export type HealthProbes = {
  /** GET /healthz, /readyz, /metrics. */
  readonly routes: Hono;
  readonly readiness: () => Promise<Readiness>;
  /** Reports "not ready" from now on, so that no new requests are sent here. */
  readonly drain: () => void;
  readonly close: () => void;
};

/** `is`: what answers there, in a line. */
type Seen = Health & Pick<Check, "is">;

type Probe = { readonly current: () => Promise<Seen> };

/** Starts probing at once, so that the first request doesn't have to wait. */
export function createHealth(options: HealthOptions): HealthProbes {
  const { platforms, metrics, clock, log } = options;
  const closing = new AbortController();
  let isDraining = false;

  const service = createProbe(
    "The agent service",
    () => options.probeService(closing.signal),
    metrics.serviceReachable,
  );
  const probeState = async () => {
    await options.probeState();
    return undefined;
  };
  const state = createProbe("The storage", probeState, () => {});

  function createProbe(name: string, ask: () => Promise<string | undefined>, report: (isOk: boolean) => void): Probe {
    let last: Seen | undefined;
    let askedAtMs = Number.NEGATIVE_INFINITY;
    let running: Promise<Seen> | undefined;

    async function run(): Promise<Seen> {
      let seen: Seen;
      try {
        seen = { isConnected: true, is: await ask() };
      } catch (thrown) {
        const reason = describeForOperator(thrown);
        seen = { isConnected: false, reason };
        if (last?.isConnected !== false && !closing.signal.aborted) {
          log.warn({ err: thrown }, `${name} is down; retrying every ${probeEveryMs / 1000} s. ${reason}`);
        }
      }
      if (seen.isConnected && last?.isConnected === false) log.info({}, `${name} is back`);
      report(seen.isConnected);
      last = seen;
      return seen;
    }

    function refresh(): Promise<Seen> {
      if (running === undefined) {
        askedAtMs = clock.now();
        running = run().finally(() => {
          running = undefined;
        });
      }
      return running;
    }

    async function keepAsking(): Promise<void> {
      while (!closing.signal.aborted) {
        await refresh();
        await clock.sleep(probeEveryMs, closing.signal).catch(() => {});
      }
    }
    void keepAsking();

    return {
      current: async () => {
        if (running === undefined && last !== undefined && clock.now() - askedAtMs < freshForMs) return last;
        const seen = await withTimeout(refresh(), maxWaitMs, clock);
        return seen ?? last ?? { isConnected: false, reason: `${name} hasn't answered yet.` };
      },
    };
  }

  async function readiness(): Promise<Readiness> {
    const [serviceHealth, stateHealth] = await Promise.all([service.current(), state.current()]);
    const checks: Record<string, Check> = {};
    for (const { name, health } of platforms) checks[name] = checkOf(reportConnected(name, health()));
    checks["service"] = checkOf(serviceHealth);
    const notices = stateHealth.isConnected ? options.stateNotices().join(" ") : "";
    checks["state"] = checkOf(notices === "" ? stateHealth : { ...stateHealth, reason: notices });
    if (isDraining) checks["intake"] = { ok: false, reason: "Parley is shutting down." };
    return { ready: Object.values(checks).every((check) => check.ok), checks };
  }

  function reportConnected(name: string, seen: Health): Health {
    metrics.ofPlatform(name).isConnected(seen.isConnected);
    return seen;
  }

  /** Not a page of another site in someone's browser, whose name leads here. Probes need no other proof. */
  const isForHere = ({ req }: Context) =>
    req.header("host") === undefined || isOwnHost(req.header("host"), options.publicUrl);
  const routes = new Hono();
  routes.get("/healthz", (context) => context.json({ alive: true }));
  routes.get("/readyz", async (context) => {
    const answer = await readiness();
    // A load balancer may ask by another name. It needs the status only.
    return context.json(isForHere(context) ? answer : { ready: answer.ready }, answer.ready ? 200 : 503);
  });
  routes.get("/metrics", async (context) => {
    if (!isForHere(context)) return context.text(`${foreignHost}\n`, 403);
    for (const { name, health } of platforms) reportConnected(name, health());
    return context.body(await metrics.text(), 200, { "content-type": metrics.contentType });
  });

  return {
    routes,
    readiness,
    drain: () => {
      isDraining = true;
    },
    close: () => closing.abort(new Error("Parley is shutting down.")),
  };
}

/** A connected platform may still lack something, such as a scope: then the reason is given beside ok. */
function checkOf({ isConnected, reason, is }: Seen): Check {
  return { ok: isConnected, reason, is };
}
