/** The admin part when what it reads isn't what it expects: cut, from a proxy, of another version, or hostile. */
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

  it("links to no address that isn't one of the web, and shows no name that turns the text around it", async () => {
    const scripted = await start({ overview: noOverview });
    const page = await open();
    const turned = "Guide \u202etxt.exe";
    const base = { project: "mindsdb", name: "docs", ref: "docs", documents: 1, problems: 0 };
    const document = {
      ...{ id: "d1", kind: "url", title: turned, url: "javascript:alert(1)", by: "Ana" },
      ...{ rows: 1, pages: 1, addedAtMs: 1, readAtMs: 1 },
    };
    await page.route("**/api/admin/knowledge/documents*", (route) =>
      route.fulfill({ json: { base, documents: [document] } }),
    );
    await page.route("**/api/admin/audit/choices", (route) =>
      route.fulfill({ json: { people: [{ key: "slack/T1/U1", name: turned }], actions: [], workspaces: [] } }),
    );
    await page.goto(`${scripted.url}/admin/knowledge/mindsdb/docs`);

    await page.getByRole("button", { name: "Remove Guide txt.exe" }).waitFor();
    expect(await page.locator("a[href^='javascript:']").count()).toBe(0);
    await page.goto(`${scripted.url}/admin/audit`);
    await page.getByLabel("Person").waitFor();
    expect(await page.getByLabel("Person").locator("option").allTextContents()).toEqual(["Anyone", "Guide txt.exe"]);
  });
});
