/** The admin part on a phone while every name, sentence and address in it is as long as it may be. */
import { describe, expect, it } from "vitest";
import type { Overview } from "../../../src/core/ports/overview.ts";
import { sampleFigures, sampleStatus } from "../../doubles/figures.ts";
import { answering, noOverview } from "../../doubles/nulls/no-overview.ts";
import { isChromiumMissing } from "../../doubles/processes/chromium.ts";
import { useBrowser } from "./browser.ts";

const nowMs = Date.now();
const place = { platform: "slack", workspace: "T1", channel: "C1" } as const;
const name = { name: "front-desk" };
const source = { title: "Prices", url: "https://docs.example/prices", excerpt: "SSO", relevance: 0.8 };

const ended = {
  ...{ id: "q1", ref: "7KQ2", askedAtMs: nowMs, askedIn: { ...place, kind: "public", ...name } },
  ...{ agent: { key: "mindsdb.support", name: "support", isGone: true }, isScheduled: true },
  ...{ text: { question: "How long?", by: "Ana" }, state: "ended", outcome: "failed", code: "service_busy" },
  ...{ what: "The agent service is busy.", durationMs: 2_000, up: 1, down: 1 },
} as const;
const running = { ...ended, id: "q2", state: "running" } as const;

const gap = {
  ...{ id: "g1", key: "slack/T1/g1", platform: "slack", workspace: "T1", agent: "support", state: "open", place },
  ...{ question: "Do vouchers expire?", people: 3, createdAtMs: nowMs, lastAtMs: nowMs, thumbsDown: 1 },
  ...{ signals: ["nothing"], merged: [{ id: "g2", questions: 2 }] },
} as const;

const base = {
  ...{ project: "mindsdb", name: "docs", ref: "mindsdb.docs", readers: ["support"], documents: 3, otherRows: 2 },
  ...{ lastReadAtMs: nowMs, problems: 1 },
} as const;
const document = {
  ...{ id: "d1", title: "Prices", url: "https://docs.example/prices", rows: 4, pages: 2, kind: "page", by: "Ana" },
  ...{ addedAtMs: nowMs, readAtMs: nowMs, problem: "gone" },
} as const;
const job = {
  ...{ id: "j1", ref: "9FXK", place, startedIn: { platform: "slack", ...name }, status: "failed", isWaiting: false },
  ...{ kind: "add", knowledgeBase: "docs", agent: "support", first: "a page", items: 18, done: 16, failed: 2 },
  ...{ reason: "page not found", by: "Theo", createdAtMs: nowMs, endedAtMs: nowMs },
} as const;

const install = {
  ...{ platform: "slack", workspace: "T1", name: "Acme", installedBy: "U1", installedAtMs: nowMs, isServed: false },
  problem: "The scope chat:write is missing.",
} as const;

const schedule = {
  ...{ id: "s1", place, name, isDirect: false, kind: "question", question: "What is new?", agent: "support" },
  ...{ time: "every Monday at 9:00", timeZone: "Europe/Berlin", isOnlyIfChanged: true, owner: "Ana", isPaused: true },
  ...{ nextAtMs: nowMs, lastAtMs: nowMs },
} as const;

const instance = { host: "parley-1", version: "0.2.0", node: "24.21.0", startedAtMs: nowMs };
const lowered = { workspace: "T1", channel: "C1", ...name, perMinute: 33, wholeAgainAtMs: nowMs };

const texts = {
  question: "How long?",
  ...{ by: "Ana", person: "slack:T1/U1", answer: "Two [weeks](https://docs.example/prices).\n\n- `code`\n\n> quoted" },
  ...{ table: { columns: ["plan", "price"], rows: [["team", "12"]], isComplete: true }, isPartial: true },
  ...{ sources: [source], omittedSteps: 1, error: { what: "It failed.", hint: "Try again." }, stoppedBy: "Ben" },
  steps: [
    {
      title: [{ text: "Searched prices", style: "bold" }],
      found: "3 passages",
      state: "done",
      tookMs: 20,
      passages: [source],
      hasRaw: true,
    },
  ],
  votes: [{ thumb: "down", by: "Ben", atMs: nowMs, comment: "Wrong price", wantsToKnow: true }],
};

/** Everything that people, agents or the service write, by the names of its members. */
const written = new Set(
  (
    "about action agent answer by cause columns comment defaultWords error excerpt first found hint host instructions is" +
    " kb knowledgeBase label message model name node owner person problem quote question readers reason rows says stoppedBy" +
    " tables text time title url value version what"
  ).split(" "),
);

/** The same with `long` for each text that someone writes. */
function stretched<T>(value: T, long: (member: string) => string, member = ""): T {
  if (typeof value === "string") return (written.has(member) ? long(member) : value) as T;
  if (Array.isArray(value)) return value.map((one) => stretched(one, long, member)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, stretched(one, long, key)])) as T;
}

function overviewWith(long: (member: string) => string): Overview {
  const say = <T>(value: T): T => stretched(value, long);
  const audit = {
    ...{ atMs: nowMs, actor: { key: "slack/T1/U1", name: "Ana" }, place: { ...place, ...name }, role: "manage" },
    ...{ action: "agent use", about: [["agent", "sales"]], outcome: "failed", code: "service_unreachable" },
    ...{ what: "The agent service can't be reached.", workspace: "slack/T1" },
  } as const;
  const asked = {
    question: "Do they?",
    atMs: nowMs,
    signals: ["nothing"],
    by: "Ana",
    place: { ...name, platform: "slack" },
  };
  const votes = [{ comment: "Wrong price", by: "Ben" }];
  const service = { isOk: true, is: "MindsDB 26.1", reason: "no model answers", latencyMs: 12 };
  const status = {
    ...{ ...sampleStatus, service, problems: [{ name: "model", says: "no model answers" }] },
    platforms: sampleStatus.platforms.map((one) => ({ ...one, reason: "can't read channels" })),
    storage: { ...sampleStatus.storage, reason: "is full" },
  };
  const pages: Readonly<Record<string, object>> = {
    overview: sampleFigures(30),
    "overview/status": status,
    system: {
      status,
      instances: [instance, { ...instance, startedAtMs: nowMs - 1_000 }],
      budgets: [{ platform: "slack", kind: "edits", per: "channel", perMinute: 48, lowered: [lowered] }],
      settings: [
        {
          title: "Slack",
          settings: [
            { name: "SLACK_BOT_TOKEN", about: "A token.", value: "set", isSecret: true, isDefault: false },
            { name: "JOBS_PER_PERSON", about: "Jobs at once.", value: "2", isDefault: true, defaultWords: "two" },
          ],
        },
      ],
      errors: [
        { atMs: nowMs, message: "It failed", ref: "7KQ2", code: "service_busy", cause: "no", platform: "slack" },
      ],
    },
    installs: { installs: [install, { ...install, workspace: "T2", isServed: true }] },
    gaps: { gaps: [gap], total: 5 },
    "gaps/choices": { agents: ["support"], workspaces: [{ platform: "slack", workspace: "T1" }] },
    "gaps/one": {
      ...gap,
      ...{ asked: [{ ...asked, votes, ref: "7KQ2" }], hidden: 1, answer: "Two weeks." },
      added: { id: "a1", answer: "Two weeks.", by: "Ana", atMs: nowMs, knowledgeBase: "docs" },
      dismissedBy: { name: "Ben", atMs: nowMs },
    },
    knowledge: { bases: [base] },
    "knowledge/documents": { base, documents: [document] },
    "knowledge/jobs": { jobs: [job, { ...job, id: "j2", status: "running" }] },
    agents: {
      channels: [
        {
          ...{ place, ...name, isDirect: false, agent: { name: "support", isGone: true }, from: "channel" },
          ...{ mode: "thread", knowledgeBase: { name: "docs" }, instructions: "Be brief." },
        },
      ],
      agents: [
        {
          ...{ name: "support", model: "gpt", knowledgeBases: [{ name: "docs", isGone: true }] },
          command: { name: "support" },
          ...{ tables: ["shop.orders"], instructions: "Be brief.", places: 2, checks: [] },
        },
      ],
      tokens: [{ agent: "support", month: "2026-11", input: 1_204, output: 312, cost: "$0.02" }],
      ...{ knowledgeBases: ["docs"], canChange: true },
    },
    works: { kinds: [{ kind: "notices", waiting: 1, active: 2, delayed: 3, failed: 4 }] },
    "works/list": {
      works: [{ kind: "notices", key: "slack/T1/n1", dueAtMs: nowMs, attempts: 3, error: "No paper" }],
    },
    schedules: { schedules: [schedule] },
    audit: { rows: [audit] },
    "audit/choices": { people: [{ key: "slack/T1/U1", name: "Ana" }], actions: ["agent use"], workspaces: [] },
    "questions/choices": {
      platforms: [],
      channels: [{ ...name, key: "c", platform: "slack" }],
      agents: [{ name: "support", key: "a" }],
    },
    questions: { running: [running], moreRunning: 0, rows: [ended], count: { total: 2 } },
    "questions/:question": {
      ...{ listed: ended, texts, times: { waitedMs: 1, totalMs: 2_000 }, stepCount: 1, sourceCount: 1, attempt: 2 },
      ...{ traceId: "trace-1", gap, url: "https://x.example/1", others: [ended], moreOthers: 0 },
    },
  };
  const answers = Object.entries(pages).map(([path, answer]) => [path, () => say(answer)] as const);
  // The page parses it, and shows what it gets.
  return { ...noOverview, pages: answering({ ...Object.fromEntries(answers), "gaps#": () => 5 }) };
}

const sentence = "CUDA ran out of memory while the model was being loaded for the third time today. ".repeat(4).trim();
const word = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft".repeat(2);
const addressed = (member: string, otherwise: string) =>
  member === "url" ? `https://docs.example/${"very-long-path_".repeat(12)}` : otherwise;

const pages = [
  ...["overview", "questions", "questions/7KQ2", "gaps", "gaps/slack/T1/g1", "knowledge", "knowledge/mindsdb/docs"],
  ...["agents", "schedules", "works", "system", "audit"],
];

describe.skipIf(isChromiumMissing)("on a phone, with long words and sentences everywhere", () => {
  const { start, open } = useBrowser();

  it.each([
    ["sentences", (member: string) => addressed(member, sentence)],
    ["words without a space", (member: string) => addressed(member, word)],
  ])("no page of the admin part is wider than the phone: %s", async (_, long) => {
    const scripted = await start({ overview: overviewWith(long) });
    const page = await open({ width: 360 });

    for (const path of pages) {
      await page.goto(`${scripted.url}/admin/${path}`);
      await page.getByText(long("").slice(0, 40)).first().waitFor({ state: "attached" });
      await page.locator(".loading, [aria-busy]").first().waitFor({ state: "detached" });
      for (const closed of await page.locator("#body details:not([open]) > summary").all()) await closed.click();
      expect([path, await page.evaluate(wider)]).toEqual([path, []]);
      expect([path, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([path, 360]);
    }
  });
});

/** What reaches over the edge and can't be scrolled into view in a part of its own. */
const wider = `(() => {
  const isScrolled = (node) =>
    node.id !== "body" && (/auto|scroll/.test(getComputedStyle(node).overflowX) || isScrolled(node.parentElement));
  return [...document.querySelectorAll("#body *")]
    // What only screen readers are told.
    .filter((node) => node.closest("thead, .hidden") === null && !isScrolled(node.parentElement))
    .filter((node) => node.getBoundingClientRect().right > innerWidth + 1)
    .map(({ tagName, className }) => tagName + "." + className);
})()`;
