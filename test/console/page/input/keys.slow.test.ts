import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { isChromiumMissing } from "../../../doubles/processes/chromium.ts";
import * as documents from "../../documents.ts";
import { none } from "../../scripted-console.ts";
import { ask, boxOf, form, useBrowser } from "../browser.ts";

describe.skipIf(isChromiumMissing)("the keys of the page", () => {
  const { start, open, inboundOf, placeOfQuestion } = useBrowser();
  const stops = (inbounds: readonly { readonly kind: string }[]) =>
    inbounds.filter((inbound) => inbound.kind === "action").length;
  /** A key pressed while an input method composes. */
  const compose = (page: Page, key: string) =>
    page.evaluate(
      `document.querySelector("#box").dispatchEvent(new KeyboardEvent("keydown",
        { key: ${JSON.stringify(key)}, isComposing: true, bubbles: true, cancelable: true }))`,
    );

  it("stop the running answer with Escape, but not while a list, a form or an input method uses that key", async () => {
    const scripted = await start({
      script: (inbound) => inbound.ack(inbound.kind === "command" ? { kind: "form", form } : none),
    });
    const page = await open();
    await ask(page, "How long?");
    const place = await placeOfQuestion();
    await scripted.show(place, "t1", documents.running(2));
    await page.getByRole("button", { name: "Stop" }).waitFor();
    // Someone else's, below one's own question.
    const others = documents.running(1).actions.map((stop) => ({ ...stop, value: "t0", asker: "ana" }));
    await scripted.show(place, "t0", { ...documents.running(1), actions: others });
    await page.getByRole("button", { name: "Stop" }).nth(1).waitFor();

    await boxOf(page).pressSequentially("/");
    await page.getByRole("option").first().waitFor();
    await boxOf(page).press("Escape");
    await boxOf(page).fill("/agent create");
    await boxOf(page).press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await compose(page, "Escape");
    expect(stops(scripted.inbounds)).toBe(0);

    await boxOf(page).fill("half a question");
    await boxOf(page).press("Escape");

    await expect.poll(() => inboundOf("action")).toMatchObject({ action: "stop", value: "t1" });
    await page.getByRole("status").getByText("Stopping the answer.").waitFor({ state: "attached" });
    expect(await boxOf(page).inputValue()).toBe("half a question");
  });

  it("edit the last own question with the up arrow in an empty box, and only there", async () => {
    const scripted = await start();
    const page = await open();
    await boxOf(page).press("ArrowUp");
    await ask(page, "How long?");
    await scripted.show(await placeOfQuestion(), "t1", documents.answered);
    await page.getByRole("button", { name: "Edit your question" }).waitFor({ state: "attached" });

    await boxOf(page).fill("x");
    await boxOf(page).press("ArrowUp");
    await boxOf(page).fill("");
    await compose(page, "ArrowUp");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await boxOf(page).press("ArrowUp");
    await page.getByRole("dialog", { name: "Edit your question" }).waitFor();
    await page.keyboard.type(" And why?");
    await page.getByRole("button", { name: "Save" }).press("Enter");

    await expect.poll(() => inboundOf("message-edited")).toMatchObject({ text: "How long? And why?" });
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement.id")).toBe("box");
    // Not an earlier one, while the last isn't sent yet.
    await page.route("**/api/messages", () => {});
    await ask(page, "And when?");
    await page.locator(".message.is-pending").waitFor();
    await boxOf(page).press("ArrowUp");
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  it("are listed by a question mark outside of any field, and by a button", async () => {
    await start();
    const page = await open();
    await page.locator(".welcome").waitFor();
    await boxOf(page).press("?");
    expect(await boxOf(page).inputValue()).toBe("?");

    await page.getByRole("link", { name: "New conversation" }).press("?");
    await page.getByRole("dialog", { name: "Keys" }).getByText("Stop your running answer").waitFor();
    await page.getByRole("dialog", { name: "Keys" }).getByText("Search conversations").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "All keys" }).press("Enter");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
  });

  it("copy an answer as Markdown, and then as plain text", async () => {
    const scripted = await start();
    const page = await open();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const copied = () => page.evaluate("navigator.clipboard.readText()");
    await ask(page, "How long?");
    const text =
      "# Times\n\nIt **takes** `5` days [1], see [the list](https://example.com/list):\n\n- one\n- two\n\n" +
      "1. first\n2. second\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```sh\nls  -l\n```";
    const { blocks, ...rest } = documents.answered;
    const sources = blocks.filter(({ kind }) => kind === "sources");
    await scripted.show(await placeOfQuestion(), "t1", { ...rest, blocks: [{ kind: "markdown", text }, ...sources] });

    await page.locator(".message > .actions").getByRole("button", { name: "Copy", exact: true }).press("Enter");
    await page.getByRole("status").getByText("Copied").waitFor({ state: "attached" });
    expect(await copied()).toContain("It **takes** `5` days [1]");
    await page.getByRole("button", { name: "Copy as plain text" }).press("Enter");

    await expect
      .poll(copied)
      .toContain(
        "Times\n\nIt takes 5 days [1], see the list (https://example.com/list):\n\n• one\n• two\n\n" +
          "1. first\n2. second\n\na\tb\n1\t2\n\nls  -l\n\n[1] ",
      );
  });

  it("are listed on one line each on a phone", async () => {
    await start();
    const page = await open({ width: 360 });
    await page.locator(".welcome").waitFor();
    await page.evaluate("document.activeElement.blur()");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();

    const heights = await page.evaluate(
      "[...document.querySelectorAll('.keys-dialog dl dd')].map((does) => does.getClientRects()[0].height)",
    );
    expect(heights).toHaveLength(9);
    expect(new Set(heights as number[]).size).toBe(1);
  });
});
