import { describe, expect, it } from "vitest";
import { isChromiumMissing } from "../../doubles/processes/chromium.ts";
import * as documents from "../documents.ts";
import { none } from "../scripted-console.ts";
import { ask, useBrowser } from "./browser.ts";

describe.skipIf(isChromiumMissing)("conversations on the page", () => {
  const { start, open, placeOfQuestion } = useBrowser();
  const listed = (page: Awaited<ReturnType<typeof open>>) =>
    page.locator(".conversations .conversation-title").allTextContents();

  it("are renamed, pinned and deleted by keyboard alone", async () => {
    await start();
    const page = await open();
    await ask(page, "Waht is a plan?");
    await expect.poll(() => listed(page)).toEqual(["Waht is a plan?"]);
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };

    await page.getByRole("button", { name: "Options for Waht is a plan?" }).focus();
    await press("Enter", "ArrowDown", "Enter");
    await page.getByRole("dialog").getByLabel("Name").fill("Plans");
    await press("Enter");
    await expect.poll(() => listed(page)).toEqual(["Plans"]);
    await page.getByRole("button", { name: "Options for Plans" }).focus();
    await press("Enter", "Enter");
    await page.getByRole("heading", { name: "Pinned" }).waitFor();
    await page.getByRole("button", { name: "Options for Plans" }).focus();
    await press("Enter", "ArrowUp", "Enter");
    await page.getByRole("dialog").getByText("This can't be undone.").waitFor();
    await press("Enter");

    await expect.poll(() => listed(page)).toEqual([]);
    await page.getByRole("heading", { name: "New conversation" }).waitFor();
    expect(await page.locator(".gone").count()).toBe(0);
  });

  it("that don't exist say so, and lead to a new one", async () => {
    const scripted = await start();
    const page = await open();
    await page.goto(`${scripted.url}/#/general/never`);

    await page.getByText("This conversation no longer exists or isn’t yours.").waitFor();
    expect(await page.getByLabel("Message", { exact: true }).isVisible()).toBe(false);
    await page.locator(".gone a").click();

    await page.locator(".welcome").waitFor();
    expect(await page.getByLabel("Message", { exact: true }).isVisible()).toBe(true);
  });

  it("of a thousand messages show the newest, more on request, and the one that an address names", async () => {
    const scripted = await start();
    const page = await open();
    const by = { id: "you", name: "You", isVerified: false };
    const messages = Array.from({ length: 1_000 }, (_, at) => ({
      ...{ channel: "general", thread: "long", id: `m${at}`, author: "you", by, text: `Question ${at}.` },
      ...{ atMs: 1_764_000_000_000 + at, order: String(1_000_000 + at), revision: 1 },
    }));
    await page.route("**/api/conversations/general/long?*", (route) => route.fulfill({ json: { messages } }));
    await page.goto(`${scripted.url}/#/general/long`);
    const drawn = page.locator(".question-text");

    await page.getByText("Question 999.").waitFor();
    expect([await drawn.count(), await drawn.first().textContent()]).toEqual([300, "Question 700."]);
    await page.getByRole("button", { name: "Show earlier messages" }).press("Enter");
    await page.getByText("Question 400.").waitFor();
    expect(await drawn.count()).toBe(600);
    await page.goto(`${scripted.url}/#/general/long/m10`);
    await page.getByText("Question 10.").waitFor();
    expect(await drawn.count()).toBe(990);
  });

  it("keep what only this tab was told over a reload", async () => {
    await start({
      script: async (inbound) => {
        await inbound.ack(none);
        await inbound.reply.send(documents.steps, "private");
      },
    });
    const page = await open();
    await ask(page, "/agent list");
    await page.getByText("Only you can see this").waitFor();

    await page.reload();

    await page.getByText("Only you can see this").waitFor();
    expect(await page.locator(".command").textContent()).toBe("/agent list");
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByText("This conversation no longer exists").waitFor();
  });

  it("stay below the channels, which people who manage make, rename and remove", async () => {
    const scripted = await start();
    const page = await open();
    const channels = () => page.locator(".channels .conversation-title").allTextContents();
    await page.getByRole("button", { name: "New channel" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Release notes");
    await page.keyboard.press("Enter");
    await expect.poll(channels).toEqual(["general", "random", "Release notes"]);
    await expect.poll(() => page.url()).toContain("#/release-notes");
    await ask(page, "What changed?");
    await expect.poll(() => scripted.inbounds[0]?.place.channel).toBe("release-notes");

    const menu = page.getByRole("button", { name: "Options for the channel Release notes" });
    await menu.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await page.getByRole("dialog").getByText("Its 1 conversation is deleted with it.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();

    await expect.poll(channels).toEqual(["general", "random"]);
    await expect.poll(() => listed(page)).toEqual([]);
    await page.locator(".welcome").waitFor();
  });

  it("keep the focus on their menu when they are renamed and pinned", async () => {
    await start();
    const page = await open();
    await ask(page, "Where is the oven?");
    const focused = () => page.evaluate("document.activeElement.getAttribute('aria-label')");
    const press = async (entry: string) => {
      await page.keyboard.press("Enter");
      await page.getByRole("menuitem", { name: entry }).focus();
      await page.keyboard.press("Enter");
    };

    await page.getByRole("button", { name: "Options for Where is the oven?" }).focus();
    await press("Rename");
    await page.getByRole("dialog").getByLabel("Name").fill("The oven");
    await page.keyboard.press("Enter");

    await expect.poll(focused).toBe("Options for The oven");
    await press("Pin");
    await page.getByRole("heading", { name: "Pinned" }).waitFor();
    await expect.poll(focused).toBe("Options for The oven");
  });

  it("are searched by keyboard alone, and open at the message", async () => {
    const scripted = await start();
    const page = await open();
    await ask(page, "Where is the oven?");
    const place = await placeOfQuestion();
    await scripted.show(place, "t1", documents.answered);
    await page.getByText("Single sign-on is part of").waitFor();
    await page.getByRole("link", { name: "New conversation" }).first().click();
    const loaded = Promise.withResolvers<void>();
    await page.route("**/page/search-*.js", async (route) => {
      await loaded.promise;
      await route.continue();
    });
    await page.reload();
    await page.locator(".welcome").waitFor();
    const stylesheets = () => page.evaluate("document.styleSheets.length");
    const before = await stylesheets();

    await page.keyboard.press("Control+k");
    await page.keyboard.type("while it loads");
    loaded.resolve();
    const box = page.getByRole("combobox", { name: "Search conversations" });
    await box.waitFor();
    expect(await box.inputValue()).toBe("while it loads");
    await page.getByText("Nothing found.").waitFor();
    expect(await stylesheets()).toBe(Number(before) + 1);
    await expect
      .poll(async () => {
        await box.fill("nothing like it");
        await box.fill("SINGLE sign-on");
        await page.waitForTimeout(300);
        return (await page.locator(".search-excerpt mark").allTextContents())[0];
      })
      .toBe("Single");
    await page.keyboard.press("Enter");

    await expect.poll(() => page.url()).toContain(`${place.thread}/t1.0`);
    await expect.poll(() => page.locator("dialog").count()).toBe(0);
    await page.keyboard.press("Control+k");
    await box.waitFor();
    await box.fill("nothing like it");
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator("dialog").count()).toBe(0);
  });

  it("are found once, inside the window of a phone, and with the year only where it is another one", async () => {
    const scripted = await start();
    const page = await open({ width: 360 });
    await ask(page, "Where is the oven that we use for the bread of the whole week and its weekend?");
    await scripted.show(await placeOfQuestion(), "t1", documents.answered);
    await page.getByText("Single sign-on is part of").waitFor();
    await page.keyboard.press("Control+k");
    const box = page.getByRole("combobox", { name: "Search conversations" });
    await box.waitFor();
    await expect
      .poll(async () => {
        await box.fill("nothing like it");
        await box.fill("oven");
        await page.waitForTimeout(300);
        return page.locator(".search-result").count();
      })
      .toBe(1);

    const right = "document.querySelector('.search-result').getBoundingClientRect().right";
    expect(await page.evaluate(right)).toBeLessThanOrEqual(352);
  });
});
