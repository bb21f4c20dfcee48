/** The day of a person who runs Parley, in a real browser: what has failed, and what they change, without a command. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type ServerType, serve } from "@hono/node-server";
import { Hono } from "hono";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createConsole } from "../../adapters/console/index.ts";
import { createDeriving } from "../../bench/demo/derive.ts";
import { startBuiltInService } from "../../src/agent-service/built-in/start-service.ts";
import type { AgentService } from "../../src/core/ports/agent-service.ts";
import type { ChatPlatform } from "../../src/core/ports/chat-platform.ts";
import type { State } from "../../src/core/ports/state.ts";
import { newId, refOf } from "../../src/core/tools/ids.ts";
import { systemClock as clock } from "../../src/core/tools/system-clock.ts";
import { newGap, withAsker } from "../../src/insight/gaps/gap-record.ts";
import { createGapStore } from "../../src/insight/gaps/gap-store.ts";
import { createPageReading } from "../../src/knowledge/knowledge.ts";
import { composeParley, type Parley } from "../../src/parley.ts";
import { openState } from "../../src/state/open-state.ts";
import { sampleJob, sampleTurn } from "../contracts/storage/sample-records.ts";
import { settingsWith } from "../doubles/composition.ts";
import { createMemoryPlatform } from "../doubles/memory-platform.ts";
import { noMetrics } from "../doubles/nulls/no-metrics.ts";
import { noPictures } from "../doubles/nulls/no-pictures.ts";
import { alice, bob } from "../doubles/people.ts";
import { isChromiumMissing, launchChromium } from "../doubles/processes/chromium.ts";
import { silentLog as log } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";
import { until } from "../doubles/until.ts";

const axe = await readFile(fileURLToPath(import.meta.resolve("axe-core")), "utf8");
const project = "mindsdb";
const frontDesk = { platform: "slack", workspace: "T1", channel: "C1" };
const waitMs = 20_000;

describe.skipIf(isChromiumMissing)("the day of a person who runs Parley", () => {
  const memory = createMemoryPlatform({ clock, name: "slack" });
  const slack: ChatPlatform = {
    ...memory,
    isDirect: ({ channel }) => channel.startsWith("D"),
    visibility: async () => "public",
    channelName: async () => ({ name: "front-desk" }),
    ownChannels: async () => [frontDesk],
    directPlace: () => undefined,
  };
  const ends: (() => unknown)[] = [];
  let state: State;
  let service: AgentService;
  let parley: Parley;
  let browser: Browser;
  let page: Page;
  let url = "";
  let ref = "";
  const problems: string[] = [];

  beforeAll(async () => {
    const dataDir = await temporaryFolder("admin-day");
    state = await openState({ dataDir, clock, log });
    const reading = createPageReading({ allowsPrivate: true, version: "test", clock, log });
    const { readPages } = reading;
    service = await startBuiltInService({ dataDir, project, readPages, insertMs: waitMs, clock, log });
    await service.createKnowledgeBase(project, { name: "handbook" });
    for (const name of ["support", "sales"]) await service.createAgent(project, { name, knowledgeBases: ["handbook"] });
    const app = new Hono();
    const server = await new Promise<ServerType>((resolve) => {
      const started = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, () => resolve(started));
    });
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    url = `http://127.0.0.1:${address.port}`;
    parley = await composeParley({
      settings: settingsWith(),
      state,
      service,
      reading,
      metrics: noMetrics,
      clock,
      log,
      platforms: [
        { name: "slack", connect: async () => slack },
        {
          name: "console",
          connect: async (parts) => {
            const options = { ...parts, host: "127.0.0.1", baseUrl: url, commands: () => [], pictures: noPictures };
            const console = createConsole({ ...options, projectFolder: process.cwd() });
            await console.mount(app);
            return console;
          },
        },
      ],
    });
    await failedQuestion();
    await parley.start();
    await fill();
    browser = await launchChromium();
    const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, reducedMotion: "reduce" });
    page = await context.newPage();
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    ends.push(
      () => browser.close(),
      () => parley.close(),
      () => parley.drain(0),
      () => server.close(),
      () => reading.close(),
      () => service.close(),
      () => state.close(),
    );
  }, 60_000);
  afterAll(async () => {
    for (const end of ends) await end();
  });

  /** Asked an hour ago, while the model was down. */
  async function failedQuestion(): Promise<void> {
    const id = newId(clock.now() - 3_600_000);
    ref = refOf(id);
    const question = "How many rooms are free tonight?";
    const agent = { project, name: "support" };
    const turn = sampleTurn(id, {
      ref,
      askedIn: frontDesk,
      conversation: { ...frontDesk, thread: "1" },
      reply: { place: { ...frontDesk, thread: "1" }, parts: [] },
      actor: bob,
      question,
      agent,
      visibility: "public",
      state: "failed",
      createdAtMs: clock.now() - 3_600_000,
      outcome: {
        turnId: id,
        ref,
        state: "failed",
        agent: agent.name,
        question,
        steps: [],
        tables: [],
        sources: [],
        isPartial: false,
        isResumed: false,
        error: { code: "model_unavailable", what: "The model did not answer.", hint: "Try again later." },
      },
    });
    await state.turns.create(turn);
    const work = createDeriving(state, clock, log);
    await work.derive([turn]);
    await work.drain();
  }

  /** A job that failed yesterday, and a question that nobody could answer. */
  async function fill(): Promise<void> {
    const { collection, jobs } = state;
    await parley.bindings.setChannel(frontDesk, { project, agent: "support" });
    const payload = { kind: "rows", text: "Breakfast is from 7 to 10.", format: "text", title: "Breakfast" };
    const failed = { label: "Breakfast", kind: "rows", state: "failed", reason: "the service was down" } as const;
    const job = sampleJob("0mvbreakfast001", {
      askedIn: frontDesk,
      reply: { place: frontDesk, parts: [] },
      actor: alice,
      knowledgeBase: "handbook",
      options: { action: "kb add", payloads: [JSON.stringify(payload)] },
      items: [failed],
      state: "failed",
      createdAtMs: clock.now() - 86_400_000,
      endedAtMs: clock.now() - 86_300_000,
    });
    await jobs.create(job);
    const store = createGapStore({ collection });
    const agent = { project, name: "support" };
    const gap = newGap({ id: "0mvcitytaxgap01", platform: "slack", workspace: "T1", agent, nowMs: clock.now() });
    const asker = {
      turnId: "t-city-tax",
      actor: { id: bob.id, name: bob.name },
      question: "How do I print the city tax on an invoice?",
      place: frontDesk,
      visibility: "public",
      signals: ["nothing"],
      atMs: clock.now() - 3_600_000,
    } as const;
    await store.put(withAsker(gap, asker));
  }

  const open = (path: string) => page.goto(`${url}${path}`);
  const press = (name: string | RegExp) => page.getByRole("button", { name }).first().click({ timeout: waitMs });
  const shows = (text: string | RegExp) => page.getByText(text).first().waitFor({ timeout: waitMs });

  it("sees on the overview that a question failed, and finds it by its reference, with what went wrong", async () => {
    expect((await fetch(`${url}/api/admin/questions/${ref}`)).status).toBe(200);
    await open("/admin");
    const failures = page.locator("section", { has: page.getByRole("heading", { name: "Failures" }) }).last();
    await failures.getByText("1 of 1").waitFor({ timeout: waitMs });
    await failures.getByText("model_unavailable").waitFor({ timeout: waitMs });
    await failures.getByRole("link", { name: "Show" }).click();
    await page.getByRole("row", { name: /How many rooms are free tonight\?.*Failed/ }).waitFor({ timeout: waitMs });
    expect(page.url()).toContain("outcome=failed");
    await page.getByRole("searchbox", { name: "Reference" }).fill(ref);
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "How many rooms are free tonight?" }).click();

    await shows("What went wrong");
    await shows("model_unavailable");
  });

  it("sees a failed job with its reason, and retries it", async () => {
    await open("/admin/knowledge");
    await shows("1 of 1 failed: the service was down");
    await press("Retry failed");

    await until("the job is done", async () => (await state.jobs.get("0mvbreakfast001"))?.state === "done", waitMs);
    await open("/admin/knowledge");
    await shows("1 done");
    const found = await service.search(project, "handbook", "breakfast", 5);
    expect(JSON.stringify(found)).toContain("from 7 to 10");
  });

  it("moves a channel to another agent, which the channel is told", async () => {
    await open("/admin/agents");
    await press("Change front-desk");
    await page.getByLabel("Agent").selectOption("sales");
    await page.getByLabel("Answers to").selectOption("every");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();

    await until("it is stored", async () => (await parley.bindings.own(frontDesk))?.mode === "every", waitMs);
    expect(await parley.bindings.own(frontDesk)).toMatchObject({ agent: "sales", mode: "every" });
    const told = () => memory.thread(frontDesk).map(({ payload }) => payload.text);
    await until("the channel is told", () => told().some((text) => text.includes("set sales to answer here")), waitMs);
    await page.getByRole("row", { name: /front-desk.*sales.*every message/ }).waitFor({ timeout: waitMs });
  });

  it("answers a question that nobody could answer", async () => {
    await open("/admin/gaps");
    await page.getByRole("link", { name: "How do I print the city tax on an invoice?" }).click();
    await shows("Bob");
    await press("Add the answer");
    const dialog = page.getByRole("dialog");
    await dialog.locator("textarea[name=answer]").fill("Tick “City tax” in the invoice's settings, then print it.");
    await dialog.locator("button[type=submit]").click();

    const answered = async () =>
      JSON.stringify(await service.search(project, "handbook", "city tax invoice", 5)).includes("Tick");
    await until("the answer is in the knowledge base", answered, waitMs);
  });

  it.each([360, 1_400])(
    "finds no page wider than a window of %i px, nor one that some people can't use",
    async (width) => {
      const gap = "/admin/gaps/slack/T1/0mvcitytaxgap01";
      const pages = ["/admin/gaps", gap, "/admin/knowledge", `/admin/knowledge/${project}/handbook`, "/admin/agents"];
      await page.setViewportSize({ width, height: 800 });
      for (const path of [...pages, "/admin/schedules"]) {
        await open(path);
        await page.locator("#body > :not(.loading)").first().waitFor({ timeout: waitMs });
        await page.evaluate(axe);
        const found = await page.evaluate(
          "axe.run({ resultTypes: ['violations'] }).then((r) => r.violations.map((v) => [v.impact, v.id, v.nodes.map((n) => n.html.slice(0, 160)).join(' | ')]))",
        );
        const serious = (found as string[][]).filter(([impact = ""]) => ["serious", "critical"].includes(impact));
        expect(serious, path).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path).toBe(true);
      }
    },
  );

  it("exports who changed what", async () => {
    await open("/admin/audit");
    await page
      .getByRole("row", { name: /agent use/ })
      .first()
      .waitFor({ timeout: waitMs });
    const link = await page.getByRole("link", { name: "CSV" }).getAttribute("href");
    const csv = await (await fetch(new URL(link ?? "", page.url()))).text();

    for (const action of ["kb retry", "agent use", "parley mode", "kb answer"]) expect(csv).toContain(action);
    expect(problems).toEqual([]);
  });
});
