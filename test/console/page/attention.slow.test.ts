/** What tells people that an answer has ended while they looked elsewhere, in a real browser. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { placeOf } from "../../../adapters/console/intake/inbound.ts";
import { isChromiumMissing } from "../../doubles/processes/chromium.ts";
import * as documents from "../documents.ts";
import { useBrowser } from "./browser.ts";

/** Lets a test hide the tab, and plays the browser's part in notifications. */
const doubles = `(() => {
  const seen = { shown: [], asked: 0 };
  let permission = "default";
  let visibility = "visible";
  class Shown extends EventTarget {
    constructor(title, { body }) {
      super();
      seen.shown.push(title + ": " + body);
    }
    close() {}
    static get permission() {
      return permission;
    }
    static async requestPermission() {
      seen.asked += 1;
      permission = "granted";
      return permission;
    }
  }
  Object.defineProperty(document, "visibilityState", { get: () => visibility });
  Object.assign(window, {
    Notification: Shown,
    seen,
    look: (how) => {
      visibility = how;
      document.dispatchEvent(new Event("visibilitychange"));
    },
  });
})()`;

const notifySwitch = { name: "Notify me of long answers" };
const look = (page: Page, how: "visible" | "hidden") => page.evaluate(`look(${JSON.stringify(how)})`);
const shownTo = (page: Page) => page.evaluate<{ shown: string[]; asked: number }>("seen");
const titleOf = (page: Page) => expect.poll(() => page.title());

describe.skipIf(isChromiumMissing)("an answer that ends elsewhere", () => {
  const { start, open } = useBrowser();
  const one = placeOf("general", "one");
  const other = placeOf("general", "other");

  it("has a dot and counts in the title until one of a person's tabs shows it", async () => {
    const scripted = await start();
    await scripted.show(other, "t0", documents.answered);
    const page = await open();
    const second = await page.context().newPage();
    await second.goto(scripted.url);
    await second.locator(".conversation").waitFor();
    await titleOf(page).toBe("Parley");

    await scripted.show(one, "t1", documents.running(1));
    await scripted.show(one, "t1", documents.answered);
    const unread = page.locator(".conversation.is-unread");
    await unread.getByText("unread").waitFor({ state: "attached" });
    await titleOf(page).toBe("(1) Parley");
    await titleOf(second).toBe("(1) Parley");
    await second.reload();
    await titleOf(second).toBe("(1) Parley");
    await second.locator(".conversation.is-unread").click();

    await unread.waitFor({ state: "detached" });
    await titleOf(page).toBe("Parley");
    await titleOf(second).not.toContain("(");
  });

  it("is unread while the tab that holds it is hidden, and read as soon as the person comes back", async () => {
    const scripted = await start();
    const page = await open();
    await page.addInitScript({ content: doubles });
    await page.goto(`${scripted.url}/#/general/one`);
    await page.reload();
    await scripted.show(one, "t1", documents.running(1));
    await page.locator(".step").waitFor();
    await look(page, "hidden");

    await scripted.show(one, "t1", documents.answered);
    await titleOf(page).toMatch(/^\(1\) /);
    await look(page, "visible");

    await titleOf(page).not.toContain("(1)");
  });

  it("is announced by the browser if it took long, only to people who asked for that with a press", async () => {
    const scripted = await start({ notifyAfterMs: 1 });
    const page = await open();
    await page.addInitScript({ content: doubles });
    await page.goto(`${scripted.url}/#/general/one`);
    await page.reload();
    const toggle = page.getByRole("switch", notifySwitch);
    await toggle.waitFor();
    const answer = async (replyId: string) => {
      await scripted.show(one, replyId, documents.running(1));
      await page.locator(".step").last().waitFor();
      await scripted.show(one, replyId, documents.answered);
    };
    await look(page, "hidden");
    await answer("t1");
    await titleOf(page).toMatch(/^\(1\) /);
    expect(await shownTo(page)).toEqual({ shown: [], asked: 0 });

    await look(page, "visible");
    await toggle.click();
    await page.getByRole("switch", { ...notifySwitch, checked: true }).waitFor();
    await answer("t2");
    await titleOf(page).not.toContain("(1)");
    await look(page, "hidden");
    await answer("t3");

    await expect
      .poll(() => shownTo(page))
      .toMatchObject({ asked: 1, shown: [expect.stringMatching(/^Your answer is ready: ./)] });
  });

  it("is announced once, whatever number of tabs is open, and not while one of them is visible", async () => {
    const scripted = await start({ notifyAfterMs: 1 });
    const page = await open();
    await page.context().addInitScript({ content: doubles });
    await page
      .context()
      .addInitScript({ content: `if (location.protocol === "http:") localStorage.setItem("parley.notify", "on")` });
    await page.reload();
    const second = await page.context().newPage();
    await second.goto(scripted.url);
    for (const tab of [page, second]) {
      await tab.evaluate("Notification.requestPermission()");
      await tab.getByRole("switch").waitFor();
    }
    const answer = async (replyId: string) => {
      await scripted.show(one, replyId, documents.running(1));
      await page.locator(".dot.is-running").waitFor();
      await scripted.show(one, replyId, documents.answered);
      await page.locator(".dot.is-running").waitFor({ state: "detached" });
    };
    const announced = async () => [...(await shownTo(page)).shown, ...(await shownTo(second)).shown].length;

    await look(page, "hidden");
    await answer("t1");
    await look(second, "hidden");
    await answer("t2");
    await expect.poll(announced).toBe(1);
    expect(await announced()).toBe(1);
  });

  describe("while it takes long", () => {
    const offerOn = (page: Page) => page.getByRole("button", { name: "Notify me when it's ready" });

    /** The page with a clock that only advances when the test says so. Then runs an answer for a while. */
    async function openWithClock() {
      const scripted = await start();
      const page = await open();
      await page.addInitScript({ content: doubles });
      await page.clock.install();
      await page.goto(`${scripted.url}/#/general/one`);
      await page.reload();
      await page.getByRole("switch", notifySwitch).waitFor();
      await page.clock.pauseAt(Date.now() + 60_000);
      const runsFor = async (replyId: string, ms: number) => {
        await scripted.show(one, replyId, documents.running(1));
        await page.locator(".step").waitFor();
        await page.locator(".dot.is-running").waitFor();
        await page.clock.runFor(ms);
      };
      return { scripted, page, runsFor };
    }

    it("offers to notify, until the person has decided", async () => {
      const { scripted, page, runsFor } = await openWithClock();
      const offer = offerOn(page);

      await runsFor("t1", 9_000);
      expect(await offer.count()).toBe(0);
      await page.clock.runFor(2_000);
      await page.getByRole("button", { name: "No, thanks" }).click();
      await offer.waitFor({ state: "detached" });
      await scripted.show(one, "t1", documents.answered);
      await page.locator(".step").waitFor({ state: "detached" });
      await page.locator(".dot.is-running").waitFor({ state: "detached" });
      await runsFor("t2", 20_000);

      expect(await offer.count()).toBe(0);
      expect(await shownTo(page)).toEqual({ shown: [], asked: 0 });
      await page.getByRole("switch", notifySwitch).waitFor();
    });

    it("offers to notify though someone sets the computer's clock back", async () => {
      const { page, runsFor } = await openWithClock();

      await runsFor("t1", 5_000);
      await page.clock.setSystemTime(Date.now() - 3_600_000);
      await page.clock.runFor(6_000);

      await offerOn(page).waitFor();
    });
  });

  it("offers nothing where NOTIFY_AFTER_SECONDS is 0", async () => {
    const scripted = await start({ notifyAfterMs: 0 });
    const page = await open();
    await page.addInitScript({ content: doubles });
    await page.reload();
    await scripted.show(one, "t1", documents.answered);
    await page.locator(".conversation").waitFor();

    expect(await page.getByRole("switch").count()).toBe(0);
  });
});
