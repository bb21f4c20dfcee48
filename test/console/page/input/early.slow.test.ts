/** What people do on the page before its modules are there. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { privateChannelOf } from "../../../../adapters/console/channels/reading.ts";
import { isChromiumMissing } from "../../../doubles/processes/chromium.ts";
import { boxOf, useBrowser } from "../browser.ts";

describe.skipIf(isChromiumMissing)("before the page is ready", () => {
  const { start, open } = useBrowser();

  /** Loads the page again, and holds back its main module until it is released. */
  async function reloadHeld(page: Page): Promise<() => void> {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/page/page.js", async (route) => {
      await released;
      await route.continue();
    });
    await page.reload({ waitUntil: "commit" });
    await boxOf(page).waitFor();
    return release;
  }

  it.each([
    ["Enter", (page: Page) => boxOf(page).press("Enter")],
    ["Send", (page: Page) => page.getByRole("button", { name: "Send" }).click()],
  ])("a question that is sent with %s waits, and is sent once as soon as the page can", async (_, send) => {
    const scripted = await start();
    const page = await open();
    const release = await reloadHeld(page);
    const address = page.url();

    await boxOf(page).fill("Early?");
    await send(page);
    await page.getByText("Your message will be sent as soon as it's ready.").waitFor();
    expect(await boxOf(page).inputValue()).toBe("Early?");
    // The browser itself sends forms by loading the page anew.
    expect(page.url()).toBe(address);
    release();

    await expect.poll(() => scripted.inbounds).toMatchObject([{ kind: "message", text: "Early?" }]);
    await page.getByRole("article", { name: "Your question" }).waitFor();
    expect(await boxOf(page).inputValue()).toBe("");
    expect(await boxOf(page).isEditable()).toBe(true);
    await expect.poll(() => page.locator("#connection").textContent()).toBe("");
  });

  it("only what is in the box is sent, and the draft of before stays", async () => {
    const scripted = await start();
    const page = await open();
    await boxOf(page).fill("A draft");
    const release = await reloadHeld(page);
    await boxOf(page).fill("Early?");
    await boxOf(page).press("Enter");
    release();

    await expect.poll(() => scripted.inbounds).toMatchObject([{ kind: "message", text: "Early?" }]);
    await page.goto(scripted.url);
    await expect.poll(() => boxOf(page).inputValue()).toBe("A draft");
  });

  it("a question of someone with a name goes where only they read it", async () => {
    const scripted = await start({ userHeader: { name: "x-user" }, trustedProxy: ["127.0.0.1/32"] });
    const page = await open();
    await page.context().setExtraHTTPHeaders({ "x-user": "ana" });
    const release = await reloadHeld(page);
    await boxOf(page).fill("Early?");
    await boxOf(page).press("Enter");
    release();

    await expect.poll(() => scripted.inbounds.map(({ place }) => place.channel)).toEqual([privateChannelOf("ana")]);
  });

  it("files that are chosen come with the question that is sent, or wait in the box", async () => {
    const scripted = await start();
    const page = await open();
    const file = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("abc") };
    const choose = async () => {
      const chooser = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: "Attach files" }).click();
      await (await chooser).setFiles(file);
    };
    const releaseFirst = await reloadHeld(page);
    await choose();
    releaseFirst();
    await page.getByText("notes.txt", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Remove notes.txt" }).click();

    const release = await reloadHeld(page);
    await choose();
    await boxOf(page).fill("What does it say?");
    await boxOf(page).press("Enter");
    release();

    await expect.poll(() => scripted.inbounds).toMatchObject([{ attachments: [{ name: "notes.txt" }] }]);
  });

  it("a button that is pressed works as soon as the page can, and an empty question is asked for", async () => {
    await start();
    const page = await open();
    const releaseFirst = await reloadHeld(page);
    await page.getByRole("button", { name: "All keys" }).click();
    releaseFirst();
    await page.getByRole("dialog").waitFor();

    const release = await reloadHeld(page);
    await boxOf(page).press("Enter");
    release();

    await page.getByText("Write a question first.").waitFor();
  });
});
