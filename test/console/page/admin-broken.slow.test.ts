/** The admin part when what it reads isn't what it expects: cut, from a proxy, or of another version. */
import { describe, expect, it } from "vitest";
import { noOverview } from "../../doubles/nulls/no-overview.ts";
import { isChromiumMissing } from "../../doubles/processes/chromium.ts";
import { useBrowser } from "./browser.ts";

describe.skipIf(isChromiumMissing)("replies that the admin part can't read", () => {
  const { start, open } = useBrowser();

  it.each([
    ["of another version", { status: 200, json: {} }, "This page couldn't be shown."],
    ["a proxy's page", { status: 200, contentType: "text/html", body: "<h1>Sign in</h1>" }, "Something went wrong."],
    ["cut", { status: 200, contentType: "application/json", body: '{"schedules":[{' }, "Something went wrong."],
  ])("says so, tries again, and leaves the other pages as they are: %s", async (_, reply, says) => {
    const scripted = await start({ overview: noOverview });
    const page = await open();
    await page.route("**/api/admin/schedules*", (route) => route.fulfill(reply));
    await page.goto(`${scripted.url}/admin/schedules`);
    await page.getByRole("heading", { name: says }).waitFor();

    await page.getByRole("link", { name: "Audit" }).click();
    await page.getByLabel("Outcome").waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: says }).waitFor();
    await page.unroute("**/api/admin/schedules*");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("No schedules yet").waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });
});
