/**
 * From nothing to an answer out of one's own pages without leaving the conversation, with the real process and a real
 * browser: a knowledge base, an agent that looks into it, pages of which one is bad, a question.
 */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LoopbackSite, startLoopbackSite } from "../doubles/network/loopback-site.ts";
import { isChromiumMissing, launchChromium } from "../doubles/processes/chromium.ts";
import { createParleyProcess, type ParleyProcess } from "../doubles/processes/parley-process.ts";

describe.skipIf(isChromiumMissing)("agents and knowledge on the page", () => {
  let browser: Browser;
  let page: Page;
  let parley: ParleyProcess;
  let site: LoopbackSite;
  beforeAll(async () => {
    site = await startLoopbackSite();
    parley = await createParleyProcess({ INGEST_ALLOW_PRIVATE: "true" });
    [browser] = await Promise.all([launchChromium(), parley.start()]);
    page = await browser.newPage();
    await page.goto(parley.url);
  });
  afterAll(async () => {
    await browser?.close();
    await parley?.close();
    await site?.close();
  });

  async function send(text: string): Promise<void> {
    await page.getByRole("textbox").first().fill(text);
    await page.keyboard.press("Enter");
  }
  const shows = (text: string) => page.getByText(text).first().waitFor({ timeout: 45_000 });
  async function submit(form: Locator): Promise<void> {
    await form.getByRole("button", { name: "Create" }).click();
    await form.waitFor({ state: "detached" });
  }

  it("creates an agent, feeds it two pages of three, and answers from both", async () => {
    const form = page.getByRole("dialog");

    await send("/kb create lights");
    await submit(form);
    await shows("Created knowledge base lights.");

    await send("/agent create keeper");
    await form.getByRole("checkbox", { name: "lights", exact: true }).check();
    await submit(form);
    await shows("Should it answer in this channel?");
    await page.getByRole("button", { name: "Use it here" }).last().click();
    // The press is acknowledged before it is done.
    await shows("keeper now answers in this channel.");
    await send("/agent which");
    await shows("keeper answers here.");
    await shows("It was chosen for this channel.");

    await send(`/kb ingest ${site.good.join(" ")} ${site.bad} into lights`);
    await shows("2 of 3 done, 1 failed");
    const job = page.locator("article", { hasText: "2 of 3 done, 1 failed" }).last();
    await job.getByRole("button", { name: "Retry failed" }).waitFor();
    const told = (await job.textContent()) ?? "";
    expect(told).toContain("page not found (404)");
    expect(told.match(/\(404\)/g)).toHaveLength(1);

    await send(site.question);
    await page.locator("article .fold > summary").last().click({ timeout: 45_000 });
    for (const address of site.good) await page.locator(`article .sources a[href="${address}"]`).waitFor();
  });

  it("adds an attached file where its message says, and answers from it", async () => {
    const content = "The lamp of the north tower is exchanged every ninety days.";
    const file = { name: "north tower.md", mimeType: "text/markdown", buffer: Buffer.from(content) };
    await page.locator("#files").setInputFiles([file]);
    await send("add this to lights");
    await page.getByRole("link", { name: "north tower.md" }).waitFor();

    await page.getByRole("button", { name: "Add to lights" }).click();
    await shows("1 of 1 done");

    await send("How often is the lamp of the north tower exchanged?");
    await page.locator("article", { hasText: "every ninety days" }).last().waitFor({ timeout: 45_000 });
  });
});
