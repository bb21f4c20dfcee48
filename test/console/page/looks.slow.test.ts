import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { isChromiumMissing } from "../../doubles/processes/chromium.ts";
import * as documents from "../documents.ts";
import { none } from "../scripted-console.ts";
import { ask, boxOf, form, useBrowser } from "./browser.ts";

const axe = await readFile(fileURLToPath(import.meta.resolve("axe-core")), "utf8");

const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="480" height="280" viewBox="0 0 480 280"></svg>';

/** Opens each dialog and menu by keyboard; Escape closes it and gives the focus back to where it was. */
async function checkDialogs(page: Page): Promise<void> {
  const focused = "document.activeElement.ariaLabel ?? document.activeElement.id";
  const check = async (name: string, role: "dialog" | "menu") => {
    await page.getByRole(role, { name }).waitFor();
    const found = await page.evaluate(
      "axe.run('dialog[open], .popup-menu', { resultTypes: ['violations'] }).then((r) => r.violations.map((v) => [v.impact, v.id, v.nodes.map((n) => n.html.slice(0, 160)).join(' | ')]))",
    );
    expect([name, found]).toEqual([name, []]);
    expect([name, await page.evaluate("document.documentElement.scrollWidth <= innerWidth")]).toEqual([name, true]);
  };
  const close = async (backTo: string) => {
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator("dialog").count()).toBe(0);
    expect(await page.evaluate(focused)).toBe(backTo);
  };
  await boxOf(page).press("Control+k");
  await check("Search conversations", "dialog");
  await close("box");
  await page.getByRole("button", { name: "Delete your question" }).press("?");
  await check("Keys", "dialog");
  await close("Delete your question");
  await page.keyboard.press("Enter");
  await check("Delete your question?", "dialog");
  await close("Delete your question");
  const drawer = page.locator("#menu");
  const isDrawer = await drawer.isVisible();
  if (isDrawer) await drawer.press("Enter");
  await page.getByRole("button", { name: "New channel" }).press("Enter");
  await check("New channel", "dialog");
  await close("New channel");
  const options = (await page.getByRole("button", { name: "Options for Which plan" }).getAttribute("aria-label")) ?? "";
  await page.getByRole("button", { name: options }).press("Enter");
  await check(options, "menu");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await check("Rename this conversation", "dialog");
  await close(options);
  if (!isDrawer) return;
  await page.keyboard.press("Escape");
  expect(await page.evaluate(focused)).toContain("Channels and conversations");
}

describe.skipIf(isChromiumMissing)("the page", () => {
  const { start, open, placeOfQuestion } = useBrowser();

  it("is printed on white with what is read alone, whatever was chosen for the screen", async () => {
    const scripted = await start({ script: async (inbound) => inbound.ack(none) });
    const page = await open({ colorScheme: "dark" });
    await page.getByRole("radio", { name: "Dark" }).focus();
    await page.keyboard.press("Space");
    await ask(page, "Which plan?");
    await scripted.show(await placeOfQuestion(), "t1", documents.answered);
    await page.getByText("Single sign-on is part of").waitFor();
    await page.getByRole("button", { name: "All keys" }).click();
    await page.getByRole("dialog").waitFor();

    await page.emulateMedia({ media: "print" });
    expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe("rgb(247, 246, 242)");
    const shown = `[...document.querySelectorAll("button:not(.sort, .number), textarea, dialog, nav, .dock")].filter((node) => node.getClientRects().length > 0).map((node) => node.className)`;
    expect(await page.evaluate(shown)).toEqual([]);
    expect(await page.getByText("Single sign-on is part of").isVisible()).toBe(true);
  });

  describe.each(["light", "dark"] as const)("in %s", (colorScheme) => {
    it.each([1400, 360])(
      "has no serious axe finding and nothing wider than the window at %i px, in any state",
      async (width) => {
        const scripted = await start({
          pictures: { svg: async () => Buffer.from(picture) },
          script: async (inbound) => {
            if (inbound.kind === "command") return inbound.ack({ kind: "form", form });
            await inbound.ack(none);
            if (inbound.kind === "action") await inbound.reply.send(documents.steps, "private");
          },
        });
        const page = await open({ width, colorScheme });
        await page.locator(".welcome").waitFor();
        const check = async (state: string) => {
          await page.evaluate(axe);
          const found = await page.evaluate(
            "axe.run({ resultTypes: ['violations'] }).then((r) => r.violations.map((v) => [v.impact, v.id, v.nodes.map((n) => n.html.slice(0, 160)).join(' | ')]))",
          );
          expect([state, found]).toEqual([state, []]);
          expect([state, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([state, width]);
          expect([
            state,
            await page
              .locator(".main input:visible, .main textarea:visible, dialog input:visible, dialog textarea:visible")
              .count(),
          ]).toEqual([state, state === "form" ? 6 : 1]);
          expect(
            await page.evaluate(`document.querySelector("#box").getBoundingClientRect().bottom <= innerHeight`),
          ).toBe(true);
        };

        await check("empty");
        await page.getByLabel("Message", { exact: true }).fill("/");
        await page.locator(".entry").first().waitFor();
        await check("commands");
        await page.getByLabel("Message", { exact: true }).fill("");
        const name = "a file with a rather long name, so that it doesn't fit.txt";
        const fileOf = (each: string, content: string) => ({
          name: each,
          mimeType: "text/plain",
          buffer: Buffer.from(content),
        });
        await page.locator("#files").setInputFiles([fileOf(name, "abc"), fileOf("empty.txt", "")]);
        await page.locator('.attached-file[data-state="done"]').waitFor();
        await check("attached");
        await ask(page, "Which plan includes SSO, and since when? ".repeat(5));
        const place = await placeOfQuestion();
        await scripted.show(place, "t1", documents.running(3));
        await page.locator(".step").nth(2).waitFor();
        await check("running");
        await scripted.show(place, "t1", documents.answered);
        await scripted.show(place, "t2", documents.failed);
        await scripted.show(place, "t3", documents.stopped);
        await scripted.show(place, "t4", documents.queued);
        await scripted.show(place, "t5", documents.job);
        await scripted.console.uploadFile(place, {
          name: "a long name of a file with rows.csv",
          content: "a",
          mediaType: "text/csv",
        });
        await page.locator(".is-parley-file .file").waitFor();
        await page.getByRole("button", { name: "Show steps" }).first().click();
        await page.getByText("Only you can see this").waitFor();
        await check("ended");
        await scripted.show(place, "t6", documents.compared("chart"));
        await scripted.show(place, "t7", documents.compared("table"));
        await page.getByText("Show the numbers").click();
        for (const fold of await page.locator(".fold > summary").all()) await fold.click();
        await page.getByText("The site and the phone.").first().waitFor();
        await check("unfolded");
        // Each colour and each width once.
        if ((colorScheme === "light") === (width === 1400)) await checkDialogs(page);
        await ask(page, "/agent create");
        await page.getByRole("dialog").waitFor();
        await check("form");
      },
    );
  });
});
