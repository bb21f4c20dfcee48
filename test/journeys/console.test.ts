/**
 * What somebody who has just cloned Parley does, with the real process and a real browser.
 */
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { isChromiumMissing, launchChromium } from "../doubles/processes/chromium.ts";
import { createParleyProcess, type ParleyProcess } from "../doubles/processes/parley-process.ts";
import { answers25 } from "../doubles/service/scripted-answers.ts";
import { chunk, gate } from "../doubles/service/scripted-moves.ts";
import { type ScriptedService, startScriptedService } from "../doubles/service/scripted-service.ts";

describe.skipIf(isChromiumMissing)("the page", () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    page = await browser.newPage();
  });
  afterEach(() => page.close());

  async function ask(question: string): Promise<void> {
    await page.getByRole("textbox").fill(question);
    await page.keyboard.press("Enter");
  }
  /** In which order these words appeared on the page, however briefly. */
  async function watchWords(words: readonly string[]): Promise<() => Promise<readonly string[]>> {
    // As text: the page's own types are not this project's.
    await page.evaluate(`
      globalThis.seenWords = [];
      new MutationObserver(() => {
        const text = document.body.textContent;
        for (const word of ${JSON.stringify(words)})
          if (!seenWords.includes(word) && text.includes(word)) seenWords.push(word);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    `);
    return () => page.evaluate("seenWords");
  }
  /** Opens the sources and steps of the answer. */
  const unfold = () => page.locator(".fold > summary").click({ timeout: 45_000 });
  const shows = (text: string) => page.getByText(text).first().waitFor({ timeout: 45_000 });

  describe("on a fresh clone", () => {
    let parley: ParleyProcess;
    beforeAll(async () => {
      parley = await createParleyProcess();
      await parley.start();
    });
    afterAll(() => parley?.close());

    it("answers how to connect Slack, with steps, sources and links", async () => {
      await page.goto(parley.url);
      const seen = await watchWords(["Checking which", "Checked which", "Searching docs", "Searched docs", "xapp-"]);
      await ask("How do I connect Slack?");
      await shows("xapp-");

      expect(await seen()).toEqual(["Checking which", "Checked which", "Searching docs", "Searched docs", "xapp-"]);
      await unfold();
      const source = page.locator(".fold a[href*='/docs/README.md']").first();
      await source.waitFor();
      expect(await page.getByText("guide is looking it up").count()).toBe(0);
      await source.click();
      await shows("App-Level Tokens");
    });

    it("keeps the conversation over a reload", async () => {
      await page.goto(parley.url);
      await ask("How do I run the doctor?");
      await unfold();
      await page.getByRole("button", { name: "Show steps" }).waitFor();
      await page.reload();

      await page.getByText("How do I run the doctor?").first().waitFor();
    });

    it("runs a command", async () => {
      await page.goto(parley.url);
      await ask("/agent which");

      await shows("guide");
    });

    it("shuts down in order on SIGTERM", async () => {
      expect(await parley.end()).toBe(0);
      await parley.start();
    });
  });

  describe("over a slow service", () => {
    let service: ScriptedService;
    let parley: ParleyProcess;
    beforeEach(async () => {
      service = await startScriptedService((run) =>
        run.number === 1
          ? [
              chunk({ type: "start", prompt: run.question, trace_id: "" }),
              chunk({
                actions: [{ tool: "kb_list_tool", tool_input: "", log: "Thought: look" }],
                messages: [],
                trace_id: "",
              }),
              gate("go on"),
            ]
          : answers25({ question: run.question, answer: "At two o'clock." }),
      );
      parley = await createParleyProcess({ AGENT_SERVICE_URL: service.url, AGENT_DEFAULT: "support" });
      await parley.start();
      await page.goto(parley.url);
    });
    afterEach(async () => {
      await parley?.close();
      await service?.close();
    });

    it("stops an answer, and asks again in the same message", async () => {
      await ask("When does the backup run?");
      await shows("Checking which knowledge bases are available");
      await page.getByRole("button", { name: "Stop" }).click();
      await shows("Stopped");
      await page.getByRole("button", { name: "Try again" }).click();
      await shows("At two o'clock.");

      expect(await page.getByText("Stopped").count()).toBe(0);
    });

    it("finishes in the same message after it was killed", async () => {
      await ask("When does the backup run?");
      await shows("Checking which knowledge bases are available");
      await parley.kill();
      await parley.start();

      await shows("At two o'clock.");
      expect(await page.getByText("Checking which knowledge bases are available").count()).toBe(0);
      expect(service.runs.started).toBe(2);
    });
  });
});
