/**
 * Every page of a made-up company, with axe, in both looks and at both widths: nothing is wider than the window, and
 * what a finger presses is 44 px high.
 */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDemo } from "../../../bench/demo/open.ts";
import type { GapsPage } from "../../../src/overview/pages/gaps.ts";
import type { QuestionList } from "../../../src/overview/pages/questions.ts";
import { isChromiumMissing, launchChromium } from "../../doubles/processes/chromium.ts";
import { until } from "../../doubles/until.ts";

const axe = await readFile(fileURLToPath(import.meta.resolve("axe-core")), "utf8");

const findings = async (page: Page) => {
  await page.evaluate(axe);
  return page.evaluate(
    "axe.run({ resultTypes: ['violations'] }).then((r) => r.violations.map((v) => [v.impact, v.id, v.nodes.map((n) => n.html.slice(0, 160)).join(' | ')]))",
  );
};

/** Buttons and fields below 44 px. Words of a sentence that lead somewhere are as high as their line. */
const small = (page: Page) =>
  page.evaluate(`[...document.querySelectorAll("button, select, input:not([type=radio], [type=checkbox]), .action, .theme label, .nav a, summary")]
    .filter((node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest(".hidden, [inert]"))
    .map((node) => [node.outerHTML.slice(0, 90), node.getBoundingClientRect()])
    .filter(([, { width, height, right }]) => width > 1 && right > 0 && height < 43.5)
    .map(([html, { height }]) => [html, Math.round(height)])`);

const json = async <T>(url: string): Promise<T> => (await (await fetch(url)).json()) as T;

describe.skipIf(isChromiumMissing)("every page", () => {
  let browser: Browser;
  let demo: Awaited<ReturnType<typeof openDemo>>;
  let paths: readonly string[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
    demo = await openDemo();
    // The month's gaps are grouped in the background.
    await until("the month's gaps", async () => {
      const gaps = await json<GapsPage>(`${demo.url}/api/admin/gaps?state=open`);
      return (gaps.total ?? 0) > 30;
    });
    const refOf = async (outcome: string) => {
      const { rows } = await json<QuestionList>(`${demo.url}/api/admin/questions?outcome=${outcome}`);
      return rows.find(({ text }) => text !== undefined)?.ref;
    };
    const { gaps } = await json<GapsPage>(`${demo.url}/api/admin/gaps?state=open`);
    const admin = [
      "",
      "/questions",
      "/gaps",
      "/knowledge",
      "/agents",
      "/schedules",
      "/audit",
      "/system",
      "/works",
      "/nowhere",
    ];
    const one = [`/questions/${await refOf("answered")}`, `/questions/${await refOf("failed")}`, "/questions/none"];
    paths = [
      ...["/", "/docs/README.md", "/docs/settings.md", "/docs/nothing"],
      ...[...admin, ...one, `/gaps/${gaps[0]?.key}`].map((path) => `/admin${path}`),
    ];
  });
  afterAll(async () => {
    await browser.close();
    await demo.close();
  });

  it.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 360],
    ["dark", 360],
  ] as const)("has no finding of axe in %s at %i px", async (colorScheme, width) => {
    const isPhone = width === 360;
    const context = await browser.newContext({
      ...{ viewport: { width, height: 800 }, colorScheme, reducedMotion: "reduce" },
      ...{ hasTouch: isPhone, isMobile: isPhone },
    });
    const page = await context.newPage();
    const found: unknown[] = [];
    for (const path of paths) {
      await page.goto(`${demo.url}${path}`);
      await page.locator("h1, .welcome").first().waitFor();
      await page.locator(".loading, [aria-busy]").first().waitFor({ state: "detached" });
      await page.evaluate("document.fonts.ready.then(() => undefined)");
      const own = (await findings(page)) as unknown[];
      const isWide = (await page.evaluate("document.documentElement.scrollWidth")) !== width;
      const pressed = isPhone ? ((await small(page)) as unknown[]) : [];
      if (own.length > 0 || isWide || pressed.length > 0) found.push({ path, own, isWide, pressed });
    }
    expect(found).toEqual([]);
    await context.close();
  });
});
