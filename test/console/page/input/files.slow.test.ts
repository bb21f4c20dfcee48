import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import * as limits from "../../../../adapters/console/limits.ts";
import * as pageLimits from "../../../../adapters/console/page/input/file-limits.ts";
import { isChromiumMissing } from "../../../doubles/processes/chromium.ts";
import { ask, boxOf, form, useBrowser } from "../browser.ts";

const textFile = (name: string, content: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(content) });
const lineOf = (page: Page, name: string) => page.locator(".attached-file", { hasText: name });

/** Pastes or drops what a script puts together: a browser's own clipboard and mouse can't be driven with files. */
const give = (page: Page, type: "paste" | "drop", script: string) =>
  page.evaluate(`(() => {
    const data = new DataTransfer();
    ${script}
    const event = ${
      type === "paste"
        ? `new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true })`
        : `new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true })`
    };
    return document.querySelector("#box").dispatchEvent(event);
  })()`);

describe.skipIf(isChromiumMissing)("files on the page", () => {
  const { start, open, inboundOf } = useBrowser();
  const ready = async () => {
    const page = await open();
    await page.locator(".welcome").waitFor();
    return page;
  };

  it("are attached with the keyboard alone, removed, sent with a question, and downloaded from it", async () => {
    await start();
    const page = await ready();
    const press = async () => {
      await boxOf(page).press("Shift+Tab");
      expect(await page.evaluate("document.activeElement.id")).toBe("attach");
      await page.keyboard.press("Enter");
    };
    // Early, because the browser needs a moment to report it.
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), press()]);
    await chooser.setFiles([textFile("a<b>\u202Egpj.txt", "abc"), textFile("prices.csv", "a,b")]);
    await expect.poll(() => page.locator('.attached-file[data-state="done"]').count()).toBe(2);

    await page.getByRole("button", { name: "Remove a<b>gpj.txt" }).press("Enter");
    expect(await page.evaluate("document.activeElement.ariaLabel")).toBe("Remove prices.csv");
    await ask(page, "What do they cost?");

    await expect.poll(() => inboundOf("message")).toMatchObject({ attachments: [{ name: "prices.csv" }] });
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "prices.csv" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("prices.csv");
    expect(await page.locator(".attached-file").count()).toBe(0);
  });

  it("are scaled down before they are uploaded where they are large pictures", async () => {
    await start();
    const page = await ready();
    await page.evaluate(`(async () => {
      const canvas = new OffscreenCanvas(4096, 1000);
      canvas.getContext("2d").fillRect(0, 0, 10, 10);
      const data = new DataTransfer();
      data.items.add(new File([await canvas.convertToBlob()], "wide.png", { type: "image/png" }));
      const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
      document.querySelector("#box").dispatchEvent(event);
    })()`);
    await expect.poll(() => page.locator('.attached-file[data-state="done"]').count()).toBe(1);
    await ask(page, "What is this?");

    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "wide.png" }).click(),
    ]);
    const bytes = await readFile(await download.path());
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([2_048, 500]);
  });

  it("can be pasted and dropped, and be the whole question; a long text becomes one", async () => {
    await start();
    const page = await ready();

    const isHandled = async (given: Promise<unknown>) => (await given) === false;
    const picture = `data.items.add(new File(["x"], "image.png", { type: "image/png" }));`;
    expect(await isHandled(give(page, "paste", picture))).toBe(true);
    // A spreadsheet's cells come as text and as a picture.
    expect(await isHandled(give(page, "paste", `${picture} data.setData("text/plain", "a\\tb");`))).toBe(false);
    expect(await isHandled(give(page, "drop", `data.items.add(new File(["y"], "notes.txt"));`))).toBe(true);
    expect(await isHandled(give(page, "paste", `data.setData("text/plain", "x".repeat(10_000_000));`))).toBe(true);
    await page.getByText("The pasted text is long, so it's attached as a file.").waitFor();
    await lineOf(page, "pasted.txt").getByText("10.0 MB").waitFor();
    await boxOf(page).press("Enter");

    await expect
      .poll(() => inboundOf("message"))
      .toMatchObject({ text: "", attachments: [{ name: "image.png" }, { name: "notes.txt" }, { name: "pasted.txt" }] });
    await page.getByRole("heading", { name: "image.png, notes.txt, pasted.txt" }).waitFor();
  });

  it("that can't be attached are named with the reason, and the others are attached", async () => {
    await start();
    const page = await ready();
    const script = `
      data.items.add(new File([], "<img src=x onerror=alert(1)>\\n\\u202Efdp.exe"));
      for (let index = 0; index < 200; index += 1) data.items.add(new File(["abc"], index + ".txt"));`;

    expect(await give(page, "drop", script)).toBe(false);

    const tooMany = (name: string) => `“${name}” wasn’t attached: the limit is 10 files.`;
    await expect
      .poll(() => page.locator("#box-problem").textContent())
      .toBe(
        `“<img src=x onerror=alert(1)>\nfdp.exe” is empty. ${tooMany("10.txt")} ${tooMany("11.txt")} 188 more weren’t attached.`,
      );
    expect(await page.locator(".attached-file").count()).toBe(10);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  });

  it("are retried while Parley can't be reached, and their question waits for them", async () => {
    await start();
    const page = await ready();
    let isDown = true;
    await page.route("**/api/uploads/*", (route) => (isDown ? route.abort() : route.continue()));
    await page.locator("#files").setInputFiles([textFile("notes.txt", "abc")]);
    await lineOf(page, "notes.txt").getByText("Not uploaded yet, retrying").waitFor();

    await ask(page, "What does it say?");
    await page.locator(".sending").getByText("Not sent yet, retrying").waitFor();
    expect(inboundOf("message")).toBeUndefined();
    await page.getByRole("button", { name: "Undo send" }).click();
    await lineOf(page, "notes.txt").waitFor();
    await boxOf(page).press("Enter");
    isDown = false;
    await page.evaluate(`dispatchEvent(new Event("online"))`);

    await expect
      .poll(() => inboundOf("message"), { timeout: 20_000 })
      .toMatchObject({ text: "What does it say?", attachments: [{ name: "notes.txt" }] });
  });

  it("give their question back when the page is closed before they are uploaded", async () => {
    await start();
    const page = await ready();
    await page.route("**/api/uploads/*", (route) => route.abort());
    await page.locator("#files").setInputFiles([textFile("notes.txt", "abc")]);
    await ask(page, "What does it say?");
    await page.locator(".sending").waitFor();

    await page.reload();

    await page.getByText("The page was closed before all files were uploaded. Attach them again.").waitFor();
    expect(await boxOf(page).inputValue()).toBe("What does it say?");
    expect(inboundOf("message")).toBeUndefined();
  });

  it("stay with an unsent question over a reload, and the server's refusal is shown at the file", async () => {
    await start();
    const page = await ready();
    await page.locator("#files").setInputFiles([textFile("notes.txt", "abc")]);
    await page.locator('.attached-file[data-state="done"]').waitFor();
    await page.reload();
    await page.locator(".welcome").waitFor();
    await lineOf(page, "notes.txt").waitFor();

    const error = { code: "file_refused", what: "There is no room for more files.", hint: "Delete some." };
    await page.route("**/api/uploads", (route) => route.fulfill({ status: 422, json: { error } }));
    await page.locator("#files").setInputFiles([textFile("more.txt", "abc")]);
    await page.locator(".attached-file", { hasText: "There is no room for more files." }).waitFor();
    await ask(page, "What?");
    await page.getByText("Remove it before you send.").waitFor();
    await page.getByRole("button", { name: "Remove more.txt" }).click();
    await boxOf(page).press("Enter");

    await expect.poll(() => inboundOf("message")).toMatchObject({ attachments: [{ name: "notes.txt" }] });
  });

  it("that a proxy refuses for their size say so, and whom to tell", async () => {
    await start();
    const page = await ready();
    // As nginx answers.
    const refusal = { status: 413, contentType: "text/html", body: "<h1>413 Request Entity Too Large</h1>" };
    await page.route("**/api/uploads/*", (route) => route.fulfill(refusal));

    await page.locator("#files").setInputFiles([textFile("large.txt", "abc")]);

    await lineOf(page, "is larger than the proxy in front of Parley allows. Tell your Parley admin.").waitFor();
  });

  it("that a proxy refuses hold up no others", async () => {
    await start();
    const page = await ready();
    await page.route("**/api/uploads/*", (route) =>
      route.request().method() === "PUT" ? route.fulfill({ status: 413, body: "" }) : route.continue(),
    );
    const names = Array.from({ length: limits.maxOpenUploads }, (_, index) => `large${index}.txt`);
    await page.locator("#files").setInputFiles(names.map((name) => textFile(name, "abc")));
    await expect.poll(() => page.locator('.attached-file[data-state="failed"]').count()).toBe(names.length);

    await page.unroute("**/api/uploads/*");
    await page.locator("#files").setInputFiles([textFile("small.txt", "abc")]);

    await page.locator('.attached-file[data-state="done"]', { hasText: "small.txt" }).waitFor({ timeout: 5_000 });
  });

  it("are chosen in a form, and come with it", async () => {
    const files = { name: "files", label: "Files", type: "file", maxFiles: 10, isRequired: true } as const;
    await start({
      script: (inbound) =>
        inbound.ack(
          inbound.kind === "command"
            ? { kind: "form", form: { ...form, fields: [files, ...form.fields] } }
            : { kind: "none" },
        ),
    });
    const page = await ready();
    await ask(page, "/kb add");
    await page.getByLabel("Name").fill("docs");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByText("Choose a file.").waitFor();

    await page.getByLabel("Files", { exact: true }).setInputFiles([textFile("prices.csv", "a,b")]);
    await page.getByRole("button", { name: "Create" }).click();

    await expect
      .poll(() => inboundOf("form"))
      .toMatchObject({ values: { name: "docs" }, attachments: [{ name: "prices.csv" }] });
  });

  it("are offered for a command that takes one", async () => {
    const option = { name: "file", description: "A file", isRequired: false, isFile: true } as const;
    await start({ commands: () => [{ name: "/kb add", group: "kb", description: "Add", options: [option] }] });
    const page = await ready();
    const choose = async () => {
      await boxOf(page).pressSequentially("/kb add ");
      await page.getByRole("option", { name: "file" }).waitFor();
      await boxOf(page).press("Tab");
    };

    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), choose()]);
    await chooser.setFiles([textFile("prices.csv", "a,b")]);
    await page.getByRole("status").getByText("Uploaded prices.csv.").waitFor({ state: "attached" });
    await boxOf(page).press("Enter");

    await expect.poll(() => inboundOf("command")).toMatchObject({ attachments: [{ name: "prices.csv" }] });
    await page.getByText("/kb add · prices.csv").waitFor();
  });
});

it("the page knows the server's limits for files", () => {
  expect([pageLimits.maxFiles, pageLimits.maxFileBytes]).toEqual([limits.maxFilesPerMessage, limits.maxUploadBytes]);
});
