/** The admin part in Chromium: its frame, the Overview page and the Audit page, at both widths, by keyboard alone. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import type { Asked, Overview } from "../../../src/core/ports/overview.ts";
import type { AuditRow } from "../../../src/overview/pages/audit.ts";
import type { GapLine } from "../../../src/overview/pages/gaps.ts";
import type { JobLine } from "../../../src/overview/pages/jobs.ts";
import type { Figures } from "../../../src/overview/pages/overview.ts";
import type { System } from "../../../src/overview/pages/system.ts";
import { sampleStatus } from "../../doubles/figures.ts";
import { answering, noOverview } from "../../doubles/nulls/no-overview.ts";
import { isChromiumMissing } from "../../doubles/processes/chromium.ts";
import { useBrowser } from "./browser.ts";

const axe = await readFile(fileURLToPath(import.meta.resolve("axe-core")), "utf8");
const dayMs = 86_400_000;
const nowMs = Date.now();

const sums = { questions: 40, withSource: 30, failed: 6, up: 7, down: 1, voted: 8, medianMs: 6_200, p95Ms: 21_000 };

function figures(days: Figures["days"]): Figures {
  const byDay = Array.from({ length: days }, (_, day) => ({
    ...{ date: "2026-11-01", fromMs: nowMs - (days - 1 - day) * dayMs },
    ...(day === 3 ? { questions: 0, withSource: 0, failed: 0, up: 0, down: 0, voted: 0 } : sums),
  }));
  const place = { platform: "slack", workspace: "T1", agent: "support" };
  return {
    ...{ days, timeZone: "UTC", fromMs: nowMs - days * dayMs, untilMs: nowMs, byDay, total: sums, moreChannels: 2 },
    before: { questions: 40, withSource: 28, failed: 2 },
    failures: [{ code: "stream_too_long", what: "The agent hit its time limit.", count: 2 }],
    channels: [
      { ...place, channel: "C1", name: "front-desk", mode: "thread", questions: 30, withSource: 25, failed: 0 },
      {
        ...place,
        ...{
          channel: "C2",
          name: "<i>old</i>",
          isGone: true,
          isAgentGone: true,
          questions: 9,
          withSource: 5,
          failed: 2,
        },
        lastFailure: { atMs: nowMs, ref: "7kq2" },
      },
      { ...place, questions: 1, withSource: 0, failed: 0 },
    ],
  };
}

const place = { platform: "slack", workspace: "T1", channel: "C1" };
const gap: GapLine = {
  ...{ id: "g1", key: "slack/T1/g1", platform: "slack", workspace: "T1", agent: "support", state: "open", place },
  ...{ question: "Do gift vouchers expire?", people: 3, createdAtMs: nowMs, lastAtMs: nowMs, thumbsDown: 1 },
  ...{ signals: ["nothing"], merged: [] },
};
const job: JobLine = {
  ...{ id: "j1", ref: "j1j1", place, startedIn: { platform: "slack", name: "front-desk" }, status: "failed" },
  ...{ isWaiting: false, kind: "add", knowledgeBase: "help_centre", first: "a page", items: 18, done: 16, failed: 2 },
  ...{ reason: "page not found (404)", by: "Theo", createdAtMs: nowMs, endedAtMs: nowMs },
};

const instance = { host: "parley-1", version: "0.2.0", node: "24.21.0", startedAtMs: nowMs };
const budget = { platform: "slack", kind: "edits", per: "workspace", perMinute: 48 } as const;
const status = { ...sampleStatus, problems: [{ name: "model", says: "no model answers" }] };
const system: System = {
  status,
  instances: [instance, { ...instance, host: "parley-2" }],
  budgets: [
    { ...budget, lowered: [{ workspace: "T1", perMinute: 33.6, wholeAgainAtMs: nowMs }] },
    { ...budget, kind: "posts", lowered: [] },
  ],
  settings: [
    { title: "Slack", settings: [{ name: "SLACK_BOT_TOKEN", about: "A token.", isSecret: true, isDefault: true }] },
    {
      title: "The built-in service",
      settings: [{ name: "JOBS_PER_PERSON", about: "Jobs at once.", value: "2", isDefault: true }],
    },
  ],
  errors: Array.from({ length: 14 }, (_, at) => ({
    ...{ atMs: nowMs - at * 60_000, message: `Error ${at}`, ref: `ref${at}`, code: "service_busy", platform: "slack" },
  })),
};

function rowAt(number: number): AuditRow {
  const isFailed = number % 3 === 1;
  return {
    ...{ atMs: nowMs - number * 5 * 3_600_000, actor: { key: "slack/T1/U1", name: "Ana" }, role: "manage" },
    ...{ place: { ...place, name: "front-desk" }, workspace: "slack/T1", outcome: isFailed ? "failed" : "done" },
    ...{ action: `agent use ${number}`, about: [["agent", "sales"]] },
    ...{ code: isFailed ? "service_unreachable" : undefined, what: isFailed ? "It can't be reached." : undefined },
    ...{ count: undefined, lastAtMs: undefined },
  };
}

function auditAt({ input }: Asked) {
  const { cursor = "0" } = input as { readonly cursor?: string };
  const from = Number(cursor);
  return {
    rows: Array.from({ length: 4 }, (_, at) => rowAt(from + at)),
    ...(from < 8 ? { next: String(from + 4) } : {}),
  };
}

/** `asked`: what the Audit page asks for. `moreOf`: the gap that is opened. */
function overviewOf(asked: unknown[] = [], moreOf?: () => object): Overview {
  const failedWorks = new Set(["slack/T1/welcome%2FC1", "slack/T1/told%2F1"]);
  return {
    ...noOverview,
    pages: answering({
      overview: ({ input }) => figures((input as { readonly days?: string }).days === "7" ? 7 : 30),
      "overview/status": () => status,
      system: () => system,
      "works#": () => failedWorks.size,
      works: () => ({
        kinds: [
          { kind: "notices", waiting: 2, active: 1, delayed: 0, failed: failedWorks.size },
          { kind: "page-deletions", waiting: 0, active: 0, delayed: 1, failed: 0 },
        ],
      }),
      "works/list": ({ input }) => {
        const { state, kind = "notices" } = input as { readonly state: string; readonly kind?: string };
        if (kind !== "notices" || state !== "failed") return { works: [] };
        const work = { kind, dueAtMs: nowMs - 60_000, attempts: 3, error: "No paper" };
        return { works: [...failedWorks].map((key) => ({ ...work, key })) };
      },
      "works/retry": ({ input }) => (failedWorks.delete((input as { readonly key: string }).key) ? {} : undefined),
      gaps: () => ({ gaps: [gap], total: 5 }),
      "gaps#": () => 5,
      "gaps/one": () => moreOf?.(),
      "knowledge/jobs": () => ({ jobs: [job, { ...job, id: "j2", status: "running" }] }),
      audit: (one) => {
        asked.push(one.input);
        return auditAt(one);
      },
      "audit/choices": () => ({
        people: [{ key: "slack/T1/U1", name: "Ana" }],
        actions: ["agent use"],
        workspaces: ["slack/T1", "discord/G1"],
      }),
    }),
  };
}

async function check(page: Page, state: string, width: number): Promise<void> {
  await page.evaluate(axe);
  const found = await page.evaluate(
    "axe.run({ resultTypes: ['violations'] }).then((r) => r.violations.map((v) => [v.impact, v.id, v.nodes.map((n) => n.html.slice(0, 160)).join(' | ')]))",
  );
  expect([state, found]).toEqual([state, []]);
  expect([state, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([state, width]);
}

describe.skipIf(isChromiumMissing)("the admin part", () => {
  const { start, open } = useBrowser();
  /** What the page's policy refused. */
  let refused: string[] = [];
  afterEach(() => {
    expect(refused).toEqual([]);
    refused = [];
  });

  async function openAt(path: string, look: Parameters<typeof open>[0], asked: unknown[] = []): Promise<Page> {
    const scripted = await start({ overview: overviewOf(asked) });
    const page = await open(look);
    page.on("console", (message) => {
      if (/content security policy/i.test(message.text())) refused.push(message.text());
    });
    await page.goto(`${scripted.url}${path}`);
    return page;
  }
  const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();

  describe.each(["light", "dark"] as const)("in %s", (colorScheme) => {
    it.each([1400, 360])("has no axe finding and nothing wider than the window at %i px", async (width) => {
      const page = await openAt("/admin", { width, colorScheme });
      await page.getByText("The agent hit its time limit").waitFor();
      expect(new URL(page.url()).pathname).toBe("/admin/overview");
      await page.getByText("Show the numbers").click();
      await check(page, "overview", width);

      // What is wrong leads to the settings that it is about.
      await page.getByRole("link", { name: "Show settings" }).last().click();
      await page.getByText("parley-2").waitFor();
      expect(await page.evaluate("document.activeElement.textContent")).toBe("The built-in service");
      await page.getByText("34 a minute").waitFor();
      await page.getByText("Show 2 more").click();
      await page.getByRole("link", { name: "ref13" }).waitFor();
      await check(page, "system", width);

      if (width === 360) await page.getByRole("button", { name: "Pages" }).click();
      await page.getByRole("link", { name: "Audit" }).click();
      await page.getByText("agent use 0").waitFor();
      await check(page, "audit", width);
      await page.getByLabel("Time").selectOption("own");
      await page.getByLabel("From").waitFor();
      // A list is dimmed while it is read again.
      await page.locator(".listing[aria-busy]").waitFor({ state: "detached" });
      await check(page, "filters", width);

      if (width === 360) await page.getByRole("button", { name: "Pages" }).click();
      await page.getByRole("link", { name: "Background work" }).click();
      await page.getByText("No paper").first().waitFor();
      await check(page, "works", width);
    });
  });

  it("shows background work by kind and state, and retries what has failed", async () => {
    const page = await openAt("/admin/works", {});
    await page.getByText("slack/T1/told%2F1").waitFor();
    expect(await page.locator("h1, h2").allInnerTexts()).toEqual(["Background work", "By kind", "Tasks"]);
    expect(await page.getByText("across all instances").count()).toBe(1);
    await page.getByRole("button", { name: "Retry slack/T1/told%2F1" }).click();
    await page.getByText("slack/T1/told%2F1").waitFor({ state: "detached" });
    expect(await page.getByText("slack/T1/welcome%2FC1").count()).toBe(1);

    await page.getByRole("button", { name: "Planned" }).click();
    await page.getByText("No tasks").waitFor();
    expect(new URL(page.url()).search).toBe("?state=delayed");

    await page.getByRole("link", { name: "Page deletions" }).click();
    await heading(page, "Page deletions");
    await page.getByText("Nothing has failed").waitFor();
    expect(new URL(page.url()).search).toBe("?kind=page-deletions");
  });

  it("goes from page to page by keyboard, with the Back button and the focus at the heading", async () => {
    const page = await openAt("/admin/overview", {});
    await page.getByText("Do gift vouchers expire?").waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the content");
    const audit = page.getByRole("link", { name: "Audit" });
    const isOnAudit = () => page.evaluate('document.activeElement.textContent === "Audit"');
    for (let tabs = 0; tabs < 20 && !(await isOnAudit()); tabs += 1) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("agent use 0").waitFor();

    expect(await page.evaluate("document.activeElement.id")).toBe("title");
    expect(await page.title()).toBe("Audit · Parley");
    expect(await audit.getAttribute("aria-current")).toBe("page");
    await page.goBack();
    await heading(page, "Overview");
    await page.getByText("Do gift vouchers expire?").waitFor();
  });

  it("shows the figures of 7 days at an address of their own", async () => {
    const page = await openAt("/admin/overview", {});
    await page.getByRole("button", { name: "7 days" }).click();
    await page.getByRole("button", { name: "7 days", pressed: true }).waitFor();

    expect(new URL(page.url()).search).toBe("?days=7");
    await page.getByRole("img", { name: "40 questions in 7 days" }).waitFor();
  });

  it("counts thumbs by answer, which a failed question has none of, and says how many a gap has", async () => {
    const page = await openAt("/admin/overview", {});

    await page.getByText("1 in 4 answers was rated").waitFor();
    expect(await page.locator(".entry .thumbs").textContent()).toBe("thumbs down 1");
  });

  it("keeps the filters of the audit log in the address, and reads further pages", async () => {
    const asked: unknown[] = [];
    const page = await openAt("/admin/audit?outcome=failed", {}, asked);
    await page.getByText("agent use 0").waitFor();
    await page.getByLabel("Person").selectOption("slack/T1/U1");
    await expect.poll(() => asked.at(-1)).toEqual({ outcome: "failed", person: "slack/T1/U1" });
    expect(new URL(page.url()).search).toBe("?outcome=failed&person=slack%2FT1%2FU1");
    const csv = await page.getByRole("link", { name: "CSV" }).getAttribute("href");
    expect(csv).toContain("/api/admin/audit.csv?person=slack%2FT1%2FU1&outcome=failed");

    await page.getByRole("button", { name: "Show more" }).click();
    await page.getByText("agent use 7").waitFor();
    expect(asked.at(-1)).toEqual({ outcome: "failed", person: "slack/T1/U1", cursor: "4" });
    await page.getByRole("button", { name: "Clear" }).click();
    await expect.poll(() => asked.at(-1)).toEqual({});
    expect(new URL(page.url()).search).toBe("");
  });

  it("takes the server's day, also where the computer's clock is days ahead", async () => {
    const asked: { readonly from?: string }[] = [];
    const page = await openAt("/admin/audit", {}, asked);
    await page.clock.setFixedTime(Date.now() + 50 * 3_600_000);
    await page.reload();
    await page.getByText("agent use 0").waitFor();

    expect(await page.locator("tr.group").first().textContent()).toBe("Today");
    await page.getByLabel("Time").selectOption("1");
    await expect.poll(() => asked.at(-1)?.from).toBeDefined();
    const fromMs = Number(asked.at(-1)?.from ?? 0);
    expect(fromMs).toBeGreaterThan(Date.now() - 25 * 3_600_000);
    expect(fromMs).toBeLessThanOrEqual(Date.now());
  });

  it("says in a sentence what failed, and tries again", async () => {
    let isDown = true;
    const scripted = await start({
      overview: {
        ...overviewOf(),
        pages: answering({ audit: (one) => (isDown ? Promise.reject(new Error("down")) : auditAt(one)) }),
      },
    });
    const page = await open();
    await page.goto(`${scripted.url}/admin/audit`);
    await page.getByRole("alert").waitFor();
    isDown = false;
    await page.getByRole("button", { name: "Try again" }).click();

    await page.getByText("agent use 0").waitFor();
  });

  it("shows everyone who asked the question of a gap, and no line cut off", async () => {
    const names = ["Ana", "Ben", "Cem", "Dora", "Emre", "Mina"];
    const asked = names.map((by) => ({
      ...{ question: "Do gift vouchers expire?", by, atMs: nowMs, votes: [] },
      signals: ["nothing", "nothing"] as const,
    }));
    const scripted = await start({ overview: overviewOf([], () => ({ ...gap, asked, hidden: 0 })) });
    const page = await open();
    await page.goto(`${scripted.url}/admin/gaps/slack/T1/g1`);
    await page.getByText("6 times").waitFor();

    for (const by of names) await page.getByText(`${by} · a shared direct message`).waitFor();
    expect(await page.getByText("no source, no source").count()).toBe(0);
    const isCut =
      "[...document.querySelectorAll('#body li')].some((line) => line.scrollHeight > line.clientHeight + 1)";
    expect(await page.evaluate(isCut)).toBe(false);
  });

  it("says so at an address that no page has, and still leads to the others", async () => {
    const page = await openAt("/admin/nothing", {});

    await page.getByRole("heading", { name: "This page doesn't exist" }).waitFor();
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
    await page.getByRole("link", { name: "Go to Overview" }).click();
    await heading(page, "Overview");
  });
});
