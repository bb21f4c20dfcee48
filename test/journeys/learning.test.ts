/**
 * From a bad answer to a good one on the page: somebody is let down, a colleague in another browser adds the answer,
 * Parley proves it and tells who asked, and the next question is answered from it. The real process and a real browser.
 */
import type { Browser, Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { isChromiumMissing, launchChromium } from "../doubles/processes/chromium.ts";
import { createParleyProcess, type ParleyProcess } from "../doubles/processes/parley-process.ts";
import { until } from "../doubles/until.ts";

const question = "Can a guest move a non-refundable booking to new dates?";
const asksAgain = "Is it possible to move a non-refundable booking to other dates?";
const answer = "Yes, once, up to 48 hours before check-in. Open **Bookings** and choose Change dates.";
const patience = { timeout: 60_000 };

describe.skipIf(isChromiumMissing)("a question without an answer on the page", () => {
  let browser: Browser;
  let parley: ParleyProcess;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    parley = await createParleyProcess();
    await parley.start();
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    await parley?.close();
  });

  /** A browser of its own, with its own storage. */
  async function person() {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(parley.url);
    const dialog = page.getByRole("dialog");
    /** The newest message or note that shows these words. */
    const shows = async (words: string): Promise<Locator> => {
      const found = page.locator("article", { hasText: words }).last();
      await found.waitFor(patience);
      return found;
    };
    return {
      page,
      dialog,
      shows,
      says: async (text: string) => {
        await page.getByLabel("Message", { exact: true }).fill(text);
        await page.keyboard.press("Enter");
      },
      /** Begins another conversation. */
      anew: () => page.goto(parley.url),
      count: (words: string) => page.locator("article", { hasText: words }).count(),
      opens: async (message: Locator, action: string) => {
        await message.locator(`[data-action="${action}"]`).click(patience);
        await dialog.waitFor(patience);
      },
      send: async (label: string) => {
        await dialog.getByRole("button", { name: label }).click();
        await dialog.waitFor({ state: "detached", ...patience });
      },
    };
  }
  type Person = Awaited<ReturnType<typeof person>>;

  /** A base that the built-in agent looks in. */
  async function withHandbook(ana: Person): Promise<void> {
    await ana.says("/kb create handbook");
    await ana.dialog.waitFor(patience);
    await ana.send("Create");
    await ana.shows("Created knowledge base handbook");
    await ana.says("/kb add The reception is open from seven. into handbook");
    const job = await ana.shows("1 of 1 done");
    await job.getByRole("button", { name: "Connect handbook to guide" }).click();
    await ana.shows("guide now uses handbook");
  }

  /** What a person does; then, in the second round, the process dies and comes back. */
  const steps = (isKilled: boolean) => async (act: () => Promise<unknown>) => {
    await act();
    if (!isKilled) return;
    await parley.kill();
    await parley.start();
  };

  it("gets one from a colleague, who sees that it works, and the person who asked is told once", () => play(false));

  it("gets it once, and the person is told once, though Parley is killed after each step", () => play(true));

  async function play(isKilled: boolean): Promise<void> {
    const step = steps(isKilled);
    const ana = await person();
    const ben = await person();
    await withHandbook(ana);

    await step(async () => {
      await ben.says(question);
      await ben.shows("I found nothing about that");
    });
    const bad = await ben.shows("no sources");
    await step(() => ben.opens(bad, "thumb-down"));
    expect(await ben.dialog.textContent()).toContain("What was wrong?");
    await ben.dialog.getByText("Incomplete").click();
    await step(() => ben.send("Send"));

    await ana.anew();
    let lastMs = 0;
    const listed = async () => {
      // A person presses it now and then, and thirty times a minute at most.
      if (performance.now() - lastMs < 3_000) return false;
      lastMs = performance.now();
      await ana.says("/kb gaps");
      return (await ana.count("1 person · thumbs down 1 · last asked")) > 0;
    };
    await until("the gap in the list", listed);
    const gaps = await ana.shows("1 person · thumbs down 1 · last asked");
    await step(() => ana.opens(gaps, "add-answer"));
    expect(await ana.dialog.getByLabel("Question").inputValue()).toBe(question);
    await ana.dialog.getByLabel("Answer").fill(answer);
    await step(() => ana.send("Add and test"));
    const proof = await ana.shows("It works.");
    for (const words of [
      "I found nothing about that",
      "up to 48 hours before check-in",
      "telling the person who asked",
    ])
      expect(await proof.textContent()).toContain(words);
    expect(await ana.count("It works.")).toBe(1);

    const told = await ben.shows("There's a better answer");
    expect(await told.textContent()).toContain("up to 48 hours before check-in");
    expect(await told.textContent()).toContain("from someone on the page");

    await ana.anew();
    await step(async () => {
      await ana.says(asksAgain);
      await ana.shows(asksAgain);
    });
    const good = await ana.shows("Sources");
    expect(await good.textContent()).toContain("up to 48 hours before check-in");
    expect(await good.locator(".sources").textContent()).toMatch(/Can a guest move.*from someone on the page, \d+ /s);

    expect(await ben.count("There's a better answer")).toBe(1);
    await ana.says("/kb gaps");
    await ana.shows("No open gaps");
  }
});
