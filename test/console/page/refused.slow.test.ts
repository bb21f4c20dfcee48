/** What people are told where something else answers than Parley: a proxy with its own pages, or nothing. */
import type { Page, Route } from "playwright-core";
import { describe, expect, it } from "vitest";
import { isChromiumMissing } from "../../doubles/processes/chromium.ts";
import { ask, boxOf, useBrowser } from "./browser.ts";

const ofProxy = (status: number) => (route: Route) =>
  route.fulfill({ status, contentType: "text/html", body: "<h1>Sign in to the network</h1>" });

describe.skipIf(isChromiumMissing)("what a proxy answers in Parley's place", () => {
  const { start, open, inboundOf } = useBrowser();

  const problem = (page: Page) => page.locator("#box-problem");
  const choose = async (page: Page, menu: string, item: string) => {
    await page.getByRole("button", { name: menu }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: item }).click();
  };

  it("is no sign that a question was taken, which is sent once Parley answers again", async () => {
    await start();
    const page = await open();
    await page.route("**/api/messages", ofProxy(200));
    await ask(page, "Where is the oven?");
    await page.getByText("Not sent yet, retrying").waitFor();
    await page.unroute("**/api/messages");

    await expect.poll(() => inboundOf("message")).toMatchObject({ text: "Where is the oven?" });
    await page.getByText("Not sent yet, retrying").waitFor({ state: "detached" });
  });

  it("is no sign that a conversation was renamed or deleted", async () => {
    await start();
    const page = await open();
    await ask(page, "Where is the oven?");
    await page.getByRole("button", { name: "Options for Where is the oven?" }).waitFor();
    await page.route("**/api/conversations/**", ofProxy(200));

    for (const [item, button] of [
      ["Rename", "Rename"],
      ["Delete", "Delete"],
    ] as const) {
      await choose(page, "Options for Where is the oven?", item);
      await page.getByRole("dialog").getByRole("button", { name: button }).click();
      await page.getByRole("dialog").getByText("Parley can't be reached.").waitFor();
      await page.keyboard.press("Escape");
    }
    expect(await page.locator(".conversations .conversation-title").allTextContents()).toEqual(["Where is the oven?"]);
  });

  it.each([200, 502])("with status %i is said where a conversation can't be pinned", async (status) => {
    await start();
    const page = await open();
    await ask(page, "Where is the oven?");
    await page.getByRole("button", { name: "Options for Where is the oven?" }).waitFor();
    await page.route("**/pin", ofProxy(status));

    await choose(page, "Options for Where is the oven?", "Pin");
    await expect.poll(() => problem(page).textContent()).toBe("Parley can't be reached. Try again in a moment.");
  });

  it("lets nobody remove a channel without knowing how many conversations go with it", async () => {
    await start();
    const page = await open();
    await page.route("**/api/channels/general", ofProxy(502));

    await choose(page, "Options for the channel general", "Remove");
    await expect.poll(() => problem(page).textContent()).toBe("Parley can't be reached. Try again in a moment.");
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  it("is said where a part of the page can't be loaded, and what was typed stays", async () => {
    await start();
    const page = await open();
    await page.route(/\/page\/(?:dialog|keys-dialog)-[^/]*\.js$/, ofProxy(502));
    await page.reload();
    await boxOf(page).fill("Where is");

    for (const name of ["All keys", "New channel"]) {
      await page.getByRole("button", { name }).click();
      await expect.poll(() => problem(page).textContent()).toMatch(/^This couldn't be loaded\./);
      await boxOf(page).press("End");
      await page.keyboard.type(" it");
      await expect.poll(() => problem(page).textContent()).toBe("");
    }
    expect(await boxOf(page).inputValue()).toBe("Where is it it");
  });
});
