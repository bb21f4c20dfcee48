/** Figures and a state of an installation, for pages that draw them. */

import type { DayFigures } from "../../src/overview/figures.ts";
import type { Figures } from "../../src/overview/pages/overview.ts";
import type { Status } from "../../src/overview/status.ts";

const dayMs = 86_400_000;
const todayMs = Date.parse("2026-11-23T00:00:00Z");

function dayAt(index: number, count: number): DayFigures {
  const fromMs = todayMs - (count - 1 - index) * dayMs;
  const questions = 40 + ((index * 7) % 23);
  return {
    date: new Date(fromMs).toISOString().slice(0, 10),
    fromMs,
    questions,
    withSource: questions - 6,
    failed: index % 3 === 0 ? 1 : 0,
    ...{ up: 9, down: 2, voted: 10, medianMs: 6_200, p95Ms: 21_000 },
  };
}

export function sampleFigures(days: 7 | 30): Figures {
  const byDay = Array.from({ length: days }, (_, index) => dayAt(index, days));
  const sum = (member: "questions" | "withSource" | "failed" | "up" | "down" | "voted") =>
    byDay.reduce((total, day) => total + day[member], 0);
  const [questions, withSource, failed] = [sum("questions"), sum("withSource"), sum("failed")];
  const slack = { platform: "slack", workspace: "T1", agent: "support" };
  return {
    days,
    timeZone: "UTC",
    fromMs: byDay[0]?.fromMs ?? todayMs,
    untilMs: todayMs + dayMs / 2,
    byDay,
    total: {
      ...{ questions, withSource, failed, up: sum("up"), down: sum("down"), voted: sum("voted") },
      ...{ medianMs: 6_200, p95Ms: 21_000 },
    },
    before: { questions: questions - 50, withSource: withSource - 70, failed },
    failures: [{ code: "stream_too_long", what: "The agent hit its time limit.", count: failed }],
    channels: [
      {
        ...slack,
        ...{
          channel: "C1",
          name: "front-desk",
          mode: "thread",
          questions: questions - 20,
          withSource: withSource - 10,
        },
        failed,
        lastFailure: { atMs: todayMs + 1, ref: "7KQ2" },
      },
      { ...slack, channel: "C2", isGone: true, mode: "mention", questions: 12, withSource: 6, failed: 0 },
      { ...slack, questions: 8, withSource: 4, failed: 0, isAgentGone: true },
    ],
    moreChannels: 0,
  };
}

export const sampleStatus: Status = {
  now: { running: 2, waiting: 0 },
  platforms: [
    { name: "slack", label: "Slack", isConnected: true, reason: "Slack doesn't send the event app_home_opened." },
    { name: "discord", label: "Discord", isConnected: true },
  ],
  service: { isOk: true, is: "MindsDB 26.1.0", latencyMs: 38 },
  storage: { kind: "SQLite", isOk: true, bytes: 412_000_000 },
  version: "0.2.0",
  startedAtMs: todayMs - 12 * dayMs,
  problems: [{ name: "Slack", says: "Slack doesn't send the event app_home_opened." }],
  checkedAtMs: todayMs,
};
