/** Charts, tables and folded details on the page, with pictures from the real child process. */
import type { Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Block, Document } from "../../../../src/core/document.ts";
import type { Chart } from "../../../../src/core/model/chart.ts";
import type { Table } from "../../../../src/core/model/turn.ts";
import { systemClock } from "../../../../src/core/tools/system-clock.ts";
import { createPictures, type Pictures } from "../../../../src/operations/charts/pictures.ts";
import { isChromiumMissing } from "../../../doubles/processes/chromium.ts";
import { silentLog } from "../../../doubles/silent-log.ts";
import * as documents from "../../documents.ts";
import { none } from "../../scripted-console.ts";
import { ask, useBrowser } from "../browser.ts";

const withBlocks = (...blocks: Block[]): Document => ({ ...documents.compared("table"), blocks });

/** A picture that is drawn, not only asked for. */
const isDrawn = (page: Page) =>
  page.evaluate(
    `(() => { const img = document.querySelector(".chart img"); return img !== null && img.complete && img.naturalWidth > 0; })()`,
  );

describe.skipIf(isChromiumMissing)("the page", () => {
  const { start, open, placeOfQuestion } = useBrowser();

  let pictures: Pictures;
  beforeEach(() => {
    pictures = createPictures({ clock: systemClock, log: silentLog });
  });
  afterEach(() => pictures.close());

  it.each(["light", "dark"] as const)(
    "shows a chart as a picture for %s surroundings, over its numbers",
    async (colorScheme) => {
      const scripted = await start({ pictures });
      const page = await open({ width: 360, colorScheme });
      await ask(page, "What's the trend in bookings?");
      await scripted.show(await placeOfQuestion(), "t1", documents.compared("chart"));

      await expect.poll(() => isDrawn(page)).toBe(true);
      await page.getByRole("img", { name: /^Line chart: Bookings per month\. Direct: 1,240/ }).waitFor();
      expect(await page.evaluate(`document.querySelector(".chart img").currentSrc`)).toContain(
        `theme=${colorScheme}&width=narrow`,
      );
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
      expect(await page.locator(".numbers table").isVisible()).toBe(false);
      await page.locator(".numbers > summary").focus();
      await page.keyboard.press("Enter");
      expect(await page.locator(".numbers tbody tr").allTextContents()).toContain("May1,2401,610");
      expect(await page.locator(".numbers table").isVisible()).toBe(true);
    },
  );

  it("shows the table where there is no picture", async () => {
    const scripted = await start();
    const page = await open();
    await ask(page, "What's the trend in bookings?");
    await scripted.show(await placeOfQuestion(), "t1", documents.compared("chart"));

    await page.getByText("Bookings per month").waitFor();
    expect(await page.locator(".chart .table").isVisible()).toBe(true);
    expect(await page.locator("img[alt]:not([alt=''])").count()).toBe(0);
  });

  it("shows the table where a picture takes long, and the picture once it is drawn", async () => {
    let asked = 0;
    const drawnLater: Pictures["svg"] = async (...given) => {
      asked += 1;
      return asked < 3 ? undefined : pictures.svg(...given);
    };
    const scripted = await start({ pictures: { svg: drawnLater } });
    const page = await open();
    await ask(page, "What's the trend in bookings?");
    await scripted.show(await placeOfQuestion(), "t1", documents.compared("chart"));

    await page.locator(".chart .table").getByText("Bookings per month").waitFor();
    await expect.poll(() => isDrawn(page)).toBe(true);
    expect(asked).toBeGreaterThanOrEqual(3);
  });

  it("draws a chart's words in the page's own font", async () => {
    const scripted = await start({ pictures });
    const page = await open();
    await ask(page, "What's the trend in bookings?");
    await scripted.show(await placeOfQuestion(), "t1", documents.compared("chart"));
    await expect.poll(() => isDrawn(page)).toBe(true);

    await page.goto(await page.evaluate(`document.querySelector(".chart img").currentSrc`));
    const fonts = `document.fonts.ready.then((all) => [...all].map(({ family, weight, status }) => [family, weight, status].join(" ")))`;
    expect(await page.evaluate(fonts)).toEqual(["Inter 400 loaded", "Inter 600 loaded"]);
  });

  it("changes between chart and table in place, also for the keyboard and after a reload", async () => {
    const scripted = await start({
      pictures,
      script: async (inbound, { show }) => {
        await inbound.ack(none);
        if (inbound.kind !== "action") return;
        if (inbound.action === "chart" || inbound.action === "table") {
          await show(inbound.place, "t1", documents.compared(inbound.action));
        }
      },
    });
    const page = await open();
    await ask(page, "What's the trend in bookings?");
    await scripted.show(await placeOfQuestion(), "t1", documents.compared("table"));
    const button = (name: string) => page.getByRole("button", { name, exact: true });

    await button("Chart").press("Enter");
    await expect.poll(() => isDrawn(page)).toBe(true);
    await expect.poll(() => page.evaluate("document.activeElement.dataset.action")).toBe("table");
    expect(await page.locator(".is-parley").count()).toBe(1);
    await page.reload();
    await expect.poll(() => isDrawn(page)).toBe(true);

    await button("Table").click();
    await page.locator("figure.table").getByText("Bookings per month").waitFor();
    expect(await page.locator(".chart").count()).toBe(0);
  });

  it("folds sources and steps, shows their passages when unfolded, and stays unfolded while votes come", async () => {
    const scripted = await start({ pictures });
    const page = await open({ width: 360 });
    await ask(page, "What's the trend in bookings?");
    const place = await placeOfQuestion();
    await scripted.show(place, "t1", documents.compared("table"));
    const passage = page.getByText("Direct: 1,240 in May, 1,385 in June");

    await page.getByText("2 sources · 2 steps").waitFor();
    expect(await passage.isVisible()).toBe(false);
    expect(await page.locator(".cite").first().getAttribute("href")).toBe("https://docs.example.com/bookings");
    await page.locator(".fold > summary").press("Enter");
    expect(await passage.isVisible()).toBe(true);
    expect(await page.locator(".fold").textContent()).toContain("from Ana, 12 Nov");
    expect(await page.locator(".step-sources").textContent()).toBe("What counts as direct · from Ana");

    expect(await page.getByRole("button", { name: "Show steps" }).count()).toBe(1);
    expect(await page.locator(".fold").getByRole("button", { name: "Show steps" }).isVisible()).toBe(true);
    await scripted.show(place, "t1", documents.compared("table", 1));
    await page.locator(".quiet", { hasText: "11 s · thumbs up 1" }).locator(".icon-up").waitFor();
    expect(await passage.isVisible()).toBe(true);
  });

  it("shows the first of 5,000 rows, more on request, numbers to the right and addresses as links", async () => {
    const columns = ["Order", "Page", "Total", "Change", "Notes that take more room than a phone has"];
    const rows = Array.from({ length: 5_000 }, (_, at) => [
      `A-${at}`,
      at === 1 ? "javascript:alert(1)" : `https://docs.example.com/orders/${at}`,
      `€${at}.50`,
      at % 2 === 0 ? "−4 %" : "",
      "left at the door",
    ]);
    const scripted = await start();
    const page = await open({ width: 360 });
    await ask(page, "All orders");
    await scripted.show(await placeOfQuestion(), "t1", withBlocks({ kind: "table", table: { columns, rows } }));

    await page.getByText("100 of 5,000 rows").waitFor();
    await page.getByRole("button", { name: "Show 500 more" }).click();
    await page.getByText("600 of 5,000 rows").waitFor();
    expect(await page.locator("tbody tr").count()).toBe(600);
    const aligned = await page.evaluate(
      `[...document.querySelector("tbody tr:last-child").cells].map((cell) => getComputedStyle(cell).textAlign)`,
    );
    expect(aligned).toEqual(["left", "left", "right", "right", "left"]);
    expect(await page.locator("td a").first().getAttribute("href")).toBe("https://docs.example.com/orders/0");
    expect(await page.locator("td a").count()).toBe(599);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  });

  it("shows hostile labels as what they are, and other scripts whole", async () => {
    const labels = [
      '"><img src=x onerror=alert(1)>',
      "]]></svg><script>alert(1)</script>",
      "مرحبا",
      "שלום",
      "🙂 {b|c}",
    ];
    const table: Table = { columns: ["Name", "Count"], rows: labels.map((label, at) => [label, String(at + 1)]) };
    const chart: Chart = {
      kind: "bar",
      title: labels[0] ?? "",
      categories: labels,
      series: [{ name: labels[1] ?? "", values: [1, 2, 3, 4, 5] }],
      says: `Bar chart: ${labels.join(", ")}.`,
    };
    const scripted = await start({ pictures });
    const page = await open({ width: 360 });
    await ask(page, "Compare the names");
    await scripted.show(await placeOfQuestion(), "t1", withBlocks({ kind: "chart", chart, table }));

    await expect.poll(() => isDrawn(page)).toBe(true);
    expect(await page.locator(".chart img").getAttribute("alt")).toBe(chart.says);
    expect(await page.locator(".numbers td:first-child").allTextContents()).toEqual(labels);
    expect(await page.locator(".is-parley img, .is-parley script").count()).toBe(1);
    const direction = await page.evaluate(`getComputedStyle(document.querySelectorAll("td")[4]).direction`);
    expect(direction).toBe("rtl");
    const url = await page.evaluate(`document.querySelector(".chart img").currentSrc`);
    await page.goto(String(url));
    expect(await page.evaluate("document.documentElement.nodeName")).toBe("svg");
    expect(await page.locator("script, img").count()).toBe(0);
  });
});
