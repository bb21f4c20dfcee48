/** Answers as people read them: times in their own zone, tables that can be sorted, code that can be copied. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { isChromiumMissing, launchChromium } from "../../../doubles/processes/chromium.ts";
import { answered } from "../../documents.ts";
import { ask, useBrowser } from "../browser.ts";

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
    await expect.poll(async () => (await column(page, 0, 2)).slice(0, 3)).toEqual(["0", "1", "2"]);
    await count.press("Enter");
    const heading = page.getByRole("columnheader", { name: "Count" });
    await expect.poll(() => heading.getAttribute("aria-sort")).toBe("descending");
    expect((await column(page, 0, 2)).slice(0, 3)).toEqual(["149", "148", "147"]);
    await page.getByRole("button", { name: "Show 50 more" }).click();
    expect((await column(page, 0, 2)).at(-1)).toBe("0");
    await count.focus();
    await page.keyboard.press("Space");
    await expect.poll(() => heading.getAttribute("aria-sort")).toBe("none");
    expect((await column(page, 0, 1)).slice(0, 2)).toEqual(["Item 1", "Item 2"]);
    await page.getByRole("button", { name: "People" }).click();
    await expect.poll(() => column(page, 1, 1)).toEqual(["Bonn", "Köln", "Berlin"]);
  });

  it("shows times in the reader's zone, its own and those that the server wrote, also if the computer's clock is wrong", async () => {
    const scripted = await start({});
    const browser = await launchChromium();
    const context = await browser.newContext({ timezoneId: "Asia/Kolkata" });
    const page = await context.newPage();
    // The clock of this computer is a day and more ahead.
    await page.clock.setFixedTime(Date.now() + 26 * 3_600_000);
    await page.goto(scripted.url);
    await ask(page, "When?");
    const until = {
      text: "04:48:05 UTC",
      moment: { atMs: Date.parse("2026-11-21T04:48:05Z"), unit: "second" },
    } as const;
    const wait = { kind: "text", text: [{ text: "Asking again at " }, until] } as const;
    await scripted.show(await placeOfQuestion(), "t1", { ...table, blocks: [wait, ...table.blocks] });

    expect(await page.getByText("Asking again at").innerText()).toMatch(/^Asking again at 21 Nov(?: 2026)?, 10:18:05$/);
    expect((await column(page, 0, 3))[0]).toMatch(/^21 Nov(?: 2026)?, 10:18$/);
    const asked = page.locator(".byline time").first();
    const shown = await page.evaluate(
      "new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(new Date(document.querySelector('.byline time').dateTime))",
    );
    expect(await asked.innerText()).toBe(shown);
    expect(await page.locator(".group-title").allTextContents()).toEqual(["Channels", "Today"]);
    expect(await asked.getAttribute("title")).toContain("GMT+5:30");
    await browser.close();
  });

  it("colours code of a language that it knows, loads nothing for other code, and copies it as it was written", async () => {
    const scripted = await start({});
    const page = await open();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const loaded: string[] = [];
    page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
    const python = 'def total(rows):\n    return sum(rows)  # <img src=x onerror="alert(1)">';
    const show = async (text: string) =>
      scripted.show(await placeOfQuestion(), "t1", { ...answered, blocks: [{ kind: "markdown", text }] });

    await ask(page, "How?");
    await show("```cobol\nDISPLAY 'x'\n```\n\n```\nplain\n```");
    await page.getByText("DISPLAY").waitFor();
    expect(loaded.filter((path) => path.startsWith("/vendor/highlight"))).toEqual([]);
    await show(`\`\`\`py\n${python}\n\`\`\``);
    await page.locator("code .hljs-keyword").first().waitFor();

    expect(loaded.filter((path) => path.startsWith("/vendor/highlight")).sort()).toEqual([
      "/vendor/highlight/core.js",
      "/vendor/highlight/python.js",
    ]);
    expect(await page.locator(".result pre").innerText()).toBe(python);
    expect(await page.locator(".result img").count()).toBe(0);
    await page.locator(".code").getByRole("button", { name: "Copy" }).click();
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(python);
  });

  it("shows long code as code, also before its end has arrived, and the text around it as text", async () => {
    const scripted = await start({});
    const page = await open();
    const lines = Array.from(
      { length: 130 },
      (_, at) => `  max(o.sum_in_eur_${at}) as "max_sum_in_eur_${at}", -- *<b>*`,
    );
    const code = ["select", ...lines, "from o"].join("\n");
    const show = async (text: string) =>
      scripted.show(await placeOfQuestion(), "t1", { ...answered, blocks: [{ kind: "markdown", text }] });

    await ask(page, "How?");
    await show(`Run **this**:\n\n\`\`\`sql\n${code}`);
    await page.locator(".result strong").waitFor();
    expect(await page.locator(".result pre").innerText()).toBe(code);
    await show(`Run **this**:\n\n\`\`\`sql\n${code}\n\`\`\`\n\nThen *wait*.`);
    await page.locator(".result em").waitFor();
    expect(await page.locator(".result pre").allInnerTexts()).toEqual([code]);
    expect(await page.locator(".code .hljs-keyword").count()).toBeGreaterThan(100);
  });

  // With a direction that was looked for each time, or kerned words, each of these stood still for a minute.
  it.each([
    ["rules", "---\n\n".repeat(20_000)],
    ["headings", "# 1\n".repeat(25_000)],
    ["a word", "A".repeat(100_000)],
  ])("of 100 kB of %s is shown at once", async (_, text) => {
    const scripted = await start({});
    const page = await open();
    await ask(page, "A".repeat(50_000));
    const place = await placeOfQuestion();
    const began = performance.now();
    await scripted.show(place, "t1", { ...answered, blocks: [{ kind: "markdown", text: `${text}\n\nThe end.` }] });
    await page.getByText("The end.").waitFor({ timeout: 100_000 });

    expect(performance.now() - began).toBeLessThan(15_000);
  });

  it("is light or dark as the reader chose, on every page, before anything is drawn and after a reload", async () => {
    const { url } = await start({});
    const page = await open({ colorScheme: "light" });
    const ground = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    const light = await ground();
    await page.getByRole("radio", { name: "Same as system" }).focus();

    await page.keyboard.press("ArrowRight");
    expect(await ground()).toBe(light);
    await page.keyboard.press("ArrowRight");
    await page.getByRole("radio", { name: "Dark", checked: true }).waitFor();
    const dark = await ground();
    expect(dark).not.toBe(light);
    // The first frame of each page is dark already.
    await page.addInitScript(
      "requestAnimationFrame(() => { window.firstTheme = document.documentElement.dataset.theme })",
    );
    for (const path of ["/", "/docs/README.md", "/admin"]) {
      await page.goto(url + path);
      await page.getByRole("radio", { name: "Dark", checked: true }).waitFor();
      expect([path, await ground(), await page.evaluate("firstTheme")]).toEqual([path, dark, "dark"]);
    }
    await page.goto(url);
    await page.getByRole("radio", { name: "Same as system" }).check();
    expect(await ground()).toBe(light);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await ground()).toBe(dark);
  });
});
