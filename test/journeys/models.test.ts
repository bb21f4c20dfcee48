/**
 * A server whose agents are models, as LiteLLM: from nothing to an answer out of one's own pages on the page, with the real
 * process and a real browser. Parley keeps the knowledge bases itself, and the model gets what was found.
 */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LoopbackSite, startLoopbackSite } from "../doubles/network/loopback-site.ts";
import { isChromiumMissing, launchChromium } from "../doubles/processes/chromium.ts";
import { createParleyProcess, type ParleyProcess } from "../doubles/processes/parley-process.ts";
import { until } from "../doubles/until.ts";
import { type ModelServer, startModelServer } from "../fakes/model-server/index.ts";

const patience = { timeout: 45_000 };

describe.skipIf(isChromiumMissing)("models and knowledge on the page", () => {
  let browser: Browser;
  let page: Page;
  let parley: ParleyProcess;
  let site: LoopbackSite;
  let models: ModelServer;
  beforeAll(async () => {
    site = await startLoopbackSite();
    models = await startModelServer({
      as: "litellm",
      models: ["fast", "careful"],
      script: ({ question }) => ({
        text: question.includes("\n> ") ? "The keeper trims its wick every evening [1]." : "Nobody told me.",
        gapMs: question.includes("slowly") ? 700 : 1,
      }),
    });
    parley = await createParleyProcess({
      ...{ AGENT_SERVICE_URL: models.root, AGENT_SERVICE_TOKEN: models.key },
      INGEST_ALLOW_PRIVATE: "true",
    });
    [browser] = await Promise.all([launchChromium(), parley.start()]);
    page = await browser.newPage();
    await page.goto(parley.url);
  });
  afterAll(async () => {
    await browser?.close();
    await parley?.close();
    await models?.close();
    await site?.close();
  });

  async function send(text: string): Promise<void> {
    await page.getByLabel("Message", { exact: true }).fill(text);
    await page.keyboard.press("Enter");
  }
  const shows = (text: string) => page.getByText(text).first().waitFor(patience);
  const asked = () => models.calls.flatMap((call) => call.asked?.question ?? []);

  it("gives a model pages to look in, and it answers from them with a source, also after a crash", async () => {
    await send("/agent create");
    await shows("none can be created from here");
    await send("/agent list");
    await shows("2 agents");
    await send("/agent use fast");
    await shows("fast now answers in this channel.");

    await send("/kb create lights");
    const form = page.getByRole("dialog");
    await form.getByRole("button", { name: "Create" }).click();
    await shows("Created knowledge base lights.");
    await page.getByRole("button", { name: "Connect lights to fast" }).last().click();
    await shows("fast now uses lights.");
    await send(`/kb ingest ${site.good.join(" ")} into lights`);
    await shows("2 of 2 done");

    await send("What does the keeper do with the lamp?");
    await shows("The keeper trims its wick every evening [1].");
    expect(asked().at(-1)).toContain("> The lamp of the lighthouse is lit at dusk by the keeper");
    await page.locator("article .fold > summary").last().click(patience);
    await page.locator(`article .sources a[href="${site.good[0]}"]`).first().waitFor(patience);

    await send("Tell me slowly what the keeper does with the lamp");
    await until("the model is asked", () => asked().at(-1)?.includes("slowly") === true);
    await parley.kill();
    await parley.start();
    const before = asked().length;
    await until("it is asked again", () => asked().length > before || asked().filter(isSlow).length > 1);
    expect(asked().findLast(isSlow)).toContain("> The lamp of the lighthouse");
    await until("it is answered", async () => {
      return (await page.getByText("The keeper trims its wick every evening [1].").count()) === 2;
    });
  });
});

function isSlow(question: string): boolean {
  return question.includes("slowly");
}
