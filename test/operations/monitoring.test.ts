/** The dashboard and the alerts in docs ask only for what /metrics has. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageFolder } from "../../src/core/tools/package-folder.ts";
import { createMetrics } from "../../src/operations/metrics.ts";

const read = (name: string) => readFileSync(join(packageFolder, "docs", name), "utf8");
const dashboardText = read("grafana-dashboard.json");
const alerts = read("prometheus-alerts.yaml");

/** Names and types. A histogram is asked for by three more names. */
async function offered(): Promise<ReadonlySet<string>> {
  const types = (await createMetrics().text()).matchAll(/^# TYPE (\S+) (\S+)$/gm);
  const suffixes = ["_bucket", "_sum", "_count"];
  return new Set(
    [...types].flatMap(([, name = "", type]) =>
      type === "histogram" ? suffixes.map((suffix) => `${name}${suffix}`) : [name],
    ),
  );
}

const namedIn = (text: string) => [...new Set(text.match(/\b(?:parley|nodejs|process)_[a-z0-9_]+/g))];

type Panel = {
  readonly id: number;
  readonly title: string;
  readonly description: string;
  readonly targets: readonly { readonly expr: string; readonly refId: string }[];
  readonly gridPos: { readonly x: number; readonly y: number };
};

describe("monitoring", () => {
  it("has a dashboard that Grafana can import, each panel in a place of its own", () => {
    const { panels } = JSON.parse(dashboardText) as { readonly panels: readonly Panel[] };

    expect(panels.length).toBeGreaterThan(10);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x}/${y}`)).size).toBe(panels.length);
    for (const { title, description, targets } of panels) {
      expect(description, title).toMatch(/\.$/);
      expect(targets.length, title).toBeGreaterThan(0);
      expect(new Set(targets.map(({ refId }) => refId)).size, title).toBe(targets.length);
      for (const { expr } of targets) expect(namedIn(expr), `${title}: ${expr}`).toHaveLength(1);
    }
  });

  it("has alerts that say what is wrong and what to do", () => {
    const rules = alerts.split(/^ {6}- alert: /m).slice(1);

    expect(rules.length).toBeGreaterThan(5);
    for (const rule of rules) {
      const [name = ""] = rule.split("\n");
      expect(name).toMatch(/^Parley[A-Za-z]+$/);
      for (const part of ["expr: ", "labels: { severity: ", "summary: ", "action: "])
        expect(rule, name).toContain(part);
    }
  });

  it.each([
    ["the dashboard", dashboardText],
    ["the alerts", alerts],
  ])("asks in %s only for metrics that there are", async (_, text) => {
    const known = await offered();
    const asked = namedIn(text);

    expect(asked.length).toBeGreaterThan(5);
    expect(asked.filter((name) => !known.has(name))).toEqual([]);
  });

  it("asks only for labels that the metrics have", async () => {
    const metrics = createMetrics();
    metrics.turnEnded("answered", { firstChunkMs: 1, totalMs: 1 });
    metrics.answerEnded("a", { hasSource: true });
    metrics.answerFailed("a");
    metrics.voted("a", "up");
    metrics.serviceReachable(true);
    const platform = metrics.ofPlatform("slack");
    platform.onWrite("edit", "ok", 1);
    platform.isConnected(true);
    platform.onBudgetLowered("edits");
    const text = await metrics.text();
    /** Of the scrape itself. */
    const ofScrape = ["job", "instance"];
    const queries = `${dashboardText.replaceAll('\\"', '"')}\n${alerts}`;
    const uses = queries.matchAll(/\b(parley_[a-z_]+)\{([^}]*)\}/g);

    for (const [use, name = "", selectors = ""] of uses) {
      const series = new RegExp(`^${name}\\{([^}]*)\\}`, "m").exec(text)?.[1] ?? "";
      const has = [...series.matchAll(/(\w+)=/g)].map(([, label]) => label);
      const asked = [...selectors.matchAll(/(\w+)(?:=~|!=|=)/g)].map(([, label = ""]) => label);
      expect(asked.length, use).toBeGreaterThan(0);
      expect(
        asked.filter((label) => !ofScrape.includes(label) && !has.includes(label)),
        use,
      ).toEqual([]);
    }
  });
});
