import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Form } from "../../../../src/core/document.ts";
import { isChromiumMissing } from "../../../doubles/processes/chromium.ts";
import { temporaryFolder } from "../../../doubles/temporary-folder.ts";
import * as documents from "../../documents.ts";
import { none } from "../../scripted-console.ts";
import { ask, boxOf, form, useBrowser } from "../browser.ts";

describe.skipIf(isChromiumMissing)("what people type on the page", () => {
  const { start, open, inboundOf, placeOfQuestion } = useBrowser();

  it("asks the server for nothing that isn't there when a conversation begins", async () => {
    const scripted = await start({
      script: async (inbound) => {
        await inbound.ack(none);
        if (inbound.kind === "action") await inbound.reply.send(documents.steps, "private");
      },
    });
    const page = await open();
    const missing: string[] = [];
    page.on("response", (response) => {
      if (response.status() === 404) missing.push(response.url());
    });
    await ask(page, "How long?");
    await scripted.show(await placeOfQuestion(), "t1", documents.answered);
    await page.getByText("Single sign-on is part of").waitFor();
    await page.getByRole("link", { name: "New conversation" }).first().click();
    await page.getByRole("button", { name: "How do I connect Slack?" }).click();
    await expect.poll(() => scripted.inbounds.length).toBe(2);
    await page.getByRole("link", { name: "New conversation" }).first().click();
    await ask(page, "/agent list");
    await expect.poll(() => scripted.inbounds.length).toBe(3);

    expect(missing).toEqual([]);
  });

  it("breaks the line on Shift+Enter, and says what to do about an empty question", async () => {
    const scripted = await start();
    const page = await open();
    const box = boxOf(page);

    await box.press("Enter");
    await page.getByText("Write a question first.").waitFor();
    await box.fill("one");
    await box.press("Shift+Enter");
    await box.pressSequentially("two");
    await box.press("Enter");

    await expect.poll(() => inboundOf("message")).toMatchObject({ text: "one\ntwo" });
    expect(scripted.inbounds).toHaveLength(1);
    expect(await box.inputValue()).toBe("");
  });

  it("shows all commands in groups after a slash, completes them and names, and sends one that is complete", async () => {
    await start();
    const page = await open();
    const box = boxOf(page);

    await box.pressSequentially("/");
    await page.locator(".entry").first().waitFor();
    expect(await page.locator(".entry").count()).toBe(6);
    expect(await page.locator(".entry-group").allTextContents()).toContain("agent");
    await box.pressSequentially("ag");
    await page.getByRole("option", { name: "/agent use" }).waitFor();
    await box.press("ArrowDown");
    await box.press("Tab");
    expect(await box.inputValue()).toBe("/agent use ");
    await box.pressSequentially("sa");
    await page.getByRole("option", { name: "sales" }).waitFor();
    await box.press("Tab");
    await box.press("Escape");
    await box.press("Enter");

    await expect.poll(() => inboundOf("command")).toMatchObject({ input: { kind: "typed", text: "/agent use sales" } });
  });

  it("opens a form for a command, shows an error at its field, and keeps what was typed until it is accepted", async () => {
    const scripted = await start({
      script: (inbound) => {
        if (inbound.kind !== "form") return inbound.ack({ kind: "form", form });
        const isTaken = inbound.values["name"] === "taken";
        return inbound.ack(isTaken ? { kind: "form-errors", errors: { name: "That name is taken." } } : none);
      },
    });
    const page = await open();
    await ask(page, "/agent create");
    const dialog = page.getByRole("dialog", { name: "Create an agent" });
    await dialog.waitFor();

    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.getByText("Name is required.").waitFor();
    await dialog.getByLabel("Name").fill("taken");
    await dialog.getByLabel("Key").fill("sk-secret");
    await dialog.getByLabel("B", { exact: true }).check();
    await dialog.getByLabel("Tables: add others").fill("c, d");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.getByText("That name is taken.").waitFor();
    const name = dialog.getByLabel("Name");
    expect(await name.getAttribute("aria-invalid")).toBe("true");
    expect(await page.evaluate("document.activeElement.name")).toBe("name");
    await name.fill("fresh");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.waitFor({ state: "detached" });

    const submitted = scripted.inbounds.findLast((inbound) => inbound.kind === "form");
    expect(submitted).toMatchObject({
      formId: "agent create",
      context: "for general",
      values: { name: "fresh", key: "sk-secret", provider: "", tables: ["b", "c", "d"] },
    });
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(
      "sk-secret",
    );
  });

  it("shows few choices as radio buttons, and takes another entry instead", async () => {
    const providers: Form = {
      ...form,
      fields: [
        {
          ...{
            name: "provider",
            label: "Provider",
            isRequired: false,
            type: "select",
            showsAll: true,
            initial: "openai",
          },
          ...{ allowsFree: true, choices: ["default", "openai"].map((value) => ({ value, label: value })) },
        },
      ],
    };
    const scripted = await start({
      script: (inbound) => inbound.ack(inbound.kind === "form" ? none : { kind: "form", form: providers }),
    });
    const page = await open({ width: 360 });
    const submit = async (change: (dialog: Locator) => Promise<void>) => {
      await ask(page, "/agent create");
      const dialog = page.getByRole("dialog", { name: "Create an agent" });
      await dialog.getByRole("group", { name: "Provider" }).waitFor();
      await change(dialog);
      await dialog.getByRole("button", { name: "Create" }).click();
      await dialog.waitFor({ state: "detached" });
      const submitted = scripted.inbounds.findLast((inbound) => inbound.kind === "form");
      return submitted?.kind === "form" ? submitted.values["provider"] : undefined;
    };
    const another = (dialog: Locator) => dialog.getByLabel("Provider: another");

    expect(await submit(async () => {})).toBe("openai");
    expect(await submit((dialog) => another(dialog).fill("mistral"))).toBe("mistral");
    const changedBack = submit(async (dialog) => {
      await another(dialog).fill("mistral");
      await dialog.getByLabel("default").check();
    });
    expect(await changedBack).toBe("default");
  });

  it("edits the last question in place, and deletes it", async () => {
    const scripted = await start();
    const page = await open();
    await ask(page, "Waht?");
    await placeOfQuestion();

    await page.getByRole("button", { name: "Edit your question" }).click();
    await page.getByRole("dialog").getByLabel("Your question").fill("What?");
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => page.locator(".question-text").allTextContents()).toEqual(["What?"]);
    await page.getByRole("button", { name: "Delete your question" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.locator(".question-text").waitFor({ state: "detached" });

    expect(scripted.inbounds.map((inbound) => inbound.kind)).toEqual(["message", "message-edited", "message-deleted"]);
  });

  it("has history and draft after a reload", async () => {
    const scripted = await start();
    const page = await open();
    await ask(page, "Which plan?");
    await scripted.show(await placeOfQuestion(), "t1", documents.answered);
    await page.getByText("Single sign-on is part of").waitFor();
    await boxOf(page).fill("half a thou");

    await page.reload();
    await page.getByText("Single sign-on is part of").waitFor();

    expect(await page.locator(".question-text").allTextContents()).toEqual(["Which plan?"]);
    expect(await boxOf(page).inputValue()).toBe("half a thou");
    expect(
      await page.getByRole("navigation").getByRole("link", { name: "Which plan?" }).getAttribute("aria-current"),
    ).toBe("page");
  });

  it("keeps what is typed while the page is still loading", async () => {
    await start();
    const page = await open();
    const loaded = Promise.withResolvers<void>();
    await page.route("**/page/page.js", async (route) => {
      await loaded.promise;
      await route.continue();
    });
    await page.reload({ waitUntil: "commit" });
    const box = page.getByLabel("Message", { exact: true });
    await box.fill("Where is the oven?");

    loaded.resolve();

    await page.locator(".welcome").waitFor();
    expect(await box.inputValue()).toBe("Where is the oven?");
  });

  it("says that the connection is lost, queues what is sent meanwhile, and continues after the restart", async () => {
    const dataDir = await temporaryFolder("console");
    let scripted = await start({ dataDir });
    const page = await open();
    await ask(page, "Before");
    const place = await placeOfQuestion();
    await scripted.show(place, "t1", documents.running(1));
    await page.locator(".step").waitFor();
    const { port } = scripted;

    await scripted.stop();
    await page.getByText("Connection lost, reconnecting.").waitFor();
    await ask(page, "Meanwhile");
    await page.getByText("Not sent yet, retrying").waitFor();
    scripted = await start({ dataDir, listenOn: port });
    await scripted.show(place, "t1", documents.answered);

    await page.getByText("Single sign-on is part of").waitFor();
    await expect.poll(() => inboundOf("message")).toMatchObject({ text: "Meanwhile", place });
    await page.getByText("Not sent yet, retrying").waitFor({ state: "detached" });
    await expect.poll(() => page.locator("#connection").textContent()).toBe("");
    expect(await page.locator(".question-text").allTextContents()).toEqual(["Before", "Meanwhile"]);
  });

  it("sends what was under way when it was closed", async () => {
    let isTaking = false;
    const scripted = await start({ script: async (inbound) => (isTaking ? inbound.ack(none) : undefined) });
    const page = await open();
    await ask(page, "Do not lose me");
    await page.getByText("Not sent yet, retrying").waitFor();

    isTaking = true;
    await page.reload();
    await page.getByText("Do not lose me").first().waitFor();

    await expect
      .poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("parley.outbox"))))
      .toEqual([]);
    expect(new Set(scripted.inbounds.map((inbound) => inbound.eventKey)).size).toBe(1);
  });

  it("gives back what is refused, with the reason", async () => {
    await start();
    const page = await open();
    const text = "x".repeat(2_000_001);

    await boxOf(page).fill(text);
    await page.keyboard.press("Enter");
    await page.getByText("The question is longer than 120,000 characters.").waitFor();

    expect((await boxOf(page).inputValue()).length).toBe(text.length);
  });
});
