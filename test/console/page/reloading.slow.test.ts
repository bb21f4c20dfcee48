/** The page where the server no longer knows who reads it: it is loaded again once, and not for ever. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { isChromiumMissing } from "../../doubles/processes/chromium.ts";
import { ask, useBrowser } from "./browser.ts";

const refused = { status: 401, json: { error: { code: "not_logged_in", what: "You're signed out.", hint: "" } } };

function countLoads(page: Page): () => number {
  let loads = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  return () => loads;
}

describe.skipIf(isChromiumMissing)("a page that is refused again and again", () => {
  const { start, open } = useBrowser();

  it("says in a conversation that people are signed out, without loading again", async () => {
    await start();
    const page = await open();
    await page.locator(".welcome").waitFor();
    for (const path of ["**/api/me", "**/api/messages"]) await page.route(path, (route) => route.fulfill(refused));
    await ask(page, "Am I still here?");
    await page.getByText("You're signed out.").waitFor();
    await page.waitForURL(/#/);

    const loads = countLoads(page);
    for (let times = 0; times < 5; times += 1) {
      const asked = page.waitForResponse("**/api/me");
      await page.evaluate("dispatchEvent(new Event('focus'))");
      await asked;
    }
    expect(loads()).toBe(0);
    await page.getByText("You're signed out.").waitFor();
  });

  it("loads again once where it is told about another person each time", async () => {
    await start();
    const page = await open();
    await page.locator(".welcome").waitFor();
    await page.route("**/api/messages", (route) => route.fulfill(refused));
    await page.route("**/api/me", (route) => route.fulfill({ json: { id: "another", role: "ask" } }));
    const loads = countLoads(page);
    for (let times = 0; times < 3; times += 1) {
      await ask(page, "Am I still here?");
      await page.getByText("You're signed out.").waitFor();
      await page.evaluate("dispatchEvent(new Event('focus'))");
      await page.waitForTimeout(700);
    }
    expect(loads()).toBe(1);
  });

  it("shows at /admin why nothing is there, after loading again once", async () => {
    const { url } = await start();
    const page = await open();
    await page.route("**/api/admin/**", (route) => route.fulfill(refused));
    const loads = countLoads(page);
    await page.goto(`${url}/admin/audit`);

    await page.getByText("You're signed out.").first().waitFor();
    await page.waitForTimeout(700);
    expect(loads()).toBe(2);
  });
});
