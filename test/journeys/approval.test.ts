/** A tool call that people approve, with the real process, a real browser and a model that asks for it. */
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { isChromiumMissing, launchChromium } from "../doubles/processes/chromium.ts";
import { createParleyProcess, type ParleyProcess } from "../doubles/processes/parley-process.ts";
import { until } from "../doubles/until.ts";
import { type ModelServer, startModelServer } from "../fakes/model-server/index.ts";

describe.skipIf(isChromiumMissing)("an agent of a Responses server that asks for approval", () => {
  let browser: Browser;
  let model: ModelServer;
  let parley: ParleyProcess;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    model = await startModelServer({ models: ["native"] });
    const service = { AGENT_SERVICE_URL: model.root, AGENT_SERVICE_TOKEN: model.key, AGENT_DEFAULT: "native" };
    parley = await createParleyProcess(service);
    await parley.start();
  });
  afterEach(async () => {
    await parley?.close();
    await model?.close();
  });

  const decisions = () => JSON.stringify(model.calls).match(/"approve":(?:true|false)/g) ?? [];

  it("asks on the page, waits through a kill, and sends the approval once", async () => {
    const page = await browser.newPage();
    const shows = (words: string) => page.getByText(words).first().waitFor({ timeout: 45_000 });
    await page.goto(parley.url);
    await page.getByRole("textbox").fill("please approve it");
    await page.keyboard.press("Enter");
    await shows("can approve or deny this");
    await shows("delete_page");
    expect(await page.getByText("looking it up").count()).toBe(0);

    await parley.kill();
    await parley.start();
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await shows("The page is deleted.");
    await shows("approved by");
    await until("one decision", () => decisions().length > 0);
    expect(decisions()).toEqual(['"approve":true']);
    await page.close();
  });
});
