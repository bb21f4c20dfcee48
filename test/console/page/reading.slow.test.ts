/** Answers as people read them: times in their own zone, tables that can be sorted, code that can be copied. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { isChromiumMissing, launchChromium } from "../../doubles/processes/chromium.ts";
import { answered } from "../documents.ts";
import { ask, useBrowser } from "./browser.ts";

const rows = Array.from({ length: 150 }, (_, index) => [
  `Item ${index + 1}`,
  `${(index * 37) % 150}`,
  "2026-11-21 04:48 UTC",
]);

const table = {
  ...answered,
  blocks: [
    {
      kind: "table",
      table: { columns: ["Name", "Count", "When"], rows },
    },
    {
      kind: "markdown",
      text: "| City | People |\n|---|---|\n| Bonn | 322,000 |\n| Berlin | 3,755,000 |\n| Köln | 1,073,000 |",
    },
  ],
} as const;

describe.skipIf(isChromiumMissing)("an answer", () => {
  const { start, open, placeOfQuestion } = useBrowser();

  const column = (page: Page, which: number, at: number) =>
    page.locator(".result table").nth(which).locator(`tbody td:nth-child(${at})`).allInnerTexts();

  it("sorts its tables by a column, by mouse and keyboard, over all rows and back", async () => {
    const scripted = await start({});
    const page = await open();
    await ask(page, "How many?");
    await scripted.show(await placeOfQuestion(), "t1", table);
    const count = page.getByRole("button", { name: "Count" });

    await count.click();
    expect((await column(page, 0, 2)).slice(0, 3)).toEqual(["0", "1", "2"]);
    await count.press("Enter");
    const heading = page.getByRole("columnheader", { name: "Count" });
    expect(await heading.getAttribute("aria-sort")).toBe("descending");
    expect((await column(page, 0, 2)).slice(0, 3)).toEqual(["149", "148", "147"]);
    await page.getByRole("button", { name: "Show 50 more" }).click();
    expect((await column(page, 0, 2)).at(-1)).toBe("0");
    await count.focus();
    await page.keyboard.press("Space");
    expect(await heading.getAttribute("aria-sort")).toBe("none");
    expect((await column(page, 0, 1)).slice(0, 2)).toEqual(["Item 1", "Item 2"]);
    await page.getByRole("button", { name: "People" }).click();
    expect(await column(page, 1, 1)).toEqual(["Bonn", "Köln", "Berlin"]);
  });

  it("shows times in the reader's zone, its own and those that the server wrote", async () => {
    const scripted = await start({});
    const browser = await launchChromium();
    const context = await browser.newContext({ timezoneId: "Asia/Kolkata" });
    const page = await context.newPage();
    await page.goto(scripted.url);
    await ask(page, "When?");
    await scripted.show(await placeOfQuestion(), "t1", table);

    expect((await column(page, 0, 3))[0]).toMatch(/^21 Nov(?: 2026)?, 10:18$/);
    const asked = page.locator(".byline time").first();
    const shown = await page.evaluate(
      "new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(new Date(document.querySelector('.byline time').dateTime))",
    );
    expect(await asked.innerText()).toBe(shown);
    expect(await asked.getAttribute("title")).toContain("GMT+5:30");
    await browser.close();
  });
});
