/** Words and lines of the admin pages in Chromium: how long lines wrap, and what two pages call the same thing. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { GapLine } from "../../../src/overview/pages/gaps.ts";
import type { Figures } from "../../../src/overview/pages/overview.ts";
import type { ShownQuestion } from "../../../src/overview/pages/question.ts";
import type { ScheduleLine } from "../../../src/overview/pages/schedules.ts";
import type { ListedQuestion } from "../../../src/overview/questions/listed.ts";
import { type Answers, answering, noOverview } from "../../doubles/nulls/no-overview.ts";
import { isChromiumMissing } from "../../doubles/processes/chromium.ts";
import { useBrowser } from "../page/browser.ts";

const nowMs = Date.now();
const place = { platform: "slack", workspace: "T1", channel: "C1" };
const sums = { questions: 4, withSource: 3, failed: 0, up: 0, down: 0, voted: 0 };

describe.skipIf(isChromiumMissing)("the admin pages", () => {
  const { start, open } = useBrowser();

  async function openAt(path: string, answers: Answers, width = 1000): Promise<Page> {
    const scripted = await start({ overview: { ...noOverview, pages: answering(answers) } });
    const page = await open({ width });
    await page.goto(`${scripted.url}${path}`);
    return page;
  }

  it("end no line with a dot and begin none with one, however narrow the window is", async () => {
    const gaps = ["support", "a-rather-long-name-of-an-agent", "sales"].map(
      (agent, at): GapLine => ({
        ...{ id: `g${at}`, key: `slack/T1/g${at}`, platform: "slack", workspace: "T1", agent, state: "open", place },
        ...{ question: "Do gift vouchers expire?", people: 12, createdAtMs: nowMs, lastAtMs: nowMs, thumbsDown: 3 },
        ...{ signals: ["nothing", "asked-again"], merged: [] },
      }),
    );
    const page = await openAt("/admin/gaps", { gaps: () => ({ gaps, total: 3 }) }, 360);
    await page.locator(".dotted").getByText("a-rather-long-name-of-an-agent").waitFor();

    const dots = await page.evaluate(`[...document.querySelectorAll(".dotted .between")].map((dot) => {
      const [part, box] = [dot.parentElement, dot.closest(".dotted")];
      const isFirst = part.offsetTop > part.previousElementSibling.offsetTop;
      return { isFirst, isSeen: dot.getBoundingClientRect().right > box.getBoundingClientRect().left + 1 };
    })`);
    expect(dots).toContainEqual({ isFirst: true, isSeen: false });
    expect(dots).toContainEqual({ isFirst: false, isSeen: true });
    expect(dots).not.toContainEqual({ isFirst: true, isSeen: true });
  });

  it("lead from a number in an answer to its source", async () => {
    const listed: ListedQuestion = {
      ...{
        id: "t1",
        ref: "7kq2",
        askedAtMs: nowMs,
        askedIn: { ...place, kind: "public", name: "front-desk" } as const,
      },
      ...({ state: "ended", outcome: "answered", up: 0, down: 0 } as const),
    };
    const seen: ShownQuestion = {
      ...{ listed, times: {}, stepCount: 0, sourceCount: 2, attempt: 1, others: [], moreOthers: 0 },
      texts: {
        ...{ question: "Who pays?", by: "Ana", person: "slack:T1/U1", answer: "The customer [2]." },
        ...{ isPartial: false, steps: [], omittedSteps: 0, votes: [] },
        sources: [{ title: "Refunds" }, { title: "Labels", url: "https://help.example.com/labels" }],
      },
    };
    const page = await openAt("/admin/questions/7kq2", {
      "questions/:question": () => seen,
    });

    const link = page.getByRole("link", { name: "[2]" });
    expect(await link.getAttribute("href")).toBe("https://help.example.com/labels");
  });

  it("name the agent that answers everywhere else where there is only one, and say that people are asked each time among several", async () => {
    const line = { place, name: "front-desk", mode: "thread", isDirect: false } as const;
    const only = { ...line, agent: { name: "support" }, from: "only-agent" } as const;
    for (const [channel, said] of [
      [only, "support · the only one"],
      [line, "asks each time"],
    ] as const) {
      const page = await openAt("/admin/agents", {
        agents: () => ({ channels: [channel], agents: [], tokens: [], knowledgeBases: [], canChange: true }),
      });

      await page.getByRole("row", { name: `Everywhere else ${said}` }).waitFor();
    }
  });

  it("call a mode the same on the Overview and among the agents", async () => {
    const channel = { ...place, name: "front-desk", agent: "support", mode: "thread" } as const;
    const figures: Figures = {
      ...{ days: 30, timeZone: "UTC", fromMs: 0, untilMs: nowMs, byDay: [], total: sums, moreChannels: 0 },
      ...{ before: { questions: 0, withSource: 0, failed: 0 }, failures: [], channels: [{ ...channel, ...sums }] },
    };
    const line = { place, name: "front-desk", mode: "thread", isDirect: false } as const;
    const page = await openAt("/admin/overview", {
      overview: () => figures,
      agents: () => ({ channels: [line], agents: [], tokens: [], knowledgeBases: [], canChange: true }),
    });

    await page.getByRole("columnheader", { name: "Answers to" }).waitFor();
    await page.getByRole("cell", { name: "mentions and follow-ups" }).waitFor();
    await page.getByRole("link", { name: "All channels" }).click();
    await page.getByRole("cell", { name: "mentions and follow-ups" }).waitFor();
    await page.getByRole("columnheader", { name: "Answers to" }).waitFor();
  });

  it("name a whole workspace in the audit log without the sign of a channel", async () => {
    const by = { actor: { key: "slack/T1/U1", name: "Ana" }, role: "manage", about: [], outcome: "done" } as const;
    const workspace = { ...place, channel: "" };
    const row = { atMs: nowMs, action: "gap dismiss", place: workspace, workspace: "slack/T1", ...by };
    const page = await openAt("/admin/audit", { audit: () => ({ rows: [row] }) });

    await page.getByRole("cell", { name: "Slack T1", exact: true }).waitFor();
  });

  it("say whose clock a schedule's times follow where it isn't the reader's", async () => {
    const line: ScheduleLine = {
      ...{ id: "s1", place, name: { name: "front-desk" }, isDirect: false, kind: "question", question: "How many?" },
      ...{ time: "every Monday at 8:00", timeZone: "Pacific/Auckland", isOnlyIfChanged: false, owner: "Ana" },
      ...{ isPaused: false, nextAtMs: nowMs + 3_600_000 },
    };
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const here = { ...line, id: "s2", question: "How few?", timeZone: own };
    const page = await openAt("/admin/schedules", {
      schedules: () => ({ schedules: [line, here] }),
    });

    const away = page.getByRole("row", { name: "How many?" });
    await away.getByText("Pacific/Auckland time").waitFor();
    await away.getByText("your time").waitFor();
    expect(await page.getByRole("row", { name: "How few?" }).getByText("time", { exact: false }).count()).toBe(0);
  });
});
