/** The Questions pages in Chromium: from the list to one question, with the keyboard too, at both widths. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAdminRoutes } from "../../../adapters/console/admin/routes.ts";
import { createAssets } from "../../../adapters/console/drawing/assets.ts";
import { securityHeaders } from "../../../adapters/console/intake/security-headers.ts";
import { localVisitor } from "../../../adapters/console/people/visitor.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { noOverview } from "../../doubles/nulls/no-overview.ts";
import { bob } from "../../doubles/people.ts";
import { isChromiumMissing, launchChromium } from "../../doubles/processes/chromium.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { monday, openRoom, turnOf, viewOf } from "../../overview/questions/room.ts";

const axe = await readFile(fileURLToPath(import.meta.resolve("axe-core")), "utf8");
const root = fileURLToPath(new URL("../../..", import.meta.url));

const step = {
  tool: "kb_query",
  input: "SELECT * FROM handbook WHERE content = 'refund'",
  observation: "raw rows",
  state: "done" as const,
  outcome: { kind: "passages" as const, count: 1 },
  sources: [{ title: "Refunds", url: "https://docs.example/refunds", relevance: 0.41, excerpt: "No refunds." }],
  startedAtMs: monday + 1_000,
  endedAtMs: monday + 3_000,
};

async function startPage() {
  const room = await openRoom();
  const error = { code: "service_busy", what: "Busy.", hint: "Wait." };
  const outcome = viewOf({ steps: [step], startedAtMs: monday + 500, endedAtMs: monday + 5_000, answer: "**No.**" });
  await room.store(
    turnOf("tt-7kq2", { outcome, actor: { ...bob, name: "<b>Bob</b>" }, question: "<img src=x onerror=alert(1)>?" }),
    turnOf("tt-fail", { createdAtMs: monday + 1, state: "failed", outcome: viewOf({ state: "failed", error }) }),
    turnOf("tt-priv", { createdAtMs: monday + 2, visibility: "direct" }),
  );
  const app = new Hono();
  app.use("*", securityHeaders, async (context, next) => {
    context.set("visitor", localVisitor);
    await next();
  });
  const overview = { ...noOverview, pages: room.pages };
  const channels = { isOpenTo: async () => false, listFor: async () => [] };
  const attached = { take: async () => ({ attachments: [], files: [] }) };
  const around = { channels, attached, port: () => undefined, clock: systemClock, log: silentLog };
  app.route("/", createAdminRoutes({ overview, ...around }));
  app.route("/", await createAssets(root));
  const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
  if (!server.listening) await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.close();
      await room.close();
    },
  };
}

describe.skipIf(isChromiumMissing)("the Questions pages", () => {
  let browser: Browser;
  let page: Awaited<ReturnType<typeof startPage>>;
  beforeAll(async () => {
    [browser, page] = await Promise.all([launchChromium(), startPage()]);
  });
  afterAll(async () => {
    await browser.close();
    await page.stop();
  });

  it("lead from a reference to the question, its steps and what the service sent, with the keyboard alone", async () => {
    const context = await browser.newContext({ viewport: { width: 1_400, height: 900 } });
    const tab = await context.newPage();
    const problems: string[] = [];
    tab.on("pageerror", (failure) => problems.push(failure.message));
    tab.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    await tab.goto(`${page.url}/admin/questions`);
    await tab.getByText("3 questions").waitFor();
    await tab.getByLabel("Reference").fill("7KQ2");
    await tab.getByText("1 question", { exact: true }).waitFor();
    expect(new URL(tab.url()).searchParams.get("ref")).toBe("7KQ2");

    await tab.getByRole("link", { name: "<img src=x onerror=alert(1)>?" }).focus();
    await tab.keyboard.press("Enter");
    await tab.getByRole("heading", { name: "<img src=x onerror=alert(1)>?" }).waitFor();
    expect(await tab.locator("img[src=x]").count()).toBe(0);
    expect(await tab.locator(".answer strong, .markdown strong").innerText()).toBe("No.");
    expect(await tab.getByText("raw rows").count()).toBe(0);
    await tab.getByRole("button", { name: "Raw" }).focus();
    await tab.keyboard.press("Enter");
    await tab.getByText("raw rows").waitFor();

    await tab.goBack();
    await tab.getByText("1 question", { exact: true }).waitFor();
    await tab.getByRole("button", { name: "Clear" }).click();
    await tab.getByText("3 questions").waitFor();
    await tab.getByRole("link", { name: /Asked in a direct message/ }).click();
    await tab.getByText("Set LOG_PRIVATE=true to show them").waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  it("are read again while someone looks, but not a search for words, which reads a thousand questions", async () => {
    const context = await browser.newContext();
    const tab = await context.newPage();
    await tab.clock.install();
    let reads = 0;
    tab.on("request", (request) => {
      if (new URL(request.url()).pathname.endsWith("/api/admin/questions")) reads += 1;
    });
    await tab.goto(`${page.url}/admin/questions`);
    await tab.getByText("3 questions").waitFor();
    await tab.clock.runFor(16_000);
    await expect.poll(() => reads).toBe(2);

    await tab.goto(`${page.url}/admin/questions?words=fail`);
    await tab.getByText("1 question found").waitFor();
    expect(reads).toBe(3);
    await tab.clock.runFor(60_000);
    await tab.getByRole("button", { name: "Clear" }).click();
    await tab.getByText("3 questions").waitFor();
    expect(reads).toBe(4);
    await context.close();
  });

  it.each([
    [360, "light"],
    [1_400, "dark"],
  ] as const)(
    "have no serious accessibility finding at %i px, %s, and never scroll sideways",
    async (width, colorScheme) => {
      const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
      const tab = await context.newPage();
      for (const path of ["questions", "questions/tt-7kq2", "questions/tt-fail", "questions/none"]) {
        await tab.goto(`${page.url}/admin/${path}`);
        await tab.locator("tbody tr, .question-head, .state").first().waitFor();
        expect(await tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), path).toBe(true);
        await tab.evaluate(axe);
        const found = (await tab.evaluate(
          "axe.run().then((r) => r.violations.map((v) => [v.impact, v.id, v.nodes.map((n) => n.html.slice(0, 160)).join()]))",
        )) as string[][];
        expect(
          found.filter(([impact]) => impact === "serious" || impact === "critical"),
          path,
        ).toEqual([]);
      }
      await context.close();
    },
  );
});
