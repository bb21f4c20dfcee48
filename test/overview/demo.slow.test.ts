/** What somebody sees who fills a folder with `npm run demo` and starts Parley on it, as README says. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { onPage } from "../../bench/demo/company.ts";
import { trendQuestion } from "../../bench/demo/topics.ts";
import packageJson from "../../package.json" with { type: "json" };
import type { GapPageDetails, GapsPage } from "../../src/overview/pages/gaps.ts";
import type { JobPage } from "../../src/overview/pages/jobs.ts";
import type { QuestionList } from "../../src/overview/pages/questions.ts";
import type { SchedulePage } from "../../src/overview/pages/schedules.ts";
import { openChat, sourcesOf } from "../conformance/page-chat.ts";
import { createParleyProcess, type ParleyProcess } from "../doubles/processes/parley-process.ts";
import { until } from "../doubles/until.ts";

const program = fileURLToPath(new URL(`../../${packageJson.scripts.demo.replace("node ", "")}`, import.meta.url));
const questions = 400;

describe("the demo", () => {
  let parley: ParleyProcess;
  beforeAll(async () => {
    parley = await createParleyProcess({ CONSOLE: "on", LOG_LEVEL: "error" });
    await promisify(execFile)(process.execPath, [program, parley.dataDir, "--questions", String(questions)]);
    await parley.start();
  });
  afterAll(() => parley?.close());

  const read = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${parley.url}/api/admin/${path}`);
    expect(response.status, path).toBe(200);
    return (await response.json()) as T;
  };

  it("has questions that can be read, but for some of direct messages", async () => {
    const { rows } = await read<QuestionList>("questions");

    const readable = rows.filter(({ text }) => text !== undefined);
    expect(readable.length).toBeGreaterThan(rows.length * 0.8);
    expect(rows.filter(({ askedIn }) => askedIn.kind !== "direct")).toEqual(readable);
    expect(new Set(readable.map(({ text }) => text?.by)).size).toBeGreaterThan(5);
  });

  it("has gaps with their questions, where the answer can be added", async () => {
    // They are grouped in the background.
    await until("the month's gaps", async () => (await read<GapsPage>("gaps?state=open")).gaps.length > 5);
    const { gaps } = await read<GapsPage>("gaps?state=open");

    const places = onPage.channels.map((channel) => channel.place);
    for (const { question, place } of gaps.slice(0, 4)) {
      expect(question).toBeTypeOf("string");
      expect(places).toContainEqual(place);
    }
    const [first] = gaps;
    const { asked } = await read<GapPageDetails>(`gaps/one?key=${encodeURIComponent(first?.key ?? "")}`);
    expect(asked.length).toBeGreaterThan(0);
  });

  it("has jobs that can be tried again, and schedules that can be read", async () => {
    const { jobs } = await read<JobPage>("knowledge/jobs?status=failed");
    const { schedules } = await read<SchedulePage>("schedules");

    expect(jobs.length).toBeGreaterThan(0);
    expect(jobs.filter(({ place }) => place === undefined)).toEqual([]);
    expect(schedules.filter(({ kind, question }) => kind === "question" && question === undefined)).toEqual([]);
    expect(schedules.filter(({ isOff }) => isOff)).toEqual([]);
  });

  it.each([
    [trendQuestion, "Bookings by month", "2,000"],
    ["Which plan includes single sign-on?", "Plans and prices", "Business"],
    ["Which plans are there and what do they cost?", "Plans and prices", "149 €"],
    ["How long does a refund take?", "Refunds and cancellations", "five working days"],
    ["What's new in version 4.2?", "Release notes 4.2", "housekeeping"],
  ])("answers in #general: %s", async (question, title, words) => {
    const stopped = new AbortController();
    const chat = await openChat(parley.url, stopped.signal);
    const thread = await chat.send(question);
    const shown = await chat.until(thread, "An answer with sources", (one) => sourcesOf(one).length > 0);
    stopped.abort();

    expect(JSON.stringify(shown)).toContain(words);
    expect(sourcesOf(shown)[0]?.title).toBe(title);
  });
});
