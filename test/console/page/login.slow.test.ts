/** Giving the page's token in a real browser. */
import { describe, expect, it } from "vitest";
import { isChromiumMissing } from "../../doubles/processes/chromium.ts";
import { boxOf, useBrowser } from "./browser.ts";

const token = "a-token-of-the-page";

describe.skipIf(isChromiumMissing)("the login", () => {
  const { start, open } = useBrowser();

  it("ends where one wanted to be, a conversation's link included", async () => {
    const { url } = await start({ token });
    const page = await open();
    await page.goto(`${url}/?from=mail#/random/thread-1`);

    await page.getByLabel("Token").fill("wrong");
    await page.getByLabel("Token").press("Enter");
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Token").fill(token);
    await page.getByLabel("Token").press("Enter");
    await boxOf(page).waitFor();

    expect(page.url()).toBe(`${url}/?from=mail#/random/thread-1`);
  });

  it("looks like the page, in its font, also where the address goes deeper", async () => {
    const { url } = await start({ token });
    const page = await open();
    await page.goto(`${url}/admin/questions/one`);
    await page.getByLabel("Token").waitFor();

    const fonts =
      "document.fonts.ready.then((all) => [...all].filter(({ status }) => status === 'loaded').map(({ family }) => family))";
    expect(await page.evaluate(fonts)).toEqual(["Inter"]);
    expect(await page.evaluate("getComputedStyle(document.querySelector('main')).maxWidth")).toBe("384px");
  });

  it("ends at the document that was asked for", async () => {
    const { url } = await start({ token });
    const page = await open();
    await page.goto(`${url}/docs/deploy.md`);

    await page.getByLabel("Token").fill(token);
    await page.getByLabel("Token").press("Enter");
    await page.getByRole("heading", { level: 1, name: "Running Parley in production" }).waitFor();

    expect(page.url()).toBe(`${url}/docs/deploy.md`);
  });
});
