/**
 * A team assistant from two settings, with the real process and a real browser: a language model behind the built-in
 * service, an agent, three pages, a question, and an answer in the model's words with its source.
 */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readingReply } from "../agent-service/built-in/model/reading-model.ts";
import { type LoopbackSite, startLoopbackSite } from "../doubles/network/loopback-site.ts";
import { isChromiumMissing, launchChromium } from "../doubles/processes/chromium.ts";
import { createParleyProcess, type ParleyProcess } from "../doubles/processes/parley-process.ts";
import { type ModelServer, startModelServer } from "../fakes/model-server/index.ts";

describe.skipIf(isChromiumMissing)("npm start with a language model", () => {
  let browser: Browser;
  let page: Page;
  let parley: ParleyProcess;
  let site: LoopbackSite;
  let model: ModelServer;
  beforeAll(async () => {
    [site, model] = await Promise.all([
      startLoopbackSite(),
      startModelServer({
        key: "sk-journey-0123456789",
        msPerToken: 20,
        script: ({ messages }) => ({ text: readingReply(messages.map(({ text }) => text)) }),
      }),
    ]);
    parley = await createParleyProcess({
      LOCAL_MODEL_URL: model.url,
      LOCAL_MODEL_KEY: model.key,
      INGEST_ALLOW_PRIVATE: "true",
    });
    [browser] = await Promise.all([launchChromium(), parley.start()]);
    page = await browser.newPage();
    await page.goto(parley.url);
  });
  afterAll(async () => {
    await browser?.close();
    await parley?.close();
    await site?.close();
    await model?.close();
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

  it("answers from three pages in the model's words, with the one source that the answer cites", async () => {
    const form = page.getByRole("dialog");
    await send("/kb create harbour");
    await submit(form);
    await shows("Created knowledge base harbour.");
    await send(`/kb ingest ${site.good.join(" ")} ${site.other} into harbour`);
    await shows("3 of 3 done");
    await send("/agent create pilot");
    await form.getByRole("checkbox", { name: "harbour", exact: true }).check();
    await submit(form);
    await shows("Should it answer in this channel?");
    await page.getByRole("button", { name: "Use it here" }).last().click();
    await shows("pilot now answers in this channel.");

    await send("When is the foghorn sounded?");

    await shows(
      "From the documents: The foghorn of the lighthouse is sounded by the keeper whenever mist hides the lamp",
    );
    await page.locator("article .fold > summary").last().click({ timeout: 45_000 });
    const answer = page.locator("article").last();
    await answer.locator(`.sources a[href="${site.good[1]}"]`).first().waitFor();
    for (const other of [site.good[0], site.other]) expect(await answer.locator(`a[href="${other}"]`).count()).toBe(0);
  });

  it("says that it doesn't know, without a source, after looking again", async () => {
    await send("Which vegetables grow on Saturn?");

    await shows("I don't know.");
    await page.getByText("no sources").last().waitFor({ timeout: 45_000 });
    const said = model.calls.flatMap(({ asked }) => asked?.messages ?? []);
    expect(said.some(({ role, text }) => role === "assistant" && text.startsWith("SEARCH:"))).toBe(true);
  });

  it("shows the passages while the model is down, says so, and never its key", async () => {
    model.failWith(500);
    await send("When is the foghorn sounded, please?");

    await shows("The language model can't be reached or has failed. This is what I found without it:");
    await shows("two long tones a minute");
    await send("/parley status");
    await shows("The language model hasn't answered since");
    model.failWith(undefined);
    expect(parley.output()).not.toContain(model.key);
  });
});
