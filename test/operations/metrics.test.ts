import { describe, expect, it } from "vitest";
import { createMetrics } from "../../src/operations/metrics.ts";

describe("metrics", () => {
  it("counts Turns by outcome, from zero", async () => {
    const metrics = createMetrics();
    expect(await metrics.text()).toContain('parley_turns_total{outcome="answered"} 0');

    metrics.turnEnded("answered", { firstChunkMs: 400, totalMs: 3000 });
    metrics.turnEnded("failed", { totalMs: 60_000 });

    const text = await metrics.text();
    expect(text).toContain('parley_turns_total{outcome="answered"} 1');
    expect(text).toContain('parley_turns_total{outcome="failed"} 1');
    expect(text).toContain("parley_first_chunk_seconds_count 1");
    expect(text).toContain("parley_first_chunk_seconds_sum 0.4");
    expect(text).toContain('parley_turn_seconds_bucket{le="5",outcome="answered"} 1');
  });

  it("counts answers, failures and votes by agent, for a hundred agents by name", async () => {
    const metrics = createMetrics();

    metrics.answerEnded("support", { hasSource: true });
    metrics.answerEnded("support", { hasSource: false });
    metrics.answerFailed("support");
    metrics.answerFailed("");
    for (let index = 0; index < 150; index += 1) metrics.voted(`agent ${index}`, "down");
    metrics.voted("support", "up");

    const text = await metrics.text();
    expect(text).toContain('parley_answers_total{agent="support",source="yes"} 1');
    expect(text).toContain('parley_answers_total{agent="support",source="no"} 1');
    expect(text).toContain('parley_failures_total{agent="support"} 1');
    expect(text).toContain('parley_failures_total{agent="none"} 1');
    expect(text).toContain('parley_votes_total{agent="support",thumb="up"} 1');
    expect(text).toContain('parley_votes_total{agent="agent 98",thumb="down"} 1');
    expect(text).toContain('parley_votes_total{agent="other",thumb="down"} 51');
    expect(text.match(/^parley_votes_total\{/gm)).toHaveLength(101);
  });

  it("counts each platform's writes and slow-downs separately", async () => {
    const metrics = createMetrics();

    metrics.ofPlatform("slack").onWrite("edit", "ok", 120);
    metrics.ofPlatform("slack").onWrite("edit", "platform_rate_limited", 20);
    metrics.ofPlatform("slack").onRateLimited();
    metrics.ofPlatform("console").onWrite("post", "ok", 1);

    const text = await metrics.text();
    expect(text).toContain('parley_writes_total{platform="slack",kind="edit",outcome="ok"} 1');
    expect(text).toContain('parley_writes_total{platform="console",kind="post",outcome="ok"} 1');
    expect(text).toContain('parley_rate_limited_total{platform="slack"} 1');
    expect(text).toContain('parley_rate_limited_total{platform="console"} 0');
  });

  it("shows what the smallest budget allows now, and how often one was lowered", async () => {
    const metrics = createMetrics();
    const lowered = [{ workspace: "T2", perMinute: 40, wholeAgainAtMs: 0 }];
    metrics.ofPlatform("slack").watchBudget("edits", { per: "workspace", perMinute: 48, lowered: () => lowered });
    expect(await metrics.text()).toContain('parley_budget_lowered_total{platform="slack",kind="edits"} 0');

    metrics.ofPlatform("slack").onBudgetLowered("edits");
    lowered.push({ workspace: "T1", perMinute: 33.6, wholeAgainAtMs: 0 });

    const text = await metrics.text();
    expect(text).toContain('parley_budget_lowered_total{platform="slack",kind="edits"} 1');
    expect(text).toContain('parley_budget_per_minute{platform="slack",kind="edits"} 33.6');
    expect(text).not.toContain('parley_budget_per_minute{platform="console"');
  });

  it("counts in which way ends were shown, and the placeholders that were skipped", async () => {
    const metrics = createMetrics();
    const slack = metrics.ofPlatform("slack");
    expect(await metrics.text()).toContain('parley_placeholders_skipped_total{platform="slack"} 0');

    for (const way of ["edit", "anew", "post", "edit"] as const) slack.onEnd(way);
    slack.onPlaceholderSkipped();

    const text = await metrics.text();
    expect(text).toContain('parley_ends_total{platform="slack",way="edit"} 2');
    expect(text).toContain('parley_ends_total{platform="slack",way="anew"} 1');
    expect(text).toContain('parley_ends_total{platform="slack",way="post"} 1');
    expect(text).toContain('parley_placeholders_skipped_total{platform="slack"} 1');
  });

  it("shows what waits, what runs, and how long the event loop is held up", async () => {
    const metrics = createMetrics();

    metrics.turnsNow({ waiting: 3, running: 2 });
    metrics.jobsNow({ waiting: 1, running: 0 });
    metrics.streamsChanged(1);
    metrics.streamsChanged(1);
    metrics.streamsChanged(1);
    metrics.streamsChanged(-1);
    metrics.malformedChunk();

    const text = await metrics.text();
    expect(text).toContain('parley_turns{state="waiting"} 3');
    expect(text).toContain('parley_turns{state="running"} 2');
    expect(text).toContain('parley_jobs{state="waiting"} 1');
    expect(text).toContain("parley_open_streams 2");
    expect(text).toContain("parley_malformed_chunks_total 1");
    expect(text).toMatch(/nodejs_eventloop_lag_p99_seconds [\d.e-]+/);
  });

  it("keeps the numbers of two instances in one process apart", async () => {
    const one = createMetrics();
    const other = createMetrics();

    one.malformedChunk();

    expect(await other.text()).toContain("parley_malformed_chunks_total 0");
  });
});
