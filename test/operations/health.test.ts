import { afterEach, describe, expect, it } from "vitest";
import { ParleyError } from "../../src/core/errors.ts";
import type { Health } from "../../src/core/ports/chat-platform.ts";
import { createHealth, type HealthProbes, type Readiness } from "../../src/operations/health.ts";
import { createMetrics } from "../../src/operations/metrics.ts";
import { describeDamage } from "../../src/state/damaged-records.ts";
import { createCollectedLog } from "../doubles/collected-log.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";

const opened: HealthProbes[] = [];
afterEach(() => {
  for (const health of opened.splice(0)) health.close();
});

function open(parts: {
  service?: () => Promise<string>;
  state?: () => Promise<unknown>;
  platforms?: Record<string, () => Health>;
  notices?: () => readonly string[];
  publicUrl?: string;
}) {
  const clock = createFakeClock();
  const collected = createCollectedLog();
  const health = createHealth({
    platforms: Object.entries(parts.platforms ?? {}).map(([name, seen]) => ({ name, health: seen })),
    probeService: parts.service ?? (async () => "LiteLLM 1.106.2"),
    probeState: parts.state ?? (async () => {}),
    stateNotices: parts.notices ?? (() => []),
    ...(parts.publicUrl === undefined ? {} : { publicUrl: parts.publicUrl }),
    metrics: createMetrics(),
    clock,
    log: collected.log,
  });
  opened.push(health);
  const readyz = async () => {
    const response = await health.routes.request("/readyz");
    return { status: response.status, ...((await response.json()) as Readiness) };
  };
  return { health, clock, readyz, ...collected };
}

describe("GET /healthz", () => {
  it("answers while everything else is down", async () => {
    const away = () => Promise.reject(new ParleyError("service_unreachable"));
    const { health } = open({ service: away, state: away });

    expect((await health.routes.request("/healthz")).status).toBe(200);
  });
});

describe("GET /readyz", () => {
  it("is 200 when every platform is connected, the service answers and the state can be written", async () => {
    const { readyz } = open({ platforms: { slack: () => ({ isConnected: true }) } });

    expect(await readyz()).toEqual({
      status: 200,
      ready: true,
      checks: { slack: { ok: true }, service: { ok: true, is: "LiteLLM 1.106.2" }, state: { ok: true } },
    });
  });

  it("says which platform is not connected, and why", async () => {
    const { readyz } = open({
      platforms: {
        slack: () => ({ isConnected: false, reason: "The token was refused: install the app again." }),
        console: () => ({ isConnected: true }),
      },
    });

    expect(await readyz()).toMatchObject({
      status: 503,
      ready: false,
      checks: { slack: { ok: false, reason: "The token was refused: install the app again." }, console: { ok: true } },
    });
  });

  it("says what a connected platform lacks", async () => {
    const { readyz } = open({ platforms: { slack: () => ({ isConnected: true, reason: "It lacks a scope." }) } });

    expect(await readyz()).toMatchObject({
      status: 200,
      ready: true,
      checks: { slack: { ok: true, reason: "It lacks a scope." } },
    });
  });

  it("says that the service is down and what to check", async () => {
    const { readyz } = open({ service: () => Promise.reject(new ParleyError("service_unreachable")) });

    const answer = await readyz();

    expect(answer.status).toBe(503);
    expect(answer.checks["service"]).toEqual({
      ok: false,
      reason: "The agent service can't be reached. Check that it is running, and AGENT_SERVICE_URL.",
    });
  });

  it("stays ready beside damaged records, and says how many there are", async () => {
    let count = 2;
    const { readyz } = open({ notices: () => [describeDamage({ count, keys: ["turns/x"] }) ?? ""].filter(Boolean) });

    expect(await readyz()).toMatchObject({
      status: 200,
      checks: {
        state: {
          ok: true,
          reason: "2 stored records are damaged and skipped. The log and npm run doctor name the keys.",
        },
      },
    });

    count = 0;
    expect((await readyz()).checks["state"]).toEqual({ ok: true });
  });

  it("never shows the cause of a failure", async () => {
    const cause = new Error("password=hunter22 at 10.0.0.5");
    const { readyz } = open({ state: () => Promise.reject(new ParleyError("state_unavailable", { cause })) });

    expect(JSON.stringify(await readyz())).not.toMatch(/hunter22|10\.0\.0\.5/);
  });

  it("does not wait for a service that does not answer", async () => {
    const { clock, readyz } = open({ service: () => new Promise(() => {}) });

    const answer = readyz();
    await clock.advance(1000);

    expect((await answer).checks["service"]).toEqual({ ok: false, reason: "The agent service hasn't answered yet." });
  });

  it("checks the service again when asked, at most once a second", async () => {
    let asked = 0;
    const service = async () => {
      asked += 1;
      return "";
    };
    const { clock, readyz } = open({ service });

    await readyz();
    await readyz();
    expect(asked).toBe(1);

    await clock.advance(1500);
    await readyz();
    expect(asked).toBe(2);
  });

  it("checks a service that is down at least every 15 s, and logs its loss and its return once each", async () => {
    let isAway = true;
    const service = () =>
      isAway ? Promise.reject(new ParleyError("service_unreachable")) : Promise.resolve("LiteLLM");
    const { clock, lines } = open({ service });
    await clock.advance(40_000);

    isAway = false;
    await clock.advance(15_000);

    expect(lines().map((line) => [line["level"], String(line["msg"]).slice(0, 25)])).toEqual([
      ["warn", "The agent service is down"],
      ["info", "The agent service is back"],
    ]);
  });

  it("is not ready while Parley is ending", async () => {
    const { health, readyz } = open({});

    health.drain();

    expect(await readyz()).toMatchObject({ status: 503, checks: { intake: { ok: false } } });
  });
});

describe("GET /metrics", () => {
  it("reports its counters, and which platform is connected", async () => {
    const { health } = open({ platforms: { slack: () => ({ isConnected: false }) } });

    const response = await health.routes.request("/metrics");

    expect(response.headers.get("content-type")).toContain("text/plain");
    expect(await response.text()).toContain('parley_platform_connected{platform="slack"} 0');
  });
});

describe("a probe", () => {
  const hosts = (health: HealthProbes, path: string, names: readonly string[]) =>
    Promise.all(names.map((host) => health.routes.request(path, { headers: { host } })));

  it("is answered by address, by a name without a dot, and by the host of PUBLIC_URL", async () => {
    const { health } = open({ publicUrl: "https://parley.example/x" });
    const names = ["10.0.0.7:3000", "[::1]:3000", "parley:3000", "localhost", "parley.example", "parley.example:443"];

    const metrics = await hosts(health, "/metrics", names);
    const ready = await hosts(health, "/readyz", names);

    expect([...metrics, ...ready].map(({ status }) => status)).toEqual(Array(12).fill(200));
    for (const response of ready) expect(await response.json()).toHaveProperty("checks");
  });

  it("tells a page of a site whose name leads to Parley nothing but whether it is ready", async () => {
    const { health } = open({ publicUrl: "https://parley.example" });
    const names = ["evil.example:3000", "127.0.0.1.evil.example", "x.parley.example"];

    const metrics = await hosts(health, "/metrics", names);
    const ready = await hosts(health, "/readyz", names);

    expect(metrics.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(await metrics[0]?.text()).not.toContain("parley_");
    for (const response of ready) expect([response.status, await response.json()]).toEqual([200, { ready: true }]);
  });
});
