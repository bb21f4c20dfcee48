/** What the admin part keeps of pages that were left: nothing. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { noOverview } from "../../doubles/nulls/no-overview.ts";
import { isChromiumMissing } from "../../doubles/processes/chromium.ts";
import { useBrowser } from "./browser.ts";

/** Counts the timers that repeat. */
const countTimers = `(() => {
  const { setInterval: begin, clearInterval: end } = window;
  const running = new Set();
  window.setInterval = (...about) => {
    const timer = begin(...about);
    running.add(timer);
    return timer;
  };
  window.clearInterval = (timer) => {
    running.delete(timer);
    end(timer);
  };
  window.timers = () => running.size;
})()`;

/** Goes from page to page by the sidebar, and ends at System. */
async function walk(page: Page, { rounds, pauseMs }: { readonly rounds: number; readonly pauseMs: number }) {
  await page.getByRole("link", { name: "Audit" }).waitFor();
  for (let round = 0; round < rounds; round += 1) {
    for (const name of ["questions", "gaps", "audit", "system"]) {
      await page.evaluate(`document.querySelector('#nav a[href$="${name}"]').click()`);
      if (pauseMs > 0) await page.waitForTimeout(pauseMs);
    }
  }
  await page.getByRole("heading", { name: "State" }).waitFor();
}

describe.skipIf(isChromiumMissing)("pages of the admin part that were left", () => {
  const { start, open } = useBrowser();

  it("are read no more, also where they were left before they were drawn", async () => {
    const scripted = await start({ overview: noOverview });
    const page = await open();
    await page.addInitScript(countTimers);
    await page.goto(`${scripted.url}/admin/system`);
    await walk(page, { rounds: 1, pauseMs: 300 });
    const before = await page.evaluate("timers()");

    await walk(page, { rounds: 10, pauseMs: 0 });
    await page.waitForTimeout(500);
    expect(await page.evaluate("timers()")).toBe(before);
  });

  it("keep no memory", async () => {
    const scripted = await start({ overview: noOverview });
    const page = await open();
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable");
    await page.goto(`${scripted.url}/admin/system`);
    const nodes = async (): Promise<number> => {
      await session.send("HeapProfiler.collectGarbage");
      const { metrics } = await session.send("Performance.getMetrics");
      return metrics.find(({ name }) => name === "Nodes")?.value ?? 0;
    };
    await walk(page, { rounds: 2, pauseMs: 100 });
    const before = await nodes();

    await walk(page, { rounds: 8, pauseMs: 100 });
    await expect.poll(nodes).toBeLessThan(before * 1.5);
  });
});
