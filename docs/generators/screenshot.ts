/**
 * `npm run screenshot`: takes the pictures in README.md. Starts Parley over a service with made-up answers and asks it
 * what a team would ask, and opens the overview of a made-up month.
 */
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { openDemo } from "../../bench/demo/open.ts";
import { bookingsByMonth, markdownOf, trendAnswer, trendQuestion } from "../../bench/demo/topics.ts";
import type { GapsPage } from "../../src/overview/pages/gaps.ts";
import { launchChromium } from "../../test/doubles/processes/chromium.ts";
import { createParleyProcess } from "../../test/doubles/processes/parley-process.ts";
import { answers25, type ScriptedAnswer } from "../../test/doubles/service/scripted-answers.ts";
import { pause } from "../../test/doubles/service/scripted-moves.ts";
import { startScriptedService } from "../../test/doubles/service/scripted-service.ts";
import { until } from "../../test/doubles/until.ts";
import { refundAnswer } from "./refund-answer.ts";

const pictureAt = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
/** Opens pages once their font is there. */
async function openWithFont(browser: Browser, look: BrowserContextOptions): Promise<(url: string) => Promise<Page>> {
  const page = await (await browser.newContext(look)).newPage();
  return async (url) => {
    await page.goto(url);
    await page.evaluate("document.fonts.ready.then(() => undefined)");
    return page;
  };
}

const bookings = {
  title: "Bookings by month",
  url: "https://help.larkmere.example/bookings",
  content: "Direct bookings and those of partner sites, counted on the day of booking.",
};
const plans = {
  title: "Plans and prices",
  url: "https://larkmere.example/pricing",
  content: "Single sign-on is part of Business.",
};
const notes = {
  title: "Release notes 4.2",
  url: "https://help.larkmere.example/releases/4-2",
  content: "Version 4.2 adds exports and a calendar.",
};

const answers: readonly ScriptedAnswer[] = [
  {
    question: "Which plan includes single sign-on?",
    answer: "Single sign-on is part of **Business** [1].",
    passages: [plans],
  },
  refundAnswer,
  {
    question: trendQuestion,
    answer: `${trendAnswer}\n\n${markdownOf(bookingsByMonth)}`,
    passages: [bookings],
  },
  {
    question: "What's new in version 4.2?",
    answer: "Exports, and a calendar for bookings [1].",
    passages: [notes],
  },
];

/** Ms between two chunks, as if a model were at work. */
const paceMs = 350;

async function takeConversation(browser: Browser): Promise<void> {
  const service = await startScriptedService(
    (run) => {
      const answer = answers.find(({ question }) => run.question.includes(question)) ?? { question: run.question };
      return answers25({ ...answer, between: [pause(paceMs)] });
    },
    { agents: ["support"], knowledgeBases: ["handbook"] },
  );
  const parley = await createParleyProcess({
    LOG_LEVEL: "error",
    AGENT_SERVICE_URL: service.url,
    AGENT_DEFAULT: "support",
  });
  try {
    await parley.start();
    const open = await openWithFont(browser, { viewport: { width: 1200, height: 1180 }, deviceScaleFactor: 1.5 });
    const page = await open(`${parley.url}/#/general`);
    const ask = async (answer: ScriptedAnswer | undefined) => {
      await page.getByLabel("Message", { exact: true }).fill(answer?.question ?? "");
      await page.keyboard.press("Enter");
    };
    const ends = page.locator('[data-tone="done"].is-parley');
    const [plan, refund, trend, news] = answers;

    await ask(plan);
    await ends.waitFor();
    await page.goto(`${parley.url}/#/random`);
    await ask(news);
    // It ends while another conversation is open, so it is unread.
    await page.goto(`${parley.url}/#/general`);
    await page.locator(".conversation.is-unread").waitFor();
    await ask(refund);
    await ends.waitFor();
    await page.goto(`${parley.url}/#/general`);
    await ask(trend);
    await ends.waitFor();
    await page.getByText("1 source · 2 steps").click();
    // The picture of the chart is drawn when the page asks for it.
    await page.evaluate(`document.querySelector(".chart img").decode()`);
    await page.mouse.move(0, 0);
    // The page scrolls to its newest line smoothly.
    await page.waitForTimeout(1_000);
    await page.screenshot({ path: pictureAt("console.png") });
  } finally {
    await parley.close();
    await service.close();
  }
}

const readJson = async <T>(url: string): Promise<T> => (await (await fetch(url)).json()) as T;

async function takeOverview(browser: Browser): Promise<void> {
  const demo = await openDemo();
  try {
    // The month's gaps are grouped in the background.
    await until("the month's gaps", async () => {
      const gaps = await readJson<GapsPage>(`${demo.url}/api/admin/gaps?state=open`);
      return (gaps.total ?? 0) > 30;
    });
    const open = await openWithFont(browser, { viewport: { width: 1280, height: 900 } });
    const page = await open(`${demo.url}/admin`);
    await page.getByText("1 running").waitFor();
    const jobs = await page.locator(".half").boundingBox();
    await page.setViewportSize({ width: 1280, height: Math.round((jobs?.y ?? 0) + (jobs?.height ?? 0) + 16) });
    await page.screenshot({ path: pictureAt("overview.png") });
  } finally {
    await demo.close();
  }
}

const browser = await launchChromium();
try {
  await takeConversation(browser);
  await takeOverview(browser);
} finally {
  await browser.close();
}
